//===- gemm.cpp - Matrix multiplication in OpenCL, step by step -----------===//
//
// Runs the kernels of kernels/ on one device and prints what each step gains.
// docs/gemm.md walks through them.
//
//   build/bin/gemm -v                        all kernels, validated
//   build/bin/gemm -p pocl -M 500 -k tiles   one kernel on another platform
//   build/bin/gemm --tune --tiles=tiles.json look for the fastest tiles
//
//===----------------------------------------------------------------------===//
#include "machine.h"
#include "matrices.h"
#include "options.h"
#include "roofs.h"
#include "table.h"
#include "tiles.h"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <set>

namespace {

//===- The ladder ---------------------------------------------------------===//

/// A kernel with its tiles for processors and for GPUs.
struct Version {
  const char *kernel;
  Tile cpu, gpu;
};

const std::vector<Version> ladder = {
    {"naive", {16, 16, 16, 1, 1}, {16, 16, 16, 1, 1}},
    {"outputs", {64, 64, 16, 4, 4}, {64, 64, 16, 4, 4}},
    {"permuted", {64, 64, 16, 4, 4}, {64, 64, 16, 4, 4}},
    {"tiles", {64, 64, 16, 4, 4}, {64, 64, 16, 4, 4}},
    {"conflict_free", {64, 64, 16, 4, 4}, {64, 64, 16, 4, 4}},
    {"vectors", {64, 64, 16, 4, 4}, {64, 64, 16, 4, 4}},
    {"registers", {96, 256, 64, 6, 16, 16}, {128, 128, 16, 8, 8, 4}},
    {"shuffle", {96, 16, 32, 4, 2, 1, 8}, {64, 64, 32, 8, 4, 1, 16}},
    {"block_read", {96, 16, 32, 4, 2, 1, 8}, {64, 64, 32, 8, 4, 4, 16}},
};

/// Says why the device can't run a kernel with this tile; empty if it can.
std::string obstacleFor(const Machine &machine, const std::string &kernel,
                        const Tile &tile) {
  const bool isIntel = machine.has("cl_intel_subgroups");
  if (kernel == "block_read" && !isIntel)
    return "the device has no cl_intel_subgroups";
  if (kernel == "shuffle" && !isIntel &&
      !machine.has("cl_khr_subgroup_shuffle"))
    return "the device has no cl_khr_subgroup_shuffle";
  const size_t items = 1ul * tile.groupX() * tile.groupY();
  if (items > machine.device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>())
    return "work-groups of " + std::to_string(items) + " are too large";
  const bool isTiled = kernel == "tiles" || kernel == "conflict_free" ||
                       kernel == "vectors" || kernel == "registers";
  const size_t local = 4ul * (tile.M * (tile.K + 4) + tile.K * tile.N);
  if (isTiled && local > machine.device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>())
    return std::to_string(local) + " bytes of local memory are too many";
  // The sums fit into registers: of a GPU's 255 a thread, or a processor's 32
  // vectors.
  const int sums = machine.isCpu() ? 256 : 128;
  if (tile.itemM * tile.itemN > sums)
    return "a work-item's tile has more elements than registers";
  return "";
}

/// Returns how far apart rows of this length begin: an odd number of the 64
/// bytes of a cache line. If it were a power of two, a column would lie in few
/// sets of a cache, and its lines would evict each other.
int pitchFor(int columns) { return ((columns + 15) / 16 | 1) * 16; }

/// The matrices on the device, padded to whole tiles.
struct DeviceMatrices {
  Sizes sizes;
  int lda, ldb, ldc; ///< from row to row, in elements
  cl::Buffer A, B, C;

