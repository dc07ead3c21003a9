//===- MeasurePlan.h - A plan, measured beside the original ---------------===//
#ifndef KFUSE_DRIVER_TUNE_MEASUREPLAN_H
#define KFUSE_DRIVER_TUNE_MEASUREPLAN_H

#include "driver/pipeline/Compilation.h"
#include "driver/pipeline/Options.h"

#include <cstdint>
#include <string>
#include <variant>

namespace kfuse {

class ScratchFolder;

/// The time of one of the programs: of its kernels, or of all of it if no
/// kernel could be measured.
struct ProgramTime {
  double seconds = 0;
  std::uint64_t launches = 0; ///< of kernels; 0 if none was measured
};

/// A plan's program beside the original, both from one measurement.
struct PlanTimes {
  ProgramTime original, fused;
  /// How many times faster the whole program is, with the half-width of its
  /// interval.
  double ratio = 1, halfWidth = 0;
  std::string profile;  ///< of the launches of both, as JSON; may be empty
  bool isKnown = false; ///< from an earlier run of kfuse
};

/// Why a plan wasn't measured.
struct MeasureFailure {
  std::string message;
  bool isMismatch = false; ///< the programs don't do the same
};

/// Returns the devices that the options choose, and their drivers, as
/// kfuse-bench lists them; or the message of what is missing.
std::variant<std::string, MeasureFailure>
devicesOf(const Options &options, const ScratchFolder &scratch);

/// Returns the shipped device file for the devices that run programs of the
/// language; empty if none suits all of them.
std::string deviceFileOf(const std::string &devices, Language language);

/// Checks whether CUDA programs run on one of the devices; if not, the CPU
/// executor runs them.
bool hasCudaDevice(const std::string &devices);

/// Builds and runs the original and the fused program with the kfuse-bench
/// beside kfuse. Measurements are kept in the user's cache, by both texts, how
/// they are built and run, and `devices`.
std::variant<PlanTimes, MeasureFailure>
measurePlan(const Compilation &compilation, const Options &options,
            const std::string &devices, const ScratchFolder &scratch);

} // namespace kfuse

#endif
