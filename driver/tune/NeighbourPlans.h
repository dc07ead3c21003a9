//===- NeighbourPlans.h - Plans that are one step from another ------------===//
#ifndef KFUSE_DRIVER_TUNE_NEIGHBOURPLANS_H
#define KFUSE_DRIVER_TUNE_NEIGHBOURPLANS_H

#include "driver/pipeline/Compilation.h"

#include <cstddef>
#include <string>
#include <vector>

namespace kfuse {

/// Returns saved plans that differ from that of the compilation in one step: a
/// group is cut in two, or two groups are
/// joined. Those that are projected to take least come first, `most` at most.
std::vector<std::string> neighbourPlans(const Compilation &from,
                                        std::size_t most);

} // namespace kfuse

#endif
