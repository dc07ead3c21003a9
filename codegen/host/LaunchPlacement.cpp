//===- LaunchPlacement.cpp - Where each group's launch goes ---------------===//
#include "codegen/host/LaunchPlacement.h"

#include "graphs/FusedOrder.h"
#include "graphs/program/Effects.h"

#include <algorithm>
#include <optional>

namespace kfuse {
namespace {

/// Returns the place in `region` of `place` itself or of the step around it;
/// nullopt if `region` has none.
std::optional<StepPlace> within(const Program &program, StepPlace place,
                                RegionId region) {
  while (place.region != region) {
    const std::optional<StepId> owner = ownerOf(program, place.region);
    if (!owner)
      return std::nullopt;
    place = placeOf(program, *owner);
  }
  return place;
}

} // namespace

StepPlace placeOf(const Program &program, StepId step) {
  const RegionId region = program[step].region;
  const std::vector<StepId> &steps = program.regions[indexOf(region)].steps;
  const auto found = std::find(steps.begin(), steps.end(), step);
  return {region, static_cast<std::size_t>(found - steps.begin())};
}

Result<LaunchPlacement> arrange(const Program &program,
                                const ExecutionGraph &order,
                                const Groups &groups) {
  const std::optional<FusedOrder> fused = fusedOrder(order, groups);
  if (!fused)
    return Refusal{"the groups wait for each other"};

  LaunchPlacement result;
  result.places.resize(groups.size());
  std::vector<std::vector<std::uint32_t>> predecessors(fused->items.size());
  for (const auto &[from, to] : fused->edges)
    if (from < to && to < predecessors.size())
      predecessors[to].push_back(from);
  std::vector<StepPlace> places; // by item
  for (std::uint32_t i = 0; i < fused->items.size(); ++i) {
    const FusedOrder::Item &item = fused->items[i];
    StepPlace own;
    if (item.isGroup) {
      for (const LaunchId launch : groups[item.index]) {
        const StepPlace place = placeOf(program, program[launch].step);
        own =
            launch == groups[item.index].front() ? place : std::max(own, place);
      }
    } else {
      own = placeOf(program, order.nodes[item.index]);
    }
    StepPlace place = own;
    // Steps outside of this region are ordered by the region's own place.
    for (const std::uint32_t other : predecessors[i])
      if (const auto before = within(program, places[other], own.region))
        place = std::max(place, *before);
    if (place != own && !item.isGroup)
      return Refusal{"a group would have to go past a step that waits for it"};
    places.push_back(place);
    if (item.isGroup) {
      result.places[item.index] = place;
      result.sequence.push_back(item.index);
    }
  }
  return result;
}

} // namespace kfuse
