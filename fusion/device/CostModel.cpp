//===- CostModel.cpp - What a kernel takes --------------------------------===//

#include "fusion/device/CostModel.h"

#include "fusion/device/Occupancy.h"

#include <algorithm>

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

/// Returns the time in which a multiprocessor starts its blocks, whatever they
/// do.
double startSeconds(const Device &device, const KernelWork &work) {
  return device.blockSeconds *
         std::max(1.0, threadsOf(work) / work.threadsPerBlock /
                           device.multiprocessors);
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
  for (const CostTerm term : {CostTerm::Flops, CostTerm::L1, CostTerm::Starts})
    if (busy == cost.of(term))
      return costTermName(term);
  if (cost.bandwidthShare < LatencyBoundShare)
    return "latency";
  return busy == cost.of(CostTerm::Memory) ? "bandwidth" : "L2";
}

} // namespace

const char *costTermName(CostTerm term) {
  switch (term) {
  case CostTerm::Launch:
    return "launch";
  case CostTerm::Starts:
    return "starts";
  case CostTerm::Memory:
    return "memory";
  case CostTerm::L2:
    return "L2";
  case CostTerm::L1:
    return "L1";
  case CostTerm::Flops:
    return "flops";
  case CostTerm::Issue:
    return "issue";
  }
  return "";
}

ArithmeticUnit busiestUnit(const Device &device, const Operations &operations) {
  auto longest = ArithmeticUnit::Fp32;
  for (std::size_t i = 0; i < ArithmeticUnitCount; ++i)
    if (const auto unit = static_cast<ArithmeticUnit>(i);
        operations[unit] * rateOf(device, longest) >
        operations[longest] * rateOf(device, unit))
      longest = unit;
  return longest;
}

double arithmeticSeconds(const Device &device, const Operations &operations) {
  const ArithmeticUnit unit = busiestUnit(device, operations);
  return operations[unit] / rateOf(device, unit);
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
  set(CostTerm::Starts, startSeconds(device, work));
  set(CostTerm::Memory,
      secondsFor(work.memoryBytes, device.bandwidth * cost.bandwidthShare));
  set(CostTerm::L2, secondsFor(work.memoryBytes + work.l2Bytes,
                               device.l2Bandwidth * cost.bandwidthShare));
  set(CostTerm::L1, secondsFor(work.loadedBytes, device.sharedBandwidth));
  set(CostTerm::Flops, arithmeticSeconds(device, work.operations));
  set(CostTerm::Issue, issueSeconds(device, work));
  const double busy = std::max(
      {cost.of(CostTerm::Starts), cost.of(CostTerm::Memory),
       cost.of(CostTerm::L2), cost.of(CostTerm::L1), cost.of(CostTerm::Flops)});
  // A measured copy's bytes passed the L2, too.
  const double l2Alone = work.l2Bytes == 0
                             ? 0
                             : cost.of(CostTerm::L2) * work.l2Bytes /
                                   (work.memoryBytes + work.l2Bytes);
  const double others = std::max(
      0.0, cost.of(CostTerm::Starts) + cost.of(CostTerm::Memory) + l2Alone +
               cost.of(CostTerm::L1) + cost.of(CostTerm::Flops) - busy);
  cost.seconds = cost.of(CostTerm::Launch) + busy +
                 device.overlapLoss * others + cost.of(CostTerm::Issue);
  cost.bound = boundOf(cost, busy);
  return cost;
}

} // namespace kfuse
