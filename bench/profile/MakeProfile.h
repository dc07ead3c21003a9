//===- MakeProfile.h - From records of launches to a profile --------------===//
#ifndef KFUSE_BENCH_PROFILE_MAKEPROFILE_H
#define KFUSE_BENCH_PROFILE_MAKEPROFILE_H

#include "bench/collect/Record.h"
#include "profile/ProfileFile.h"

#include <string>
#include <vector>

namespace kfuse {

/// Returns the profile of the runs: launches of one kernel with one grid, block
/// and stream are one entry. Launches that have no times are left out. Nobody
/// has signed it.
ProfileFile profileOf(const std::vector<std::vector<LaunchRecord>> &runs);

/// Says in the profile what program ran, and that it was now.
void signProfile(ProfileFile &profile, const std::string &program,
                 const std::vector<std::string> &arguments);

/// Returns how many launches of kernels have no times.
std::size_t untimedLaunches(const std::vector<LaunchRecord> &records);

} // namespace kfuse

#endif
