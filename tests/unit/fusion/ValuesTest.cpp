//===- ValuesTest.cpp - Values that pass to other stages ------------------===//
//
// Tests values that pass through registers and tiles, with the array's old
// content, or by rows.
//
//===----------------------------------------------------------------------===//

#include "PlanBuilder.h"

#include "fusion/dependence/DependenceDistance.h"
#include "fusion/forwarding/Forwarding.h"
#include "fusion/forwarding/TilePrefill.h"
#include "fusion/forwarding/Tiles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace kfuse {
namespace {

using namespace test;

/// Admits the threads that have a neighbour to their left.
const Guard Right = {atLeast(global(), num(1)), less(global(), param(0))};

Polynomial at(std::uint32_t axis) { return sym(SymbolKind::GlobalIdx, axis); }

//===----------------------------------------------------------------------===//
// Neighbours
//===----------------------------------------------------------------------===//

TEST(DependenceDistance, AreNotToldByWhatElseThreadsHave) {
  PlanBuilder builder;
  TermTable &terms = builder.program().terms;
  Stage stage;
  stage.kernel = &builder[builder.pointwise("k", 1)];
  stage.grid = {num(4), num(4), num(1)};
  stage.block = {num(32), num(8), num(1)};
  const auto offset = [&](const Polynomial &write, const Polynomial &read) {
    return distanceBetween(write, read, stage, terms);
  };
  using Counts = std::optional<Distance>;
  // The rows have half as many elements as the host says.
  const Polynomial half = makeTerm(
      terms, {TermKind::Divide, 0, {sym(SymbolKind::HostValue, 0), num(2)}});
  const Polynomial rows = at(0) + half * at(1);
  EXPECT_EQ(offset(rows, rows + half - num(1)),
            (Counts{{num(-1), num(1), num(0)}}));
  // The thread's place in its block and the index of a grid-stride loop change
  // with the thread. The iterations of two loops aren't the same ones.
  for (const Polynomial &more : {thread(), sym(SymbolKind::StrideIdx, 2),
                                 sym(SymbolKind::LoopCounter, 0)}) {
    const Polynomial index = rows + num(64) * more;
    EXPECT_FALSE(offset(index, index + num(1))) << print(index);
  }
}

TEST(DependenceDistance, IsASumOfCountersInAWindow) {
  PlanBuilder builder;
  Stage stage;
  stage.kernel = &builder[builder.pointwise("k", 1)];
  stage.grid = {num(4), num(4), num(1)};
  stage.block = {num(32), num(8), num(1)};
  const Polynomial i = sym(SymbolKind::LoopCounter, 0),
                   k = sym(SymbolKind::LoopCounter, 1),
                   width = sym(SymbolKind::HostValue, 0);
  const auto between = [&](const Polynomial &row, const Polynomial &by) {
    return distanceBetween(at(0) + at(1) * row, at(0) + at(1) * row + by, stage,
                           builder.program().terms);
  };
  using Counts = std::optional<Distance>;
  for (const Polynomial &row : {width, width + num(2), num(64)}) {
    EXPECT_EQ(between(row, (k - num(1)) * row + i - num(1)),
              (Counts{{i - num(1), k - num(1), num(0)}}));
    EXPECT_EQ(between(row, num(2) * i * row - i + k * num(3)),
              (Counts{{num(3) * k - i, num(2) * i, num(0)}}));
  }
  EXPECT_FALSE(between(num(2) * width, i * width));
  EXPECT_FALSE(between(width, width * width));
}

//===----------------------------------------------------------------------===//
// Forwarding
//===----------------------------------------------------------------------===//

/// Builds kernels over arrays A, B, C... All of them get n.
struct Chain {
  PlanBuilder builder;
  std::vector<LaunchId> launches;
  Polynomial n = builder.value("n");

