//===- Walk.cpp - How groups walk over arrays -----------------------------===//

#include "bench/roofline/probes/Walk.h"

#include <algorithm>
#include <numeric>

namespace kfuse {
namespace {

std::size_t ceilingOf(std::size_t count, std::size_t divisor) {
  return (count + divisor - 1) / divisor;
}

/// Returns the largest prime that isn't above a number, or 1. A multiple of the
/// groups on a multiprocessor then leads to different parts.
std::size_t primeUpTo(std::size_t number) {
  const auto isPrime = [](std::size_t n) {
    for (std::size_t i = 2; i * i <= n; ++i)
      if (n % i == 0)
        return false;
    return true;
  };
  while (number > 1 && !isPrime(number))
    --number;
  return std::max<std::size_t>(1, number);
}

/// Returns by how much jumps grow so that they are spread over all parts (by
/// the golden ratio) and each comes once before any comes again.
std::size_t leapOver(std::size_t parts) {
  if (parts < 3)
    return 0;
  constexpr double Golden = 0.618;
  const std::size_t jumps = parts - 1;
  auto leap = std::max<std::size_t>(1, std::size_t(Golden * double(jumps)));
  while (std::gcd(leap, jumps) != 1)
    ++leap;
  return leap;
}

} // namespace

std::size_t vectorsPerStep(std::size_t groupSize) { return 4 * groupSize; }

Walk walkApart(std::size_t vectors, std::size_t groups, std::size_t groupSize) {
  const std::size_t granule = vectorsPerStep(groupSize);
  const std::size_t steps =
      std::max<std::size_t>(1, vectors / groups / granule);
  Walk walk{groups, groupSize};
  walk.slice = walk.span = static_cast<std::int32_t>(steps * granule);
  walk.stride = static_cast<std::int32_t>(granule);
  walk.steps = static_cast<std::int32_t>(steps);
  walk.vectors = steps * granule * groups;
  return walk;
}

Walk walkShared(std::size_t vectors, std::size_t units,
                std::size_t groupsPerUnit, std::size_t groupSize) {
  const std::size_t granule = vectorsPerStep(groupSize);
  const std::size_t most = units * groupsPerUnit;
  const std::size_t all = std::max<std::size_t>(1, vectors / granule);
  Walk walk{most, groupSize};
  std::size_t parts = primeUpTo(all), steps = 1;
  if (all >= most) {
    // Parts are equally long, and units have equally many groups.
    steps = ceilingOf(all, most);
    parts = walk.groups = std::max<std::size_t>(1, all / steps / units) * units;
  }
  walk.span = static_cast<std::int32_t>(steps * granule);
  walk.stride = static_cast<std::int32_t>(granule);
  walk.parts = static_cast<std::int32_t>(parts);
  walk.leap = static_cast<std::int32_t>(leapOver(parts));
  walk.steps = static_cast<std::int32_t>(steps);
  walk.vectors = parts * steps * granule;
  return walk;
}

Walk walkAbreast(std::size_t vectors, std::size_t groups,
                 std::size_t groupSize) {
  const std::size_t granule = vectorsPerStep(groupSize);
  const std::size_t steps =
      std::max<std::size_t>(1, vectors / granule / groups);
  Walk walk{groups, groupSize};
  walk.vectors = steps * granule * groups;
  walk.slice = static_cast<std::int32_t>(granule);
  walk.span = static_cast<std::int32_t>(walk.vectors);
  walk.stride = static_cast<std::int32_t>(granule * groups);
  walk.steps = static_cast<std::int32_t>(steps);
  return walk;
}

void Walker::advance() {
  Within += Made.stride;
  if (Within < Made.span)
    return;
  Within = 0;
  Jump += Made.leap;
  if (Jump >= Made.parts)
    Jump -= Made.parts - 1;
  Part += Jump;
  if (Part >= Made.parts)
    Part -= Made.parts;
}

} // namespace kfuse
