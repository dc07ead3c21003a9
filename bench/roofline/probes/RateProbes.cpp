//===- RateProbes.cpp - Operations a second, and launches -----------------===//

#include "bench/roofline/probes/ProbeList.h"
#include "bench/roofline/probes/Probes.h"

#include <algorithm>
#include <chrono>
#include <string_view>

namespace kfuse {

const std::vector<RateProbe> &rateProbes() {
  static const std::vector<RateProbe> Probes = {
      {"rateFmaFloat", "fp32 FMA", "fp32", 2},
      {"rateFmaFloat4", "fp32 FMA, float4", "fp32", 8},
      {"rateFmaFloat8", "fp32 FMA, float8", "fp32", 16},
      {"rateFmaFloat16", "fp32 FMA, float16", "fp32", 32},
      {"rateAddFloat", "fp32 add, no FMA", "fp32", 1},
      {"rateAddFloat4", "fp32 add, no FMA, float4", "fp32", 4},
      {"rateAddFloat8", "fp32 add, no FMA, float8", "fp32", 8},
      {"rateMulAddFloat", "fp32 multiply and add, no FMA", "fp32", 2},
      {"rateFmaDouble", "fp64 FMA", "fp64", 2},
      {"rateFmaDouble4", "fp64 FMA, double4", "fp64", 8},
      {"rateAddDouble", "fp64 add, no FMA", "fp64", 1},
      {"rateMulAddDouble", "fp64 multiply and add, no FMA", "fp64", 2},
      {"rateFmaHalf", "half FMA", "half", 2},
      {"rateFmaHalf2", "half FMA, half2", "half", 4},
      {"rateFmaHalf16", "half FMA, half16", "half", 32},
      {"rateAddHalf", "half add, no FMA", "half", 1},
      {"rateAddHalf2", "half add, no FMA, half2", "half", 2},
      {"rateMulAddHalf", "half multiply and add, no FMA", "half", 2},
      {"rateMadInt", "int32 multiply-add", "int32", 2},
      {"rateMadInt4", "int32 multiply-add, int4", "int32", 8},
      {"rateMadInt8", "int32 multiply-add, int8", "int32", 16},
      {"rateSine", "native sine", "special", 1},
      {"rateSine4", "native sine, float4", "special", 4},
      {"rateExponential", "native exponential", "special", 1},
      {"rateExponential4", "native exponential, float4", "special", 4},
      {"rateRoot", "reciprocal square root", "special", 1},
      {"rateRoot4", "reciprocal square root, float4", "special", 4}};
  return Probes;
}

void addRateProbes(const ProbeSetup &setup, std::vector<Probe> &list) {
  constexpr std::size_t Chains = 8, LargestType = 64;
  ProbeDevice &device = setup.device;
  const ProbeLimits &limits = device.limits();
  // A runtime for processors may turn the work-items of a group into vectors.
  const std::size_t groupSize =
      std::min<std::size_t>(limits.isCpu ? 64 : 256, limits.groupSize);
  const std::size_t groups = limits.computeUnits * (limits.isCpu ? 4 : 8);
  const std::size_t items = groups * groupSize;
  const ProbeBuffer sink = device.allocate(items * LargestType);
  for (const RateProbe &rate : rateProbes()) {
    if (!device.hasKernel(rate.kernel))
      continue;
    const bool isInteger = rate.unit == std::string_view("int32");
    const float factor = isInteger ? 3 : 0.75F, term = isInteger ? 7 : 0.25F;
    const auto launch = [=](std::int32_t steps) {
      return ProbeLaunch{
          rate.kernel, groups, groupSize, {sink, factor, term, steps}};
    };
    const double operations = double(items * Chains) * rate.operations;
    const auto seconds = secondsPerStep(setup, 4, launch, [] {});
    list.push_back({rate.kernel, 0, [=] { return operations / seconds(); }});
  }
}

namespace {

/// Returns the seconds from one launch of a queue to the next.
double period(ProbeDevice &device, const ProbeLaunch &launch) {
  constexpr unsigned Many = 201;
  device.queue(launch, Many);
  return (device.queue(launch, Many) - device.queue(launch, 1)) / (Many - 1);
}

} // namespace

void addLaunchProbes(const ProbeSetup &setup, std::vector<Probe> &list) {
  ProbeDevice &device = setup.device;
  const ProbeLimits &limits = device.limits();
  const ProbeBuffer sink = device.allocate(sizeof(float));
  const ProbeLaunch one{"nothing", 1, 1, {sink}};
  list.push_back({"empty", 0, [=, &device] { return device.launch(one, 1); }});
  list.push_back({"gap", 0, [=, &device] { return period(device, one); }});
  // A queue of kernels that do nothing is as slow as the host gives them. While
  // each takes longer than that, the device begins one after the other: then
  // the time between two, less the work, is what a kernel takes besides.
  const auto work = [sink](std::int32_t steps) {
    constexpr float Factor = 0.75F, Term = 0.25F;
    return ProbeLaunch{"rateFmaFloat", 1, 1, {sink, Factor, Term, steps}};
  };
  list.push_back({"besides-work", 0, [=, &device] {
                    constexpr std::int32_t Long = 1 << 16, Longer = 2 * Long;
                    constexpr double Seconds = 30e-6;
                    device.launch(work(Longer), 1);
                    const double aStep = (device.launch(work(Longer), 1) -
                                          device.launch(work(Long), 1)) /
                                         (Longer - Long);
                    if (!(aStep > 0))
                      return 0.0;
                    // Rates make four steps at a time.
                    const std::int32_t steps =
                        4 * static_cast<std::int32_t>(std::clamp(
                                Seconds / aStep / 4, 1.0, double(Long)));
                    return period(device, work(steps)) - steps * aStep;
                  }});
  list.push_back(
      {"round-trip", 0, [=, &device] {
         using Clock = std::chrono::steady_clock;
         const auto start = Clock::now();
         device.launch(one, 1);
         return std::chrono::duration<double>(Clock::now() - start).count();
       }});
  const std::size_t groupSize =
      limits.isCpu ? 1 : std::min<std::size_t>(256, limits.groupSize);
  for (const std::size_t groups : {1, 16, 64, 256, 1024}) {
    const ProbeLaunch all{
        "nothing", groups * limits.computeUnits, groupSize, {sink}};
    list.push_back({"blocks", double(groups), [=, &device] {
                      device.launch(all, 1);
                      return device.launch(all, 1);
                    }});
  }
}

} // namespace kfuse
