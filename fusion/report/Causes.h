//===- Causes.h - Missed fusions by what stands in their way --------------===//
#ifndef KFUSE_FUSION_REPORT_CAUSES_H
#define KFUSE_FUSION_REPORT_CAUSES_H

#include "fusion/report/Explain.h"

#include <cstddef>
#include <vector>

namespace kfuse {

/// One thing that keeps pairs of launches apart, such as a host statement
/// between them.
struct Cause {
  /// Indices of its remarks. The first is of the pair that it lies between and
  /// that would save most, or of the nearest of these.
  std::vector<std::size_t> remarks;
  /// The bytes of common arrays that the first pair's second launch would not
  /// read again in one kernel, and the time of these and of a launch. Both are
  /// 0 for a remark that isn't of a pair.
  double bytes = 0, seconds = 0;
};

/// Returns the causes of the remarks on what wasn't fused, the most costly
/// first.
std::vector<Cause> causesOf(const Problem &problem,
                            const std::vector<Remark> &remarks);

} // namespace kfuse

#endif
