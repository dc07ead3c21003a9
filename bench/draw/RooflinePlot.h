//===- RooflinePlot.h - Pictures of roofs and kernels ---------------------===//
#ifndef KFUSE_BENCH_DRAW_ROOFLINEPLOT_H
#define KFUSE_BENCH_DRAW_ROOFLINEPLOT_H

#include "bench/model/Kernels.h"
#include "bench/model/Roofs.h"

#include <string>
#include <vector>

namespace kfuse {

/// A device and kernels that ran on it. Among the roofs is one of memory and
/// one of computing (chooseRoofs).
struct RooflinePlot {
  DeviceRoofs device;
  std::vector<RoofKernel> kernels;
  bool hasAllRoofs = false;    ///< else only distinctRoofs
  bool hasChosenUnits = false; ///< else those that kernels use, or the best
};

/// Returns an SVG picture, logarithmic in both directions: performance over
/// intensity at the usual level. It has a path for each roof, a mark for each
/// ridge point and each kernel, and suits light and dark pages. If nobody chose
/// units, the ones that kernels use have all their roofs. Without such kernels
/// each of several units has the highest.
std::string rooflineSvg(const RooflinePlot &plot);

/// Returns at most twelve lines: the bandwidth of each level with its ridge
/// points, the peak of each unit, and what bounds the kernels.
std::string rooflineText(const RooflinePlot &plot);

/// Returns an SVG picture of the device's curves: bandwidth and latency over
/// the working set, and bandwidth over the bytes in flight, as far as there
/// are any. There is at least one.
std::string curvesSvg(const DeviceRoofs &device);

} // namespace kfuse

#endif
