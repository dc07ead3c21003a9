//===- Roofs.h - The ceilings of a device ---------------------------------===//
#ifndef KFUSE_BENCH_MODEL_ROOFS_H
#define KFUSE_BENCH_MODEL_ROOFS_H

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace kfuse {

enum class RoofKind : std::uint8_t {
  Memory,   ///< bandwidth of one level, bytes/s
  Compute,  ///< peak of one unit, operations/s
  Latency,  ///< of a load, seconds
  Transfer, ///< bandwidth between host and device, bytes/s
  Overhead, ///< of a launch or a barrier, seconds
};

/// A number that no kernel gets past.
struct DeviceRoof {
  RoofKind kind = RoofKind::Memory;
  std::string name;  ///< `DRAM copy`, `fp32 add, no FMA`
  std::string place; ///< the level of memory, `DRAM`; the unit, `fp32`
  double value = 0;  ///< above zero, in the kind's unit
  bool isMeasured =
      false;          ///< else it comes from clocks, widths and data sheets
  double spread = 0;  ///< of its measurements, relative
  std::string method; ///< how it came about; may be empty
};

enum class CurveKind : std::uint8_t {
  Bandwidth, ///< bytes/s over the bytes of the working set
  Latency,   ///< seconds over the bytes of the working set
  InFlight,  ///< bytes/s over the bytes in flight
};

/// A flat piece of a curve: what one level of memory does.
struct CurvePlateau {
  std::string level;       ///< `L2`
  double from = 0, to = 0; ///< bytes
  double value = 0;        ///< in the curve's unit
};

/// Measurements of one thing at several sizes, sizes ascending.
struct DeviceCurve {
  CurveKind kind = CurveKind::Bandwidth;
  std::string name;                          ///< `read`
  std::vector<std::array<double, 2>> points; ///< bytes, and the value there
  std::vector<CurvePlateau> plateaus;
};

/// How the bandwidth depends on the bytes in flight, as the cost model has it.
struct FlightLaw {
  double bandwidth = 0; ///< bytes/s, as many bytes in flight approach it
  double latency = 0;   ///< seconds
  double knee = 0;

  /// Returns the bytes in flight that fill the bandwidth, by Little's law.
  double needed() const { return bandwidth * latency; }
  /// Returns the bandwidth that so many bytes in flight reach.
  double bandwidthAt(double bytes) const;
};

/// The roofs of a device.
struct DeviceRoofs {
  std::string name, description; ///< of the device
  std::vector<DeviceRoof> roofs;
  std::vector<DeviceCurve> curves;
  std::optional<FlightLaw> flight; ///< if it was fitted
};

/// Reads a device file. One without `roofs` has those that its `bandwidth`,
/// `l2Bandwidth`, `sharedBandwidth` and `flopRate` are. Returns a message if
/// the text isn't such a file.
std::variant<DeviceRoofs, std::string> parseDeviceRoofs(std::string_view json);

/// Returns the roofs that a picture is to have: memory of these levels and
/// units by these names, all of them if a list is empty. The level `transfer`
/// stands for the roofs of that kind, which are left out otherwise. Returns a
/// message if a name isn't there, or if no memory or no unit is left.
std::variant<std::vector<DeviceRoof>, std::string>
chooseRoofs(const std::vector<DeviceRoof> &roofs,
            const std::vector<std::string> &levels,
            const std::vector<std::string> &units);

/// Returns the places of one kind, each once, in the file's order.
std::vector<std::string> placesOf(const std::vector<DeviceRoof> &roofs,
                                  RoofKind kind);

/// Returns the roof that bounds kernels at a place: the highest that was
/// measured, or if none was the highest of all. Null if the place has none.
const DeviceRoof *boundingRoof(const std::vector<DeviceRoof> &roofs,
                               RoofKind kind, std::string_view place);

/// Checks whether a roof of memory or a unit lies less than a third below
/// another one of its place, both measured or both theoretical. Then a line for
/// the higher one shows both.
bool isShownBy(const DeviceRoof &roof, const DeviceRoof &higher);
/// Returns the roofs without those that another one shows.
std::vector<DeviceRoof> distinctRoofs(const std::vector<DeviceRoof> &roofs);

/// Returns the roofs without those of units that have a higher one of the same
/// origin.
std::vector<DeviceRoof> highestOfUnits(const std::vector<DeviceRoof> &roofs);

/// Returns the unit that kernels are taken to use if nothing says which: fp32
/// if it's there, or else the fastest one. Empty without any.
std::string usualUnit(const std::vector<DeviceRoof> &roofs);
/// Returns the level that intensities are of if nothing says which: DRAM if
/// it's there, or else the slowest one. Empty without any.
std::string usualLevel(const std::vector<DeviceRoof> &roofs);

} // namespace kfuse

#endif
