//===- TilesTest.cpp - Values from neighbouring threads -------------------===//

#include "fusion/forwarding/Tiles.h"
#include "PlanBuilder.h"
#include "fusion/dependence/ChosenPlaces.h"
#include "fusion/dependence/DependenceDistance.h"
#include "fusion/plan/TileStorage.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace kfuse {
namespace {

using namespace test;

Polynomial at(std::uint32_t axis) { return sym(SymbolKind::GlobalIdx, axis); }

std::optional<Distance> by(std::int64_t x, std::int64_t y, std::int64_t z) {
  return Distance{num(x), num(y), num(z)};
}

TEST(DependenceDistance, AreFoundUnderAnyRowLength) {
  PlanBuilder builder;
  const Polynomial row = sym(SymbolKind::HostValue, 0);
  const Polynomial plane = row * sym(SymbolKind::HostValue, 1);
  Stage stage;
  stage.kernel = &builder[builder.pointwise("k", 1)];
  stage.grid = {num(4), num(4), num(4)};
  stage.block = {num(32), num(8), num(2)};
  const auto offset = [&](const Polynomial &write, const Polynomial &read) {
    return distanceBetween(write, read, stage, builder.program().terms);
  };
  const Polynomial flat = at(0) + row * at(1) + plane * at(2);
  EXPECT_EQ(offset(flat, flat + num(1)), by(1, 0, 0));
  EXPECT_EQ(offset(flat, flat - row - num(2)), by(-2, -1, 0));
  EXPECT_EQ(offset(flat, flat + plane - row), by(0, -1, 1));
  EXPECT_EQ(offset(flat, flat + plane + plane), by(0, 0, 2));
  EXPECT_FALSE(offset(flat, flat + sym(SymbolKind::HostValue, 2)));
  const Polynomial across = at(1) - at(0);
  EXPECT_EQ(offset(flat, at(1) + row * at(0) + plane * at(2)),
            (Distance{across, at(0) - at(1), {}}));
  EXPECT_TRUE(isChosen(across));

  const Polynomial fixed = at(0) + num(512) * at(1) + num(32768) * at(2);
  EXPECT_EQ(offset(fixed, fixed + num(511)), by(-1, 1, 0));
  EXPECT_EQ(offset(fixed, fixed - num(513)), by(-1, -1, 0));
  const Polynomial strided = num(2) * at(0) + row * at(1) + plane * at(2);
  EXPECT_EQ(offset(strided, strided - num(4)), by(-2, 0, 0));
  EXPECT_FALSE(offset(strided, strided + num(1)));
  // These have ghost cells: rows of n + 2 elements, in planes that contain the
  // same term.
  const Polynomial wide = sym(SymbolKind::HostValue, 0) + num(2);
  for (const Polynomial &deep :
       {wide * wide, wide * (sym(SymbolKind::HostValue, 1) + num(3))}) {
    SCOPED_TRACE(print(deep));
    const Polynomial ghosts = at(0) + wide * at(1) + deep * at(2);
    EXPECT_EQ(offset(ghosts, ghosts - deep + wide), by(0, 1, -1));
    EXPECT_EQ(offset(ghosts, ghosts + deep - num(1)), by(-1, 0, 1));
    EXPECT_EQ(offset(ghosts, ghosts + wide - num(2)), by(-2, 1, 0));
    EXPECT_FALSE(offset(ghosts, ghosts + sym(SymbolKind::HostValue, 2)));
  }
  // If the index doesn't depend on an axis, an element has many writers.
  EXPECT_FALSE(offset(at(0), at(0) + num(1)));
  // A block's last thread is followed by the next block, after a gap.
  const Polynomial gaps = flat + num(32) * sym(SymbolKind::BlockIdx, 0);
  EXPECT_FALSE(offset(gaps, gaps + num(1)));
}

/// Builds a chain of kernels in one dimension. Each reads its array at the
/// offsets and writes the next one.
struct Chain {
  PlanBuilder builder;
  std::vector<ArrayId> arrays = {builder.array("A0")};
  std::vector<LaunchId> launches;
  Polynomial n = builder.value("n");

