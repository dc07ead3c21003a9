//===- gemm.cu - Matrix multiplication in CUDA, step by step --------------===//
//
// Runs the kernels of kernels.cuh and prints what each step gains. docs/gemm.md
// walks through them.
//
//   nvcc -arch=sm_90 -O3 examples/gemm/gemm.cu -o gemm-cuda && ./gemm-cuda -v
//   kfuse-cpu examples/gemm/gemm.cu -o gemm-cpu && ./gemm-cpu -v -M 70 -i 1
//
//===----------------------------------------------------------------------===//
#include "kernels.cuh"
#include "matrices.h"
#include "options.h"
#include "table.h"
#include "tiles.h"

#include <cstdio>
#include <cuda_runtime.h>
#include <functional>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

void check(cudaError_t error) {
  if (error != cudaSuccess)
    throw std::runtime_error(cudaGetErrorString(error));
}

/// Memory of the device.
class DeviceArray {
public:
  explicit DeviceArray(size_t count) : count(count) {
    check(cudaMalloc(&pointer, count * sizeof(float)));
  }
  explicit DeviceArray(const Matrix &matrix)
      : DeviceArray(matrix.values.size()) {
    check(cudaMemcpy(pointer, matrix.values.data(), matrix.bytes(),
                     cudaMemcpyHostToDevice));
  }
  DeviceArray(const DeviceArray &) = delete;
  ~DeviceArray() { cudaFree(pointer); }
  float *get() const { return pointer; }
  size_t bytes() const { return count * sizeof(float); }

private:
  float *pointer = nullptr;
  size_t count;
};

/// Returns the seconds that the device works on what `launch` starts.
double secondsOf(const std::function<void()> &launch) {
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  check(cudaEventRecord(begin));
  launch();
  check(cudaGetLastError());
  check(cudaEventRecord(end));
  check(cudaEventSynchronize(end));
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin, end));
  check(cudaEventDestroy(begin));
  check(cudaEventDestroy(end));
  return milliseconds * 1e-3;
}

//===- The ceilings -------------------------------------------------------===//

constexpr int Chains = 16, Length = 1024;

// Multiply-adds on registers alone.
__global__ void multiply_add(float factor, float *result) {
  float sum[Chains];
#pragma unroll
  for (int chain = 0; chain < Chains; ++chain)
    sum[chain] = threadIdx.x + chain;
  for (int i = 0; i < Length; ++i)
#pragma unroll
    for (int chain = 0; chain < Chains; ++chain)
      sum[chain] = sum[chain] * factor + factor;
  float total = 0;
#pragma unroll
  for (int chain = 0; chain < Chains; ++chain)
    total += sum[chain];
  result[blockIdx.x * blockDim.x + threadIdx.x] = total;
}

__global__ void copy(const float4 *from, float4 *to) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i];
}

/// Measures peak and bandwidth, a little each time that it is asked.
class RoofMeter {
public:
  RoofMeter(const cudaDeviceProp &device, const Options &given)
      : isGpu(device.multiProcessorCount > 8),
        blocks(device.multiProcessorCount * (isGpu ? 32 : 1)),
        from(isGpu ? 128 << 20 : 1 << 16), to(from.bytes() / sizeof(float)),
        roofs{given.peak, given.bandwidth}, hasPeak(given.peak),
        hasBandwidth(given.bandwidth) {}

  void measure() {
    if (!hasPeak) {
      const double operations = 2.0 * Chains * Length * blocks * 256;
      roofs.operations = std::max(
          roofs.operations, operations / secondsOf([&] {
                              multiply_add<<<blocks, 256>>>(0.5f, to.get());
                            }));
    }
    if (!hasBandwidth)
      roofs.bytes = std::max(roofs.bytes,
                             2.0 * from.bytes() / secondsOf([&] {
                               copy<<<from.bytes() / 16 / 256, 256>>>(
                                   reinterpret_cast<const float4 *>(from.get()),
                                   reinterpret_cast<float4 *>(to.get()));
                             }));
  }

  const Roofs &get() const { return roofs; }

private:
  bool isGpu;
  int blocks;
  DeviceArray from, to;
  Roofs roofs;
  bool hasPeak, hasBandwidth;
};

//===- The ladder ---------------------------------------------------------===//

using Kernel = void (*)(int, const float *, int, const float *, int, float *,
                        int);

/// A kernel with what it was instantiated for.
struct Version {
  const char *name;
  Tile tile;
  Kernel kernel;
  bool isDefault = true; ///< else only tuning tries it
};

const Version ladder[] = {
    {"naive", {16, 16, 16, 1, 1}, naive<16, 16, 16, 1, 1>},
    {"outputs", {64, 64, 16, 4, 4}, outputs<64, 64, 16, 4, 4>},
    {"permuted", {64, 64, 16, 4, 4}, permuted<64, 64, 16, 4, 4>},
    {"tiles", {64, 64, 16, 4, 4}, tiles<64, 64, 16, 4, 4>},
    {"conflict_free", {64, 64, 16, 4, 4}, conflict_free<64, 64, 16, 4, 4>},
    {"vectors", {64, 64, 16, 4, 4}, vectors<64, 64, 16, 4, 4>},
    {"registers", {128, 128, 16, 8, 8, 4}, registers<128, 128, 16>},
    {"registers", {128, 128, 8, 8, 8, 4}, registers<128, 128, 8>, false},
    {"registers", {64, 64, 16, 8, 8, 4}, registers<64, 64, 16>, false},
    {"double_buffer", {128, 128, 16, 8, 8, 4}, double_buffer<128, 128, 16>},
    {"double_buffer",
     {128, 128, 8, 8, 8, 4},
     double_buffer<128, 128, 8>,
     false},
    {"double_buffer",
     {128, 64, 16, 8, 8, 4},
     double_buffer<128, 64, 16>,
     false},
    {"double_buffer", {64, 64, 16, 8, 8, 4}, double_buffer<64, 64, 16>, false},
    {"shuffle", {64, 128, 32, 8, 4, 4, 32}, shuffle<64, 128, 32, 8, 4>},
};

