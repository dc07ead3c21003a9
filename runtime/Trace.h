//===- Trace.h - What a program lets its host see -------------------------===//
//
// A program built by kfuse-cpu and run with KFUSE_CPU_TRACE=FILE logs, one
// event a line and in the order of the program:
//
//   copy LABEL BYTES DIGEST   a copy from the device to the host
//   free LABEL BYTES DIGEST   a device buffer's content when it is freed
//   exit LABEL BYTES DIGEST   that of a buffer still alive at the end of the
//                             program, in the order of allocation
//   launch NAME               with KFUSE_CPU_TRACE_LAUNCHES=1 only
//
// BYTES is the number of bytes copied, or the buffer's size. DIGEST is a
// 64-bit hash of them in hexadecimal, in which a pointer into a device buffer
// counts as the buffer's label and the offset. LABEL is the function of
// the allocation, a colon, the text of its first argument after macro
// expansion, without casts, the address-of and white space, then `#` and how
// many allocations with the same came before: `main:d_B#0` of
// `cudaMalloc((void **)&d_B, n)`. So a program in which other allocations are
// missing has the same labels. A copy has its
// source's label: that of the buffer, or the name of the variable, or `?`.
//
// KFUSE_CPU_COUNT=FILE writes the number of launches at the end, and
// KFUSE_CPU_LAUNCHES=FILE for each place of one `COUNT LINE NAME`, the line
// being 0 if it isn't known.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_RUNTIME_TRACE_H
#define KFUSE_RUNTIME_TRACE_H

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kfuse {

/// Events that one program doesn't leave in the same way each time it runs.
/// They are named by their kind and label.
struct UnsteadyEvents {
  std::set<std::string> names; ///< of which the runs had not the same number
  /// Single ones: how many of the name came before.
  std::set<std::pair<std::string, std::size_t>> events;
  bool all = false; ///< they come in another order

  bool contains(const std::string &name, std::size_t occurrence) const;
};

/// The rules by which two traces are compared.
struct TraceRules {
  /// Labels, without `#k`, of arrays proved dead: their content at free and
  /// exit is left out on both sides. A copy of one to the host still counts.
  std::vector<std::string> ignored;
  /// The fused program may have swapped the pointers to arrays whose labels are
  /// in one list: their contents at free and exit count as a set, and what
  /// isn't ignored of the original's must be there.
  std::vector<std::vector<std::string>> swapped = {};
  UnsteadyEvents unsteady = {}; ///< left out on both sides
};

/// Adds to what is unsteady how two runs of one program differ.
void addUnsteady(std::string_view one, std::string_view other,
                 TraceRules &rules);

/// How many events of the original's trace count, and how many are unsteady.
struct ComparedEvents {
  std::size_t compared = 0, unsteady = 0;
  std::string example; ///< of the unsteady, for people
};
ComparedEvents comparedEvents(std::string_view original,
                              const TraceRules &rules);

struct TraceDifference {
  std::string text; ///< one or more lines, for people
};

/// The first difference of two traces; none when they are equal. Launches don't
/// count.
std::optional<TraceDifference> compareTraces(std::string_view original,
                                             std::string_view fused,
                                             const TraceRules &rules);

} // namespace kfuse

#endif
