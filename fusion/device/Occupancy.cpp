//===- Occupancy.cpp - Threads that a multiprocessor holds ----------------===//

#include "fusion/device/Occupancy.h"

#include <algorithm>
#include <cmath>

namespace kfuse {
namespace {

double roundUp(double value, double granule) {
  return std::ceil(value / granule) * granule;
}

/// Returns how many blocks fit by their registers. Each warp takes whole
/// allocation units.
double blocksByRegisters(const Device &device, double warps,
                         std::uint32_t registersPerThread) {
  double warpRegisters =
      roundUp(static_cast<double>(registersPerThread) * device.threadsPerWarp,
              device.registersPerAllocation);
  if (warpRegisters == 0)
    return device.blocksPerMultiprocessor;
  return std::floor(
      std::floor(device.registersPerMultiprocessor / warpRegisters) / warps);
}

double blocksByShared(const Device &device, std::uint64_t sharedBytes) {
  double taken = static_cast<double>(sharedBytes) +
                 static_cast<double>(device.sharedReservedPerBlock);
  if (taken == 0)
    return device.blocksPerMultiprocessor;
  return std::floor(static_cast<double>(device.sharedPerMultiprocessor) /
                    taken);
}

} // namespace

double residentBlocks(const Device &device, const BlockResources &block) {
  double warps =
      std::ceil(std::max(1.0, block.threads) / device.threadsPerWarp);
  double byThreads = std::floor(device.threadsPerMultiprocessor /
                                (warps * device.threadsPerWarp));
  return std::min({byThreads,
                   static_cast<double>(device.blocksPerMultiprocessor),
                   blocksByRegisters(device, warps, block.registersPerThread),
                   blocksByShared(device, block.sharedBytes)});
}

double occupancyOf(const Device &device, const BlockResources &block) {
  return std::min(1.0, residentBlocks(device, block) *
                           std::max(1.0, block.threads) /
                           device.threadsPerMultiprocessor);
}

double usableBandwidth(const Device &device, double bytesInFlight) {
  double asked = device.bandwidth * device.latencySeconds;
  double supply = bytesInFlight / asked;
  if (!(supply > 0))
    return 0;
  // x / (1 + x^k)^(1/k), written so that a large x can't overflow.
  return 1 / std::pow(1 + std::pow(supply, -device.bandwidthKnee),
                      1 / device.bandwidthKnee);
}

} // namespace kfuse
