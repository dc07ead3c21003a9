//===- FusedKernelBuilder.h - A fused kernel while it is written ----------===//
#ifndef KFUSE_CODEGEN_BUILDER_FUSEDKERNELBUILDER_H
#define KFUSE_CODEGEN_BUILDER_FUSEDKERNELBUILDER_H

#include "codegen/builder/FusedParameters.h"
#include "codegen/stage/Writer.h"
#include "codegen/text/Helpers.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace kfuse {

/// For whom a stage is called: names of the variables that stand for the
/// coordinates it gets, and which element of each value is its own.
struct CallPlace {
  std::string block = {}, thread = {}, index = {};
  std::string element = {}; ///< follows the name of a value: `[v]`
  PlaceText cell = {"threadIdx.x", "threadIdx.y", "threadIdx.z"}; ///< in a tile
  std::string number = {}; ///< of the cell, if a thread takes several
  std::string result = {}; ///< of a member that others call
  /// The thread's global index on each axis, if it isn't the hardware's.
  std::array<std::string, 3> at = {};
  /// Variables that hold these.
  std::vector<StageCoordinate> declared = {};
};

/// The state that the parts of a fused kernel share: its members' stages, its
/// parameters, and the names of its variables. RoundingBarriers.cpp says what
/// stages get set apart.
class FusedKernelBuilder {
public:
  FusedKernelBuilder(const Program &code, const FusedKernel &kernel,
                     StageCache &book, Names &unique, Helpers &tools)
      : program(code), group(kernel), stages(book), names(unique),
        helpers(tools) {}

  const Program &program;
  const FusedKernel &group;
  StageCache &stages;
  Names &names;
  Helpers &helpers;
  std::vector<ForwardedArray> forwards;
  std::vector<StageCall> calls; ///< by member
  /// For each member that also runs for threads around the block: what it does
  /// with the forwards there, and its call.
  std::vector<std::vector<ForwardedArray>> forwardsAround;
  std::vector<StageCall> callsAround;
  std::vector<FusedParameter> parameters;
  std::vector<std::string> values; ///< by forward
  std::vector<std::string> flags;  ///< by forward: whether it has a value
  std::set<std::string> taken;     ///< names in the kernel
  std::string grid, zero, element; ///< `element` counts a thread's elements
  std::string share;               ///< of a block, in threads
  std::vector<std::string> grids, blocks; ///< by member: its own, if it asks
  std::uint32_t rank = 1;                 ///< of the tiles
  bool hoists = false; ///< the grid-stride loop is around the stages
  bool usesZeros = false;
  /// Whether all that the member's stage gets is set apart (Contractible.h).
  std::vector<bool> hasCommonProducts;
  std::string problem; ///< why what was written isn't right, or empty

  std::size_t members() const { return group.launches.size(); }
  const Launch &launchOf(std::size_t member) const {
    return program[group.launches[member]];
  }
  const Kernel &kernelOf(std::size_t member) const {
    return program[launchOf(member).kernel];
  }
  bool isOpenCl() const { return program.language == Language::OpenCL; }
  bool movesBlocks() const { return group.elementsPerThread > 1; }
  /// How many zeros keep what its stages compute apart.
  std::size_t opaqueZeros();
  bool hasTiles() const { return group.schedule == Schedule::Tile; }
  bool hasShares() const { return group.schedule == Schedule::Block; }
  ConfigMapping fitOf(std::size_t member) const {
    return member < group.fits.size() ? group.fits[member] : ConfigMapping{};
  }
  /// V, as text.
  std::string count() const { return std::to_string(group.elementsPerThread); }

  /// Whether no thread runs the member: others call it.
  /// Whether the member gets coordinates of its own (FusedKernel::isolated).
  bool isIsolated(std::size_t member) const;
  bool isComputed(std::size_t member) const {
    return kfuse::isComputed(group, member);
  }
  /// Whether the member runs for threads around the block too.
  bool runsAround(std::size_t member) const {
    return member < group.halos.size() && !group.halos[member].isEmpty();
  }
  /// Whether the member leaves something else than values in tiles: stores, or
  /// values for its own thread.
  bool isOwned(std::size_t member) const;

  /// Returns names for the forwards: by the producers' names if these differ.
  std::vector<std::string> forwardNames() const;

  const FusedParameter *parameterFor(std::size_t member,
                                     std::size_t parameter) const;

  /// A polynomial in the parameters of a member's kernel, in the kernel's; with
  /// `places`, names of `long long`s, also in global coordinates. It is one too
  /// then.
  std::optional<std::string>
  valueOf(std::size_t member, const Polynomial &polynomial,
          const std::array<std::string, 3> &places = {}) const;

