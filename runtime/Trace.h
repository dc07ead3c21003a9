//===- runtime/Trace.h - What a program lets its host see -----------------===//
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
// KFUSE_CPU_COUNT=FILE writes the number of launches at the end.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_RUNTIME_TRACE_H
#define KFUSE_RUNTIME_TRACE_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kfuse {

struct TraceDifference {
  std::string text; ///< one or more lines, for people
};

/// The first difference of two traces; none when they are equal. Launches
/// don't count. Of arrays proved dead (`ignoredLabels`, without `#k`) the
/// content at free and exit is left out on both sides; a copy of one to the
/// host still counts. The fused program may have swapped the pointers to arrays
/// whose labels are in one list of `swappedLabels`: their contents at free and
/// exit count as a set, and what isn't ignored of the original's must be there.
std::optional<TraceDifference>
compareTraces(std::string_view original, std::string_view fused,
              const std::vector<std::string> &ignoredLabels,
              const std::vector<std::vector<std::string>> &swappedLabels = {});

} // namespace kfuse

#endif
