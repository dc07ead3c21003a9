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
      {"rateFmaHalf", "half FMA", "half", 2},
      {"rateFmaHalf2", "half FMA, half2", "half", 4},
      {"rateFmaHalf16", "half FMA, half16", "half", 32},
      {"rateMadInt", "int32 multiply-add", "int32", 2},
      {"rateMadInt4", "int32 multiply-add, int4", "int32", 8},
      {"rateMadInt8", "int32 multiply-add, int8", "int32", 16},
      {"rateSine", "native sine", "special", 1},
      {"rateExponential", "native exponential", "special", 1},
      {"rateRoot", "reciprocal square root", "special", 1}};
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

void addLaunchProbes(const ProbeSetup &setup, std::vector<Probe> &list) {
  ProbeDevice &device = setup.device;
  const ProbeLimits &limits = device.limits();
  const ProbeBuffer sink = device.allocate(sizeof(float));
  const ProbeLaunch one{"nothing", 1, 1, {sink}};
  list.push_back({"empty", 0, [=, &device] { return device.launch(one, 1); }});
  constexpr unsigned Many = 101;
  list.push_back({"gap", 0, [=, &device] {
                    device.launch(one, Many);
                    return (device.launch(one, Many) - device.launch(one, 1)) /
                           (Many - 1);
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
