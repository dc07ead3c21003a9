//===- DrawnRoofs.h - The roofs that a picture has ------------------------===//
#ifndef KFUSE_BENCH_DRAW_DRAWNROOFS_H
#define KFUSE_BENCH_DRAW_DRAWNROOFS_H

#include "bench/draw/RooflinePlot.h"

#include <vector>

namespace kfuse {

/// Checks whether a roof is a line of the picture: a latency is none.
bool isLine(const DeviceRoof &roof);

/// Returns the plot with the roofs that are drawn.
RooflinePlot drawnPlot(const RooflinePlot &plot);

/// Returns the lines among `all` that none of `drawn` shows.
std::vector<DeviceRoof> roofsNotShown(const std::vector<DeviceRoof> &all,
                                      const std::vector<DeviceRoof> &drawn);

} // namespace kfuse

#endif
