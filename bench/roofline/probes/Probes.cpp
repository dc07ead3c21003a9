//===- Probes.cpp - Micro-benchmarks of a device --------------------------===//

#include "bench/roofline/probes/Probes.h"

#include "bench/roofline/probes/ProbeList.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace kfuse {
namespace {

using ProbeClock = std::chrono::steady_clock;

double secondsSince(ProbeClock::time_point start) {
  return std::chrono::duration<double>(ProbeClock::now() - start).count();
}

/// Returns the time that kernels are to run for: the clock's grain and what a
/// launch takes are small beside it.
double kernelSeconds(ProbeDevice &device, bool isQuick) {
  double empty = 0;
  const ProbeBuffer sink = device.allocate(sizeof(float));
  for (int i = 0; i < 10; ++i) {
    const double seconds = device.launch({"nothing", 1, 1, {sink}}, 1);
    empty = i == 0 ? seconds : std::min(empty, seconds);
  }
  device.release(sink);
  constexpr double Launches = 100, Longest = 0.02;
  // Threads of a processor are interrupted after some milliseconds.
  const double least = device.limits().isCpu ? 1e-3 : 2e-3;
  const double seconds = std::min(Longest, std::max(least, Launches * empty));
  return isQuick ? seconds / 5 : seconds;
}

std::size_t leastPasses(const ProbePlan &plan) { return plan.isQuick ? 3 : 5; }
/// Other work disturbs a processor, so that more passes find its best.
std::size_t mostPasses(const ProbePlan &plan, bool isCpu) {
  return plan.isQuick ? 3 : isCpu ? 100 : 25;
}

/// Measures each probe once, in the order or in the reverse one.
class Pass {
public:
  Pass(const std::vector<Probe> &list, const ProbeDevice &device,
       const std::function<bool()> &isStopped)
      : List(list), Device(device), IsStopped(isStopped) {}

  /// Returns a sample of each probe; stops early if the device fails.
  std::vector<double> run(bool isReversed,
                          const std::function<void(double)> &progress) const {
    std::vector<double> samples(List.size());
    for (std::size_t i = 0; i < List.size() && isGoingOn(); ++i) {
      const std::size_t which = isReversed ? List.size() - 1 - i : i;
      samples[which] = List[which].measure();
      progress(static_cast<double>(i + 1) / static_cast<double>(List.size()));
    }
    return samples;
  }
  bool isGoingOn() const { return Device.error().empty() && !IsStopped(); }

private:
  const std::vector<Probe> &List;
  const ProbeDevice &Device;
  const std::function<bool()> &IsStopped;
};

std::map<std::string, std::vector<RawPoint>>
seriesOf(const std::vector<Probe> &list,
         const std::vector<std::vector<double>> &passes) {
  std::map<std::string, std::vector<RawPoint>> series;
  for (std::size_t i = 0; i < list.size(); ++i) {
    RawPoint point{list[i].x, {}};
    for (const std::vector<double> &samples : passes)
      if (std::isfinite(samples[i]) && samples[i] > 0)
        point.samples.push_back(samples[i]);
    if (!point.samples.empty())
      series[list[i].series].push_back(std::move(point));
  }
  for (auto &[name, points] : series)
    std::sort(points.begin(), points.end(),
              [](const RawPoint &one, const RawPoint &other) {
                return one.x < other.x;
              });
  return series;
}

} // namespace

std::function<double()> secondsPerStep(const ProbeSetup &setup,
                                       std::int32_t least,
                                       const StepsLaunch &launch,
                                       const std::function<void()> &prepare) {
  constexpr std::int32_t Most = 1 << 28;
  constexpr double Growth = 32;
  const auto count = [](double steps) {
    // Rates make four steps at a time.
    return (static_cast<std::int32_t>(std::min(steps, double(Most))) + 3) / 4 *
           4;
  };
  const auto find = [=, &device = setup.device, goal = setup.seconds] {
    std::int32_t steps = count(least);
    for (;;) {
      const double seconds = device.launch(launch(steps), 1);
      const double factor =
          seconds > 0 ? std::min(Growth, goal / seconds) : Growth;
      if (!device.error().empty() || steps >= Most || factor <= 1)
        return steps;
      steps = count(std::max(double(least), std::ceil(steps * factor)));
      if (factor < 2)
        return steps;
    }
  };
  return [=, &device = setup.device, steps = std::int32_t(0)]() mutable {
    if (steps == 0)
      steps = find();
    prepare();
    return device.launch(launch(steps), 1) / steps;
  };
}

ProbeBuffer variedBuffer(ProbeDevice &device, std::size_t bytes) {
  constexpr std::size_t Filled = 16 * sizeof(float);
  const std::size_t count = (bytes + Filled - 1) / Filled;
  const ProbeBuffer buffer = device.allocate(count * Filled);
  const ProbeLimits &limits = device.limits();
  constexpr std::size_t GroupsPerUnit = 8, MostItems = 256;
  device.launch({"fillVaried",
                 limits.computeUnits * GroupsPerUnit,
                 std::min(MostItems, limits.groupSize),
                 {buffer, static_cast<std::int32_t>(count)}},
                1);
  return buffer;
}

RawMeasurements runProbes(ProbeDevice &device, const ProbePlan &plan,
                          const std::function<bool()> &isStopped,
                          const std::function<void(double)> &progress) {
  const ProbeClock::time_point start = ProbeClock::now();
  const ProbeSetup setup{device, plan.isQuick,
                         kernelSeconds(device, plan.isQuick), isStopped};
  if (!device.error().empty())
    return {{}, 0, device.error()};
  std::vector<Probe> list;
  addLaunchProbes(setup, list);
  addBandwidthProbes(setup, list);
  addLatencyProbes(setup, list);
  addRateProbes(setup, list);

  const Pass pass(list, device, isStopped);
  const auto least = static_cast<double>(leastPasses(plan));
  const std::size_t most = mostPasses(plan, device.limits().isCpu);
  // The first pass finds how long kernels run, and isn't counted.
  pass.run(false, [&](double done) { progress(done / (2 + least)); });
  std::vector<std::vector<double>> passes;
  const auto part = [&](double done) {
    const double byPasses = (2 + static_cast<double>(passes.size()) + done) /
                            (2 + static_cast<double>(most));
    const double byTime = secondsSince(start) / plan.seconds;
    progress(std::min(1.0, std::max(byPasses, byTime)));
  };
  while (
      pass.isGoingOn() && passes.size() < most &&
      (passes.size() < leastPasses(plan) || secondsSince(start) < plan.seconds))
    passes.push_back(pass.run(passes.size() % 2 == 1, part));

  RawMeasurements result;
  result.error = device.error();
  if (result.error.empty() && isStopped())
    result.error = "interrupted";
  if (result.error.empty()) {
    result.passes = passes.size();
    result.series = seriesOf(list, passes);
  }
  return result;
}

} // namespace kfuse
