//===- ProfileReport.h - A profile as text --------------------------------===//
#ifndef KFUSE_BENCH_PROFILE_PROFILEREPORT_H
#define KFUSE_BENCH_PROFILE_PROFILEREPORT_H

#include "profile/ProfileFile.h"

#include <string>

namespace kfuse {

/// Returns a table with a line for each configuration of each kernel, those
/// first that took longest. Unless all are wanted it has 20 lines at most, the
/// last of which sums up the rest.
std::string profileText(const ProfileFile &profile, bool wantsAll);

} // namespace kfuse

#endif
