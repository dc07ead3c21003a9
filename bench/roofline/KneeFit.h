//===- KneeFit.h - Bandwidth over the bytes in flight ---------------------===//
#ifndef KFUSE_BENCH_ROOFLINE_KNEEFIT_H
#define KFUSE_BENCH_ROOFLINE_KNEEFIT_H

#include "bench/roofline/Plateaus.h"

#include <optional>
#include <vector>

namespace kfuse {

/// The law that the cost model has (fusion/device/CostModel.h): with x times
/// bandwidth * latency bytes in flight, x / (1 + x^knee)^(1/knee) of the
/// bandwidth is reached.
struct KneeFit {
  double bandwidth = 0; ///< bytes/s, as many bytes in flight approach it
  double latency = 0;   ///< seconds
  double knee = 0;
  double residual = 0; ///< of logarithms, root of the mean square
};

/// Returns the bandwidth that the law has for so many bytes in flight.
double bandwidthAt(const KneeFit &fit, double bytes);

/// Fits the law to a curve of bandwidth over bytes in flight. Returns nullopt
/// if the points don't show it: they are less than five, or none is well below
/// or none is near the highest.
std::optional<KneeFit> fitKnee(const std::vector<CurvePoint> &curve);

} // namespace kfuse

#endif
