//===- CostModel.cpp - What a kernel takes --------------------------------===//

#include "fusion/device/CostModel.h"

#include "fusion/device/Occupancy.h"

#include <algorithm>
#include <numeric>

namespace kfuse {
namespace {

/// A kernel that can use less than this share of the bandwidth is named as
/// bound by latency.
constexpr double LatencyBoundShare = 0.5;

/// Returns the occupancy, but at least that of one block: a kernel that runs
/// has one resident.
double occupancyOf(const Device &device, const KernelWork &work) {
  const double oneBlock = work.threadsPerBlock /
                          static_cast<double>(device.threadsPerMultiprocessor);
  return std::max(
      occupancyOf(device, BlockResources{work.threadsPerBlock, work.registers,
                                         work.sharedBytes}),
      std::min(1.0, oneBlock));
}

double threadsOf(const KernelWork &work) {
  return std::max(1.0, work.threads / work.elementsPerThread);
}

double residentThreads(const Device &device, const KernelWork &work,
                       double occupancy) {
  return std::min(threadsOf(work), occupancy * device.threadsPerMultiprocessor *
                                       device.multiprocessors);
}

double bytesInFlight(const Device &device, const KernelWork &work,
                     double occupancy) {
  const double bytesPerThread =
      (work.bytesRead + work.bytesWritten) / threadsOf(work);
  return residentThreads(device, work, occupancy) * bytesPerThread /
         std::max(1.0, work.waits);
}

/// Returns the time in which a multiprocessor starts the blocks that it holds
/// at once. Later blocks start while others wait for memory, and cost nothing.
double startSeconds(const Device &device, const KernelWork &work,
                    double occupancy) {
  return device.blockSeconds * residentThreads(device, work, occupancy) /
         work.threadsPerBlock / device.multiprocessors;
}

double secondsFor(double bytes, double bandwidth) {
  return bytes == 0 ? 0 : bytes / bandwidth;
}

/// Returns the time to issue the instructions. The rate in `flopRate` counts a
/// fused multiply-add as two operations, though it issues as one instruction.
/// If there are fewer blocks than multiprocessors, some issue nothing.
double issueSeconds(const Device &device, const KernelWork &work) {
  const double blocks =
      work.threads / work.threadsPerBlock / work.elementsPerThread;
  return 2 * work.instructions / device.flopRate *
         std::max(1.0, device.multiprocessors / std::max(1.0, blocks));
}

const char *boundOf(const KernelCost &cost, double busy) {
  if (cost.of(CostTerm::Launch) >= busy)
    return "launch";
  if (busy == cost.of(CostTerm::Flops))
    return "flops";
  if (cost.bandwidthShare < LatencyBoundShare)
    return "latency";
  return busy == cost.of(CostTerm::Memory) ? "bandwidth" : "L2";
}

} // namespace

const char *costTermName(CostTerm term) {
  switch (term) {
  case CostTerm::Launch:
    return "launch";
  case CostTerm::Start:
    return "block-ramp";
  case CostTerm::Memory:
    return "memory";
  case CostTerm::L2:
    return "L2";
  case CostTerm::Flops:
    return "flops";
  case CostTerm::Issue:
    return "issue";
  }
  return "";
}

KernelCost costOf(const Device &device, const KernelWork &work,
                  const std::set<CostTerm> &without) {
  KernelCost cost;
  cost.occupancy = occupancyOf(device, work);
  cost.bandwidthShare =
      usableBandwidth(device, bytesInFlight(device, work, cost.occupancy));
  const auto set = [&](CostTerm term, double seconds) {
    cost.terms[static_cast<std::size_t>(term)] =
        without.count(term) != 0 ? 0 : seconds;
  };
  set(CostTerm::Launch, device.launchSeconds);
  set(CostTerm::Start, startSeconds(device, work, cost.occupancy));
  set(CostTerm::Memory,
      secondsFor(work.memoryBytes, device.bandwidth * cost.bandwidthShare));
  set(CostTerm::L2, secondsFor(work.memoryBytes + work.l2Bytes,
                               device.l2Bandwidth * cost.bandwidthShare));
  set(CostTerm::Flops, work.flops / device.flopRate);
  set(CostTerm::Issue, issueSeconds(device, work));
  const auto ceilings = {cost.of(CostTerm::Memory), cost.of(CostTerm::L2),
                         cost.of(CostTerm::Flops)};
  const double busy = std::max(ceilings);
  const double others =
      std::accumulate(ceilings.begin(), ceilings.end(), 0.0) - busy;
  cost.seconds = cost.of(CostTerm::Launch) + cost.of(CostTerm::Start) + busy +
                 device.overlapLoss * others + cost.of(CostTerm::Issue);
  cost.bound = boundOf(cost, busy);
  return cost;
}

} // namespace kfuse