  Chain &then(const std::vector<std::int64_t> &offsets, Guard guard) {
    std::vector<Access> accesses;
    for (const std::int64_t offset : offsets)
      accesses.push_back(read(0, global() + num(offset), guard));
    accesses.push_back(write(1, global(), guard));
    return then(std::move(accesses));
  }
  Chain &then(std::vector<Access> accesses) {
    const std::string number = std::to_string(arrays.size());
    arrays.push_back(builder.array("A" + number));
    const KernelId kernel =
        builder.kernel("k" + number, 2, 1, std::move(accesses));
    launches.push_back(builder.launch(
        kernel, {arrays[arrays.size() - 2], arrays.back()}, {n}));
    return *this;
  }
  std::string verdict() { return builder.verdict(launches); }
  FusedKernel fused() { return builder.plan(launches); }
};

Guard within(std::int64_t low, std::int64_t high) {
  return {atLeast(global(), num(low)), less(global(), param(0) - num(high))};
}

TEST(Tiles, HalosGrowThroughTheChain) {
  const FusedKernel kernel = Chain()
                                 .then({0}, Below)
                                 .then({-1, 0, 2}, within(1, 2))
                                 .then({-3, 1}, within(3, 1))
                                 .fused();
  ASSERT_EQ(kernel.schedule, Schedule::Tile);
  ASSERT_EQ(kernel.halos.size(), 3u);
  EXPECT_EQ(kernel.halos[0], (Halo{{4, 0, 0}, {3, 0, 0}}));
  EXPECT_EQ(kernel.halos[1], (Halo{{3, 0, 0}, {1, 0, 0}}));
  EXPECT_TRUE(kernel.halos[2].isEmpty());
  EXPECT_EQ(cellsOf(workOf(kernel), kernel.halos[0]),
            256u * kernel.elementsPerThread + 7);
}

TEST(Tiles, ReadsBeforeTheGridAreRefused) {
  EXPECT_EQ(Chain().then({0}, Below).then({-1}, within(1, 0)).verdict(),
            "fused");
  // Thread 0 would read an element that isn't any thread's index.
  EXPECT_EQ(Chain().then({0}, Below).then({-1}, within(0, 0)).verdict(),
            "CrossThreadFlow");
  // Beyond the end, memory keeps its old content.
  EXPECT_EQ(Chain().then({0}, Below).then({1}, within(0, 0)).verdict(),
            "fused");
}

TEST(Tiles, OneThreadMustHaveMadeEachValue) {
  // If the step may be zero, each element may have several writers.
  const auto verdict = [](bool isKnown) {
    PlanBuilder builder;
    const ArrayId a = builder.array("A"), b = builder.array("B"),
                  c = builder.array("C");
    const Polynomial n = builder.value("n"),
                     step = isKnown ? num(2) : builder.value("step");
    const Guard inside = within(1, 0);
    const KernelId one = builder.kernel(
        "one", 2, 2,
        {read(0, global(), Below), write(1, global() * param(1), Below)});
    const KernelId two =
        builder.kernel("two", 2, 2,
                       {read(0, global() * param(1) - param(1), inside),
                        write(1, global(), inside)});
    const LaunchId x = builder.launch(one, {a, b}, {n, step});
    return builder.verdict({x, builder.launch(two, {b, c}, {n, step})});
  };
  EXPECT_EQ(verdict(true), "fused");
  EXPECT_EQ(verdict(false), "NotInjective");
}

TEST(Tiles, NoFurtherThanTheNextBlock) {
  EXPECT_EQ(Chain().then({0}, Below).then({-256}, within(256, 0)).verdict(),
            "fused");
  EXPECT_EQ(Chain().then({0}, Below).then({-257}, within(257, 0)).verdict(),
            "CrossThreadFlow");
}

TEST(Tiles, WhatRunsTwiceMustFindItsInputs) {
  const Guard inside = within(1, 1);
  // B[i] += A[i] is followed by reads of B around i.
  EXPECT_EQ(Chain()
                .then({read(0, global(), Below), read(1, global(), Below),
                       write(1, global(), Below)})
                .then({-1, 1}, inside)
                .verdict(),
            "CrossThreadFlow");
  std::vector<Access> counts = {read(0, global(), Below),
                                write(1, global(), Below),
                                atomic(0, num(0), Below)};
  EXPECT_NE(Chain().then(std::move(counts)).then({-1, 1}, inside).verdict(),
            "fused");
}

TEST(Tiles, WhoTakesNeighboursValuesMustNotReplaceThem) {
  EXPECT_EQ(Chain()
                .then({0}, within(1, 1))
                .then({read(0, global() - num(1), within(2, 0)),
                       write(0, global(), Below), write(1, global(), Below)})
                .verdict(),
            "CrossThreadFlow");
}

TEST(Tiles, WhatRunsTwiceMustBeAbleTo) {
  const auto verdict = [](auto change) {
    Chain chain;
    chain.then({0}, Below).then({-1}, within(1, 0));
    change(chain.builder[KernelId{0}]);
    return chain.verdict();
  };
  EXPECT_EQ(verdict([](Kernel &) {}), "fused");
  EXPECT_EQ(verdict([](Kernel &kernel) { kernel.staticSharedBytes = 4; }),
            "CrossThreadFlow");
  EXPECT_EQ(verdict([](Kernel &kernel) { kernel.barriers = 1; }),
            "CrossThreadFlow");
  EXPECT_EQ(verdict([](Kernel &kernel) {
              kernel.features.push_back(
                  {KernelFeature::CoordinatesInCallee, {}, ""});
            }),
            "CrossThreadFlow");
  EXPECT_EQ(
      verdict([](Kernel &kernel) { kernel.accesses[1].editable = false; }),
      "NotForwardable");
}

TEST(Tiles, SharedMemoryHasNoConstructors) {
  const auto verdict = [](bool hasConstructor) {
    Chain chain;
    chain.then({0}, Below).then({-1}, within(1, 0));
    for (PointerParameter &pointer : chain.builder[KernelId{0}].pointers)
      pointer.element.hasConstructor = hasConstructor;
    return chain.verdict();
  };
  EXPECT_EQ(verdict(false), "fused");
  EXPECT_EQ(verdict(true), "CrossThreadFlow");
}

/// Returns the forwarded array's placement.
const Placement &placed(const FusedKernel &kernel, ArrayId array) {
  return *std::find_if(
      kernel.placements.begin(), kernel.placements.end(),
      [&](const Placement &placement) { return placement.array == array; });
}

TEST(Tiles, SharedMemoryIsLimited) {
  // The last kernel reads neighbours in all arrays that the others make.
  const auto verdict = [](std::uint32_t arrays) {
    PlanBuilder builder;
    const ArrayId a = builder.array("A");
    const Polynomial n = builder.value("n");
    const Guard inside = within(1, 0);
    const KernelId add = builder.kernel(
        "add", 2, 1, {read(0, global(), Below), write(1, global(), Below)});
    std::vector<LaunchId> launches;
    std::vector<ArrayId> made;
    std::vector<Access> accesses;
    for (std::uint32_t i = 0; i < arrays; ++i) {
      made.push_back(builder.array("B" + std::to_string(i)));
      launches.push_back(builder.launch(add, {a, made.back()}, {n}));
      accesses.push_back(read(i, global() - num(1), inside));
    }
    made.push_back(builder.array("C"));
    accesses.push_back(write(arrays, global(), inside));
    const KernelId sum =
        builder.kernel("sum", arrays + 1, 1, std::move(accesses));
    launches.push_back(builder.launch(sum, made, {n}));
    return builder.verdict(launches);
  };
  EXPECT_EQ(verdict(8), "fused");
  EXPECT_EQ(verdict(50), "SharedMemoryLimit");
}

TEST(Tiles, ThatLiveOneAfterTheOtherShareASlot) {
  Chain chain;
  chain.then({0}, Below);
  for (int i = 0; i < 40; ++i)
    chain.then({-1, 1}, within(1, 1));
  const FusedKernel kernel = chain.fused();
  ASSERT_EQ(kernel.schedule, Schedule::Tile);
  for (std::size_t i = 1; i + 1 < chain.arrays.size(); ++i) {
    const Placement &tile = placed(kernel, chain.arrays[i]);
    EXPECT_TRUE(tile.isTile) << i;
    EXPECT_EQ(tile.slot, (i + 1) % 2) << i;
  }
  const std::vector<std::uint64_t> slots =
      slotBytes(chain.builder.program(), kernel);
  ASSERT_EQ(slots.size(), 2u);
  // The widest tile comes first. Elements that aren't written come from memory,
  // so no byte has to say whether there is a value.
  const std::uint64_t block = 256u * kernel.elementsPerThread;
  EXPECT_EQ(slots[0], (block + 80) * 4);
}

TEST(Tiles, OfOnePassShareNothing) {
  // A2 is made cell by cell while A1 is still read, although by an earlier
  // stage of the pass.
  FusedKernel kernel;
  kernel.block = {32, 1, 1};
  kernel.phases = {0, 1, 1, 2};
  PlanBuilder builder;
  const auto tile = [&](const char *name, std::uint32_t producer,
                        std::uint32_t consumer) {
    Placement placement;
    placement.array = builder.array(name);
    placement.kind = PlacementKind::RegisterOnly;
    placement.isTile = true;
    placement.producers = {producer};
    placement.consumers = {consumer};
    kernel.placements.push_back(placement);
  };
  tile("A1", 0, 1);
  tile("A2", 2, 3);
  placeSlots(builder.program(), kernel);
  EXPECT_NE(kernel.placements[0].slot, kernel.placements[1].slot);
  kernel.phases = {0, 1, 2, 3};
  placeSlots(builder.program(), kernel);
  EXPECT_EQ(kernel.placements[0].slot, kernel.placements[1].slot);
}

TEST(Tiles, StagesOfOneHaloShareAPass) {
  Chain chain;
  chain.then({0}, Below).then({0}, Below).then({-1, 1}, within(1, 1));
  chain.then({0}, within(1, 1));
  const FusedKernel kernel = chain.fused();
  ASSERT_EQ(kernel.schedule, Schedule::Tile);
  EXPECT_EQ(kernel.phases, (std::vector<std::uint32_t>{0, 0, 1, 1}));
  EXPECT_FALSE(placed(kernel, chain.arrays[1]).isTile);
  EXPECT_TRUE(placed(kernel, chain.arrays[2]).isTile);
  EXPECT_FALSE(placed(kernel, chain.arrays[3]).isTile);
}

TEST(Tiles, ValuesThatLeaveThePassNeedATile) {
  // The second kernel takes its own thread's value, the third its neighbours'
  // values.
  PlanBuilder builder;
  const ArrayId a = builder.array("A"), b = builder.array("B"),
                c = builder.array("C"), d = builder.array("D");
  const Polynomial n = builder.value("n");
  const Guard inside = within(1, 1);
  const KernelId own = builder.kernel(
      "own", 2, 1, {read(0, global(), Below), write(1, global(), Below)});
  const KernelId around = builder.kernel("around", 3, 1,
                                         {read(0, global() - num(1), inside),
                                          read(1, global() + num(1), inside),
                                          write(2, global(), inside)});
  const FusedKernel kernel = builder.plan(
      {builder.launch(own, {a, b}, {n}), builder.launch(own, {b, c}, {n}),
       builder.launch(around, {b, c, d}, {n})});
  ASSERT_EQ(kernel.schedule, Schedule::Tile);
  EXPECT_TRUE(placed(kernel, b).isTile);
  EXPECT_EQ(kernel.phases, (std::vector<std::uint32_t>{0, 1, 2}));
}

TEST(Tiles, ReadersThatStayInTheirBlockNeedNoHalo) {
  const auto halos = [](const Guard &guard, std::int64_t offset) {
    Chain chain;
    chain.then({0}, Below)
        .then({read(0, global() + num(offset), guard),
               write(1, global(), guard)});
    return chain.fused().halos;
  };
  const Guard first = {less(global(), param(0)), atLeast(thread(), num(1)),
                       atLeast(global(), num(2))};
  const Guard last = {less(global(), param(0)), less(thread(), num(255))};
  EXPECT_TRUE(halos(first, -1)[0].isEmpty());
  EXPECT_FALSE(halos(first, -2)[0].isEmpty());
  EXPECT_TRUE(halos(last, 1)[0].isEmpty());
  EXPECT_FALSE(halos(last, 2)[0].isEmpty());
  EXPECT_FALSE(halos(first, 1)[0].isEmpty());
}

TEST(Tiles, BlocksDoTheWorkOfSeveralOnTheLastAxis) {
  const auto fused = [](std::int64_t rows, std::uint32_t most) {
    PlanBuilder builder;
    builder.options().maxElementsPerThread = most;
    const Polynomial n = builder.value("n");
    const Polynomial index = global(0) + global(1) * num(1024);
    const Guard inside = {less(global(0), num(1024)), less(global(1), param(0)),
                          atLeast(global(1), num(1))};
    const KernelId own = builder.kernel(
        "own", 2, 1, {read(0, index, inside), write(1, index, inside)});
    const KernelId around = builder.kernel(
        "around", 2, 1,
        {read(0, index - num(1024), inside), write(1, index, inside)});
    std::vector<PointerValue> pointers(3);
    for (const char *name : {"A", "B", "C"})
      pointers[name[0] - 'A'].array = builder.array(name);
    const std::array<Polynomial, 3> grid = {num(32), num(rows), num(1)},
                                    block = {num(32), num(8), num(1)};
    const LaunchId one =
        builder.launch(own, {pointers[0], pointers[1]}, {n}, grid, block);
    return builder.plan({one, builder.launch(around, {pointers[1], pointers[2]},
                                             {n}, grid, block)});
  };
  const FusedKernel kernel = fused(512, 4);
  ASSERT_EQ(kernel.schedule, Schedule::Tile);
  EXPECT_EQ(kernel.elementsPerThread, 4u);
  EXPECT_EQ(kernel.elementsAxis, 1u);
  EXPECT_EQ(workOf(kernel), (std::array<std::uint32_t, 3>{32, 32, 1}));
  EXPECT_EQ(fused(512, 1).elementsPerThread, 1u);
  // There are so few blocks that each has a multiprocessor to itself.
  EXPECT_EQ(fused(4, 4).elementsPerThread, 1u);
}

TEST(Tiles, WhatTheCompilerCouldComputeOnceIsRefused) {
  enum class Variable { None, Integer, Floating };
  const auto verdict = [](bool converts, bool hasShape, Variable variable) {
    Chain chain;
    chain.then({0}, Below).then({-1}, within(1, 0));
    Kernel &kernel = chain.builder[KernelId{0}];
    kernel.integersToFloating = converts;
    if (hasShape)
      kernel.features.push_back({KernelFeature::GridShape, {}, ""});
    if (variable != Variable::None)
      kernel.pointers[0].global = chain.arrays[0];
    kernel.pointers[0].element.hasFloatingPoint =
        variable == Variable::Floating;
    return chain.verdict();
  };
  EXPECT_EQ(verdict(true, false, Variable::None), "fused");
  EXPECT_EQ(verdict(false, true, Variable::None), "fused");
  EXPECT_EQ(verdict(true, true, Variable::None), "AmbiguousContraction");
  EXPECT_EQ(verdict(false, false, Variable::Integer), "fused");
  EXPECT_EQ(verdict(true, false, Variable::Integer), "AmbiguousContraction");
  EXPECT_EQ(verdict(false, false, Variable::Floating), "AmbiguousContraction");
}

TEST(Tiles, MissingValuesComeFromMemoryThatNobodyOverwrites) {
  const FusedKernel partial =
      Chain().then({0}, within(1, 1)).then({-1, 1}, within(1, 1)).fused();
  bool isPartial = false;
  for (const Placement &placement : partial.placements)
    isPartial |= placement.isTile && placement.isPartial();
  EXPECT_TRUE(isPartial);
}

} // namespace
} // namespace kfuse
