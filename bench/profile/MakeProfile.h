//===- MakeProfile.h - From records of launches to a profile --------------===//
#ifndef KFUSE_BENCH_PROFILE_MAKEPROFILE_H
#define KFUSE_BENCH_PROFILE_MAKEPROFILE_H

#include "bench/collect/Record.h"
#include "profile/ProfileFile.h"

#include <vector>

namespace kfuse {

/// Returns the profile of the runs: launches of one kernel with one grid, block
/// and stream are one entry. Launches that have no times are left out. The
/// program and the date are for the caller to set.
ProfileFile profileOf(const std::vector<std::vector<LaunchRecord>> &runs);

/// Returns how many launches of kernels have no times.
std::size_t untimedLaunches(const std::vector<LaunchRecord> &records);

} // namespace kfuse

#endif