/// A kernel's matrices on the device, padded to whole tiles.
class Launch {
public:
  Launch(const Version &version, const Matrix &A, const Matrix &B)
      : version(version),
        sizes(version.tile.padded({A.rows, A.columns, B.columns})),
        A(resized(A, sizes.M, sizes.K)), B(resized(B, sizes.K, sizes.N)),
        C(static_cast<size_t>(sizes.M) * sizes.N) {}

  double run() const {
    const Tile &tile = version.tile;
    const dim3 grid(sizes.N / tile.N, sizes.M / tile.M);
    const dim3 block = tile.itemM == 8 && tile.itemN == 8
                           ? dim3(tile.groupX() * tile.groupY())
                           : dim3(tile.groupX(), tile.groupY());
    return secondsOf([&] {
      version.kernel<<<grid, block>>>(sizes.K, A.get(), sizes.K, B.get(),
                                      sizes.N, C.get(), sizes.N);
    });
  }

  /// Runs it on a result of NaNs, so that no old value passes for a new one.
  Matrix result(int rows, int columns) const {
    check(cudaMemset(C.get(), 0xff, C.bytes()));
    run();
    Matrix padded(sizes.M, sizes.N);
    check(cudaMemcpy(padded.values.data(), C.get(), C.bytes(),
                     cudaMemcpyDeviceToHost));
    return resized(padded, rows, columns);
  }

private:
  const Version &version;
  Sizes sizes;
  DeviceArray A, B, C;
};

/// Returns the versions that the command line asks for: one of each name.
std::vector<const Version *> chosenVersions(const Options &options,
                                            const Matrix &A, const Matrix &B) {
  TunedTiles tuned;
  if (!options.tilesFile.empty() && !options.tune)
    tuned = readTiles(options.tilesFile);
  std::vector<const Version *> chosen;
  std::string names;
  for (const Version &version : ladder) {
    if (version.isDefault)
      names += std::string(" ") + version.name;
    if (options.kernel != "all" && options.kernel != version.name)
      continue;
    const auto found = tuned.tiles.find(version.name);
    if (version.isDefault)
      chosen.push_back(&version);
    else if (found != tuned.tiles.end() &&
             found->second.text() == version.tile.text())
      chosen.back() = &version;
    if (!options.tune)
      continue;
    const Launch launch(version, A, B);
    launch.run();
    const double seconds = std::min(launch.run(), launch.run());
    std::printf("%s with %s: %.3f ms\n", version.name,
                version.tile.text().c_str(), seconds * 1e3);
    static double fastest;
    if (version.isDefault || seconds < fastest) {
      fastest = seconds;
      chosen.back() = &version;
    }
  }
  if (chosen.empty())
    throw UsageError("no kernel is called '" + options.kernel +
                     "'; there are: all" + names);
  return chosen;
}

int run(const Options &options) {
  int count = 0;
  check(cudaGetDeviceCount(&count));
  const int number =
      options.device.empty() ? 0 : wholeNumberOf(options.device, 0, "-d");
  if (number >= count)
    throw std::runtime_error("no device " + options.device + "; there are " +
                             std::to_string(count));
  check(cudaSetDevice(number));
  cudaDeviceProp device;
  check(cudaGetDeviceProperties(&device, number));

  const Matrix A = randomMatrix(options.M, options.K, 1);
  const Matrix B = randomMatrix(options.K, options.N, 2);
  const Sizes sizes{options.M, options.K, options.N};
  std::printf("%s, A %d x %d, B %d x %d\n", device.name, sizes.M, sizes.K,
              sizes.K, sizes.N);
  const auto versions = chosenVersions(options, A, B);
  if (options.tune && !options.tilesFile.empty()) {
    TunedTiles found{device.name, {}};
    for (const Version *version : versions)
      found.tiles[version->name] = version->tile;
    writeTiles(options.tilesFile, found);
  }

  std::vector<Step> steps;
  std::vector<std::unique_ptr<Launch>> launches;
  for (const Version *version : versions) {
    steps.push_back({version->name, version->tile.text(), "", {}});
    launches.push_back(std::make_unique<Launch>(*version, A, B));
  }
  if (options.validate) {
    const Reference reference(A, B);
    for (size_t i = 0; i < steps.size(); ++i)
      steps[i].error =
          reference.largestError(launches[i]->result(sizes.M, sizes.N));
  }
  const bool isValid = printValidation(steps);

  // A machine that is slow for a while slows ceilings and kernels alike.
  Roofs roofs{};
  if (options.iterations) {
    RoofMeter meter(device, options);
    for (const auto &launch : launches)
      launch->run();
    for (int i = 0; i < options.iterations; ++i) {
      meter.measure();
      for (size_t step = 0; step < steps.size(); ++step)
        steps[step].seconds.push_back(launches[step]->run());
    }
    roofs = meter.get();
  }
  printTable(steps, sizes, roofs);
  if (!options.kernelsFile.empty())
    writeKernels(options.kernelsFile, steps, sizes);
  return isValid ? 0 : 1;
}

} // namespace

int main(int count, char **words) {
  return reportErrors("gemm", [&] {
    const Options options = parseOptions(count, words, false);
    if (!options.help)
      return run(options);
    std::cout << "Usage: gemm [options]\n"
                 "  -d, --device=NUMBER     the device (0)\n"
              << commonHelp;
    return 0;
  });
}
