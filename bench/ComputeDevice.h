//===- ComputeDevice.h - A device that programs can run on ----------------===//
#ifndef KFUSE_BENCH_COMPUTEDEVICE_H
#define KFUSE_BENCH_COMPUTEDEVICE_H

#include <cstdint>
#include <string>
#include <vector>

namespace kfuse {

enum class Interface : std::uint8_t { OpenCl, Cuda };
enum class DeviceType : std::uint8_t { Cpu, Gpu, Accelerator, Other };

/// Returns "OpenCL" or "CUDA".
const char *interfaceName(Interface interface);
/// Returns "cpu", "gpu", "accelerator" or "other".
const char *deviceTypeName(DeviceType type);

/// A device as one driver offers it: a GPU may be there twice, in OpenCL and in
/// CUDA. A limit that the driver doesn't tell is 0.
struct ComputeDevice {
  Interface interface = Interface::OpenCl;
  /// Indices: of the platform among all platforms, CUDA's last, and of the
  /// device in its platform.
  std::uint32_t platformNumber = 0, number = 0;
  std::string platform; ///< "Portable Computing Language", "NVIDIA CUDA"
  std::string name, vendor;
  std::string version; ///< of the interface: "OpenCL 3.0 ...", "13.0"
  std::string driver;  ///< the driver's own version
  /// Tells the device from all others, whatever the interface: 32 hexadecimal
  /// digits with hyphens. Empty if the driver doesn't tell it.
  std::string uuid;
  std::string visibleName; ///< in CUDA_VISIBLE_DEVICES; empty in OpenCL
  DeviceType type = DeviceType::Other;
  std::uint32_t computeUnits = 0;      ///< multiprocessors, or cores
  std::uint32_t clockMegahertz = 0;    ///< at most
  std::uint64_t globalBytes = 0;       ///< of memory
  std::uint64_t largestAllocation = 0; ///< bytes
  std::uint64_t cacheBytes = 0;        ///< of the last level
  std::uint64_t localBytes = 0;        ///< local or shared memory of a group
  std::uint64_t groupSize = 0;         ///< work-items or threads, at most
  std::uint32_t subgroupSize = 0;      ///< threads of a warp
  /// Work-items of a sub-group, where a kernel may choose; ascending.
  std::vector<std::uint32_t> subgroupSizes;
  /// OpenCL's extensions for sub-groups: "cl_intel_subgroups", ...
  std::vector<std::string> subgroupExtensions;
  std::uint32_t registersPerBlock = 0; ///< 32-bit
  bool hasDouble = false, hasHalf = false;
};

/// The devices of one interface, and why it has none or not all of them.
struct DeviceList {
  std::vector<ComputeDevice> devices;
  std::uint32_t platforms = 0; ///< also those without a device
  std::vector<std::string> problems;
};

} // namespace kfuse

#endif
