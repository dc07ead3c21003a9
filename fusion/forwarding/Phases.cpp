//===- Phases.cpp - Stages that run together for one thread ---------------===//

#include "fusion/forwarding/Phases.h"

#include <algorithm>

namespace kfuse {
namespace {

using Members = std::vector<std::uint32_t>;

Members takingPart(const Placement &placement) {
  Members all = placement.producers;
  all.insert(all.end(), placement.consumers.begin(), placement.consumers.end());
  return all;
}

bool isMember(const Members &members, std::uint32_t member) {
  return std::find(members.begin(), members.end(), member) != members.end();
}

/// Checks whether the stage has to run for all threads of the block at once.
bool runsAtOnce(const Stage &stage) {
  const Kernel &kernel = *stage.kernel;
  return kernel.barriers != 0 || kernel.staticSharedBytes != 0 ||
         kernel.usesDynamicShared;
}

/// Checks whether one of two stages writes to a tile that the other one, for
/// whichever thread, reads or writes too.
bool meetInTile(std::uint32_t one, std::uint32_t other,
                const std::vector<const Placement *> &tiles) {
  return std::any_of(
      tiles.begin(), tiles.end(), [&](const Placement *placement) {
        const bool oneMakes = isMember(placement->producers, one);
        const bool otherMakes = isMember(placement->producers, other);
        return (oneMakes || otherMakes) &&
               (oneMakes || isMember(placement->consumers, one)) &&
               (otherMakes || isMember(placement->consumers, other));
      });
}

Members passesOf(const Group &group, const std::vector<Halo> &halos,
                 const std::vector<Placement> &placements) {
  Members passes(halos.size(), 0);
  std::vector<const Placement *> tiles;
  for (const Placement &placement : placements)
    if (placement.isTile)
      tiles.push_back(&placement);
  std::uint32_t first = 0; // of the pass
  for (std::uint32_t member = 1; member < halos.size(); ++member) {
    bool joins = halos[member] == halos[first] &&
                 !runsAtOnce(group.stages[member]) &&
                 !runsAtOnce(group.stages[first]);
    for (std::uint32_t before = first;
         before < member && joins && !tiles.empty(); ++before)
      joins = !meetInTile(before, member, tiles);
    passes[member] = passes[member - 1] + (joins ? 0 : 1);
    if (!joins)
      first = member;
  }
  return passes;
}

/// Checks whether the array needs a tile: other threads take its values, or
/// threads around the block do and not all stages that access it are in one
/// pass.
bool needsTile(const Placement &placement, const std::vector<Halo> &halos,
               const Members &passes) {
  const bool isElsewhere = std::any_of(
      placement.reads.begin(), placement.reads.end(),
      [](const ForwardedRead &read) { return !read.window.isOwn(); });
  const bool isAround = std::any_of(
      placement.reads.begin(), placement.reads.end(),
      [&](const ForwardedRead &read) { return !halos[read.member].isEmpty(); });
  const Members all = takingPart(placement);
  const bool isInPass =
      std::all_of(all.begin(), all.end(), [&](std::uint32_t member) {
        return passes[member] == passes[all.front()];
      });
  return isElsewhere || (isAround && !isInPass);
}

} // namespace

Members assignPhases(const Group &group, const std::vector<Halo> &halos,
                     std::vector<Placement> &placements) {
  // Each new tile can only part more stages.
  for (;;) {
    const Members passes = passesOf(group, halos, placements);
    bool isSettled = true;
    for (Placement &placement : placements)
      if (placement.isForwarded() && !placement.isTile &&
          needsTile(placement, halos, passes)) {
        placement.isTile = true;
        isSettled = false;
      }
    if (isSettled)
      return passes;
  }
}

} // namespace kfuse
