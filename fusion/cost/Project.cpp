//===- Project.cpp - What a planned kernel asks of the device -------------===//
//
// Counts from the plan; what that takes is for fusion/device/CostModel.h. A
// single launch is projected as a group of one.
//
//===----------------------------------------------------------------------===//

#include "fusion/cost/Project.h"

#include "fusion/cost/CoordinateExtents.h"
#include "fusion/cost/MeasuredLaunches.h"
#include "fusion/cost/RecomputationCost.h"
#include "fusion/cost/Traffic.h"
#include "fusion/plan/TileStorage.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace kfuse {
namespace {

/// Registers of a kernel that brings no estimate: what nvcc gives a kernel of a
/// few loads and operations.
constexpr std::uint32_t AssumedRegisters = 32;
constexpr double RegisterBytes = 4;
/// Instructions of a thread, by what causes them. The first is for each round
/// of a pass over the block's threads and those around them, its first stage
/// included. The second is for each load that tests whether there is a value,
/// and the third for a stage as a kernel of its own. Tiles are bound by them,
/// and they don't overlap with memory between the barriers. Measured on an
/// H200: Harris' corners with 12 rounds took 0.41 ms for 25M pixels. Two blurs
/// after a gain, with 6 rounds and 4 such loads, took 2.47 ms for 256M. Three
/// unfused kernels of a wave took 0.44 ms for 36M.
constexpr double PassInstructions = 40;
constexpr double LookInstructions = 10;
constexpr double SingleInstructions = 20;
/// A tile's rows are loaded in turn, but some loads of the next one begin
/// early. Fitted to 51 groups with tiles (docs/measurements.md).
constexpr double RowWaits = 0.7;

//===----------------------------------------------------------------------===//
// Traffic of a group
//===----------------------------------------------------------------------===//

const Placement *placementOf(const FusedKernel &kernel, ArrayId array) {
  auto found = std::find_if(
      kernel.placements.begin(), kernel.placements.end(),
      [&](const Placement &placement) { return placement.array == array; });
  return found == kernel.placements.end() ? nullptr : &*found;
}

bool isForwarded(const Placement *placement) {
  return placement && placement->isForwarded();
}

bool isAmong(const std::vector<std::uint32_t> &members, std::uint32_t member) {
  return std::find(members.begin(), members.end(), member) != members.end();
}

/// Checks whether `member` takes the array's value from its producer's register
/// or tile instead of loading it.
bool loadIsForwarded(const Placement *placement, std::uint32_t member) {
  return isForwarded(placement) && isAmong(placement->consumers, member);
}

bool storeIsDropped(const Placement *placement) {
  return placement && placement->kind == PlacementKind::RegisterOnly;
}

double footprintOf(const LaunchTraffic &traffic) {
  double bytes = 0;
  for (const ArrayTraffic &array : traffic.arrays)
    bytes += array.bytesRead + array.bytesWritten;
  return bytes;
}

/// Checks whether a launch, not another host step, wrote the version of `array`
/// that `launch` reads.
bool isMadeByLaunch(const Problem &problem, LaunchId launch, ArrayId array) {
  if (indexOf(launch) >= problem.deps.reads.size())
    return false;
  for (std::uint32_t number : problem.deps.reads[indexOf(launch)]) {
    const ArrayVersion &version = problem.deps.versions[number];
    if (version.array == array &&
        indexOf(version.writer) < problem.program.steps.size())
      return problem.program[version.writer].kind == StepKind::Launch;
  }
  return false;
}

/// Checks whether `array` is an intermediate that an earlier kernel wrote and
/// that is still in the L2. It is when the `footprint` of the reader, all bytes
/// that it touches, fits there.
bool isResident(const Problem &problem, LaunchId launch, ArrayId array,
                double footprint) {
  return footprint <= problem.device.l2Residency * problem.device.l2Bytes &&
         isMadeByLaunch(problem, launch, array);
}

/// Returns how often a stage runs for each thread of the grid, which is more
/// than once if blocks compute what their neighbours compute too.
double timesRun(const FusedKernel &kernel, std::size_t member) {
  if (member >= kernel.halos.size())
    return 1;
  return static_cast<double>(cellsOf(workOf(kernel), kernel.halos[member])) /
         static_cast<double>(cellsOf(workOf(kernel), {}));
}

/// Checks whether neighbouring threads of the launch load elements of the array
/// that aren't neighbours. Each element then comes in a sector of its own,
/// which the L1 seldom keeps until the thread loads the next one.
bool loadsRows(const Program &program, LaunchId id, ArrayId array) {
  const Launch &launch = program[id];
  return std::any_of(
      launch.accesses.begin(), launch.accesses.end(),
      [&](const Access &access) {
        const auto *index = std::get_if<Polynomial>(&access.index);
        const auto parts =
            index && access.kind == AccessKind::Read &&
                    launch.pointers[access.pointer].array == array
                ? index->splitLinear(Symbol{SymbolKind::ThreadIdx, 0})
                : std::nullopt;
        return parts && !parts->coefficient.isZero() &&
               parts->coefficient != Polynomial(1);
      });
}

/// Adds the traffic to `sum`. Walks the stages; an array is loaded once for
/// each of its versions, and leaves the L2 once however many stages store to
/// it. Loads that neighbouring blocks repeat are served by the L2.
void addTraffic(const Problem &problem, const FusedKernel &kernel,
                const std::vector<const LaunchTraffic *> &stages,
                KernelWork &sum) {
  sum.waits = 0;
  std::set<ArrayId> loaded;
  std::map<ArrayId, double> read, written; ///< loaded, stored so far
  const auto beyond = [](double &before, double bytes) {
    const double more = std::max(0.0, bytes - before);
    before += more;
    return more;
  };
  for (std::uint32_t member = 0; member < stages.size(); ++member) {
    double waits = 0;
    for (const ArrayTraffic &array : stages[member]->arrays) {
      const Placement *placement = placementOf(kernel, array.array);
      if (array.bytesRead > 0 && !loadIsForwarded(placement, member) &&
          loaded.insert(array.array).second) {
        sum.bytesRead += array.bytesRead;
        sum.bytesReadAgain +=
            array.bytesRead - beyond(read[array.array], array.bytesRead);
        // Values that a block made for itself help the speed only if they
        // aren't loaded by rows. Measured on an H200, for a sum of 65,536 rows
        // of 768 with what it adds up. A thread for each row makes it 0.89
        // times as fast, a warp 1.08, a block 1.26.
        const bool isOfBlock =
            kernel.schedule == Schedule::BlockLocal &&
            loadsRows(problem.program, kernel.launches[member], array.array);
        bool fromL2 = (written.contains(array.array) && !isOfBlock) ||
                      isResident(problem, kernel.launches[member], array.array,
                                 footprintOf(*stages[member]));
        (fromL2 ? sum.l2Bytes : sum.memoryBytes) += array.bytesRead;
        sum.loadedBytes += array.bytesLoaded * timesRun(kernel, member);
        waits = stages[member]->waits;
      }
      if (!loadIsForwarded(placement, member))
        sum.l2Bytes += array.bytesRead * (timesRun(kernel, member) - 1);
      if (array.bytesWritten == 0)
        continue;
      loaded.erase(array.array);
      const double more = beyond(written[array.array], array.bytesWritten);
      if (storeIsDropped(placement))
        continue;
      sum.bytesWritten += more;
      sum.memoryBytes += more * problem.device.storeTraffic;
    }
    // A caller waits for it in the place of the value.
    sum.waits += isComputed(kernel, member) ? 0 : waits;
  }
  // The threads of a grid-stride loop wait in each of its rounds.
  const LaunchTraffic &leader = *stages[kernel.leader];
  sum.waits = std::max(1.0, sum.waits) *
              std::max(1.0, leader.elements / std::max(1.0, leader.threads));
}

//===----------------------------------------------------------------------===//
// Resources of a group
//===----------------------------------------------------------------------===//

double registersOf(const ElementType &element) {
  return std::max(1.0, std::ceil(element.bytes / RegisterBytes));
}

/// Returns the registers that forwarded values hold while stage `member` runs:
/// those defined before it and still wanted at it or later.
double liveRegisters(const Problem &problem, const FusedKernel &kernel,
                     std::uint32_t member) {
  double live = 0;
  for (const Placement &placement : kernel.placements) {
    if (!isForwarded(&placement) || placement.isTile ||
        placement.producers.empty() || placement.consumers.empty() ||
        indexOf(placement.array) >= problem.program.arrays.size())
      continue;
    auto first = std::min_element(placement.producers.begin(),
                                  placement.producers.end());
    auto last = std::max_element(placement.consumers.begin(),
                                 placement.consumers.end());
    if (*first < member && member <= *last)
      live += registersOf(problem.program[placement.array].element);
  }
  return live;
}

/// Returns the registers that loads for one further element of a thread keep in
/// flight.
double loadedRegisters(const Problem &problem, const FusedKernel &kernel,
                       std::uint32_t member, const LaunchTraffic &traffic) {
  double loaded = 0;
  for (const ArrayTraffic &array : traffic.arrays)
    if (array.bytesRead > 0 &&
        !loadIsForwarded(placementOf(kernel, array.array), member) &&
        indexOf(array.array) < problem.program.arrays.size())
      loaded += registersOf(problem.program[array.array].element);
  return loaded;
}

/// Returns the registers of a thread, which the largest stage determines. A
/// stage needs its own, those of functions that it may call, what its loads
/// hold for V elements, and the forwarded values that live across it for all V.
std::uint32_t groupRegisters(const Problem &problem, const FusedKernel &kernel,
                             const std::vector<const LaunchTraffic *> &stages) {
  // The rows of a tile are made one after the other.
  const double elements = kernel.schedule == Schedule::Tile
                              ? 1
                              : std::max(1U, kernel.elementsPerThread);
  double most = 0, called = 0;
  for (std::uint32_t member = 0; member < stages.size(); ++member) {
    std::uint32_t own =
        problem.program.kernelOf(kernel.launches[member]).registers;
    if (isComputed(kernel, member)) {
      called += own;
      continue;
    }
    double needed = called + (own == 0 ? AssumedRegisters : own) +
                    (elements - 1) * loadedRegisters(problem, kernel, member,
                                                     *stages[member]) +
                    elements * liveRegisters(problem, kernel, member);
    most = std::max(most, needed);
  }
  return static_cast<std::uint32_t>(std::ceil(most));
}

std::uint64_t groupShared(const Problem &problem, const FusedKernel &kernel) {
  std::uint64_t sum = tileBytes(problem.program, kernel), dynamic = 0;
  for (LaunchId id : kernel.launches) {
    sum += problem.program.kernelOf(id).staticSharedBytes;
    const HostExpr &asked = problem.program[id].sharedBytes;
    const auto bytes = static_cast<std::uint64_t>(
        asked.text.empty()
            ? 0
            : std::max<std::int64_t>(0, asked.value.asConstant().value_or(0)));
    // Stages of CUDA use it in turn.
    dynamic = problem.program.language == Language::Cuda
                  ? std::max(dynamic, bytes)
                  : dynamic + bytes;
  }
  return sum + dynamic;
}

Operations groupOperations(const Problem &problem, const FusedKernel &kernel,
                           const std::vector<const LaunchTraffic *> &stages,
                           const RecomputationWork &calls) {
  Operations sum;
  for (std::size_t member = 0; member < stages.size(); ++member)
    sum += problem.program.kernelOf(kernel.launches[member]).operations *
           (stages[member]->elements * timesRun(kernel, member) *
            calls.times[member]);
  return sum;
}

/// Returns the instructions that running the stages on tiles adds for each
/// thread of the program, beyond those that the stages need as kernels of their
/// own.
double tileInstructions(const FusedKernel &kernel) {
  double sum = 0;
  const auto threads = static_cast<double>(cellsOf(kernel.block, {}));
  for (std::size_t member = 0; member < kernel.halos.size(); ++member) {
    const auto around =
        static_cast<double>(cellsOf(workOf(kernel), kernel.halos[member]) -
                            cellsOf(workOf(kernel), {}));
    const bool isFirst =
        member == 0 || kernel.phases[member] != kernel.phases[member - 1];
    sum += (isFirst ? PassInstructions : SingleInstructions) *
               (1 + std::ceil(around / threads) / kernel.elementsPerThread) -
           SingleInstructions;
  }
  for (const Placement &placement : kernel.placements)
    for (const ForwardedRead &read : placement.reads)
      if (placement.isTile && placement.hasFlags() && read.isPartial)
        sum += LookInstructions;
  return sum;
}

/// Returns how often a thread waits for its next chunk of a distributed
/// member's threads, beyond the first.
double waitsForChunks(const Problem &problem, const FusedKernel &kernel,
                      double threadsPerBlock) {
  const LaunchId leader = kernel.launches[kernel.leader];
  double most = 1;
  for (const ConfigMapping &fit : kernel.fits)
    if (fit.chunk)
      most = std::max(most, threadsShared(problem, leader, *fit.chunk) /
                                threadsPerBlock);
  return most - 1;
}

const CompiledKernel *compiledAs(const Problem &problem,
                                 const FusedKernel &kernel) {
  const auto &kernels = problem.evidence.kernels;
  const auto &groups = problem.evidence.groups;
  if (kernel.launches.size() == 1) {
    const LaunchId launch = kernel.launches.front();
    return compiledAs(kernels, problem.program.kernelOf(launch).signature);
  }
  std::vector<LaunchId> members = kernel.launches;
  std::sort(members.begin(), members.end());
  const auto found =
      groups.find({std::move(members), kernel.elementsPerThread});
  return found == groups.end() ? nullptr : &found->second;
}

/// Returns the measured time of the planned kernel itself; nullptr if it never
/// ran. A part of a kernel was never measured alone.
const MeasuredTime *timeOf(const Problem &problem, const FusedKernel &kernel,
                           const KernelWork &work) {
  const MeasuredLaunch *measured = nullptr;
  if (kernel.launches.size() > 1)
    measured = measuredAs(problem.evidence.measured, kernel.name,
                          work.threads / work.elementsPerThread);
  else if (problem.program.kernelOf(kernel.launches.front()).part.of.empty())
    measured = measuredLaunch(problem, kernel.launches.front());
  return measured ? &measured->seconds : nullptr;
}

/// Projects the kernel's seconds from measurements of it or of its members.
void anchor(const Problem &problem, const FusedKernel &kernel,
            Projection &projection) {
  projection.modelled = projection.seconds;
  if (problem.evidence.measured.empty())
    return;
  const double gap = problem.device.launchSeconds - problem.device.emptySeconds;
  if (const MeasuredTime *time = timeOf(problem, kernel, projection)) {
    projection.measured = *time;
    projection.seconds = gap + time->median;
    return;
  }
  if (kernel.launches.size() == 1)
    return;
  double modelled = 0, taken = 0;
  for (const LaunchId launch : kernel.launches) {
    const Projection &member = singleOf(problem, launch);
    modelled += member.modelled - gap;
    taken += member.seconds - gap;
  }
  projection.seconds = gap + (projection.modelled - gap) * taken / modelled;
}

} // namespace

