//===- ReadProfiles.h - Profiles, and whether they are the program's ------===//
#ifndef KFUSE_DRIVER_PIPELINE_READPROFILES_H
#define KFUSE_DRIVER_PIPELINE_READPROFILES_H

#include "fusion/device/Device.h"
#include "fusion/plan/Measurements.h"
#include "graphs/program/Program.h"

#include <string>
#include <vector>

namespace kfuse {

/// Reads the profiles, joined, into the measurements. Returns false, with a
/// message in `error`, if one can't be read or they don't fit together.
bool readProfiles(const std::vector<std::string> &paths,
                  Measurements &measurements, std::string &error);

/// Returns that the profile is of another device than the one that times are
/// projected for; empty if it may be of that.
std::string otherDevice(const Measurements &measurements, const Device &device);

/// How a profile's kernels and a program's go together.
struct ProfileNames {
  /// Why the profile must be another program's: no kernel is the same, or one
  /// has nearly the name of a kernel that the profile doesn't have.
  std::string error;
  std::vector<std::string> foreign; ///< kernels of libraries, by name
};
ProfileNames compareNames(const Profile &profile, const Program &program);

} // namespace kfuse

#endif
