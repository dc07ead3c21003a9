//===- LatencyProbes.cpp - Loads that wait for each other -----------------===//

#include "bench/roofline/probes/ProbeList.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <utility>

namespace kfuse {
namespace {

/// A set of lines, each with the place of the next in one random cycle.
struct ChaseSet {
  ProbeBuffer next;
  std::vector<std::int32_t> starts; ///< evenly spread over the cycle
  std::int32_t lines = 0, stride = 0;
};

ChaseSet chaseSet(ProbeDevice &device, std::size_t bytes, std::size_t starts) {
  const std::size_t stride = device.limits().lineBytes / sizeof(std::int32_t);
  const std::size_t lines = std::max(starts, bytes / device.limits().lineBytes);
  std::vector<std::int32_t> order(lines);
  for (std::size_t i = 0; i < lines; ++i)
    order[i] = static_cast<std::int32_t>(i * stride);
  // The same places in each run.
  std::mt19937 random(1);
  std::shuffle(order.begin(), order.end(), random);
  std::vector<std::int32_t> next(lines * stride);
  for (std::size_t i = 0; i < lines; ++i)
    next[static_cast<std::size_t>(order[i])] = order[(i + 1) % lines];
  ChaseSet set;
  set.lines = static_cast<std::int32_t>(lines);
  set.stride = static_cast<std::int32_t>(stride);
  for (std::size_t i = 0; i < starts; ++i)
    set.starts.push_back(order[i * (lines / starts)]);
  set.next = device.allocate(next.size() * sizeof(std::int32_t));
  device.upload(set.next, next);
  return set;
}

ProbeBuffer startsOf(ProbeDevice &device, const ChaseSet &set) {
  const ProbeBuffer ends =
      device.allocate(set.starts.size() * sizeof(std::int32_t));
  device.upload(ends, set.starts);
  return ends;
}

std::size_t largestChase(const ProbeSetup &setup) {
  constexpr std::size_t Most = std::size_t(256) << 20;
  return std::min(Most, largestSet(setup.device.limits(), setup.isQuick));
}

void addChases(const ProbeSetup &setup, std::vector<Probe> &list) {
  ProbeDevice &device = setup.device;
  const ProbeLimits &limits = device.limits();
  const std::size_t touchers =
      limits.computeUnits * (limits.isCpu ? 1 : limits.groupSize);
  const ProbeBuffer sink = device.allocate(touchers * sizeof(std::int32_t));
  const double most = double(largestChase(setup)) * 1.01;
  const int perOctave = setup.isQuick ? 1 : 2;
  const auto bytesOf = [perOctave](int i) {
    constexpr double Smallest = 4096;
    return Smallest * std::exp2(double(i) / perOctave);
  };
  for (int i = 0; bytesOf(i) < most && !setup.isStopped(); ++i) {
    const ChaseSet set = chaseSet(device, std::size_t(bytesOf(i)), 1);
    const ProbeBuffer ends = startsOf(device, set);
    const std::size_t groupSize = limits.isCpu ? 1 : limits.groupSize;
    const ProbeLaunch touch{"touchLines",
                            limits.computeUnits,
                            groupSize,
                            {set.next, sink, set.lines, set.stride}};
    // Most of a set that is larger than a GPU's cache isn't there anyway.
    const bool isTouched = limits.isCpu || limits.cacheBytes == 0 ||
                           double(set.lines) * double(limits.lineBytes) <
                               2.0 * double(limits.cacheBytes);
    list.push_back({"latency", double(set.lines) * double(limits.lineBytes),
                    secondsPerStep(
                        setup, 64,
                        [next = set.next, ends](std::int32_t steps) {
                          return ProbeLaunch{
                              "chase1", 1, 1, {next, ends, steps}};
                        },
                        [=, &device] {
                          if (isTouched)
                            device.launch(touch, 1);
                        })});
  }
}

/// Adds chains that are followed side by side, which is how a core has several
/// lines in flight.
void addChains(const ProbeSetup &setup, std::vector<Probe> &list) {
  ProbeDevice &device = setup.device;
  const ProbeLimits &limits = device.limits();
  constexpr std::pair<const char *, std::size_t> Kernels[] = {{"chase1", 1},
                                                              {"chase2", 2},
                                                              {"chase4", 4},
                                                              {"chase8", 8},
                                                              {"chase16", 16}};
  const std::size_t cores = limits.computeUnits;
  const ChaseSet all = chaseSet(device, largestChase(setup), cores * 16);
  for (const auto &[kernel, chains] : Kernels) {
    ChaseSet set = all;
    set.starts.resize(cores * chains);
    const ProbeBuffer ends = startsOf(device, set);
    const double bytes = double(cores * chains * limits.lineBytes);
    const auto seconds = secondsPerStep(
        setup, 64,
        [=, name = kernel, next = set.next](std::int32_t steps) {
          return ProbeLaunch{name, cores, 1, {next, ends, steps}};
        },
        [] {});
    list.push_back({"in-flight", bytes, [=] { return bytes / seconds(); }});
  }
}

/// Adds few to all of a GPU's threads with few or several loads each.
void addThreads(const ProbeSetup &setup, std::vector<Probe> &list) {
  ProbeDevice &device = setup.device;
  const ProbeLimits &limits = device.limits();
  constexpr std::size_t GroupSize = 64, MostGroups = 32; // of a multiprocessor
  constexpr std::pair<const char *, std::size_t> Kernels[] = {
      {"flight1", 1}, {"flight2", 2}, {"flight4", 4}, {"flight8", 8}};
  const std::size_t most = limits.computeUnits * MostGroups * GroupSize;
  const std::size_t length =
      std::max(most * 8, largestSet(limits, setup.isQuick) / sizeof(float));
  const ProbeBuffer values =
      variedBuffer(device, (length + 8 * most) * sizeof(float));
  const ProbeBuffer sink = device.allocate(most * sizeof(std::int32_t));
  for (const auto &[kernel, loads] : Kernels)
    for (std::size_t groups = 1; groups <= MostGroups; groups *= 2) {
      const std::size_t all = limits.computeUnits * groups;
      const double bytes = double(all * GroupSize * loads * sizeof(float));
      // Each launch begins elsewhere: what the last one has read is cached.
      const auto launch = [=, name = kernel,
                           start = std::make_shared<std::size_t>(0)](
                              std::int32_t steps) {
        constexpr std::size_t Line = 32;
        *start =
            (*start + length / 13 * 5 / Line * Line) % (length / Line * Line);
        return ProbeLaunch{
            name,
            all,
            GroupSize,
            {values, sink, std::int32_t(length), std::int32_t(*start), steps}};
      };
      const auto seconds = secondsPerStep(setup, 64, launch, [] {});
      list.push_back({"in-flight", bytes, [=] { return bytes / seconds(); }});
    }
}

} // namespace

void addLatencyProbes(const ProbeSetup &setup, std::vector<Probe> &list) {
  addChases(setup, list);
  if (setup.isStopped())
    return;
  if (setup.device.limits().isCpu)
    addChains(setup, list);
  else
    addThreads(setup, list);
}

} // namespace kfuse
