//===- MeasuredText.h - Times, and how they are known ---------------------===//
#ifndef KFUSE_FUSION_REPORT_MEASUREDTEXT_H
#define KFUSE_FUSION_REPORT_MEASUREDTEXT_H

#include "fusion/plan/Plan.h"

#include <optional>
#include <string>
#include <vector>

namespace kfuse {

/// Returns "measured", with the range of several launches: "measured, 9.1 us to
/// 11.0 us". `added` seconds are added to both.
std::string measuredText(const MeasuredTime &time, double added = 0);

/// Returns the time of a kernel with how it is known: "12.5 us (projected)" or
/// "12.5 us (measured, 11.2 us to 13.0 us)".
std::string timeAndOrigin(const Projection &kernel);

/// Returns the sum of the kernels' times, which is followed by the range if all
/// were measured, and by "partly measured" if some were.
std::string sumAndOrigin(const std::vector<Projection> &kernels);

} // namespace kfuse

#endif
