//===- Tiles.cpp - What a block makes again for its neighbours ------------===//

#include "fusion/forwarding/Tiles.h"

#include "fusion/dependence/Guards.h"
#include "fusion/dependence/Names.h"
#include "fusion/forwarding/Phases.h"
#include "fusion/forwarding/TilePrefill.h"
#include "fusion/group/KernelChecks.h"

#include <algorithm>

namespace kfuse {
namespace {

std::uint32_t larger(std::uint32_t known, std::int64_t wanted) {
  return static_cast<std::uint32_t>(std::max<std::int64_t>(known, wanted));
}

bool contains(const std::vector<std::uint32_t> &members, std::uint32_t member) {
  return std::find(members.begin(), members.end(), member) != members.end();
}

/// Returns why a stage can't run for threads of other blocks; empty when it
/// can.
std::string whyNotAgain(const Stage &stage) {
  const Kernel &kernel = *stage.kernel;
  if (kernel.barriers != 0 || kernel.staticSharedBytes != 0 ||
      kernel.usesDynamicShared || has(kernel, KernelFeature::SharedAddress))
    return "uses shared memory or barriers";
  if (has(kernel, KernelFeature::WarpOperation))
    return "has operations of a warp";
  if (has(kernel, KernelFeature::CoordinatesInCallee))
    return "calls functions that read the thread's coordinates";
  for (const StageAccess &access : stage.accesses) {
    const Access &bound = *access.access;
    if (bound.kind == AccessKind::Atomic)
      return "updates atomically";
    if (bound.kind == AccessKind::Write &&
        (bound.form == AccessForm::Other || !bound.editable ||
         bound.offset != 0 || bound.width != bound.elementBytes))
      return "has stores that can't be left out";
  }
  return {};
}

class Placer {
public:
  Placer(const Group &group, FusedKernel &kernel)
      : Members(group), Halos(kernel.halos), Placements(kernel.placements) {}

  std::optional<Obstacle> run() {
    for (Placement &placement : Placements)
      if (auto obstacle = place(placement))
        return obstacle;
    const bool hasTiles = std::any_of(
        Placements.begin(), Placements.end(),
        [](const Placement &placement) { return placement.isTile; });
    for (std::uint32_t member = 0; hasTiles && member < Halos.size();
         ++member) {
      if (auto obstacle = checkShape(member))
        return obstacle;
      if (!Halos[member].isEmpty())
        if (auto obstacle = checkAgain(member))
          return obstacle;
    }
    return std::nullopt;
  }

private:
  std::string nameOf(std::uint32_t member) const {
    return launchName(Members.problem->program, Members.stages[member].launch);
  }

  Obstacle refuse(std::uint32_t member, ArrayId array,
                  const std::string &why) const {
    Obstacle obstacle;
    obstacle.kind = ObstacleKind::CrossThreadFlow;
    obstacle.first = Members.stages[member].launch;
    obstacle.second = Members.stages.back().launch;
    obstacle.array = array;
    obstacle.text = "other threads' values of " + nameOf(member) +
                    " are read, so each block would compute " + nameOf(member) +
                    " around itself too, which " + why;
    obstacle.remedy = "write the new values to another array";
    return obstacle;
  }

  bool isStored(ArrayId array) const {
    for (const Stage &stage : Members.stages)
      for (const StageAccess &access : stage.accesses)
        if (access.array == array && writes(access))
          return true;
    return false;
  }

  std::optional<Obstacle> place(Placement &placement) {
    if (!placement.isTile)
      return std::nullopt;
    // A reader counts from its own thread's element, which must be there even
    // if it only takes values on one side of it. If a stage makes several
    // arrays, one of them for threads further away, it leaves all of them for
    // all its threads. A smaller tile would cost a test for each value.
    for (const auto *members : {&placement.producers, &placement.consumers})
      for (const std::uint32_t member : *members)
        for (std::uint32_t axis = 0; axis < 3; ++axis) {
          placement.halo.low[axis] =
              std::max(placement.halo.low[axis], Halos[member].low[axis]);
          placement.halo.high[axis] =
              std::max(placement.halo.high[axis], Halos[member].high[axis]);
        }
    for (const std::uint32_t producer : placement.producers)
      for (const PointerParameter &pointer :
           Members.stages[producer].kernel->pointers)
        if (pointer.element.hasConstructor)
          return refuse(producer, placement.array,
                        "would need " + pointer.element.spelling +
                            " without a constructor in shared memory");
    for (const ForwardedRead &read : placement.reads)
      if (contains(placement.producers, read.member) && !read.window.isOwn())
        return refuse(read.member, placement.array,
                      "updates " + name(placement.array) + " in place");
    return std::nullopt;
  }

  /// Checks that a tile fits the stage: each thread has one cell, the compiler
  /// knows the block's extents, and the halo ends in the next block.
  std::optional<Obstacle> checkShape(std::uint32_t member) const {
    const Stage &stage = Members.stages[member];
    if (stage.kernel->gridStride)
      return refuse(member, noneOf<ArrayId>(), "has a grid-stride loop");
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      const auto extent = stage.block[axis].asConstant();
      const std::int64_t widest =
          std::max(Halos[member].low[axis], Halos[member].high[axis]);
      if (!extent)
        return refuse(member, noneOf<ArrayId>(),
                      "has a block whose size isn't known");
      if (widest > *extent)
        return refuse(member, noneOf<ArrayId>(),
                      "would reach further than the next block");
    }
    return std::nullopt;
  }

