//===- Device.h - The machine a program is fused for ----------------------===//
#ifndef KFUSE_FUSION_DEVICE_DEVICE_H
#define KFUSE_FUSION_DEVICE_DEVICE_H

#include "fusion/device/Roof.h"
#include "graphs/units/Operations.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kfuse {

/// Limits and measured ceilings of one device, read from a JSON file
/// (fusion/device/devices/*.json), in which every number carries its origin
/// (`measured`, `specification`, `derived`) and a note.
struct Device {
  std::string name;        ///< `h200`
  std::string description; ///< `NVIDIA H200 SXM, CUDA 13, driver 580`
  double bandwidth = 0;    ///< bytes/s, global memory, measured copy
  /// How sharply the bandwidth falls when fewer bytes are in flight than
  /// bandwidth * latency asks: the share reached with x times that many bytes
  /// is x / (1 + x^knee)^(1/knee).
  double bandwidthKnee = 0;
  double l2Bandwidth = 0;      ///< bytes/s
  double l2Bytes = 0;          ///< capacity
  double l2Residency = 0;      ///< share of it where a just written array stays
  double transactionBytes = 0; ///< the least that memory moves
  double storeTraffic = 0;     ///< bytes moved for each byte stored
  double sharedBandwidth = 0;  ///< bytes/s, whole device
  double overlapLoss = 0;   ///< part of the lesser ceilings that isn't hidden
  double flopRate = 0;      ///< single-precision operations/s
  double launchSeconds = 0; ///< from one launch to the next, in a stream
  double blockSeconds = 0;  ///< between two blocks that begin
  /// The time of a kernel that does nothing, as a profiler counts it.
  double emptySeconds = 0;
  double latencySeconds = 0; ///< of a load from global memory
  std::uint32_t multiprocessors = 0;
  std::uint32_t threadsPerWarp = 0;
  std::uint32_t threadsPerMultiprocessor = 0;
  std::uint32_t blocksPerMultiprocessor = 0;
  std::uint32_t registersPerMultiprocessor = 0; ///< 32-bit
  std::uint32_t registersPerAllocation = 0;     ///< a warp's granule
  std::uint32_t registersPerThread = 0;         ///< largest allowed
  std::uint64_t sharedPerMultiprocessor = 0;    ///< bytes
  std::uint64_t sharedPerBlock = 0;             ///< bytes, static
  std::uint64_t sharedReservedPerBlock = 0;     ///< bytes, beside its own
  std::uint32_t threadsPerBlock = 0;
  std::vector<Roof> roofs; ///< in the file's order; empty if it has none
  /// Measured operations/s of the units beside fp32: what the fastest form or
  /// function has. 0 if no roof tells: `flopRate` stands for it.
  std::array<double, ArithmeticUnitCount> rates{};
};

/// Returns the operations/s that the unit does.
double rateOf(const Device &device, ArithmeticUnit unit);

/// A device, or why there is none. Unknown keys, missing keys and numbers out
/// of range are errors, named with the key.
struct DeviceResult {
  Device device;
  std::string error; ///< empty on success
};
/// Reads the JSON text of a device file.
DeviceResult parseDevice(std::string_view json);
/// The text of a device file, or why there is none.
struct DeviceText {
  std::string json;
  std::string error; ///< empty on success
};
/// Returns the text of a device that kfuse ships, by its name, or of a device
/// file, by its path.
DeviceText readDevice(const std::string &nameOrPath);
/// Loads the device of such a text.
DeviceResult loadDevice(const std::string &nameOrPath);
/// Returns the names of the devices that kfuse ships.
std::vector<std::string> shippedDevices();

} // namespace kfuse

#endif
