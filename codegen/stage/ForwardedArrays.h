//===- ForwardedArrays.h - Values that pass from stage to stage -----------===//
#ifndef KFUSE_CODEGEN_STAGE_FORWARDEDARRAYS_H
#define KFUSE_CODEGEN_STAGE_FORWARDEDARRAYS_H

#include "codegen/text/Result.h"
#include "codegen/text/TileText.h"
#include "fusion/plan/Plan.h"
#include "graphs/program/Program.h"

#include <string>
#include <vector>

namespace kfuse {

/// The way that one member uses a forwarded value.
struct ForwardRole {
  bool produces = false;      ///< its stores define the value
  bool consumes = false;      ///< its loads take the value
  bool isOverwritten = false; ///< it only defines the value, and stores nothing
  bool takesPart() const { return produces || consumes; }
};

/// One array of a group whose values stay in a register or tile between the
/// stages.
struct ForwardedArray {
  ArrayId array{};
  ElementType element;
  bool stored = true;             ///< the stores to memory remain
  std::vector<ForwardRole> roles; ///< by member
  std::vector<ForwardedRead> reads;
  bool canStoreLast = false; ///< one store behind all others would do for them
  bool isPartial = false;    ///< some loads must look whether there is a value
  std::optional<MemberAccess> firstLoad; ///< if one could come before all else
  std::optional<TilePrefill> fill;       ///< of a tile
  bool isTile = false;
  Halo halo;              ///< of the tile
  Extents tile{};         ///< its extents
  std::uint32_t slot = 0; ///< where it is
  /// The producer is a function that the consumers' loads call.
  std::optional<ElementThread> computed;
  /// All members that take part run in one pass, so that each thread's value,
  /// or each around the block, is gone before the next.
  bool staysInPass = false;
  /// Returns how many members define the value.
  std::size_t producers() const;
  /// Checks whether a member after `member` takes the value.
  bool isUsedAfter(std::size_t member) const;
};

/// Writes a variable's declaration, `float B_value[4] = {};`. An element that
/// has a default constructor is initialized by it.
std::string variableOf(const ElementType &element, const std::string &name,
                       Language language);

/// Returns the forwards of a group, from its placements. Checks again that
/// every access can be rewritten: what the plan says and what the text allows
/// must agree.
Result<std::vector<ForwardedArray>> forwards(const Program &program,
                                             const FusedKernel &kernel);

/// Returns the forwards for a member that runs for threads of other blocks: it
/// forwards every value that it writes, and stores none.
std::vector<ForwardedArray>
forwardsAround(const Program &program, const FusedKernel &kernel,
               const std::vector<ForwardedArray> &forwards, std::size_t member);

/// Returns the accesses of a launch's kernel to `array`, in program order.
std::vector<const Access *> accessesTo(const Program &program,
                                       const Launch &launch, ArrayId array);
bool storesTo(const Program &program, const Launch &launch, ArrayId array);

/// Checks whether the launch writes `array`, or what may be the same storage.
bool mayWrite(const Program &program, const Launch &launch, ArrayId array);

} // namespace kfuse

#endif
