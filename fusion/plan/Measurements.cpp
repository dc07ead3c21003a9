//===- Measurements.cpp - Measured times of kernels -----------------------===//

#include "fusion/plan/Measurements.h"

#include <algorithm>
#include <cmath>

namespace kfuse {
namespace {

std::string_view nameOf(std::string_view signature) {
  return signature.substr(0, signature.find_first_of("<("));
}

} // namespace

const CompiledKernel *compiledAs(const CompiledKernels &kernels,
                                 std::string_view signature) {
  if (const auto exact = kernels.find(std::string(signature));
      exact != kernels.end())
    return &exact->second;
  const CompiledKernel *only = nullptr;
  for (const auto &[each, kernel] : kernels) {
    if (nameOf(each) != nameOf(signature))
      continue;
    if (only)
      return nullptr;
    only = &kernel;
  }
  return only;
}

Profile byKernel(const ProfileFile &file) {
  Profile profile;
  for (const MeasuredLaunch &launch : file.launches)
    profile[launch.name].push_back(launch);
  return profile;
}

const MeasuredLaunch *measuredAs(const Profile &profile,
                                 const std::string &kernel, double threads) {
  // Twice as many are those of another count of elements a thread.
  constexpr double Near = 1.4;
  const auto found = profile.find(kernel);
  if (found == profile.end())
    return nullptr;
  const auto distance = [&](const MeasuredLaunch &each) {
    return each.threads ? std::abs(std::log(*each.threads / threads)) : 0;
  };
  const MeasuredLaunch &nearest = *std::min_element(
      found->second.begin(), found->second.end(),
      [&](const MeasuredLaunch &lhs, const MeasuredLaunch &rhs) {
        return distance(lhs) < distance(rhs);
      });
  return distance(nearest) < std::log(Near) ? &nearest : nullptr;
}

} // namespace kfuse
