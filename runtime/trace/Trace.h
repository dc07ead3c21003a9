//===- Trace.h - What a program lets its host see -------------------------===//
//
// A program built by kfuse-cpu and run with KFUSE_CPU_TRACE=FILE logs one event
// per line, in program order:
//
//   copy LABEL BYTES DIGEST   a copy from the device to the host.
//   free LABEL BYTES DIGEST   a device buffer's content when it is freed.
//   exit LABEL BYTES DIGEST   that of a buffer still alive when the program
//                             ends, in the order of allocation.
//   launch NAME               only with KFUSE_CPU_TRACE_LAUNCHES=1.
//
// BYTES is the number of bytes copied, or the buffer's size. DIGEST is a 64-bit
// hash of them in hexadecimal. In the hash, a pointer into a device buffer
// counts as the buffer's label and the offset.
//
// LABEL names an allocation, like `main:d_B#0` for
// `cudaMalloc((void **)&d_B, n)`. It consists of the function that allocates, a
// colon, and the text of the call's first argument. This text is
// macro-expanded, without casts, the address-of operator and white space. After
// a `#` comes the number of earlier allocations with the same function and
// text. So a program in which other allocations are missing has the same
// labels. A copy has its source's label: that of the buffer, the name of the
// variable, or `?`.
//
// KFUSE_CPU_COUNT=FILE writes the number of launches at the end.
// KFUSE_CPU_LAUNCHES=FILE writes `COUNT LINE NAME` for each place with a
// launch; LINE is 0 if it isn't known.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_RUNTIME_TRACE_TRACE_H
#define KFUSE_RUNTIME_TRACE_TRACE_H

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kfuse {

/// Holds the events that a program doesn't log in the same way each time it
/// runs. They are named by their kind and label.
struct UnsteadyEvents {
  /// Names that the runs logged a different number of times.
  std::set<std::string> names;
  /// Single events, each with the number of earlier events of its name.
  std::set<std::pair<std::string, std::size_t>> events;
  bool all = false; ///< the order of events varies, so none is compared

  bool contains(const std::string &name, std::size_t occurrence) const;
};

/// Holds the rules by which two traces are compared.
struct TraceRules {
  /// Labels, without `#k`, of arrays proved dead: their contents at free and
  /// exit are ignored on both sides. A copy of one to the host still counts.
  std::vector<std::string> ignored;
  /// The fused program may have swapped the pointers to arrays whose labels are
  /// in the same list. Their contents at free and exit are compared as a set;
  /// those of the original that aren't ignored must be in it.
  std::vector<std::vector<std::string>> swapped = {};
  UnsteadyEvents unsteady = {}; ///< ignored on both sides
};

/// Records how two runs of one program differ among the unsteady events of
/// `rules`.
void addUnsteady(std::string_view one, std::string_view other,
                 TraceRules &rules);

/// Counts the events of the original's trace that are compared and that are
/// unsteady.
struct ComparedEvents {
  std::size_t compared = 0, unsteady = 0;
  std::string example; ///< one of the unsteady events, for people
};
ComparedEvents comparedEvents(std::string_view original,
                              const TraceRules &rules);

struct TraceDifference {
  std::string text; ///< one or more lines, for people
};

/// Returns the first difference of two traces; none if they are equal. Launches
/// don't count.
std::optional<TraceDifference> compareTraces(std::string_view original,
                                             std::string_view fused,
                                             const TraceRules &rules);

} // namespace kfuse

#endif
