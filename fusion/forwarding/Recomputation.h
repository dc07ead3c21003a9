//===- Recomputation.h - Values computed where they are read --------------===//
//
// Any thread may read any element of an array that no thread writes: a reader
// of an element computes it, as the thread would have that wrote it. This asks
// for a producer that is a function of the element. It writes all of the array,
// each element by one thread that the element identifies. It reads nothing that
// the group writes, and nothing else looks for the array in memory.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_FORWARDING_RECOMPUTATION_H
#define KFUSE_FUSION_FORWARDING_RECOMPUTATION_H

#include "fusion/group/Group.h"

#include <optional>
#include <vector>

namespace kfuse {

/// A launch as a function from an element's index to its value.
struct ElementProducer {
  ArrayId array{};
  std::uint32_t pointer = 0; ///< into Kernel::pointers, to the array
  ElementThread thread;
  /// Without it an index has more bits than a thread's.
  std::optional<Condition> fewElements;
};
std::optional<ElementProducer> asElementProducer(const Problem &problem,
                                                 LaunchId launch);

/// Returns what asElementProducer() does, computed once for each launch.
const std::optional<ElementProducer> &knownFunction(const Problem &problem,
                                                    LaunchId launch);

/// For each member of a group the function that it is there, if it is one.
using ElementFunctions = std::vector<std::optional<ElementProducer>>;

/// Returns a member that writes what a function reads and isn't a function
/// itself; nullopt if there is none.
std::optional<std::uint32_t>
writerForFunctions(const Group &group, const ElementFunctions &functions);

/// Checks whether only later members read what each of the functions writes, by
/// loads that can be calls.
bool areCalledAlone(const Group &group, const ElementFunctions &functions);

/// Returns the members that are run as a group of their own.
Group withoutFunctions(const Group &group, const ElementFunctions &functions);
/// Returns `run` with the functions among its members again. `run` is what
/// withoutFunctions() made of `group`, and has been planned since.
Group withFunctions(const Group &run, const Group &group,
                    const ElementFunctions &functions);
/// Returns the kernel of the members that are run, with the functions of
/// `group` as members too.
FusedKernel withFunctions(FusedKernel kernel, const Group &group,
                          const ElementFunctions &functions);

} // namespace kfuse

#endif