Projection project(const Problem &problem, const FusedKernel &kernel) {
  std::vector<const LaunchTraffic *> stages;
  for (LaunchId launch : kernel.launches)
    stages.push_back(&knownTraffic(problem, launch));
  const LaunchTraffic &leader = *stages[kernel.leader];
  KernelWork work;
  work.threads = leader.threads;
  work.threadsPerBlock = std::max(1.0, leader.threadsPerBlock);
  work.elementsPerThread = std::max(1U, kernel.elementsPerThread);
  addTraffic(problem, kernel, stages, work);
  if (kernel.schedule == Schedule::Tile)
    work.waits *= 1 + RowWaits * (work.elementsPerThread - 1);
  work.waits += waitsForChunks(problem, kernel, work.threadsPerBlock);
  const RecomputationWork calls = recomputationsOf(problem, kernel, stages);
  work.memoryBytes += calls.gatheredBytes;
  work.operations = groupOperations(problem, kernel, stages, calls);
  work.instructions =
      tileInstructions(kernel) * work.threads + calls.instructions;
  work.registers = groupRegisters(problem, kernel, stages);
  if (const CompiledKernel *compiled = compiledAs(problem, kernel)) {
    work.registers = compiled->registers;
    work.spilledBytes = compiled->spilledBytes;
  }
  work.sharedBytes = groupShared(problem, kernel);
  Projection projection{
      work, costOf(problem.device, work, problem.options.withoutTerms)};
  anchor(problem, kernel, projection);
  return projection;
}

Projection projectSingle(const Problem &problem, LaunchId launch) {
  FusedKernel single;
  single.launches = {launch};
  return project(problem, single);
}

struct ProjectionMemo {
  explicit ProjectionMemo(std::size_t launches) : singles(launches) {}
  std::vector<std::optional<Projection>> singles; ///< by LaunchId
};

const Projection &singleOf(const Problem &problem, LaunchId launch) {
  ProjectionMemo &memo =
      madeOn(problem.memos.projections, problem.program.launches.size());
  std::optional<Projection> &single = memo.singles[indexOf(launch)];
  if (!single)
    single = projectSingle(problem, launch);
  return *single;
}

} // namespace kfuse
