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
#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_TARGET_OPENCL_VERSION 120
#include <CL/opencl.hpp>

#include "matrices.h"
#include "options.h"
#include "table.h"
#include "tiles.h"

#include <algorithm>
#include <cctype>
#include <ctime>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <set>

#ifndef GEMM_KERNELS // the folder of the .cl files
#define GEMM_KERNELS "kernels"
#endif

namespace {

//===- The device ---------------------------------------------------------===//

bool isNamed(const std::string &name, size_t number,
             const std::string &wanted) {
  const auto same = [](unsigned char one, unsigned char other) {
    return std::tolower(one) == std::tolower(other);
  };
  return wanted.empty() || wanted == std::to_string(number) ||
         std::search(name.begin(), name.end(), wanted.begin(), wanted.end(),
                     same) != name.end();
}

cl_device_type typeNamed(const std::string &name) {
  static const std::map<std::string, cl_device_type> types = {
      {"", CL_DEVICE_TYPE_ALL},
      {"all", CL_DEVICE_TYPE_ALL},
      {"cpu", CL_DEVICE_TYPE_CPU},
      {"gpu", CL_DEVICE_TYPE_GPU},
      {"acc", CL_DEVICE_TYPE_ACCELERATOR},
      {"default", CL_DEVICE_TYPE_DEFAULT}};
  const auto found = types.find(name);
  if (found == types.end())
    throw UsageError("'" + name +
                     "' is no type of device: all, cpu, gpu, acc or default");
  return found->second;
}

/// Returns the first device that is meant; of several, a GPU.
cl::Device chooseDevice(const Options &options) {
  const cl_device_type type = typeNamed(options.type);
  std::vector<cl::Platform> platforms;
  try {
    cl::Platform::get(&platforms);
  } catch (const cl::Error &) { // the loader finds none
  }
  std::optional<cl::Device> chosen;
  std::string others;
  for (size_t p = 0; p < platforms.size(); ++p) {
    const auto platform = platforms[p].getInfo<CL_PLATFORM_NAME>();
    std::vector<cl::Device> devices;
    try {
      platforms[p].getDevices(CL_DEVICE_TYPE_ALL, &devices);
    } catch (const cl::Error &) { // a platform without devices
    }
    for (size_t d = 0; d < devices.size(); ++d) {
      const auto name = devices[d].getInfo<CL_DEVICE_NAME>();
      const auto itsType = devices[d].getInfo<CL_DEVICE_TYPE>();
      others += "\n  platform " + std::to_string(p) + ", device " +
                std::to_string(d) + ": " + platform + ", " + name;
      if (!isNamed(platform, p, options.platform) ||
          !isNamed(name, d, options.device) || !(itsType & type))
        continue;
      if (!chosen ||
          (itsType & CL_DEVICE_TYPE_GPU &&
           !(chosen->getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_GPU)))
        chosen = devices[d];
    }
  }
  if (!chosen)
    throw std::runtime_error("no such device; there " +
                             (others.empty() ? "is none" : "are" + others));
  return *chosen;
}

/// Returns the processor time of all of the program's threads.
double processorSeconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

/// A device with what it takes to run kernels on it.
struct Machine {
  cl::Device device;
  bool usesProcessorTime; ///< a processor's, which others use too
  cl::Context context{device};
  cl::CommandQueue queue{context, device, CL_QUEUE_PROFILING_ENABLE};

  bool has(const std::string &extension) const {
    const auto all = " " + device.getInfo<CL_DEVICE_EXTENSIONS>() + " ";
    return all.find(" " + extension + " ") != std::string::npos;
  }
  bool isCpu() const {
    return device.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_CPU;
  }