  explicit Chain(std::uint32_t arrays) {
    for (std::uint32_t i = 0; i < arrays; ++i)
      builder.array(std::string(1, static_cast<char>('A' + i)));
  }
  /// Adds a kernel whose pointers are to the arrays with these letters.
  KernelId then(const std::string &arrays, std::vector<Access> accesses) {
    const KernelId kernel = builder.kernel(
        "k" + std::to_string(launches.size()),
        static_cast<unsigned>(arrays.size()), 1, std::move(accesses));
    std::vector<ArrayId> ids;
    for (const char letter : arrays)
      ids.push_back(id(letter));
    launches.push_back(builder.launch(kernel, ids, {n}));
    return kernel;
  }
  Launch &launch(std::uint32_t number) {
    return builder.program().launches[number];
  }
  static ArrayId id(char letter) {
    return ArrayId{static_cast<std::uint32_t>(letter - 'A')};
  }
  std::string verdict() { return builder.verdict(launches); }
  /// Returns how the array passes, or the obstacle.
  std::string way(char letter) {
    const std::string name = verdict();
    return name == "fused" ? placementOf(builder.plan(launches), id(letter))
                           : name;
  }
  Placement placed(char letter) {
    for (const Placement &placement : builder.plan(launches).placements)
      if (placement.array == id(letter))
        return placement;
    return {};
  }
};

// B passes from a thread to itself, C to the thread on its right.
TEST(Forwarding, OneArraysTileLeavesTheOthersInRegistersOrMemory) {
  const auto way = [](const std::function<void(Kernel &, Kernel &)> &change) {
    Chain p(4);
    const KernelId one =
        p.then("ABC", {read(0, global(), Below), write(1, global(), Interior),
                       write(2, global(), Below)});
    const KernelId two = p.then("BCD", {read(0, global(), Right),
                                        read(1, global() - num(1), Right),
                                        write(2, global(), Right)});
    change(p.builder[one], p.builder[two]);
    return p.way('B') + ", " + p.way('C');
  };
  const std::string tile = ", never stored 0->1";
  EXPECT_EQ(way([](Kernel &, Kernel &) {}), "register 0->1" + tile);
  EXPECT_EQ(way([](Kernel &, Kernel &k) { k.accesses[0].editable = false; }),
            "memory 0->1" + tile);
  // A test for a value would separate a product from its sum.
  EXPECT_EQ(
      way([](Kernel &, Kernel &k) { k.contractions = {k.accesses[0].range}; }),
      "memory 0->1" + tile);
}

TEST(Forwarding, LoadsBeforeTheStoreAreNotReadBack) {
  Chain p(3);
  p.then("AB", {read(1, global(), Below), read(1, global(), Below),
                write(1, global(), Below)});
  p.then("BC", {read(0, global(), Below), write(1, global(), Below)});
  EXPECT_EQ(p.way('B'), "register 0->1");
}

// Two pointers to one array are two values: as one value, they would make one
// product of two.
TEST(Forwarding, TwoPointersToOneArrayAreTwoValuesToSums) {
  const auto way = [](const std::string &arrays, bool contracts, bool isExact) {
    Chain p(4);
    p.then("AB", {read(0, global(), Below), write(1, global(), Below)});
    const KernelId two =
        p.then(arrays, {read(0, global(), Below), read(1, global(), Below),
                        write(2, global(), Below)});
    if (contracts)
      p.builder[two].contractions = {{0, 10000, 10010}};
    p.builder.options().exactRounding = isExact;
    return p.way('B');
  };
  EXPECT_EQ(way("BBC", true, true), "memory 0->1");
  EXPECT_EQ(way("BAC", true, true), "never stored 0->1");
  EXPECT_EQ(way("BBC", false, true), "never stored 0->1");
  EXPECT_EQ(way("BBC", true, false), "never stored 0->1");
}

TEST(Forwarding, OnlyReadsOfTheArrayTakeItsValue) {
  Chain p(4);
  p.then("AB", {read(0, global(), Below), write(1, global(), Below)});
  p.then("ABC", {read(0, global(), Below), read(1, global(), Below),
                 write(2, global(), Below)});
  const Placement placed = p.placed('B');
  ASSERT_EQ(placed.reads.size(), 1u);
  EXPECT_EQ(placed.reads[0].access, 1u);
  EXPECT_FALSE(placed.isPartial());
}

TEST(Forwarding, ElementsOfAnotherSizeAreNotReplaced) {
  Chain p(3);
  p.then("AB", {read(0, global(), Below), write(1, global(), Below)});
  Stage stage = makeStage(p.builder.problem().program, p.launches[0],
                          SymbolSpace::Launch);
  Access access = *stage.accesses[1].access;
  stage.accesses[1].access = &access;
  EXPECT_EQ(whyNotReplaceable(stage, stage.accesses[1]), "");
  access.elementBytes = access.width = 8; // two floats at once
  EXPECT_NE(whyNotReplaceable(stage, stage.accesses[1]), "");
}

TEST(Forwarding, ContractionsArePartedByTextsInThem) {
  Kernel kernel;
  kernel.contractions = {{1, 10, 20}};
  const auto parts = [&](std::uint32_t file, std::uint32_t begin,
                         std::uint32_t end) {
    return mayPart(kernel, {file, begin, end});
  };
  EXPECT_TRUE(parts(1, 12, 14));
  EXPECT_TRUE(parts(1, 5, 11));
  EXPECT_TRUE(parts(1, 19, 30));
  EXPECT_FALSE(parts(0, 12, 14));
  EXPECT_FALSE(parts(1, 5, 10));
  EXPECT_FALSE(parts(1, 20, 30));
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

// A→B is followed by a kernel in which a neighbouring thread takes B. The first
// kernel also writes D.
TEST(Tiles, WhatRunsTwiceMustDoNothingElse) {
  const auto verdict = [](const std::function<void(Kernel &)> &change) {
    Chain p(4);
    const KernelId one =
        p.then("ABD", {read(0, global(), Below), write(1, global(), Below),
                       write(2, global(), Below)});
    p.then("BC",
           {read(0, global() - num(1), Right), write(1, global(), Right)});
    change(p.builder[one]);
    return p.verdict();
  };
  EXPECT_EQ(verdict([](Kernel &) {}), "fused");
  const std::vector<std::function<void(Kernel &)>> changes = {
      [](Kernel &k) { k.usesDynamicShared = true; },
      [](Kernel &k) {
        k.features.push_back({KernelFeature::SharedAddress, {}, ""});
      },
      [](Kernel &k) { k.accesses[2] = atomic(2, num(0), Below); },
      [](Kernel &k) { k.accesses[2].form = AccessForm::Other; },
      [](Kernel &k) { k.accesses[2].editable = false; },
      [](Kernel &k) { k.accesses[2].offset = k.accesses[2].width = 2; },
      [](Kernel &k) { k.accesses[2].width = 2; }};
  for (std::size_t i = 0; i < changes.size(); ++i)
    EXPECT_EQ(verdict(changes[i]), "CrossThreadFlow") << i;
}

// B passes in a register through an update, and C to the thread's neighbours.
TEST(Tiles, WhatRunsTwiceMayUpdateWhatItTakes) {
  Chain p(4);
  p.then("AB", {read(0, global(), Below), write(1, global(), Below)});
  p.then("BC", {read(0, global(), Below), write(0, global(), Below),
                write(1, global(), Below)});
  p.then("CD", {read(0, global() - num(1), Right), write(1, global(), Right)});
  EXPECT_EQ(p.verdict(), "fused");
}

// Tiles can't be combined with loops.
TEST(Tiles, GridStrideLoopsAreNamedAsWhatIsInTheWay) {
  Chain p(4);
  p.then("AB", {read(0, global(), Below), write(1, global(), Below)});
  p.then("BC", {read(0, global() - num(1), Right), write(1, global(), Right)});
  const Polynomial i = sym(SymbolKind::StrideIdx, 0);
  const Guard loop = {less(i, param(0))};
  const KernelId last = p.then("AD", {read(0, i, loop), write(1, i, loop)});
  p.builder[last].gridStride.emplace().bound = param(0);
  EXPECT_EQ(p.verdict(), "CrossThreadFlow");
}

//===----------------------------------------------------------------------===//
// Fills
//===----------------------------------------------------------------------===//

/// Builds A→B, which doesn't write the ends, and B→C, which reads neighbours.
struct Ends : Chain {
  KernelId one, two;
  Ends(const Guard &written, const Guard &read, std::int64_t offset = -1)
      : Chain(5) {
    one = then("AB",
               {test::read(0, global(), written), write(1, global(), written)});
    two = then("BC", {test::read(0, global() + num(offset), read),
                      write(1, global(), read)});
  }
  std::optional<TilePrefill> fill() {
    const Placement tile = placed('B');
    EXPECT_TRUE(tile.isTile);
    return tile.fill;
  }
};

TEST(TilePrefill, NameTheWriteAndThoseWhoRead) {
  const std::optional<TilePrefill> fill = Ends(Interior, Right).fill();
  ASSERT_TRUE(fill);
  EXPECT_EQ(fill->pointer, 1u);
  EXPECT_EQ(fill->index, at(0));
  const Constraint isFirst = {Relation::NonNegative, at(0) - num(1)};
  EXPECT_EQ(
      fill->write.guard,
      (Guard{isFirst, {Relation::NonNegative, param(0) - at(0) - num(2)}}));
  ASSERT_EQ(fill->reads.size(), 1u);
  EXPECT_EQ(
      fill->reads[0].guard,
      (Guard{isFirst, {Relation::NonNegative, param(0) - at(0) - num(1)}}));
  EXPECT_EQ(fill->reads[0].offset, (Offset{-1, 0, 0}));
  // If everything that is read is written, there is nothing to fill.
  Ends whole(Below, Right);
  EXPECT_EQ(whole.verdict(), "fused");
  EXPECT_FALSE(whole.placed('B').isPartial());
  EXPECT_FALSE(whole.fill());
}

// A cell knows only its place and the parameters.
TEST(TilePrefill, NeedGuardsThatACellCanAsk) {
  const std::vector<Constraint> others = {unknown(), less(num(3), thread()),
                                          less(counter(0), param(0))};
  for (const Constraint &other : others) {
    Guard written = Interior, read = Right;
    written.push_back(other);
    read.push_back(other);
    EXPECT_FALSE(Ends(written, Right).fill()) << &other - others.data();
    EXPECT_FALSE(Ends(Interior, read).fill()) << &other - others.data();
  }
  // A constraint that always holds needs no test.
  Guard written = Interior;
  written.push_back(less(num(1), num(2)));
  const auto fill = Ends(written, Right).fill();
  ASSERT_TRUE(fill);
  EXPECT_EQ(fill->write.guard.size(), 2u);
}

TEST(TilePrefill, NeedAnIndexThatACellCanName) {
  Ends p(Interior, Right);
  const Polynomial half = makeTerm(p.builder.program().terms,
                                   {TermKind::Divide, 0, {param(0), num(2)}});
  for (const KernelId kernel : {p.one, p.two}) {
    Access &access = p.builder[kernel].accesses[kernel == p.one ? 1 : 0];
    access.index = std::get<Polynomial>(access.index) + half;
  }
  EXPECT_FALSE(p.fill());
}

// No thread before the first one reads a cell, although the guard may hold
// there. If the guard can't hold there, no test is needed.
TEST(TilePrefill, AskWhetherThereIsAThread) {
  const auto mayBeBefore = [](const Constraint &more) {
    const auto fill =
        Ends(Interior, {less(global(), param(0)), more}, 1).fill();
    EXPECT_TRUE(fill);
    return fill && fill->reads[0].mayBeBefore[0];
  };
  EXPECT_FALSE(mayBeBefore(atLeast(global(), num(0))));
  EXPECT_FALSE(mayBeBefore(atLeast(global(), num(5))));
  EXPECT_TRUE(mayBeBefore(atLeast(global(), num(-3))));
  EXPECT_TRUE(mayBeBefore(atLeast(global(), param(0) - num(9))));
  EXPECT_TRUE(mayBeBefore({Relation::NonZero, global() - num(5)}));
}

// B passes from a thread to itself, C to the thread on its right.
TEST(TilePrefill, AreOfTilesAlone) {
  Chain p(4);
  p.then("ABC", {read(0, global(), Below), write(1, global(), Interior),
                 write(2, global(), Interior)});
  p.then("BCD", {read(0, global(), Right), read(1, global() - num(1), Right),
                 write(2, global(), Right)});
  EXPECT_TRUE(p.placed('B').isPartial());
  EXPECT_FALSE(p.placed('B').isTile);
  EXPECT_FALSE(p.placed('B').fill); // so it tests for a value
  EXPECT_TRUE(p.placed('B').hasFlags());
  EXPECT_TRUE(p.placed('C').fill);
}

TEST(TilePrefill, AreOfOneProducerAlone) {
  Chain p(3);
  const Guard few = {atLeast(global(), num(9)), less(global(), param(0))};
  for (const Guard &written : {Interior, few})
    p.then("AB", {read(0, global(), written), write(1, global(), written)});
  p.then("BC", {read(0, global() - num(1), Right), write(1, global(), Right)});
  EXPECT_EQ(p.way('B'), "register 0,1->2");
  EXPECT_FALSE(p.placed('B').fill);
}

// The producer's other accesses have pointers and guards of their own.
TEST(TilePrefill, AreOfTheArraysOwnStore) {
  Chain p(4);
  p.then("ABD", {read(0, global(), Below), write(2, global(), Below),
                 write(1, global(), Interior)});
  p.then("BC", {read(0, global() - num(1), Right), write(1, global(), Right)});
  const auto fill = p.placed('B').fill;
  ASSERT_TRUE(fill);
  EXPECT_EQ(fill->pointer, 1u);
  EXPECT_EQ(fill->write.guard.size(), 2u);
  // Nothing runs twice in a single block, so it may read the array, too.
  Chain q(3);
  const std::vector<Access> around = {read(0, global() - num(1), Right),
                                      write(1, global(), Right)};
  q.then("AB", {read(1, global(), Below), write(1, global(), Interior)});
  q.then("BC", around);
  for (std::uint32_t i : {0u, 1u})
    q.launch(i).grid.extent[0] = num(1);
  const auto own = q.placed('B').fill;
  ASSERT_TRUE(own);
  EXPECT_EQ(own->write.guard.size(), 2u);
}

// No parameter leads to a device variable.
TEST(TilePrefill, AreNotOfDeviceVariables) {
  Ends p(Interior, Right);
  p.builder[p.one].pointers[1].global = Chain::id('B');
  p.builder[p.two].pointers[0].global = Chain::id('B');
  EXPECT_FALSE(p.fill());
}

// A member's text identifies cells only in its own shape.
TEST(TilePrefill, AreOfMembersInTheirOwnShape) {
  const auto hasFill = [](std::int64_t blocks, bool isReaderFixed) {
    Ends p(Interior, Right);
    if (isReaderFixed) // the producer then takes its shape
      p.builder[p.two].features.push_back({KernelFeature::GridShape, {}, ""});
    for (std::uint32_t i : {0u, 1u})
      p.launch(i).scalars = {num(1000)};
    p.launch(1).grid.extent[0] = num(blocks);
    return p.fill().has_value();
  };
  for (bool isReaderFixed : {false, true}) {
    EXPECT_TRUE(hasFill(64, isReaderFixed)) << isReaderFixed;
    EXPECT_FALSE(hasFill(65, isReaderFixed)) << isReaderFixed;
  }
}

} // namespace
} // namespace kfuse
