//===- tests/unit/fusion/ValuesTest.cpp - How values get to other stages ===//
//
// Through registers and tiles, with what was there before, or by rows.
//
//===----------------------------------------------------------------------===//

#include "PlanBuilder.h"

#include "fusion/Fills.h"
#include "fusion/Forwarding.h"
#include "fusion/Memo.h"
#include "fusion/Neighbours.h"
#include "fusion/Shares.h"
#include "fusion/Tiles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace kfuse {
namespace {

using namespace test;

const Guard Below = {less(global(), param(0))};
const Guard Interior = {atLeast(global(), num(1)),
                        less(global(), param(0) - num(1))};
/// Whose threads have one to their left.
const Guard Right = {atLeast(global(), num(1)), less(global(), param(0))};

Polynomial at(std::uint32_t axis) { return sym(SymbolKind::GlobalIdx, axis); }

//===----------------------------------------------------------------------===//
// Neighbours
//===----------------------------------------------------------------------===//

TEST(Neighbours, AreNotToldByWhatElseThreadsHave) {
  PlanBuilder builder;
  TermTable &terms = builder.program().terms;
  Stage stage;
  stage.kernel = &builder[builder.pointwise("k", 1)];
  stage.grid = {num(4), num(4), num(1)};
  stage.block = {num(32), num(8), num(1)};
  const auto offset = [&](const Polynomial &write, const Polynomial &read) {
    return offsetBetween(write, read, stage, terms);
  };
  // Rows of half as many elements as the host says.
  const Polynomial half = makeTerm(
      terms, {TermKind::Divide, 0, {sym(SymbolKind::HostValue, 0), num(2)}});
  const Polynomial rows = at(0) + half * at(1);
  EXPECT_EQ(offset(rows, rows + half - num(1)), (Offset{-1, 1, 0}));
  // The thread in its block, and a grid-stride loop, move with the thread; the
  // passes of two loops are not the same ones.
  for (const Polynomial &more : {thread(), sym(SymbolKind::StrideIdx, 2),
                                 sym(SymbolKind::LoopCounter, 0)}) {
    const Polynomial index = rows + num(64) * more;
    EXPECT_FALSE(offset(index, index + num(1))) << print(index);
  }
}

//===----------------------------------------------------------------------===//
// Forwarding
//===----------------------------------------------------------------------===//

/// Kernels over arrays A, B, C... that all get n.
struct Chain {
  PlanBuilder builder;
  std::vector<LaunchId> launches;
  Polynomial n = builder.value("n");