  /// Builds a kernel of these files together.
  cl::Kernel build(const std::vector<std::string> &files,
                   const std::string &kernel, std::string macros) const {
    std::string source;
    for (const std::string &file : files) {
      const std::string path = GEMM_KERNELS "/" + file;
      std::ifstream stream(path);
      source.append(std::istreambuf_iterator<char>(stream), {});
      if (!stream)
        throw std::runtime_error("can't read '" + path + "'");
    }
    if (device.getInfo<CL_DEVICE_OPENCL_C_VERSION>() >= "OpenCL C 3.0")
      macros += " -cl-std=CL3.0";
    cl::Program program(context, source);
    try {
      program.build({device}, (macros + " -cl-mad-enable").c_str());
      return cl::Kernel(program, kernel.c_str());
    } catch (const cl::Error &) {
      throw std::runtime_error(
          "'" + kernel + "' can't be built with " + macros + "\n" +
          program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device));
    }
  }

  /// Runs a kernel and returns its seconds: those of the device, or the
  /// processor time of each of its cores.
  double run(const cl::Kernel &kernel, const cl::NDRange &global,
             const cl::NDRange &local) const {
    cl::Event event;
    const double before = processorSeconds();
    queue.enqueueNDRangeKernel(kernel, cl::NullRange, global, local, nullptr,
                               &event);
    event.wait();
    if (usesProcessorTime)
      return (processorSeconds() - before) /
             device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
    return 1e-9 * (event.getProfilingInfo<CL_PROFILING_COMMAND_END>() -
                   event.getProfilingInfo<CL_PROFILING_COMMAND_START>());
  }
};

//===- The ceilings -------------------------------------------------------===//

/// Measures peak and bandwidth, a little each time that it is asked.
class RoofMeter {
public:
  RoofMeter(const Machine &machine, const Options &given)
      : machine(machine), given(given) {
    if (!given.peak)
      for (const auto &[width, chains] : {std::pair(1, 12), {4, 8}, {8, 10}})
        peaks.push_back(peakKernel(width, chains));
    if (!given.bandwidth)
      prepareCopy();
  }

  void measure() {
    for (Peak &peak : peaks)
      peak.fastest = std::max(
          peak.fastest,
          peak.operations / machine.run(peak.kernel, threads, cl::NDRange(64)));
    if (!given.bandwidth)
      fastestCopy =
          std::max(fastestCopy, 2.0 * copied /
                                    machine.run(copy, cl::NDRange(copied / 16),
                                                cl::NullRange));
  }

  Roofs roofs() const {
    Roofs roofs{given.peak, given.bandwidth};
    for (const Peak &peak : peaks)
      roofs.operations = std::max(roofs.operations, peak.fastest);
    if (!given.bandwidth)
      roofs.bytes = fastestCopy;
    return roofs;
  }

private:
  struct Peak {
    cl::Kernel kernel;
    double operations;
    double fastest = 0; ///< rate
  };

  Peak peakKernel(int width, int chains) {
    const int length = machine.isCpu() ? 4096 : 1024;
    Peak peak{machine.build({"roofs.cl"}, "multiply_add",
                            "-DWIDTH=" + std::to_string(width) +
                                " -DCHAINS=" + std::to_string(chains) +
                                " -DLENGTH=" + std::to_string(length)),
              2.0 * width * chains * length * threads.get()[0]};
    peak.kernel.setArg(0, 0.5f);
    peak.kernel.setArg(1, buffers[0]);
    machine.run(peak.kernel, threads, cl::NDRange(64));
    return peak;
  }

  void prepareCopy() {
    copy =
        machine.build({"roofs.cl"}, "copy", "-DWIDTH=1 -DCHAINS=1 -DLENGTH=1");
    for (int argument = 0; argument < 2; ++argument) {
      machine.queue.enqueueFillBuffer(buffers[argument], 0.0f, 0, copied);
      copy.setArg(argument, buffers[argument]);
    }
    machine.run(copy, cl::NDRange(copied / 16), cl::NullRange);
  }

  const Machine &machine;
  const Options &given;
  cl::NDRange threads{machine.device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>() *
                      (machine.isCpu() ? 512u : 4096u)};
  const size_t copied = 64 << 20; // bytes
  const cl::Buffer buffers[2] = {{machine.context, CL_MEM_READ_WRITE, copied},
                                 {machine.context, CL_MEM_READ_WRITE, copied}};
  std::vector<Peak> peaks;
  cl::Kernel copy;
  double fastestCopy = 0; ///< rate
};

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

  // What slows the machine for a while slows ceilings and kernels alike.
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
