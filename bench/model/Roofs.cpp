//===- Roofs.cpp - The ceilings of a device -------------------------------===//

#include "bench/model/Roofs.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace kfuse {

double FlightLaw::bandwidthAt(double bytes) const {
  const double part = bytes / needed();
  // The power of a number above one may be too large.
  return part > 1
             ? bandwidth / std::pow(1 + std::pow(part, -knee), 1 / knee)
             : bandwidth * part / std::pow(1 + std::pow(part, knee), 1 / knee);
}

std::vector<std::string> placesOf(const std::vector<DeviceRoof> &roofs,
                                  RoofKind kind) {
  std::vector<std::string> places;
  for (const DeviceRoof &roof : roofs)
    if (roof.kind == kind &&
        std::find(places.begin(), places.end(), roof.place) == places.end())
      places.push_back(roof.place);
  return places;
}

const DeviceRoof *boundingRoof(const std::vector<DeviceRoof> &roofs,
                               RoofKind kind, std::string_view place) {
  const DeviceRoof *best = nullptr;
  const auto rank = [](const DeviceRoof &roof) {
    return std::pair(roof.isMeasured, roof.value);
  };
  for (const DeviceRoof &roof : roofs)
    if (roof.kind == kind && roof.place == place &&
        (!best || rank(*best) < rank(roof)))
      best = &roof;
  return best;
}

namespace {

/// Returns a message about a name that isn't among the places.
std::string unknownPlace(const char *what,
                         const std::vector<std::string> &places,
                         const std::vector<std::string> &names) {
  for (const std::string &name : names) {
    if (std::find(places.begin(), places.end(), name) != places.end())
      continue;
    std::string all;
    for (const std::string &place : places)
      all += (all.empty() ? "" : ", ") + place;
    return std::string("there is no roof of the ") + what + " '" + name +
           "'; there is " + (all.empty() ? "none" : all);
  }
  return {};
}

/// Returns the place named `usual` if there is one, or else the one whose roof
/// is first by `isBefore`.
template <typename Before>
std::string placeOr(const std::vector<DeviceRoof> &roofs, RoofKind kind,
                    const char *usual, Before isBefore) {
  const DeviceRoof *best = nullptr;
  for (const std::string &place : placesOf(roofs, kind)) {
    if (place == usual)
      return place;
    const DeviceRoof *roof = boundingRoof(roofs, kind, place);
    if (!best || isBefore(roof->value, best->value))
      best = roof;
  }
  return best ? best->place : "";
}

} // namespace

std::variant<std::vector<DeviceRoof>, std::string>
chooseRoofs(const std::vector<DeviceRoof> &roofs,
            const std::vector<std::string> &levels,
            const std::vector<std::string> &units) {
  std::vector<DeviceRoof> all = roofs;
  for (DeviceRoof &roof : all)
    if (roof.kind == RoofKind::Transfer &&
        std::find(levels.begin(), levels.end(), "transfer") != levels.end()) {
      roof.kind = RoofKind::Memory;
      roof.place = "transfer";
    }
  const auto memory = placesOf(all, RoofKind::Memory);
  const auto compute = placesOf(all, RoofKind::Compute);
  if (memory.empty() || compute.empty())
    return std::string("there is no roof of ") +
           (memory.empty() ? "memory" : "computing");
  if (std::string why = unknownPlace("level", memory, levels); !why.empty())
    return why;
  if (std::string why = unknownPlace("unit", compute, units); !why.empty())
    return why;
  std::erase_if(all, [&](const DeviceRoof &roof) {
    const auto &names = roof.kind == RoofKind::Memory ? levels : units;
    return (roof.kind == RoofKind::Memory || roof.kind == RoofKind::Compute) &&
           !names.empty() &&
           std::find(names.begin(), names.end(), roof.place) == names.end();
  });
  return all;
}

bool isShownBy(const DeviceRoof &roof, const DeviceRoof &higher) {
  constexpr double Near = 2.0 / 3;
  return (roof.kind == RoofKind::Memory || roof.kind == RoofKind::Compute) &&
         roof.kind == higher.kind && roof.place == higher.place &&
         roof.isMeasured == higher.isMeasured && roof.value <= higher.value &&
         roof.value > Near * higher.value;
}

std::vector<DeviceRoof> distinctRoofs(const std::vector<DeviceRoof> &roofs) {
  std::vector<std::pair<double, std::size_t>> descending;
  for (std::size_t i = 0; i < roofs.size(); ++i)
    descending.emplace_back(-roofs[i].value, i);
  std::sort(descending.begin(), descending.end());
  std::vector<std::size_t> kept;
  for (const auto &[value, i] : descending)
    if (std::none_of(kept.begin(), kept.end(), [&](std::size_t higher) {
          return isShownBy(roofs[i], roofs[higher]);
        }))
      kept.push_back(i);
  std::sort(kept.begin(), kept.end());
  std::vector<DeviceRoof> distinct;
  for (const std::size_t i : kept)
    distinct.push_back(roofs[i]);
  return distinct;
}

std::vector<DeviceRoof> highestOfUnits(const std::vector<DeviceRoof> &roofs) {
  std::vector<DeviceRoof> kept;
  for (const DeviceRoof &roof : roofs)
    if (roof.kind != RoofKind::Compute ||
        std::none_of(roofs.begin(), roofs.end(), [&](const DeviceRoof &other) {
          return other.kind == roof.kind && other.place == roof.place &&
                 other.isMeasured == roof.isMeasured &&
                 other.value > roof.value;
        }))
      kept.push_back(roof);
  return kept;
}

std::string usualUnit(const std::vector<DeviceRoof> &roofs) {
  return placeOr(roofs, RoofKind::Compute, "fp32", std::greater<>());
}

std::string usualLevel(const std::vector<DeviceRoof> &roofs) {
  return placeOr(roofs, RoofKind::Memory, "DRAM", std::less<>());
}

} // namespace kfuse
