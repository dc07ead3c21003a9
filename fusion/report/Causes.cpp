//===- Causes.cpp - Missed fusions by what stands in their way ------------===//
#include "fusion/report/Causes.h"

#include "fusion/cost/Traffic.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace kfuse {
namespace {

/// Returns the bytes that the second launch reads of arrays that the first one
/// touches.
double bytesReadAgain(const Problem &problem, LaunchId first, LaunchId second) {
  const LaunchTraffic &earlier = knownTraffic(problem, first);
  double bytes = 0;
  for (const ArrayTraffic &own : knownTraffic(problem, second).arrays)
    for (const ArrayTraffic &other : earlier.arrays)
      if (own.array == other.array)
        bytes += std::min(own.bytesRead,
                          std::max(other.bytesRead, other.bytesWritten));
  return bytes;
}

std::size_t distanceOf(const Remark &remark) {
  return indexOf(remark.launches.back()) - indexOf(remark.launches.front());
}

} // namespace

std::vector<Cause> causesOf(const Problem &problem,
                            const std::vector<Remark> &remarks) {
  std::vector<Cause> causes;
  std::map<std::tuple<ObstacleKind, std::string>, std::size_t> known;
  for (std::size_t i = 0; i < remarks.size(); ++i) {
    const Remark &remark = remarks[i];
    if (remark.fused)
      continue;
    const auto [place, isNew] =
        known.try_emplace({remark.kind, remark.cause}, causes.size());
    if (isNew)
      causes.emplace_back();
    Cause &cause = causes[place->second];
    double bytes = 0, seconds = 0;
    if (remark.launches.size() == 2) {
      bytes = bytesReadAgain(problem, remark.launches[0], remark.launches[1]);
      seconds = bytes / problem.device.bandwidth + problem.device.launchSeconds;
    }
    const auto isBetter = [&] {
      const Remark &best = remarks[cause.remarks.front()];
      return std::tuple(best.isOfOthers, seconds, distanceOf(best)) >
             std::tuple(remark.isOfOthers, cause.seconds, distanceOf(remark));
    };
    if (!cause.remarks.empty() && !isBetter()) {
      cause.remarks.push_back(i);
      continue;
    }
    cause.remarks.insert(cause.remarks.begin(), i);
    cause.bytes = bytes;
    cause.seconds = seconds;
  }
  std::sort(causes.begin(), causes.end(),
            [](const Cause &one, const Cause &other) {
              return std::tuple(-one.seconds, one.remarks.front()) <
                     std::tuple(-other.seconds, other.remarks.front());
            });
  return causes;
}

} // namespace kfuse