  /// Declares what the members' stages get of the thread's coordinates.
  std::string declareCoordinates(const std::vector<std::size_t> &of,
                                 CallPlace &place, const std::string &indent);
  std::string argumentText(std::size_t member, const StageArgument &argument,
                           const CallPlace &place);
  /// A member's call, and then the values it had in registers set apart for the
  /// next stage.
  std::string callText(std::size_t member, const std::string &indent,
                       const CallPlace &place = {});
  /// The values that stay in a pass, or all in registers, set apart.
  std::string roundingBarriers(std::size_t member, const std::string &indent,
                               const CallPlace &place, bool isInPass);

  /// The same, for those threads alone that the member has.
  std::string boundedCallText(std::size_t member, const std::string &indent,
                              const CallPlace &place = {});

  /// Declares how many threads of the members that are distributed each block
  /// has.
  std::string shareDeclaration(const std::string &indent);
  /// The members from `first` up to `last`, which are distributed, for all of
  /// the block's share.
  std::string sharedCallText(std::size_t first, std::size_t last,
                             const std::string &indent);

  /// Returns what the member computes for others, as an array that they read;
  /// nullopt if the thread of an element has no text.
  std::optional<std::string> computedArray(std::size_t member,
                                           const std::string &indent);

  /// Declares the values in registers, as arrays of `extent` if there is one.
  /// Leaves out those that stay in a pass or in the loop over a share, or are
  /// computed.
  std::string valueDeclarations(const std::string &indent,
                                const std::string &extent = "") const;
  std::string valueDeclaration(std::size_t forward, const std::string &indent,
                               const std::string &extent = "") const;

  /// Stages may have a `__shared__` array in common: what one still reads a
  /// later one must not overwrite.
  bool needsBarrier(std::size_t member) const;

  /// Returns what the member gets of a tile: its thread's element, or a pointer
  /// to it if it only takes values.
  std::string elementText(std::size_t member, const ForwardedArray &forward,
                          const std::string &element, const CallPlace &place);
  /// The value as if the member had just loaded it, with one of its zeros.
  std::string isolate(const std::string &value, const std::string &type,
                      std::size_t member, const CallPlace &place,
                      std::size_t zeroOfMember = 0);

  /// Whether a later member takes the value and has to get it apart.
  bool feedsCommonProducts(std::size_t member, std::size_t forward) const;
  /// Checks whether the value is set apart after the member.
  bool needsRoundingBarrier(std::size_t member, std::size_t forward) const;
  bool allHaveCommonProducts() const {
    return std::find(hasCommonProducts.begin(), hasCommonProducts.end(),
                     false) == hasCommonProducts.end();
  }

private:
  std::string coordinateText(const StageCoordinate &coordinate,
                             const CallPlace &place) const;
  /// The variables of coordinates, by the user's words for them.
  std::vector<std::pair<StageCoordinate, std::string>> CoordinateNames;
  std::string userName(const ForwardedArray &forward) const;
  std::string arrayName(const ForwardedArray &forward) const;
  /// The first zero of each member comes first, then the others of each.
  std::size_t zeroNumber(std::size_t member, std::size_t zeroOfMember);
  /// The zeros of members and their values, if only some are set apart.
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> ZeroNumbers;
  std::string zeroText(const CallPlace &place, std::size_t number);
  std::vector<std::string> boundTexts(std::size_t member,
                                      const CallPlace &place) const;
  std::string movedCallText(std::size_t member, const std::string &indent,
                            const CallPlace &place);
  std::string ownCoordinate(const std::string &name, std::size_t member);
  bool loadsInCommon(std::size_t member, std::size_t pointer) const;
  bool takesInCommon(std::size_t member, const ForwardedArray &forward) const;
  bool passesInMemory(std::size_t member, std::size_t parameter) const;
  std::string parameterText(std::size_t member, std::size_t parameter,
                            const CallPlace &place);
  std::string valueText(std::size_t member, std::size_t forward,
                        const std::vector<std::string> &from,
                        const CallPlace &place);
  std::string nameIn(std::size_t member, const std::vector<std::string> &from,
                     std::size_t forward, const CallPlace &place) const;
  std::optional<std::array<std::string, 3>>
  threadOf(std::size_t member, const ElementThread &thread,
           const std::string &element) const;
};

bool usesShared(const Kernel &kernel);

/// Whether the stage that runs around its block takes the value, or leaves it
/// to another one that does.
bool isTakenAround(const ForwardedArray &value, std::size_t member);

} // namespace kfuse

#endif
