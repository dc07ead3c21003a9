//===- FusedKernelBuilder.h - A fused kernel while it is written ----------===//
#ifndef KFUSE_CODEGEN_BUILDER_FUSEDKERNELBUILDER_H
#define KFUSE_CODEGEN_BUILDER_FUSEDKERNELBUILDER_H

#include "codegen/builder/FusedParameters.h"
#include "codegen/stage/StageWriter.h"
#include "codegen/text/Helpers.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace kfuse {

/// The place for which a stage is called: the names of the variables that hold
/// the coordinates it gets, and which element of each value is its own.
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
/// parameters, and the names of its variables. RoundingBarriers.cpp decides
/// which arguments of stages are isolated.
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
  /// The variables in local memory of the kernel, by member.
  std::vector<std::vector<std::string>> locals;
  std::set<std::string> taken;     ///< names in the kernel
  std::string grid, zero, element; ///< `element` counts a thread's elements
  std::string chunk;               ///< of a block, in threads
  std::vector<std::string> grids, blocks; ///< by member: its own, if it asks
  std::uint32_t rank = 1;                 ///< of the tiles
  bool hoists = false; ///< the grid-stride loop is around the stages
  bool usesZeros = false;
  /// Whether all arguments of the member's stage are isolated (Contractible.h).
  std::vector<bool> hasCommonProducts;
  std::string problem; ///< why what was written isn't right, or empty

  std::size_t members() const { return group.launches.size(); }
  const Launch &launchOf(std::size_t member) const {
    return program[group.launches[member]];
  }
  ArrayId arrayOf(std::size_t member, const Access &access) const {
    return launchOf(member).pointers[access.pointer].array;
  }
  const Kernel &kernelOf(std::size_t member) const {
    return program[launchOf(member).kernel];
  }
  bool isOpenCl() const { return program.language == Language::OpenCL; }
  bool movesBlocks() const { return group.elementsPerThread > 1; }
  /// Returns the number of opaque zeros that isolate the stages' values.
  std::size_t opaqueZeros();
  bool hasTiles() const { return group.schedule == Schedule::Tile; }
  bool hasChunks() const { return group.schedule == Schedule::BlockLocal; }
  ConfigMapping fitOf(std::size_t member) const {
    return member < group.fits.size() ? group.fits[member] : ConfigMapping{};
  }
  /// Returns V, the number of a thread's elements, as text.
  std::string count() const { return std::to_string(group.elementsPerThread); }

  /// Returns the launches of members because of whose sums values are isolated.
  std::set<LaunchId> isolatingLaunches() const;
  /// Returns whether the member gets coordinates of its own
  /// (FusedKernel::isolated).
  bool isIsolated(std::size_t member) const;
  /// Returns whether no thread runs the member, since others call it for the
  /// elements that they read.
  bool isComputed(std::size_t member) const {
    return kfuse::isComputed(group, member);
  }
  /// Returns whether the member also runs for threads around the block.
  bool runsAround(std::size_t member) const {
    return member < group.halos.size() && !group.halos[member].isEmpty();
  }
  /// Returns for each parameter of the member whether another one may write to
  /// what it points to, so that no load may go through the read-only path.
  std::vector<bool> sharedWithWriter(std::size_t member) const;
  /// Checks whether another member may write to what the member's pointer leads
  /// to.
  bool isSharedWithWriter(std::size_t member, std::size_t pointer) const;
  /// Checks whether another member may write to what the member loads.
  bool loadsPlainly(std::size_t member) const;
  /// Checks whether the member leaves something other than values in tiles:
  /// stores, or values for its own thread.
  bool isOwned(std::size_t member) const;

  /// Returns names for the forwards: the producers' names if these differ, else
  /// the host's.
  std::vector<std::string> forwardNames() const;

  const FusedParameter *parameterFor(std::size_t member,
                                     std::size_t parameter) const;

  /// Writes a polynomial in the parameters of a member's kernel with those of
  /// the fused kernel. With `places`, names of `long long`s, it may be in
  /// global coordinates too, and the result is a `long long`. Returns nullopt
  /// if it can't be written.
  std::optional<std::string>
  valueOf(std::size_t member, const Polynomial &polynomial,
          const std::array<std::string, 3> &places = {}) const;

  /// Declares variables for those of the thread's coordinates that the stages
  /// of the members `of` get, and adds them to `place`.
  std::string declareCoordinates(const std::vector<std::size_t> &of,
                                 CallPlace &place, const std::string &indent);
  std::string argumentText(std::size_t member, const StageArgument &argument,
                           const CallPlace &place);
  /// Writes a member's call, and then isolates the values it had in registers
  /// for the next stage.
  std::string callText(std::size_t member, const std::string &indent,
                       const CallPlace &place = {});
  /// Writes the assignments that isolate the member's forwarded values: those
  /// that stay in a pass if `isInPass` is set, else all in registers.
  std::string roundingBarriers(std::size_t member, const std::string &indent,
                               const CallPlace &place, bool isInPass);

  /// Writes a member's call for the threads that the member has, under tests
  /// that exclude all others.
  std::string boundedCallText(std::size_t member, const std::string &indent,
                              const CallPlace &place = {});

  /// Declares how many threads of the distributed members each block runs.
  std::string chunkDeclaration(const std::string &indent);
  /// Writes a loop over the block's chunk that calls the members from `first`
  /// up to `last`, which are distributed.
  std::string sharedCallText(std::size_t first, std::size_t last,
                             const std::string &indent);

  /// Declares what the member computes for others, as an array that they read.
  /// Returns an empty string if there is none, and nullopt if the thread of an
  /// element can't be written.
  std::optional<std::string> computedArray(std::size_t member,
                                           const std::string &indent);

  /// Declares the values in registers, as arrays of `extent` if there is one.
  /// Leaves out those that stay in a pass or in the loop over a chunk, or are
  /// computed.
  std::string valueDeclarations(const std::string &indent,
                                const std::string &extent = "") const;
  std::string valueDeclaration(std::size_t forward, const std::string &indent,
                               const std::string &extent = "") const;

  /// Names the fused kernel's variables in local memory, of OpenCL: those of
  /// the members.
  void nameLocals();
  std::string localDeclarations(const std::string &indent) const;

  /// Checks whether a barrier must stand before the member. In CUDA, stages may
  /// have a `__shared__` array in common, and a later one must not overwrite
  /// what an earlier one still reads.
  bool needsBarrier(std::size_t member) const;

  /// Returns the member's argument for a tile: its thread's element, or a
  /// pointer to it if it only takes values.
  std::string elementText(std::size_t member, const ForwardedArray &forward,
                          const std::string &element, const CallPlace &place);
  /// Returns the value as if the member had just loaded it, by means of one of
  /// the member's zeros.
  std::string isolate(const std::string &value, const std::string &type,
                      std::size_t member, const CallPlace &place,
                      std::size_t zeroOfMember = 0);

  /// Checks whether a later member takes the value and must get it isolated.
  bool feedsCommonProducts(std::size_t member, std::size_t forward) const;
  /// Checks whether the value is isolated after the member.
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
  /// Returns the number of a member's zero. If all members have zeros, the
  /// first one of each comes first, then the others of each.
  std::size_t zeroNumber(std::size_t member, std::size_t zeroOfMember);
  /// The zeros of members and their values, if only some are isolated.
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

/// Checks whether the member's stage for threads around the block takes the
/// value, or leaves it to another stage that does.
bool isTakenAround(const ForwardedArray &value, std::size_t member);

} // namespace kfuse

#endif