  /// Checks that running the stage for several cells of a thread doesn't change
  /// how it rounds. The compiler could compute once what the cells have in
  /// common, and then contract otherwise. Parameters and coordinates are
  /// isolated for each cell; a variable can't be.
  std::optional<Obstacle> checkRounding(std::uint32_t member) const {
    const Kernel &kernel = *Members.stages[member].kernel;
    if (!Members.problem->options.exactRounding)
      return std::nullopt;
    std::vector<ArrayId> globals = floatingGlobals(kernel);
    if (kernel.integersToFloating)
      for (const PointerParameter &pointer : kernel.pointers)
        if (pointer.global)
          globals.push_back(*pointer.global);
    const bool hasShape =
        kernel.integersToFloating && has(kernel, KernelFeature::GridShape);
    if (globals.empty() && !hasShape)
      return std::nullopt;
    Obstacle obstacle =
        refuse(member, noneOf<ArrayId>(),
               "computes with " +
                   (globals.empty() ? "the shape of the launch"
                                    : name(globals.front())) +
                   ", and the compiler may contract what the threads share "
                   "otherwise");
    obstacle.kind = ObstacleKind::AmbiguousContraction;
    obstacle.remedy = "pass it as a parameter";
    return obstacle;
  }

  std::optional<Obstacle> checkAgain(std::uint32_t member) const {
    const Stage &stage = Members.stages[member];
    if (const std::string why = whyNotAgain(stage); !why.empty())
      return refuse(member, noneOf<ArrayId>(), why);
    if (auto obstacle = checkRounding(member))
      return obstacle;
    for (const StageAccess &access : stage.accesses) {
      if (writes(access) || !isStored(access.array))
        continue;
      const Placement *placement = placementOf(access.array);
      const bool takesValue = placement && placement->isForwarded() &&
                              contains(placement->consumers, member) &&
                              !isPartialAndLater(*placement, member);
      if (!takesValue)
        return refuse(member, access.array,
                      "reads " + name(access.array) +
                          ", and the group changes that");
    }
    return std::nullopt;
  }

  /// Checks whether the member may load from memory what it or a later stage
  /// writes.
  bool isPartialAndLater(const Placement &placement,
                         std::uint32_t member) const {
    return placement.isPartial() &&
           std::any_of(Members.stages.begin() + member, Members.stages.end(),
                       [&](const Stage &stage) {
                         return std::any_of(
                             stage.accesses.begin(), stage.accesses.end(),
                             [&](const StageAccess &access) {
                               return access.array == placement.array &&
                                      writes(access);
                             });
                       });
  }

  const Placement *placementOf(ArrayId array) const {
    for (const Placement &placement : Placements)
      if (placement.array == array)
        return &placement;
    return nullptr;
  }

  std::string name(ArrayId array) const {
    return arrayName(Members.problem->program, array);
  }

  const Group &Members;
  const std::vector<Halo> &Halos;
  std::vector<Placement> &Placements;
};

} // namespace

/// Checks whether the thread `offset` away on the axis is in the reader's own
/// block: the grid has one, or the reader tests for it.
static bool staysInBlock(const Group &group, const Flow &flow,
                         std::uint32_t axis, std::int64_t offset) {
  if (offset == 0)
    return true;
  const Stage &stage = group.stages[flow.reader];
  const Guard &guard = stage.accesses[flow.read].guard;
  const bool isOnlyBlock = stage.grid[axis].asConstant() == 1;
  const bool looksAtBlock = std::any_of(
      guard.begin(), guard.end(), [&](const Constraint &constraint) {
        return constraint.expression.mentions(
            Symbol{SymbolKind::BlockIdx, axis});
      });
  if (!isOnlyBlock && !looksAtBlock)
    return false;
  std::optional<Polynomial> place =
      add(Polynomial(Symbol{SymbolKind::GlobalIdx, axis}), Polynomial(offset));
  if (place && !isOnlyBlock) {
    const auto before = multiply(Polynomial(Symbol{SymbolKind::BlockIdx, axis}),
                                 stage.block[axis]);
    place = before ? subtract(*place, *before) : before;
  }
  const auto last = subtract(stage.block[axis], Polynomial(1));
  const auto room = place && last ? subtract(*last, *place) : std::nullopt;
  const auto &inside = offset < 0 ? place : room;
  return inside && implies(guard, {{Relation::NonNegative, *inside}}, stage,
                           factsOf(group));
}

std::vector<Halo> halosOf(const Group &group, const std::vector<Flow> &flows) {
  std::vector<Halo> halos(group.stages.size());
  // Flows are in the order of their readers, and a reader's halo is known when
  // those after it are through.
  for (auto flow = flows.rbegin(); flow != flows.rend(); ++flow) {
    Halo &made = halos[flow->writer];
    const Halo &wanted = halos[flow->reader];
    const Offset least = flow->window.least(), most = flow->window.most();
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      const std::int64_t low = wanted.low[axis], high = wanted.high[axis];
      const bool isOwnBlock = low == 0 && high == 0 &&
                              staysInBlock(group, *flow, axis, least[axis]) &&
                              staysInBlock(group, *flow, axis, most[axis]);
      made.low[axis] =
          larger(made.low[axis], isOwnBlock ? 0 : low - least[axis]);
      made.high[axis] =
          larger(made.high[axis], isOwnBlock ? 0 : high + most[axis]);
    }
  }
  return halos;
}

std::optional<Obstacle> placeTiles(const Group &group, FusedKernel &kernel) {
  kernel.phases = assignPhases(group, kernel.halos, kernel.placements);
  if (auto obstacle = Placer(group, kernel).run())
    return obstacle;
  for (Placement &placement : kernel.placements)
    placement.fill = prefillOf(group, placement);
  return std::nullopt;
}

} // namespace kfuse
