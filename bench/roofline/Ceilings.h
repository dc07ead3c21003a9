//===- Ceilings.h - What measurements say of a device ---------------------===//
#ifndef KFUSE_BENCH_ROOFLINE_CEILINGS_H
#define KFUSE_BENCH_ROOFLINE_CEILINGS_H

#include "bench/roofline/Estimates.h"
#include "bench/roofline/KneeFit.h"
#include "bench/roofline/Plateaus.h"
#include "bench/roofline/probes/Probes.h"
#include "fusion/device/Roof.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kfuse {

/// A level of the memory, as a curve over working sets shows it.
struct MemoryLevel {
  std::string name;        ///< "L1", "L2", "L3", "DRAM"
  double from = 0, to = 0; ///< bytes of the sets that are served by it
  double value = 0;        ///< of the curve
  Estimate bytes;          ///< where the next level takes over; 0 for the last
};

/// A curve as the device file has it.
struct MeasuredCurve {
  std::string x, y;                ///< what the axes are: "bytes", "B/s"
  std::vector<CurvePoint> points;  ///< the best sample of each
  std::vector<MemoryLevel> levels; ///< if it is one over working sets
};

/// Everything that the analysis finds; sizes are bytes, times seconds.
struct Ceilings {
  std::map<std::string, MeasuredCurve> curves; ///< "read", "latency", ...
  std::vector<Roof> roofs;
  std::optional<KneeFit> knee; ///< of the bandwidth over bytes in flight
  std::optional<Estimate> launchSeconds, emptySeconds, blockSeconds;
  std::optional<Estimate> overlapLoss;

  /// Returns the levels of the memory, by the bandwidth of reads.
  const std::vector<MemoryLevel> &levels() const;
  /// Returns the roof of a name; null if there is none.
  const Roof *roof(const std::string &name) const;
  /// Returns the highest roof of a unit, such as `fp32`; null if there is none.
  const Roof *fastest(const std::string &unit) const;
};

/// Says how levels are named.
struct LevelHints {
  bool isCpu = false;    ///< from the core on, else those of a GPU
  double cacheBytes = 0; ///< of the last level, if the driver tells it
};

/// Finds levels, fits and ceilings in the measurements.
Ceilings ceilingsOf(const RawMeasurements &measured, const LevelHints &hints);

} // namespace kfuse

#endif
