//===- AbstractProgram.cpp - The abstract problem of a program ------------===//

#include "ga/problem/AbstractProgram.h"

#include "fusion/PlanGroup.h"
#include "fusion/cost/Traffic.h"
#include "fusion/group/GroupChecks.h"
#include "ga/problem/AbstractCost.h"
#include "ga/problem/Adapter.h"

#include <algorithm>
#include <map>
#include <set>

namespace kfuse {
namespace {

/// How two launches get on in one kernel.
struct Company {
  bool areSeparated = false;
  std::uint32_t halo = 0;     ///< in which the first works for the second
  std::set<ArrayId> unstored; ///< nothing else reads them
};

std::uint32_t widest(const Halo &halo) {
  return std::max(*std::max_element(halo.low.begin(), halo.low.end()),
                  *std::max_element(halo.high.begin(), halo.high.end()));
}

/// Plans both launches with those that have to be between them. Launches that
/// are too much at once, or share nothing, aren't separated for that.
Company companyOf(const Problem &problem, LaunchId first, LaunchId second) {
  const std::vector<LaunchId> group = closure(problem, first, second);
  const auto plan = planGroup(problem, group);
  Company company;
  if (const auto *obstacle = std::get_if<Obstacle>(&plan)) {
    company.areSeparated = obstacle->kind != ObstacleKind::NoSharedArrays &&
                           obstacle->kind != ObstacleKind::RegisterLimit &&
                           obstacle->kind != ObstacleKind::TooLong &&
                           obstacle->kind != ObstacleKind::SharedMemoryLimit;
    return company;
  }
  const FusedKernel &kernel = std::get<FusedKernel>(plan);
  for (std::size_t member = 0; member < kernel.halos.size(); ++member)
    if (kernel.launches[member] == first)
      company.halo = widest(kernel.halos[member]);
  for (const Placement &placement : kernel.placements)
    if (placement.kind == PlacementKind::RegisterOnly)
      company.unstored.insert(placement.array);
  return company;
}

class Abstraction {
public:
  Abstraction(const Problem &problem, std::string name)
      : From(problem), Items(partitionProblem(problem)),
        Result(emptyProblem(std::move(name), problem.device)) {
    Partition singles;
    for (std::uint32_t item = 0; item < Items.size; ++item)
      singles.push_back({item});
    for (const std::vector<LaunchId> &group : toGroups(problem, singles))
      Launches.push_back(group.front());
  }

  AbstractProblem take() {
    Result.horizontal = Items.horizontal;
    for (LaunchId launch : Launches)
      addKernel(launch);
    for (std::uint32_t later = 0; later < Items.size; ++later)
      for (std::uint32_t earlier = 0; earlier < later; ++earlier) {
        if (waitsDirectly(earlier, later))
          Result.kernels[later].after.push_back(earlier);
        addPair(earlier, later);
      }
    return std::move(Result);
  }

private:
  /// Returns the array of a version, which is added at its first use.
  std::uint32_t arrayOf(std::uint32_t version) {
    const auto [known, isNew] = Arrays.try_emplace(
        version, static_cast<std::uint32_t>(Result.arrays.size()));
    if (!isNew)
      return known->second;
    const ArrayVersion &found = From.deps.versions[version];
    const Array &array = From.program[found.array];
    Result.arrays.push_back(
        {array.name + "#" + std::to_string(found.version), 0,
         std::clamp<std::uint32_t>(array.element.bytes, 1, 64),
         isKept(version)});
    return known->second;
  }

  /// Returns whether something other than a launch reads the version, or may
  /// read it because it is the last one in storage that others know.
  bool isKept(std::uint32_t version) const {
    const ArrayVersion &found = From.deps.versions[version];
    for (StepId reader : found.readers)
      if (indexOf(From.program[reader].launch) >= From.program.launches.size())
        return true;
    const Array &array = From.program[found.array];
    const bool isLast = std::none_of(
        From.deps.versions.begin(), From.deps.versions.end(),
        [&](const ArrayVersion &other) {
          return other.array == found.array && other.version > found.version;
        });
    return isLast && (array.escapes || array.origin != ArrayOrigin::Allocation);
  }

  void addKernel(LaunchId launch) {
    const Launch &made = From.program[launch];
    const Kernel &kernel = From.program.kernelOf(launch);
    const LaunchTraffic traffic = trafficOf(From, launch);
    AbstractKernel added;
    added.name = kernel.name + ":" + std::to_string(made.range.line);
    // The number of operations of fp32 that takes this long.
    added.flops = arithmeticSeconds(From.device, kernel.operations) *
                  From.device.flopRate * traffic.elements;
    added.registers = kernel.registers;
    const auto touch = [&](std::uint32_t version) {
      const std::uint32_t array = arrayOf(version);
      for (const ArrayTraffic &moved : traffic.arrays)
        if (moved.array == From.deps.versions[version].array)
          Result.arrays[array].bytes =
              std::max({Result.arrays[array].bytes, moved.bytesRead,
                        moved.bytesWritten});
      return array;
    };
    std::set<std::uint32_t> reads, writes;
    for (std::uint32_t version : From.deps.reads[indexOf(launch)])
      reads.insert(touch(version));
    for (std::uint32_t version : From.deps.writes[indexOf(launch)])
      writes.insert(touch(version));
    for (std::uint32_t array : reads)
      added.reads.push_back({array, 0});
    added.writes.assign(writes.begin(), writes.end());
    Result.kernels.push_back(std::move(added));
  }

  /// Returns whether `later` waits for `earlier`, and no third kernel is
  /// ordered between the two.
  bool waitsDirectly(std::uint32_t earlier, std::uint32_t later) const {
    if (!Items.reach[earlier][later])
      return false;
    for (std::uint32_t between = earlier + 1; between < later; ++between)
      if (Items.reach[earlier][between] && Items.reach[between][later])
        return false;
    return true;
  }

  void addPair(std::uint32_t earlier, std::uint32_t later) {
    if (Items.separated[earlier][later] || Items.separated[later][earlier]) {
      Result.separated.emplace_back(earlier, later);
      return;
    }
    if (!Items.kin[earlier][later])
      return;
    const Company company = companyOf(From, Launches[earlier], Launches[later]);
    if (company.areSeparated)
      Result.separated.emplace_back(earlier, later);
    for (std::uint32_t version : From.deps.writes[indexOf(Launches[earlier])]) {
      const std::uint32_t array = Arrays.at(version);
      if (company.unstored.contains(From.deps.versions[version].array))
        Result.arrays[array].kept = false;
      for (AbstractRead &read : Result.kernels[later].reads)
        if (read.array == array)
          read.halo = std::max(read.halo, company.halo);
    }
  }

  const Problem &From;
  PartitionProblem Items;
  AbstractProblem Result;
  std::vector<LaunchId> Launches;                ///< by item
  std::map<std::uint32_t, std::uint32_t> Arrays; ///< by version
};

} // namespace

AbstractProblem abstractProblem(const Problem &problem, std::string name) {
  return Abstraction(problem, std::move(name)).take();
}

} // namespace kfuse
