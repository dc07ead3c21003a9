//===- ProbeDevice.h - What probes ask of a device ------------------------===//
//
// Plain C++17 that includes nothing else of kfuse: the program that measures
// CUDA devices is built from this file, too, by whatever nvcc there is.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_BENCH_ROOFLINE_PROBES_PROBEDEVICE_H
#define KFUSE_BENCH_ROOFLINE_PROBES_PROBEDEVICE_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace kfuse {

/// Limits that decide how probes are shaped. Sizes are bytes.
struct ProbeLimits {
  bool isCpu = false; ///< caches of its own for each unit, no warps
  std::size_t computeUnits = 1;
  std::size_t groupSize = 1;    ///< work-items, at most
  std::size_t vectorBytes = 16; ///< that a work-item of the kernels loads
  std::size_t lineBytes = 64;
  std::size_t cacheBytes = 0; ///< last level, if the driver tells it
  std::size_t globalBytes = 0, largestAllocation = 0;
};

/// Memory of the device, or none if it couldn't be allocated.
struct ProbeBuffer {
  std::size_t number = 0; ///< from 1 on
};

using ProbeArgument = std::variant<ProbeBuffer, std::int32_t, float>;

/// A launch of a kernel by its name (kernels/Probes.cl).
struct ProbeLaunch {
  std::string kernel;
  std::size_t groups = 1, groupSize = 1;
  std::vector<ProbeArgument> arguments;
};

enum class TransferPath : std::uint8_t {
  ToDevicePageable,
  ToDevicePinned,
  ToHostPageable,
  ToHostPinned,
};

/// A device that probes run on. Everything is finished when a function returns.
/// The first thing that fails is kept in `error()`; from then on nothing is
/// done, and times are 0.
class ProbeDevice {
public:
  ProbeDevice() = default;
  virtual ~ProbeDevice() = default;
  ProbeDevice(const ProbeDevice &) = delete;
  ProbeDevice &operator=(const ProbeDevice &) = delete;

  virtual const ProbeLimits &limits() const = 0;
  virtual const std::string &error() const = 0;
  virtual bool hasKernel(const std::string &name) const = 0;

  /// Allocates bytes that are all zero.
  virtual ProbeBuffer allocate(std::size_t bytes) = 0;
  virtual void release(ProbeBuffer buffer) = 0;
  virtual void upload(ProbeBuffer buffer,
                      const std::vector<std::int32_t> &data) = 0;

  /// Launches the kernel so many times in one queue. Returns the seconds from
  /// the first start to the last end, by the device's clock.
  virtual double launch(const ProbeLaunch &launch, unsigned times) = 0;
  /// Launches the kernel so many times in a queue that records no times.
  /// Returns the seconds until all is done, by the host's clock.
  virtual double queue(const ProbeLaunch &launch, unsigned times) = 0;
  /// Copies with the driver's own function, so many times in one queue. Returns
  /// the seconds from the first start to the last end, by the device's clock.
  virtual double copy(ProbeBuffer from, ProbeBuffer to, std::size_t bytes,
                      unsigned times) = 0;
  /// Transfers between host and device; returns the seconds by the host's
  /// clock.
  virtual double transfer(TransferPath path, ProbeBuffer buffer,
                          std::size_t bytes) = 0;
};

} // namespace kfuse

#endif
