//===- ElementsPerThread.cpp - How many elements a thread computes --------===//

#include "fusion/ElementsPerThread.h"

#include "fusion/cost/Project.h"
#include "fusion/forwarding/Forwarding.h"
#include "fusion/group/GroupChecks.h"
#include "fusion/group/KernelChecks.h"
#include "fusion/plan/TileStorage.h"

#include <algorithm>
#include <set>
#include <utility>

namespace kfuse {
namespace {

/// Checks whether a member loops over anything but the cells of tiles around
/// its own.
bool loopsBeyondWindows(const Program &program, const FusedKernel &fused,
                        std::uint32_t member) {
  std::set<std::uint32_t> loads, windows; ///< accesses, and loops around them
  for (const Placement &placement : fused.placements)
    for (const ForwardedRead &read : placement.reads)
      if (placement.isTile && read.member == member) {
        loads.insert(read.access);
        for (const Window::Loop &loop : read.window.loops)
          windows.insert(loop.number);
      }
  const LaunchId launch = fused.launches[member];
  const std::vector<Access> &accesses = program[launch].accesses;
  for (std::uint32_t i = 0; i < accesses.size(); ++i)
    if (!accesses[i].loops.empty() && !loads.contains(i))
      return true;
  return windows.size() != program.kernelOf(launch).loops.size();
}

/// Checks whether a thread may work on several logical blocks: the stage gets
/// them as a blockIdx and a gridDim of its own, while threadIdx and blockDim
/// stay. If the elements shared something that isn't loaded through a
/// parameter, the compiler could contract otherwise than for one. A thread that
/// loops over memory has enough loads in flight; several elements would only
/// leave fewer threads. Measured on an H200, row and column sums: 4 times
/// slower.
bool canRepeat(const Program &program, const FusedKernel &fused,
               std::uint32_t member) {
  const ConfigMapping &fit = fused.fits[member];
  const Kernel &kernel = program.kernelOf(fused.launches[member]);
  return !fit.chunk && kernel.barriers == 0 &&
         !(kernel.integersToFloating && mayContract(kernel)) &&
         floatingGlobals(kernel).empty() &&
         !loopsBeyondWindows(program, fused, member) &&
         kernel.staticSharedBytes == 0 && !kernel.usesDynamicShared &&
         (!kernel.gridStride || fit.isIteration) &&
         !has(kernel, KernelFeature::WarpOperation) &&
         !has(kernel, KernelFeature::CoordinatesInCallee) &&
         !has(kernel, KernelFeature::SharedAddress) &&
         !has(kernel, KernelFeature::GridShape) &&
         program.language == Language::Cuda;
}

/// Returns the axis on which a thread takes several elements: the one on which
/// memory is contiguous, or, for a tile, the last one. There the block is the
/// thinnest and its halo weighs most.
std::uint32_t elementsAxisOf(const FusedKernel &kernel) {
  std::uint32_t axis = 0;
  for (std::uint32_t other = 1; other < 3; ++other)
    for (const Halo &halo : kernel.halos)
      if (kernel.block[other] > 1 || halo.low[other] + halo.high[other] != 0)
        axis = other;
  return axis;
}

/// Returns how many threads the device can have at once. If there are fewer,
/// each would work longer while multiprocessors idle. Measured on an H200,
/// groups of 131,072 threads take 1.6 times as long as 32,768 with four
/// elements each.
double threadsAtOnce(const Device &device, const Projection &projection) {
  return projection.occupancy * device.threadsPerMultiprocessor *
         device.multiprocessors;
}

/// Returns the bytes of the smallest and of the largest element that the kernel
/// loads or stores.
std::pair<std::uint32_t, std::uint32_t>
elementSizes(const Program &program, const FusedKernel &kernel) {
  std::uint32_t smallest = 16, largest = 1;
  for (const LaunchId id : kernel.launches)
    for (const Access &access : program.kernelOf(id).accesses) {
      const ArrayId array = program[id].pointers[access.pointer].array;
      const bool isKept =
          std::any_of(kernel.placements.begin(), kernel.placements.end(),
                      [array](const Placement &placement) {
                        return placement.array == array &&
                               placement.kind != PlacementKind::RegisterOnly;
                      });
      if (isKept && access.elementBytes != 0) {
        smallest = std::min(smallest, access.elementBytes);
        largest = std::max(largest, access.elementBytes);
      }
    }
  return {smallest, largest};
}

/// Checks whether a thread should take so many elements for their size alone:
/// the memory gives 16 bytes as fast as one. Measured on an H100, a map of
/// bytes: one a thread 789 GB/s, four 2,062, sixteen neighbours 2,926. With
/// floats beside the bytes, sixteen take 1.4 to 1.7 times as long as four do on
/// an H200.
bool areTooSmall(const Program &program, const FusedKernel &kernel,
                 std::uint32_t elements) {
  const auto [smallest, largest] = elementSizes(program, kernel);
  return (kernel.schedule == Schedule::Register ||
          kernel.schedule == Schedule::Concatenate) &&
         smallest <= 2 && elements * largest <= 16;
}

} // namespace

void chooseElements(const Problem &problem, FusedKernel &kernel,
                    const Group &group) {
  kernel.projection = project(problem, kernel);
  if (kernel.schedule == Schedule::Recompute ||
      kernel.schedule == Schedule::BlockLocal)
    return;
  const Program &program = problem.program;
  for (std::uint32_t i = 0; i < kernel.launches.size(); ++i)
    if (!canRepeat(program, kernel, i))
      return;
  const std::uint32_t values = forwardedRegisters(program, kernel.placements);
  const std::uint32_t axis = elementsAxisOf(kernel);
  const auto blocks =
      program[kernel.launches[kernel.leader]].grid.extent[axis].asConstant();
  const auto &plans = problem.options.plannedElements;
  const auto plan = plans.find(kernel.launches);
  const std::uint32_t planned = plan == plans.end() ? 0 : plan->second;
  for (std::uint32_t elements : {2U, 4U, 8U, 16U}) {
    if (planned != 0 && elements != planned)
      continue;
    const bool isForSize = areTooSmall(program, kernel, elements);
    if (elements > 8 && !isForSize)
      break;
    FusedKernel trial = kernel;
    trial.elementsPerThread = elements;
    trial.elementsAxis = axis;
    placeSlots(program, trial);
    if ((planned == 0 && elements > problem.options.maxElementsPerThread &&
         !(isForSize && problem.options.maxElementsPerThread >= 4)) ||
        (blocks && *blocks < elements) ||
        checkLimits(group, values * elements, tileBytes(program, trial)))
      break;
    trial.projection = project(problem, trial);
    if (planned == 0 && trial.projection.threads / elements <
                            threadsAtOnce(problem.device, trial.projection))
      break;
    if ((planned != 0 || isForSize ||
         trial.projection.seconds < kernel.projection.seconds) &&
        !spillsMore(trial))
      kernel = std::move(trial);
  }
}

} // namespace kfuse