  DeviceMatrices(const Machine &machine, const Matrix &hostA,
                 const Matrix &hostB, const Sizes &padded)
      : sizes(padded), lda(pitchFor(padded.K)), ldb(pitchFor(padded.N)),
        ldc(ldb) {
    Matrix paddedA = resized(hostA, padded.M, lda);
    Matrix paddedB = resized(hostB, padded.K, ldb);
    const auto flags = CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR;
    A = {machine.context, flags, paddedA.bytes(), paddedA.values.data()};
    B = {machine.context, flags, paddedB.bytes(), paddedB.values.data()};
    C = {machine.context, CL_MEM_READ_WRITE, bytesOfC()};
  }
  size_t bytesOfC() const { return sizeof(float) * sizes.M * ldc; }
};

/// A built kernel with its matrices.
class Launch {
public:
  Launch(const Machine &machine, const std::string &name, const Tile &tile,
         const DeviceMatrices &matrices)
      : machine(machine), tile(tile), matrices(matrices),
        kernel(
            machine.build({"common.cl", name + ".cl"}, name, tile.macros())) {
    kernel.setArg(0, matrices.sizes.K);
    kernel.setArg(1, matrices.A);
    kernel.setArg(2, matrices.lda);
    kernel.setArg(3, matrices.B);
    kernel.setArg(4, matrices.ldb);
    kernel.setArg(5, matrices.C);
    kernel.setArg(6, matrices.ldc);
  }

  double run() const {
    return machine.run(kernel,
                       cl::NDRange(matrices.sizes.N / tile.itemN,
                                   matrices.sizes.M / tile.itemM),
                       cl::NDRange(tile.groupX(), tile.groupY()));
  }

  /// Runs it on a result of NaNs, so that no old value passes for a new one.
  Matrix result(const Sizes &sizes) const {
    machine.queue.enqueueFillBuffer(matrices.C, NAN, 0, matrices.bytesOfC());
    run();
    Matrix padded(matrices.sizes.M, matrices.ldc);
    machine.queue.enqueueReadBuffer(matrices.C, CL_TRUE, 0, padded.bytes(),
                                    padded.values.data());
    return resized(padded, sizes.M, sizes.N);
  }

private:
  const Machine &machine;
  Tile tile;
  const DeviceMatrices &matrices;
  cl::Kernel kernel;
};

/// The inputs, and their padded copies on the device.
class Problem {
public:
  Problem(const Machine &machine, const Sizes &sizes)
      : sizes(sizes), A(randomMatrix(sizes.M, sizes.K, 1)),
        B(randomMatrix(sizes.K, sizes.N, 2)), machine(machine) {}

  const DeviceMatrices &paddedTo(const Tile &tile) {
    const Sizes padded = tile.padded(sizes);
    const auto found = copies.find(padded);
    if (found != copies.end())
      return found->second;
    return copies.emplace(padded, DeviceMatrices(machine, A, B, padded))
        .first->second;
  }

