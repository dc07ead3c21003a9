//===- Recomputation.h - Values computed where they are read --------------===//
//
// Any thread may read any element of an array that no thread writes: a reader
// of an element computes it, as the thread would have that wrote it. That asks
// for a producer which is a function of the element: it writes all of the
// array, each element by one thread that the element identifies, reads nothing
// that the group writes, and nothing else looks for the array in memory.
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

/// The same, once for each launch.
const std::optional<ElementProducer> &knownFunction(const Problem &problem,
                                                    LaunchId launch);

/// For each member of a group the function that it is there, if it is one.
using ElementFunctions = std::vector<std::optional<ElementProducer>>;

/// A member that writes what a function reads, and isn't one itself.
std::optional<std::uint32_t>
writerForFunctions(const Group &group, const ElementFunctions &functions);

/// Whether what each of the functions writes later members alone read, by loads
/// that can be calls.
bool areCalledAlone(const Group &group, const ElementFunctions &functions);

/// The members that are run, in a group of their own.
Group withoutFunctions(const Group &group, const ElementFunctions &functions);
/// `run`, which is as withoutFunctions() made it and settled since, with the
/// functions among its members again.
Group withFunctions(const Group &run, const Group &group,
                    const ElementFunctions &functions);
/// The kernel of the members that are run, with the functions as members.
FusedKernel withFunctions(FusedKernel kernel, const Group &group,
                          const ElementFunctions &functions);

} // namespace kfuse

#endif
