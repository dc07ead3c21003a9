//===- DrawnRoofs.cpp - The roofs that a picture has ----------------------===//

#include "bench/draw/DrawnRoofs.h"

#include <algorithm>
#include <set>
#include <string>

namespace kfuse {
namespace {

/// Returns the units that operations of kernels use.
std::set<std::string> usedUnits(const RooflinePlot &plot) {
  std::set<std::string> units;
  for (const RoofKernel &kernel : plot.kernels)
    if (kernel.operations > 0)
      units.insert(kernel.unit.empty() ? usualUnit(plot.device.roofs)
                                       : kernel.unit);
  return units;
}

} // namespace

bool isLine(const DeviceRoof &roof) {
  return roof.kind == RoofKind::Memory || roof.kind == RoofKind::Compute;
}

RooflinePlot drawnPlot(const RooflinePlot &plot) {
  RooflinePlot drawn = plot;
  if (plot.hasAllRoofs)
    return drawn;
  std::vector<DeviceRoof> &roofs = drawn.device.roofs;
  roofs = distinctRoofs(roofs);
  if (plot.hasChosenUnits || placesOf(roofs, RoofKind::Compute).size() < 2)
    return drawn;
  const std::set<std::string> used = usedUnits(plot);
  const auto isUnused = [&](const DeviceRoof &roof) {
    return roof.kind == RoofKind::Compute && !used.contains(roof.place);
  };
  const auto isUsed = [&](const DeviceRoof &roof) {
    return roof.kind == RoofKind::Compute && used.contains(roof.place);
  };
  if (std::any_of(roofs.begin(), roofs.end(), isUsed))
    std::erase_if(roofs, isUnused);
  else
    roofs = highestOfUnits(roofs);
  return drawn;
}

std::vector<DeviceRoof> roofsNotShown(const std::vector<DeviceRoof> &all,
                                      const std::vector<DeviceRoof> &drawn) {
  std::vector<DeviceRoof> missing;
  for (const DeviceRoof &roof : all)
    if (isLine(roof) &&
        std::none_of(drawn.begin(), drawn.end(), [&](const DeviceRoof &other) {
          return isShownBy(roof, other) ||
                 (other.name == roof.name &&
                  other.isMeasured == roof.isMeasured);
        }))
      missing.push_back(roof);
  return missing;
}

} // namespace kfuse
