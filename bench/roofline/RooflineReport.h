//===- RooflineReport.h - A measured device as text -----------------------===//
#ifndef KFUSE_BENCH_ROOFLINE_ROOFLINEREPORT_H
#define KFUSE_BENCH_ROOFLINE_ROOFLINEREPORT_H

#include "bench/roofline/DeviceFile.h"

#include <string>

namespace kfuse {

/// Returns some twelve lines: ceilings of memory and arithmetic, latencies,
/// what a launch takes, and how many operations a byte of the DRAM is worth.
std::string rooflineText(const MeasuredDevice &measured);

} // namespace kfuse

#endif
