//===- NvidiaLimits.cpp - Limits by compute capability --------------------===//

#include "bench/roofline/NvidiaLimits.h"

#include <algorithm>
#include <iterator>

namespace kfuse {
namespace {

constexpr NvidiaMultiprocessor Multiprocessors[] = {
    {60, 2048, 32, 64, 64, 32, 0, 16},    {61, 2048, 32, 96, 128, 4, 0, 32},
    {62, 2048, 32, 64, 128, 4, 0, 32},    {70, 2048, 32, 96, 64, 32, 64, 16},
    {72, 2048, 32, 96, 64, 32, 64, 16},   {75, 1024, 16, 64, 64, 2, 64, 16},
    {80, 2048, 32, 164, 64, 32, 64, 16},  {86, 1536, 16, 100, 128, 2, 64, 16},
    {87, 1536, 16, 164, 128, 2, 64, 16},  {89, 1536, 24, 100, 128, 2, 64, 16},
    {90, 2048, 32, 228, 128, 64, 64, 16}, {100, 2048, 32, 228, 128, 64},
    {120, 1536, 24, 100, 128, 2}};

} // namespace

std::optional<NvidiaMultiprocessor> nvidiaMultiprocessor(std::uint32_t which) {
  const auto *found = std::find_if(
      std::begin(Multiprocessors), std::end(Multiprocessors),
      [which](const auto &each) { return each.capability == which; });
  if (found == std::end(Multiprocessors))
    return std::nullopt;
  return *found;
}

DriverLimits completed(DriverLimits limits) {
  const auto known = nvidiaMultiprocessor(limits.computeCapability);
  if (!known)
    return limits;
  constexpr std::uint32_t Kibi = 1024, Registers = 65536, Ampere = 80;
  const auto fill = [](auto &limit, auto value) {
    if (limit == 0)
      limit = value;
  };
  fill(limits.threadsPerMultiprocessor, known->threads);
  fill(limits.blocksPerMultiprocessor, known->blocks);
  fill(limits.registersPerMultiprocessor, Registers);
  fill(limits.sharedPerMultiprocessor, known->sharedKibibytes * Kibi);
  // Drivers take a part of each block's shared memory since then.
  if (limits.computeCapability >= Ampere)
    fill(limits.sharedReservedPerBlock, Kibi);
  return limits;
}

} // namespace kfuse
