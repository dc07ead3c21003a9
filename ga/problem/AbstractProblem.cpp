//===- AbstractProblem.cpp - A fusion problem without a program -----------===//

#include "ga/problem/AbstractProblem.h"

#include <algorithm>
#include <cmath>

namespace kfuse {
namespace {

constexpr std::uint32_t MostHalo = 1024, MostElementBytes = 64, MostTile = 1024,
                        MostRegisters = 1U << 16U;
constexpr double MostBytes = 1e18;

std::string kernelName(const AbstractProblem &problem, std::size_t kernel) {
  return "kernel " + std::to_string(kernel) + " ('" +
         problem.kernels[kernel].name + "')";
}

/// Returns whether the value is within the limits. Its negation also catches
/// NaN.
bool isWithin(double value, double least, double most) {
  return value >= least && value <= most;
}

std::string validateLimits(const AbstractProblem &problem) {
  const AbstractDevice &device = problem.device;
  const AbstractLimits &limits = problem.limits;
  if (!isWithin(device.launchSeconds, 0, 1) ||
      !isWithin(device.bandwidth, 1, MostBytes) ||
      !isWithin(device.flopRate, 1, MostBytes) ||
      !isWithin(device.haloShare, 0, 1))
    return "the device has a number out of range";
  if (!isWithin(limits.sharedBytes, 0, MostBytes) ||
      !isWithin(limits.registerShare, 0, 1) || limits.halo > MostHalo)
    return "a limit is out of range";
  if (problem.tiles.empty())
    return "there is no tile";
  for (const AbstractTile &tile : problem.tiles)
    if (tile.x == 0 || tile.y == 0 || tile.x > MostTile || tile.y > MostTile)
      return "a tile is out of range";
  return {};
}

std::string validateKernel(const AbstractProblem &problem, std::size_t number,
                           const std::vector<std::size_t> &writers) {
  const AbstractKernel &kernel = problem.kernels[number];
  const std::string name = kernelName(problem, number);
  if (!isWithin(kernel.flops, 0, MostBytes))
    return name + ": the flops are out of range";
  if (kernel.registers > MostRegisters)
    return name + ": the registers are out of range";
  for (std::uint32_t before : kernel.after)
    if (before >= number)
      return name + " comes after kernel " + std::to_string(before) +
             ", which is not an earlier one";
  for (const AbstractRead &read : kernel.reads) {
    if (read.array >= problem.arrays.size())
      return name + " reads array " + std::to_string(read.array) +
             ", which doesn't exist";
    if (read.halo > MostHalo)
      return name + ": a halo is out of range";
    if (writers[read.array] != problem.kernels.size() &&
        writers[read.array] >= number)
      return name + " reads array " + std::to_string(read.array) +
             ", which no earlier kernel writes";
  }
  return {};
}

std::string validateWrites(const AbstractProblem &problem) {
  std::vector<bool> written(problem.arrays.size());
  for (std::size_t number = 0; number < problem.kernels.size(); ++number)
    for (std::uint32_t array : problem.kernels[number].writes) {
      if (array >= problem.arrays.size())
        return kernelName(problem, number) + " writes array " +
               std::to_string(array) + ", which doesn't exist";
      if (written[array])
        return kernelName(problem, number) + " writes array " +
               std::to_string(array) + ", which is written already";
      written[array] = true;
    }
  return {};
}

} // namespace

std::vector<std::size_t> writersOf(const AbstractProblem &problem) {
  std::vector<std::size_t> writers(problem.arrays.size(),
                                   problem.kernels.size());
  for (std::size_t kernel = 0; kernel < problem.kernels.size(); ++kernel)
    for (std::uint32_t array : problem.kernels[kernel].writes)
      writers[array] = kernel;
  return writers;
}

AbstractProblem emptyProblem(std::string name, const Device &device) {
  AbstractProblem problem;
  problem.name = std::move(name);
  problem.device = {device.name, device.launchSeconds, device.bandwidth,
                    device.flopRate, 0.3};
  problem.limits = {static_cast<double>(device.sharedPerBlock),
                    device.registersPerThread, 0.5, 4};
  problem.tiles = {{32, 8}, {32, 16}, {64, 16}};
  return problem;
}

std::string validate(const AbstractProblem &problem) {
  if (problem.kernels.size() > AbstractProblem::MostKernels)
    return "there are more than " +
           std::to_string(AbstractProblem::MostKernels) + " kernels";
  if (std::string error = validateLimits(problem); !error.empty())
    return error;
  for (std::size_t number = 0; number < problem.arrays.size(); ++number) {
    const AbstractArray &array = problem.arrays[number];
    if (!isWithin(array.bytes, 0, MostBytes) || array.elementBytes == 0 ||
        array.elementBytes > MostElementBytes)
      return "array " + std::to_string(number) + " ('" + array.name +
             "') has a number out of range";
  }
  if (std::string error = validateWrites(problem); !error.empty())
    return error;
  const std::vector<std::size_t> writers = writersOf(problem);
  for (std::size_t number = 0; number < problem.kernels.size(); ++number)
    if (std::string error = validateKernel(problem, number, writers);
        !error.empty())
      return error;
  for (auto [first, second] : problem.separated)
    if (first >= problem.kernels.size() || second >= problem.kernels.size() ||
        first == second)
      return "a separated pair is not of two kernels";
  return {};
}

} // namespace kfuse