  const Sizes sizes;
  const Matrix A, B;

private:
  const Machine &machine;
  std::map<Sizes, DeviceMatrices> copies;
};

/// Returns the versions that the command line asks for, with tuned tiles.
std::vector<std::pair<std::string, Tile>>
chosenVersions(const Options &options, const Machine &machine) {
  TunedTiles tuned;
  if (!options.tilesFile.empty() && !options.tune)
    tuned = readTiles(options.tilesFile);
  const auto device = machine.device.getInfo<CL_DEVICE_NAME>();
  if (!tuned.tiles.empty() && tuned.device != device)
    std::cerr << "gemm: note: these tiles are those of " << tuned.device
              << "\n";
  std::vector<std::pair<std::string, Tile>> chosen;
  std::string names;
  for (const Version &version : ladder) {
    names += std::string(" ") + version.kernel;
    if (options.kernel != "all" && options.kernel != version.kernel)
      continue;
    const auto found = tuned.tiles.find(version.kernel);
    chosen.emplace_back(version.kernel, found != tuned.tiles.end()
                                            ? found->second
                                        : machine.isCpu() ? version.cpu
                                                          : version.gpu);
  }
  if (chosen.empty())
    throw UsageError("no kernel is called '" + options.kernel +
                     "'; there are: all" + names);
  return chosen;
}

//===- Tuning -------------------------------------------------------------===//

/// Looks for the fastest tile: goes on to a better neighbour as long as there
/// is one.
Tile tuned(const Machine &machine, Problem &problem, const std::string &kernel,
           Tile best) {
  const auto secondsOf = [&](const Tile &tile) {
    try {
      const Launch launch(machine, kernel, tile, problem.paddedTo(tile));
      launch.run();
      return std::min({launch.run(), launch.run(), launch.run()});
    } catch (const std::exception &) { // the driver has limits of its own
      return INFINITY + 0.0;
    }
  };
  double fastest = secondsOf(best);
  std::set<Tile> tried = {best};
  for (bool isBetter = true; isBetter;) {
    isBetter = false;
    for (const Tile &tile : neighboursOf(best, kernel)) {
      if (!obstacleFor(machine, kernel, tile).empty() ||
          !tried.insert(tile).second)
        continue;
      const double seconds = secondsOf(tile);
      if (seconds < 0.98 * fastest) {
        fastest = seconds;
        best = tile;
        isBetter = true;
      }
    }
  }
  std::printf("%s: the best of %zu tiles is %s: %.2f GFLOP/s\n", kernel.c_str(),
              tried.size(), best.text().c_str(),
              problem.sizes.operations() / fastest / 1e9);
  std::fflush(stdout);
  return best;
}

//===- The run ------------------------------------------------------------===//

int run(const Options &options) {
  const cl::Device device = chooseDevice(options);
  const bool isCpu = device.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_CPU;
  if (options.cpuTime && !isCpu)
    throw UsageError("--cpu-time is for processors");
  const Machine machine{device, options.cpuTime};
  auto versions = chosenVersions(options, machine);
  Problem problem(machine, {options.M, options.K, options.N});
  std::printf("%s, A %d x %d, B %d x %d\n",
              machine.device.getInfo<CL_DEVICE_NAME>().c_str(), options.M,
              options.K, options.K, options.N);

  if (options.tune) {
    TunedTiles found{machine.device.getInfo<CL_DEVICE_NAME>(), {}};
    for (auto &[kernel, tile] : versions)
      if (obstacleFor(machine, kernel, tile).empty())
        found.tiles[kernel] = tile = tuned(machine, problem, kernel, tile);
    if (!options.tilesFile.empty())
      writeTiles(options.tilesFile, found);
  }

  std::vector<Step> steps;
  std::vector<std::unique_ptr<Launch>> launches;
  for (const auto &[kernel, tile] : versions) {
    Step step{kernel, tile.text(), obstacleFor(machine, kernel, tile), {}};
    launches.push_back(step.skipped.empty()
                           ? std::make_unique<Launch>(machine, kernel, tile,
                                                      problem.paddedTo(tile))
                           : nullptr);
    steps.push_back(step);
  }
  if (options.validate) {
    const Reference reference(problem.A, problem.B);
    for (size_t i = 0; i < steps.size(); ++i)
      if (launches[i])
        steps[i].error =
            reference.largestError(launches[i]->result(problem.sizes));
  }
  const bool isValid = printValidation(steps);

  // A machine that is slow for a while slows ceilings and kernels alike.
  Roofs roofs{};
  if (options.iterations) {
    RoofMeter meter(machine, options);
    for (const auto &launch : launches)
      if (launch)
        launch->run();
    for (int i = 0; i < options.iterations; ++i) {
      meter.measure();
      for (size_t step = 0; step < steps.size(); ++step)
        if (launches[step])
          steps[step].seconds.push_back(launches[step]->run());
    }
    roofs = meter.roofs();
  }
  printTable(steps, problem.sizes, roofs);
  if (!options.kernelsFile.empty())
    writeKernels(options.kernelsFile, steps, problem.sizes);
  return isValid ? 0 : 1;
}

} // namespace

int main(int count, char **words) {
  return reportErrors("gemm", [&] {
    const Options options = parseOptions(count, words, true);
    if (options.help) {
      std::cout
          << "Usage: gemm [options]\n"
             "  -p, --platform=NAME     its number, or a part of its name\n"
             "  -t, --type=TYPE         all, cpu, gpu, acc or default\n"
             "  -d, --device=NAME       its number in the platform, or a "
             "part of its name\n"
          << commonHelp;
      return 0;
    }
    try {
      return run(options);
    } catch (const cl::Error &error) {
      throw std::runtime_error(std::string(error.what()) + " returns " +
                               std::to_string(error.err()));
    }
  });
}
