//===- DeviceOptions.h - Options that choose a device ---------------------===//
#ifndef KFUSE_BENCH_DEVICEOPTIONS_H
#define KFUSE_BENCH_DEVICEOPTIONS_H

#include "bench/DeviceChoice.h"
#include "bench/OptionParser.h"

#include <vector>

namespace kfuse {

/// Returns a command's own options with -p, -t and -d, which set the choice.
/// The choice must live while words are parsed.
std::vector<BenchOption> withDeviceOptions(DeviceChoice &choice,
                                           std::vector<BenchOption> options);

} // namespace kfuse

#endif
