//===- CudaProbes.h - Probes on a CUDA device -----------------------------===//
#ifndef KFUSE_BENCH_ROOFLINE_CUDAPROBES_H
#define KFUSE_BENCH_ROOFLINE_CUDAPROBES_H

#include "bench/ComputeDevice.h"
#include "bench/roofline/DriverLimits.h"
#include "bench/roofline/probes/Probes.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace kfuse {

/// Measurements of a CUDA device, and what its runtime tells of it.
struct CudaMeasurements {
  DriverLimits limits;
  RawMeasurements measured; ///< its error says why there are none
};

/// Returns the path of nvcc: the one that is named, or the first on the PATH,
/// or that of /usr/local/cuda. Empty if there is none.
std::string nvccPath(const std::string &named);

/// Returns the measurements in what the program prints.
CudaMeasurements cudaMeasurements(std::string_view json);

/// Returns the part that is done, from 0 to 1, as the last whole line with a
/// percentage has it in what the program writes; nullopt if there is none.
std::optional<double> progressIn(std::string_view written);

/// Writes the program that measures into a temporary folder, builds it with
/// nvcc for the devices of this machine, and runs it. `progress` gets the part
/// that is done, from another thread, as soon as the program runs.
CudaMeasurements probeCuda(const ComputeDevice &device, const ProbePlan &plan,
                           const std::string &nvcc,
                           const std::function<void(double)> &progress);

} // namespace kfuse

#endif