  explicit Chain(std::uint32_t arrays) {
    for (std::uint32_t i = 0; i < arrays; ++i)
      builder.array(std::string(1, static_cast<char>('A' + i)));
  }
  /// Whose pointers are to the arrays of those letters.
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
  /// How the array passes, or the obstacle.
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
  // A look whether there is a value would part a product from its sum.
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

// As one value, what two pointers lead to would make one product of two.
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
  Stage stage =
      makeStage(p.builder.problem().program, p.launches[0], Frame::Bound);
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

// A→B, where a thread next to it takes B; D is written besides.
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
    EXPECT_EQ(verdict(changes[i]), "NeighbourRead") << i;
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

// Beside tiles there are no loops.
TEST(Tiles, GridStrideLoopsAreNamedAsWhatIsInTheWay) {
  Chain p(4);
  p.then("AB", {read(0, global(), Below), write(1, global(), Below)});
  p.then("BC", {read(0, global() - num(1), Right), write(1, global(), Right)});
  const Polynomial i = sym(SymbolKind::StrideIdx, 0);
  const Guard loop = {less(i, param(0))};
  const KernelId last = p.then("AD", {read(0, i, loop), write(1, i, loop)});
  p.builder[last].gridStride.emplace().bound = param(0);
  EXPECT_EQ(p.verdict(), "NeighbourRead");
}

//===----------------------------------------------------------------------===//
// Fills
//===----------------------------------------------------------------------===//

/// A→B, of which the ends aren't written, and B→C next to it.
struct Ends : Chain {
  KernelId one, two;
  Ends(const Guard &written, const Guard &read, std::int64_t offset = -1)
      : Chain(5) {
    one = then("AB",
               {test::read(0, global(), written), write(1, global(), written)});
    two = then("BC", {test::read(0, global() + num(offset), read),
                      write(1, global(), read)});
  }
  std::optional<Fill> fill() {
    const Placement tile = placed('B');
    EXPECT_TRUE(tile.isTile);
    return tile.fill;
  }
};

TEST(Fills, NameTheWriteAndThoseWhoRead) {
  const std::optional<Fill> fill = Ends(Interior, Right).fill();
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
  // Where all is written that is read, nothing is.
  Ends whole(Below, Right);
  EXPECT_EQ(whole.verdict(), "fused");
  EXPECT_FALSE(whole.placed('B').isPartial());
  EXPECT_FALSE(whole.fill());
}

// A cell knows its place and the parameters, and nothing else.
TEST(Fills, NeedGuardsThatACellCanAsk) {
  const std::vector<Constraint> others = {unknown(), less(num(3), thread()),
                                          less(counter(0), param(0))};
  for (const Constraint &other : others) {
    Guard written = Interior, read = Right;
    written.push_back(other);
    read.push_back(other);
    EXPECT_FALSE(Ends(written, Right).fill());
    EXPECT_FALSE(Ends(Interior, read).fill());
  }
  // What always holds is no question.
  Guard written = Interior;
  written.push_back(less(num(1), num(2)));
  const auto fill = Ends(written, Right).fill();
  ASSERT_TRUE(fill);
  EXPECT_EQ(fill->write.guard.size(), 2u);
}

TEST(Fills, NeedAnIndexThatACellCanName) {
  Ends p(Interior, Right);
  const Polynomial half = makeTerm(p.builder.program().terms,
                                   {TermKind::Divide, 0, {param(0), num(2)}});
  for (const KernelId kernel : {p.one, p.two}) {
    Access &access = p.builder[kernel].accesses[kernel == p.one ? 1 : 0];
    access.index = std::get<Polynomial>(access.index) + half;
  }
  EXPECT_FALSE(p.fill());
}

// Before the first thread there is none that reads a cell, though the guard
// may hold for its place; where the guard can't, it needn't be asked.
TEST(Fills, AskWhetherThereIsAThread) {
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
TEST(Fills, AreOfTilesAlone) {
  Chain p(4);
  p.then("ABC", {read(0, global(), Below), write(1, global(), Interior),
                 write(2, global(), Interior)});
  p.then("BCD", {read(0, global(), Right), read(1, global() - num(1), Right),
                 write(2, global(), Right)});
  EXPECT_TRUE(p.placed('B').isPartial());
  EXPECT_FALSE(p.placed('B').isTile);
  EXPECT_FALSE(p.placed('B').fill); // so that it looks for a value
  EXPECT_TRUE(p.placed('B').hasFlags());
  EXPECT_TRUE(p.placed('C').fill);
}

TEST(Fills, AreOfOneProducerAlone) {
  Chain p(3);
  const Guard few = {atLeast(global(), num(9)), less(global(), param(0))};
  for (const Guard &written : {Interior, few})
    p.then("AB", {read(0, global(), written), write(1, global(), written)});
  p.then("BC", {read(0, global() - num(1), Right), write(1, global(), Right)});
  EXPECT_EQ(p.way('B'), "register 0,1->2");
  EXPECT_FALSE(p.placed('B').fill);
}

// The producer's other accesses have pointers and guards of their own.
TEST(Fills, AreOfTheArraysOwnStore) {
  Chain p(4);
  p.then("ABD", {read(0, global(), Below), write(2, global(), Below),
                 write(1, global(), Interior)});
  p.then("BC", {read(0, global() - num(1), Right), write(1, global(), Right)});
  const auto fill = p.placed('B').fill;
  ASSERT_TRUE(fill);
  EXPECT_EQ(fill->pointer, 1u);
  EXPECT_EQ(fill->write.guard.size(), 2u);
  // In one block nothing runs twice, so that it may read the array too.
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

// No parameter leads there.
TEST(Fills, AreNotOfDeviceVariables) {
  Ends p(Interior, Right);
  p.builder[p.one].pointers[1].global = Chain::id('B');
  p.builder[p.two].pointers[0].global = Chain::id('B');
  EXPECT_FALSE(p.fill());
}

// A member's text tells cells of its own shape.
TEST(Fills, AreOfMembersInTheirOwnShape) {
  const auto hasFill = [](std::int64_t blocks, bool isReaderFixed) {
    Ends p(Interior, Right);
    if (isReaderFixed) // then the producer takes its shape
      p.builder[p.two].features.push_back({KernelFeature::GridShape, {}, ""});
    for (std::uint32_t i : {0u, 1u})
      p.launch(i).scalars = {num(1000)};
    p.launch(1).grid.extent[0] = num(blocks);
    return p.fill().has_value();
  };
  for (bool isReaderFixed : {false, true}) {
    EXPECT_TRUE(hasFill(64, isReaderFixed));
    EXPECT_FALSE(hasFill(65, isReaderFixed));
  }
}

//===----------------------------------------------------------------------===//
// Shares
//===----------------------------------------------------------------------===//

/// A→B element by element, and B→C by rows, one of a block.
struct Rows {
  PlanBuilder builder;
  Polynomial n = builder.value("n"), rows = builder.value("rows"),
             length = builder.value("length"), wide = builder.value("wide");
  Polynomial column = thread() + num(32) * counter(0);
  Guard below = {less(global(), param(0))}, inRow = {less(column, param(1))};
  std::vector<Access> elements = {read(0, global(), below),
                                  write(1, global(), below)};
  std::vector<Access> byRows = {read(0, row(param(1)), inRow),
                                write(1, row(param(1)), inRow)};
  /// Both kernels also have D, E and an array that isn't known.
  std::vector<ArrayId> arrays;
  std::int64_t planes = 1;
  std::function<void(Kernel &, Kernel &)> change = [](Kernel &, Kernel &) {};

  /// Rows that are so long.
  Polynomial row(const Polynomial &length) { return block() * length + column; }

  Rows() {
    for (const char *name : {"A", "B", "C", "D", "E"})
      arrays.push_back(builder.array(name));
  }

  std::vector<LaunchId> launches() {
    const KernelId one = builder.kernel("each", 5, 1, elements);
    const KernelId two = builder.kernel("rows", 5, 3, byRows);
    builder[two].loops = {{param(1), {}}};
    for (Access &access : builder[two].accesses)
      access.loops = {0};
    change(builder[one], builder[two]);
    const auto pointers = [&](std::uint32_t first) {
      std::vector<PointerValue> result;
      for (const std::uint32_t i : {first, first + 1, 3u, 4u})
        result.push_back({arrays[i], Polynomial{}});
      result.push_back({noneOf<ArrayId>(), Polynomial{}});
      return result;
    };
    const Polynomial blocks =
        makeTerm(builder.program().terms,
                 {TermKind::Divide, 0, {n + num(127), num(128)}});
    return {builder.launch(one, pointers(0), {n}, {blocks, num(1), num(planes)},
                           {num(128), num(1), num(1)}),
            builder.launch(two, pointers(1), {rows, length, wide},
                           {rows, num(1), num(planes)},
                           {num(32), num(1), num(1)})};
  }
  /// The share of a block of rows, or the obstacle.
  std::string plan() {
    const auto members = launches();
    const std::string verdict = builder.verdict(members);
    if (verdict != "fused")
      return verdict;
    const auto share = builder.plan(members).fits[0].share;
    return share ? print(*share) : "none";
  }
  /// Before any accesses are compared.
  std::optional<Group> group() {
    Group result;
    const auto members = launches();
    result.problem = &builder.problem();
    for (const LaunchId member : members)
      result.stages.add(stageOf(*result.problem, member, Frame::Bound));
    return withShares(std::move(result));
  }
  std::string share() {
    const auto shared = group();
    return shared ? print(shared->share) : "none";
  }
  /// How the write of B meets the read of B by rows.
  std::string meeting(const Polynomial &share) {
    // D says that blocks have shares, whatever is with B.
    elements.push_back(write(2, global(), below));
    byRows.push_back(read(2, row(param(1)), inRow));
    const auto shared = group();
    const Stage &one = shared->stages[0], &two = shared->stages[1];
    const Meeting meeting =
        meetInBlock({one, one.accesses[1]}, {two, two.accesses[0]}, true, share,
                    factsOf(*shared));
    return meeting.kind == Meeting::Kind::SameBlock ? "in the block"
           : meeting.kind == Meeting::Kind::Conflict
               ? obstacleName(meeting.obstacle)
               : "otherwise";
  }
};

std::string planOf(const std::function<void(Rows &)> &change) {
  Rows rows;
  change(rows);
  return rows.plan();
}

TEST(Shares, AreOfLinesAlone) {
  EXPECT_EQ(planOf([](Rows &) {}), "param1");
  // Threads of two planes do the same.
  EXPECT_EQ(planOf([](Rows &r) { r.planes = 2; }), "NeighbourRead");
  // What follows is in a loop over the whole grid, which blocks have not.
  EXPECT_EQ(planOf([](Rows &r) {
              const Polynomial i = sym(SymbolKind::StrideIdx, 0);
              r.elements.push_back(write(2, i, {less(i, param(0))}));
              r.change = [](Kernel &k, Kernel &) {
                k.gridStride.emplace().bound = param(0);
              };
            }),
            "NeighbourRead");
}

TEST(Shares, VariablesThatFloatMayBeComputedWithOnce) {
  const auto plan = [](bool isFloating) {
    return planOf([&](Rows &r) {
      r.change = [=](Kernel &k, Kernel &) {
        k.pointers[0].global = ArrayId{0};
        k.pointers[0].element.hasFloatingPoint = isFloating;
      };
    });
  };
  EXPECT_EQ(plan(false), "param1");
  EXPECT_EQ(plan(true), "NeighbourRead");
}

TEST(Shares, AreNumbersThatTheHostKnows) {
  const auto plan = [](const std::function<Polynomial(TermTable &)> &more) {
    return planOf([&](Rows &r) {
      TermTable &terms = r.builder.program().terms;
      const Polynomial begin = block() * (param(1) + more(terms));
      for (Access &access : r.byRows)
        access.index = begin + r.column;
    });
  };
  const auto term = [](TermKind kind, const Polynomial &one,
                       const Polynomial &two) {
    return [=](TermTable &terms) {
      return makeTerm(terms, {kind, 0, {one, two}});
    };
  };
  EXPECT_EQ(plan([](TermTable &) { return num(0); }), "param1");
  EXPECT_EQ(plan([](TermTable &) { return num(3); }), "param1 + 3");
  EXPECT_EQ(plan(term(TermKind::Divide, param(2), num(2))), "NeighbourRead");
  EXPECT_EQ(plan(term(TermKind::Minimum, param(1), num(0))), "NeighbourRead");
  // No thread adds anything, but the text has the thread in it.
  const Polynomial none = sym(SymbolKind::BlockDim, 0) - num(32);
  EXPECT_EQ(plan(term(TermKind::Divide, thread() * none, num(2))),
            "NeighbourRead");
}

TEST(Shares, AreOfElementsThatPass) {
  const auto share = [](auto change) {
    Rows r;
    change(r);
    return r.share();
  };
  const std::string length = print(Rows().length);
  EXPECT_EQ(share([](Rows &) {}), length);
  // Other arrays of which rows are wider: one that nobody writes, two that have
  // nothing in common, such as aren't known, one that goes by twos.
  const Polynomial twice = num(2) * global();
  const std::vector<std::array<std::uint32_t, 2>> others = {
      {2, 2}, {2, 3}, {4, 4}};
  for (const auto &[one, two] : others)
    EXPECT_EQ(share([&](Rows &r) {
                const Access mine = one == 2 && two == 2
                                        ? read(one, global(), r.below)
                                        : write(one, global(), r.below);
                r.elements.insert(r.elements.begin(), mine);
                r.byRows.insert(r.byRows.begin(),
                                read(two, r.row(param(2)), r.inRow));
              }),
              length)
        << one << " " << two;
  EXPECT_EQ(share([&](Rows &r) {
              r.elements.insert(r.elements.begin(), write(2, twice, r.below));
              r.byRows.insert(r.byRows.begin(),
                              read(2, r.row(param(2)), r.inRow));
            }),
            length);
}

TEST(Shares, AsManyElementsAsNoNumberHasAreNotShared) {
  EXPECT_EQ(
      planOf([](Rows &r) { r.rows = r.length = num(std::int64_t{1} << 40); }),
      "NeighbourRead");
}

TEST(Shares, AccessesMeetInTheBlockWhoseShareItIs) {
  const auto meeting = [](const std::function<void(Kernel &, Kernel &)> &change,
                          bool isWide = false) {
    Rows r;
    r.change = change;
    return r.meeting(isWide ? num(2) * r.length : r.length);
  };
  const auto none = [](Kernel &, Kernel &) {};
  EXPECT_EQ(meeting(none), "in the block");
  // The shares of the blocks are wider than their rows.
  EXPECT_EQ(meeting(none, true), "NeighbourRead");
  EXPECT_EQ(meeting([](Kernel &, Kernel &k) {
              k.accesses[0] =
                  atomic(0, k.accesses[0].index, k.accesses[0].guard);
            }),
            "AtomicConflict");
  EXPECT_EQ(meeting([](Kernel &, Kernel &k) {
              k.accesses[0].elementBytes = k.accesses[0].width = 8;
            }),
            "UnknownIndex");
  EXPECT_EQ(meeting([](Kernel &, Kernel &k) {
              k.accesses[0].index = NotPolynomial::Indirect;
            }),
            "UnknownIndex");
}

// What is shared out needs memory to pass B to rows. D passes from a thread to
// itself: between stages around the loop over the shares, or within the loop.
TEST(Shares, ThreadsKeepTheirOwnValues) {
  const auto way = [](bool isOfRows) {
    Rows r;
    const auto launch = [&](bool isRows, const std::vector<std::uint32_t> &used,
                            std::vector<Access> accesses) {
      const KernelId kernel = r.builder.kernel(
          "k", static_cast<unsigned>(used.size()), 2, std::move(accesses));
      r.builder[kernel].loops = {{param(1), {}}};
      for (Access &access : r.builder[kernel].accesses)
        if (std::get<Polynomial>(access.index) == r.row(param(1)))
          access.loops = {0};
      std::vector<PointerValue> pointers;
      for (const std::uint32_t i : used)
        pointers.push_back({r.arrays[i], Polynomial{}});
      const Polynomial blocks =
          makeTerm(r.builder.program().terms,
                   {TermKind::Divide, 0, {r.n + num(127), num(128)}});
      return r.builder.launch(kernel, pointers,
                              {isRows ? r.rows : r.n, r.length},
                              {isRows ? r.rows : blocks, num(1), num(1)},
                              {num(isRows ? 32 : 128), num(1), num(1)});
    };
    const Access wholeRow = read(0, r.row(param(1)), r.inRow);
    std::vector<LaunchId> members;
    if (isOfRows) {
      members = {launch(true, {4, 3}, {read(0, global()), write(1, global())}),
                 launch(false, {0, 1}, r.elements)};
      members.push_back(launch(
          true, {1, 3, 2}, {wholeRow, read(1, global()), write(2, global())}));
    } else {
      members = {launch(false, {0, 3}, r.elements),
                 launch(false, {3, 1}, r.elements)};
      members.push_back(launch(true, {1, 2}, {wholeRow, write(1, global())}));
    }
    const std::string verdict = r.builder.verdict(members);
    if (verdict != "fused")
      return verdict;
    const FusedKernel kernel = r.builder.plan(members);
    return std::string(scheduleName(kernel.schedule)) + ", " +
           placementOf(kernel, r.arrays[3]) + ", " +
           placementOf(kernel, r.arrays[1]);
  };
  EXPECT_EQ(way(true), "block, never stored 0->2, memory 1->2");
  EXPECT_EQ(way(false), "block, never stored 0->1, memory 1->2");
}

} // namespace
} // namespace kfuse
