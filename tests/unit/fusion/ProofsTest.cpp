//===- tests/unit/fusion/ProofsTest.cpp - What is proved of accesses ----===//
//
// Facts, intervals, coverage, and how two accesses meet.
//
//===----------------------------------------------------------------------===//

#include "PlanBuilder.h"

#include "fusion/Coverage.h"
#include "fusion/Group.h"
#include "fusion/Injective.h"
#include "fusion/Intervals.h"
#include "fusion/Meetings.h"
#include "fusion/Passes.h"

#include <gtest/gtest.h>

namespace kfuse {
namespace {

using namespace test;

Polynomial value(std::uint32_t index) {
  return sym(SymbolKind::HostValue, index);
}
/// Sizes of unknown sign, and one that is at least 1.
const Polynomial N = value(0), M = value(1), Size = value(2);
const Polynomial G = sym(SymbolKind::GlobalIdx, 0);
const Polynomial Row = sym(SymbolKind::GlobalIdx, 1);
const Polynomial Plane = sym(SymbolKind::GlobalIdx, 2);
const Polynomial Text = block() * num(256) + thread();

/// A launch of 64 x rows x planes blocks of 256 threads.
struct World {
  TermTable terms;
  std::vector<HostValue> values = {{}, {}, {noneOf<VariableId>(), "", true}};
  Kernel kernel;
  Stage stage;
  Access access;

  explicit World(std::int64_t rows = 1, std::int64_t planes = 1) {
    stage.kernel = &kernel;
    stage.grid = {num(64), num(rows), num(planes)};
    stage.block = {num(256), num(1), num(1)};
    access.elementBytes = access.width = 4;
    access.loops = {0};
  }
  Facts facts() const {
    Facts known;
    known.terms = &terms;
    known.values = &values;
    return known;
  }
  Polynomial term(TermKind kind, std::vector<Polynomial> operands,
                  std::int64_t detail = 0) {
    return Polynomial(terms.intern({kind, detail, std::move(operands)}));
  }
  Polynomial quotient(const Polynomial &a, const Polynomial &b) {
    return term(TermKind::Divide, {a, b});
  }
  Polynomial rest(const Polynomial &a, const Polynomial &b) {
    return term(TermKind::Remainder, {a, b});
  }
  bool isInjective(const Polynomial &index, const Guard &guard = {}) const {
    const Domain domain{stage, guard};
    return tellsThreadsApart(index, domain, domain, facts());
  }
  StageAccess at(const Polynomial &index, const Guard &guard = {}) const {
    StageAccess result;
    result.access = &access;
    result.index = index;
    result.guard = result.cover = guard;
    return result;
  }
  std::string ends(const Polynomial &index, const Guard &guard = {}) const {
    const auto interval = intervalOf(at(index, guard), stage, facts());
    return interval ? print(interval->low.front()) + ".." +
                          print(interval->high.front())
                    : "unknown";
  }
  bool areApart(const StageAccess &first, const StageAccess &second) const {
    return areDisjoint(first, stage, second, stage, facts());
  }
};

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

TEST(Facts, TablesMayBeMissingOrShort) {
  const Polynomial term = sym(SymbolKind::Opaque, 0);
  const TermTable noTerms;
  const std::vector<HostValue> noValues;
  Facts none, empty;
  empty.terms = &noTerms;
  empty.values = &noValues;
  for (const Facts &facts : {none, empty})
    for (const Polynomial &asked :
         {N, term, num(3) - N, num(3) - term, term * N, term - num(1)})
      EXPECT_FALSE(provesNonNegative(facts, asked)) << print(asked);
}

TEST(Facts, TermsThatLackOperandsTellNothing) {
  World world;
  for (const TermKind kind :
       {TermKind::Divide, TermKind::Remainder, TermKind::Minimum,
        TermKind::Maximum, TermKind::ShiftRight, TermKind::BitAnd}) {
    const Polynomial term = world.term(kind, {});
    EXPECT_FALSE(provesNonNegative(world.facts(), term));
    EXPECT_FALSE(provesPositive(world.facts(), term));
    EXPECT_FALSE(provesNonNegative(world.facts(), num(3) - term));
  }
  EXPECT_FALSE(
      provesNonNegative(world.facts(), world.term(TermKind::Select, {num(1)})));
}

TEST(Facts, TermsOfTheTextAreNotOfTheGroup) {
  World world;
  // The polynomial's block is the group's, the term's that of the text.
  const Polynomial excess =
      world.quotient(Text, num(32)) * num(32) + num(31) - Text;
  EXPECT_FALSE(provesNonNegative(world.facts(), excess));
  const Polynomial size = world.quotient(N, num(32)) * num(32) + num(31) - N;
  EXPECT_TRUE(provesNonNegative(world.facts(), size));
}

TEST(Facts, OthersTakeNoSteps) {
  const World world;
  // A size that is at least m, which is at least the thread's index: behind
  // many facts of other values, and of sums with the thread's index.
  for (const bool isSum : {false, true}) {
    Facts facts = world.facts();
    for (std::uint32_t i = 3; i < 40; ++i)
      facts.notNegative.push_back(isSum ? value(i) + G : value(i) - num(2));
    facts.notNegative.push_back(Size - M);
    facts.notNegative.push_back(M - G);
    EXPECT_TRUE(provesNonNegative(facts, Size - G));
    EXPECT_FALSE(provesNonNegative(facts, M - Size));
  }
}

//===----------------------------------------------------------------------===//
// Bounds, intervals, one thread for each element
//===----------------------------------------------------------------------===//

TEST(Intervals, InnerGuardsComeFirst) {
  const World world;
  // As a rule they are the tighter ones.
  EXPECT_EQ(world.ends(G, {atLeast(G, N), less(G, N), atLeast(G, M),
                           less(G, M + num(9))}),
            "value1..value1 + 8");
}

TEST(Intervals, ProductsOfCoordinatesHaveNone) {
  const World world(8);
  EXPECT_EQ(world.ends(G * Row), "unknown");
  // Thread (1, 1) and thread (8, 0).
  EXPECT_FALSE(
      world.areApart(world.at(G * Row, {less(G, num(8))}),
                     world.at(G * Row + num(1), {atLeast(G, num(8))})));
}

TEST(Intervals, WhatNeverRunsMeetsNothing) {
  const World world(8);
  const StageAccess all = world.at(G);
  const StageAccess none = world.at(G, {atLeast(Row, num(8))});
  const StageAccess some = world.at(G, {atLeast(Row, num(7))});
  EXPECT_TRUE(world.areApart(none, all));
  EXPECT_TRUE(world.areApart(all, none));
  EXPECT_FALSE(world.areApart(some, all));
  EXPECT_FALSE(world.areApart(all, some));
}

TEST(Intervals, SpansEndWhereTheHostCanTell) {
  World world;
  const Polynomial k = counter(0);
  const auto span = [&](const Polynomial &index, const Polynomial &end) {
    return spanOf(world.at(index, {less(k, end)}), world.stage, world.facts());
  };
  const Polynomial half = world.quotient(param(0), num(2));
  ASSERT_TRUE(span(k, param(0)));
  EXPECT_EQ(span(k, param(0))->high, std::vector{param(0) - num(1)});
  ASSERT_TRUE(span(num(0) - k, param(0)));
  EXPECT_FALSE(span(k, half));
  EXPECT_FALSE(span(num(0) - k, half));
  world.access.elementBytes = 0; // nobody knows how many bytes that are
  EXPECT_FALSE(span(k, param(0)));
}

TEST(Injective, StridesThatVaryTellNobodyApart) {
  const World world(8);
  EXPECT_TRUE(world.isInjective(num(8) * G + Row));
  // Row 4 of thread 1 and row 0 of thread 2 are 16.
  EXPECT_FALSE(world.isInjective((num(8) + Row) * G + Row));
}

TEST(Injective, OnlyNumbersFromZeroAreTheirOwnRemainder) {
  World world;
  // Below the divisor, but 800 and 900 are both 0.
  const Polynomial place = world.rest(Text - num(1000), num(100));
  EXPECT_FALSE(world.isInjective(place, {less(G, num(1050))}));
  EXPECT_TRUE(
      world.isInjective(place, {less(G, num(1050)), atLeast(G, num(1000))}));
  // Thread 105 of one stage and thread 5 of the other.
  const Polynomial rest = world.rest(Text, num(100));
  const Guard all, below = {less(G, num(100))};
  const Domain whole{world.stage, all}, begin{world.stage, below};
  EXPECT_FALSE(tellsThreadsApart(rest, whole, begin, world.facts()));
  EXPECT_FALSE(tellsThreadsApart(rest, begin, whole, world.facts()));
  EXPECT_TRUE(tellsThreadsApart(rest, begin, begin, world.facts()));
}

TEST(Injective, OnlyTheHostsValuesCanBeMissing) {
  World world(8, 8);
  const Polynomial threads = num(64 * 256);
  const auto missing = [&](const Polynomial &index, const Guard &guard = {}) {
    return missingRoom(index, {world.stage, guard}, world.facts());
  };
  using Rooms = std::vector<Polynomial>;
  const Polynomial row = param(0), plane = param(1);
  EXPECT_EQ(missing(G + row * Row + plane * Plane),
            (Rooms{row - threads, plane - num(8) * row}));
  // A quotient in the guard: the whole grid's width can be asked for.
  EXPECT_EQ(missing(G + row * Row + plane * Plane,
                    {less(G, world.quotient(param(2), num(2)))}),
            (Rooms{row - threads, plane - num(8) * row}));
  // Planes that the host can't compute: rows alone don't suffice.
  EXPECT_EQ(missing(G + row * Row + world.quotient(plane, num(2)) * Plane),
            Rooms{});
}

//===----------------------------------------------------------------------===//
// Coverage
//===----------------------------------------------------------------------===//

struct Store {
  Access access;
  std::array<Polynomial, 3> grid, block;
  std::optional<std::uint32_t> loopAxis = {};
};

struct Plain {
  PlanBuilder builder;
  Polynomial n = builder.value("n"), m = builder.value("m");
  ArrayId array = builder.array("A");

  Polynomial term(TermKind kind, std::vector<Polynomial> operands,
                  std::int64_t detail = 0) {
    return Polynomial(
        builder.program().terms.intern({kind, detail, std::move(operands)}));
  }
  LaunchId launch(const Store &store) {
    const KernelId kernel = builder.kernel("k", 1, 2, {store.access});
    if (store.loopAxis) {
      builder[kernel].gridStride.emplace();
      builder[kernel].gridStride->axis = *store.loopAxis;
    }
    return builder.launch(kernel, {{array, Polynomial{}}}, {n, m}, store.grid,
                          store.block);
  }
  /// Whether the stores, in launches of their own, cover the bytes.
  bool covers(const std::vector<Store> &stores, const Polynomial &bytes) {
    std::vector<LaunchId> launches;
    for (const Store &store : stores)
      launches.push_back(launch(store));
    builder.problem();
    std::vector<Reach> reaches;
    for (const LaunchId id : launches) {
      const auto stage = std::make_shared<const Stage>(
          makeStage(builder.program(), id, Frame::Bound));
      reaches.push_back(
          {&stage->accesses[0], &stage->accesses[0].guard, stage});
    }
    return coverArray(builder.program(), reaches, bytes,
                      knownOf(builder.program()));
  }
  /// Of `blocks` blocks of 16 threads, one for each of n elements.
  bool coversIn(const Polynomial &blocks, const Polynomial &threads = num(16)) {
    return covers({{write(0, global(), {less(global(), param(0))}),
                    {blocks, num(1), num(1)},
                    {threads, num(1), num(1)}}},
                  n * num(4));
  }
};

TEST(Coverage, GridsMustReachTheEnd) {
  const auto covers = [](TermKind kind, std::int64_t by, std::int64_t times,
                         std::int64_t more) {
    Plain plain;
    return plain.coversIn(plain.term(kind, {plain.n + num(15), num(by)}) *
                              num(times) +
                          num(more));
  };
  EXPECT_TRUE(covers(TermKind::Divide, 16, 1, 0));
  EXPECT_TRUE(covers(TermKind::Divide, 16, 1, 1));
  EXPECT_FALSE(covers(TermKind::Divide, 16, 1, -1));
  EXPECT_FALSE(covers(TermKind::Divide, 32, 1, 0));
  EXPECT_FALSE(covers(TermKind::Divide, 16, -1, 64));
  EXPECT_FALSE(covers(TermKind::Remainder, 16, 1, 0));
  // A quotient of nothing, and one block of threads that nobody counted.
  Plain plain;
  EXPECT_FALSE(plain.coversIn(plain.term(TermKind::Divide, {}) + num(1)));
  Plain other;
  EXPECT_FALSE(other.coversIn(num(1), other.m));
}

TEST(Coverage, StoresMustBeOfWholeElements) {
  const auto covers = [](const Access &access, std::int64_t more = 0) {
    Plain plain;
    return plain.covers(
        {{access, {num(1), num(1), num(1)}, {num(64), num(1), num(1)}}},
        num(64 * 4 + more));
  };
  Access store = write(0, global());
  EXPECT_TRUE(covers(store));
  EXPECT_FALSE(covers(store, 2)); // half an element at the end
  store.loops = {0};              // that may have no rounds
  EXPECT_FALSE(covers(store));
  store.loops = {};
  store.width = 2;
  EXPECT_FALSE(covers(store));
}

TEST(Coverage, CoordinatesOfOneStrideDoNotCount) {
  Plain plain;
  const std::array<Polynomial, 3> one = {num(1), num(1), num(1)};
  // A[x] for x < 3, and A[x + y] for x of 5 to 7 and y below 8: never A[3].
  EXPECT_FALSE(plain.covers(
      {{write(0, global(), {less(global(), num(3))}),
        one,
        {num(8), num(1), num(1)}},
       {write(0, global() + global(1), {atLeast(global(), num(5))}),
        one,
        {num(8), num(8), num(1)}}},
      num(8 * 4)));
}

TEST(Coverage, BoundsAreTheSameForAllThreads) {
  Plain plain;
  const std::array<Polynomial, 3> one = {num(1), num(1), num(1)};
  const Polynomial x = sym(SymbolKind::StrideIdx, 0);
  // Of 8 rows of 8: what is right of the diagonal, and what is left of y in all
  // rows z, for a y below 2: never A[3 * 8 + 1].
  EXPECT_FALSE(plain.covers(
      {{write(0, thread(2) * num(8) + x, {less(x, thread(1))}),
        one,
        {num(8), num(2), num(8)},
        0U},
       {write(0, thread(1) * num(8) + thread(), {atLeast(thread(), thread(1))}),
        one,
        {num(8), num(8), num(1)}}},
      num(64 * 4)));
}

TEST(Coverage, OnlyComparisonsAreAlternatives) {
  const auto covers = [](TermKind kind, std::int64_t detail, std::int64_t by) {
    Plain plain;
    const Polynomial x = global();
    const Polynomial isOne = num(1) - plain.term(kind, {x, num(by)}, detail);
    const std::array<Polynomial, 3> one = {num(1), num(1), num(1)};
    const std::array<Polynomial, 3> eight = {num(8), num(1), num(1)};
    return plain.covers(
        {{write(0, x, {less(x, num(2))}), one, eight},
         {write(0, x, {less(x, num(3)), {Relation::Zero, isOne}}), one, eight}},
        num(3 * 4));
  };
  EXPECT_TRUE(covers(TermKind::Compare, 0, 2));    // x == 2
  EXPECT_FALSE(covers(TermKind::Compare, 0, 1));   // x == 1
  EXPECT_TRUE(covers(TermKind::Compare, 3, 2));    // x <= 2
  EXPECT_FALSE(covers(TermKind::Compare, 2, 2));   // x < 2, and not x >= 2
  EXPECT_FALSE(covers(TermKind::Remainder, 0, 2)); // x % 2 == 1
}

TEST(Coverage, OnlyQuotientsTellTheirDividend) {
  const auto tells = [](TermKind kind, const Polynomial &by) {
    Plain plain;
    const LaunchId id =
        plain.launch({write(0, global()),
                      {plain.term(kind, {N, by}), num(1), num(1)},
                      {num(16), num(1), num(1)}});
    plain.builder.problem();
    const Program &program = plain.builder.program();
    return provesNonNegative(
        factsOf(program, makeStage(program, id, Frame::Bound)), N - by);
  };
  EXPECT_TRUE(tells(TermKind::Divide, num(16)));
  // n % 16 blocks, or at least 16, for n of 1; n / m for -4 and -2.
  EXPECT_FALSE(tells(TermKind::Remainder, num(16)));
  EXPECT_FALSE(tells(TermKind::Maximum, num(16)));
  EXPECT_FALSE(tells(TermKind::Divide, num(-2)));
  EXPECT_FALSE(tells(TermKind::Divide, M));
}

TEST(Coverage, SizesAreWidenedWhereTheyWereNarrowed) {
  const auto covers = [](TermKind kind, bool isTerm) {
    Plain plain;
    plain.builder.program().values[1].isPositive = true;
    std::vector<Polynomial> operands = {plain.m * num(4)};
    if (kind != TermKind::Narrow)
      operands.push_back(plain.n);
    const Polynomial size = plain.term(kind, std::move(operands), -32);
    return plain.covers({{write(0, global()),
                          {plain.m, num(1), num(1)},
                          {num(1), num(1), num(1)}}},
                        isTerm ? size : plain.n);
  };
  EXPECT_TRUE(covers(TermKind::Narrow, true));   // (int)(m * 4) bytes
  EXPECT_FALSE(covers(TermKind::Maximum, true)); // max(m * 4, n)
  EXPECT_FALSE(covers(TermKind::Narrow, false)); // n
}

//===----------------------------------------------------------------------===//
// Meetings
//===----------------------------------------------------------------------===//

const Guard Below = {less(global(), param(0))};
const Guard Interior = {atLeast(global(), num(1)),
                        less(global(), param(0) - num(1))};

/// First kernel: pointers (A, B); second: (B, C). Both get n.
std::string verdictOf(std::vector<Access> first, std::vector<Access> second,
                      PlanBuilder builder = {}) {
  const ArrayId a = builder.array("A"), b = builder.array("B"),
                c = builder.array("C");
  const Polynomial n = builder.value("n");
  const KernelId one = builder.kernel("one", 2, 1, std::move(first));
  const KernelId two = builder.kernel("two", 2, 1, std::move(second));
  const LaunchId x = builder.launch(one, {a, b}, {n});
  const LaunchId y = builder.launch(two, {b, c}, {n});
  return builder.verdict({x, y});
}

TEST(Legality, ReinterpretedElementsAreOfAnotherType) {
  const auto verdict = [](bool isFirst, bool isSecond) {
    Access store = write(1, global(), Below), load = read(0, global(), Below);
    store.isReinterpreted = isFirst;
    load.isReinterpreted = isSecond;
    return verdictOf({store}, {load, write(1, global(), Below)});
  };
  EXPECT_EQ(verdict(false, false), "fused");
  EXPECT_EQ(verdict(true, false), "UnknownIndex");
  EXPECT_EQ(verdict(false, true), "UnknownIndex");
  // Atomics of which one takes two elements at once.
  Access wide = atomic(0, global(), Below);
  wide.elementBytes = wide.width = 8;
  EXPECT_EQ(verdictOf({atomic(1, global(), Below)},
                      {wide, write(1, global(), Below)}),
            "AtomicConflict");
}

TEST(Legality, AccessesOfOneGuardDifferInTheirIndex) {
  // B[i] and A[i] from stage to stage, or B[i] and A[0], of all threads.
  const auto verdict = [](const Polynomial &place) {
    PlanBuilder builder;
    const ArrayId a = builder.array("A"), b = builder.array("B"),
                  c = builder.array("C");
    const Polynomial n = builder.value("n");
    const KernelId one = builder.kernel(
        "one", 2, 1, {write(0, global(), Below), write(1, place, Below)});
    const KernelId two =
        builder.kernel("two", 3, 1,
                       {read(0, global(), Below), read(1, place, Below),
                        write(2, global(), Below)});
    const LaunchId x = builder.launch(one, {b, a}, {n});
    const LaunchId y = builder.launch(two, {b, a, c}, {n});
    return builder.verdict({x, y});
  };
  EXPECT_EQ(verdict(global()), "fused");
  EXPECT_EQ(verdict(num(0)), "NotInjective");
}

TEST(Legality, CountersBelowTheStrideNeedAnEnd) {
  const auto verdict = [](const Polynomial &sign, const Polynomial &end,
                          const Polynomial &count, bool isFlow) {
    Guard guard = {less(global(), count), less(counter(0), end)};
    Access store =
        write(isFlow ? 1 : 0, num(8) * global() + sign * counter(0), guard);
    store.loops = {0};
    const Access load =
        read(isFlow ? 0 : 1, num(8) * global() + sign * num(3), Below);
    return isFlow ? verdictOf({store}, {load, write(1, global(), Below)})
                  : verdictOf({load}, {store, write(1, global(), Below)});
  };
  for (const bool isFlow : {false, true}) {
    const std::string neighbour = isFlow ? "NeighbourRead" : "NeighbourWrite";
    EXPECT_EQ(verdict(num(1), num(8), param(0), isFlow), "fused");
    EXPECT_EQ(verdict(num(-1), num(8), param(0), isFlow), "fused");
    EXPECT_EQ(verdict(num(-1), num(9), param(0), isFlow), neighbour);
    EXPECT_EQ(verdict(num(-1), param(0), param(0), isFlow), neighbour);
  }
}

TEST(Legality, OnlyCountersWithinTermsAreHidden) {
  // B[i * 8 + k] for i below n / 2, and B[i * 8 + 3].
  PlanBuilder builder;
  const Polynomial half(builder.program().terms.intern(
      {TermKind::Divide, 0, {param(0), num(2)}}));
  const Guard inHalf = {less(global(), half)};
  Guard rounds = inHalf;
  rounds.push_back(less(counter(0), num(8)));
  Access store = write(1, num(8) * global() + counter(0), rounds);
  store.loops = {0};
  EXPECT_EQ(verdictOf({store},
                      {read(0, num(8) * global() + num(3), inHalf),
                       write(1, global(), inHalf)},
                      std::move(builder)),
            "fused");
}

TEST(Legality, CountersWithinTermsAreTheirKernels) {
  // B[i * 8 + k] where k / 2 is below 2. The reader's k is in a loop over t, of
  // which it asks that.
  const auto verdict = [](std::uint32_t loop) {
    PlanBuilder builder;
    const auto rounds = [&](std::uint32_t k) {
      const Polynomial half(builder.program().terms.intern(
          {TermKind::Divide, 0, {counter(0), num(2)}}));
      Guard guard = Below;
      guard.push_back(less(counter(k), num(8)));
      guard.push_back(less(half, num(2)));
      return guard;
    };
    Access store = write(1, num(8) * global() + counter(0), rounds(0));
    store.loops = {0};
    Access load = read(0, num(8) * global() + counter(loop), rounds(loop));
    load.loops = {0, 1};
    return verdictOf({store}, {load, write(1, global(), Below)},
                     std::move(builder));
  };
  EXPECT_EQ(verdict(0), "fused");
  EXPECT_EQ(verdict(1), "NeighbourRead");
}

TEST(Meetings, ReadsTakeNothingFromReads) {
  const World world;
  const Access load = read(0, G), store = write(0, G);
  StageAccess reads = world.at(G), stores = world.at(G);
  reads.access = &load;
  stores.access = &store;
  const PlacedAccess one{world.stage, reads}, two{world.stage, stores};
  EXPECT_TRUE(isFlow(two, one));
  EXPECT_FALSE(isFlow(one, one));
  EXPECT_FALSE(isFlow(one, two));
  EXPECT_FALSE(isFlow(two, two));
}

/// How A[x - 1] meets what was written to A[x], or A[y - 1] what to A[y].
class NextDoor {
public:
  explicit NextDoor(const Polynomial &at)
      : Wrote(write(0, at)), Reads(read(0, at - num(1))) {
    Typed.pointers.resize(1);
    First.kernel = Second.kernel = &Typed;
    Store = Here.at(at);
    Load = Here.at(at - num(1), {atLeast(at, num(1))});
    Store.access = &Wrote;
    Load.access = &Reads;
  }
  std::string meeting() const {
    const Meeting found = meet({First, Store}, {Second, Load}, Here.facts());
    return found.kind == Meeting::Kind::Neighbour ? "neighbour"
           : found.kind == Meeting::Kind::Conflict
               ? obstacleName(found.obstacle)
               : "other";
  }
  World Here;
  Kernel Typed, Bare;
  Access Wrote, Reads;
  Stage First = Here.stage, Second = Here.stage;
  StageAccess Store, Load;
};

TEST(Meetings, TilesAreOfASizeThatTheCompilerKnows) {
  EXPECT_EQ(NextDoor(G).meeting(), "neighbour");
  for (const bool isFirst : {false, true})
    for (const bool isSecond : {false, true}) {
      NextDoor at(G);
      (isFirst ? at.First : at.Second).block[0] = N;
      (isSecond ? at.Second : at.First).block[0] = N;
      EXPECT_EQ(at.meeting(), "NeighbourRead");
    }
}

TEST(Meetings, LoopsOverTheGridHaveNoTiles) {
  for (const bool isLoop : {false, true}) {
    NextDoor at(Row);
    for (Stage *stage : {&at.First, &at.Second}) {
      stage->grid = {num(1), num(64), num(1)};
      stage->block = {num(1), num(256), num(1)};
    }
    if (isLoop)
      at.Second.strideAxis = 0;
    EXPECT_EQ(at.meeting(), isLoop ? "NeighbourRead" : "neighbour");
  }
}

TEST(Meetings, PointersHaveTypes) {
  for (const bool isFirst : {false, true}) {
    NextDoor at(G);
    (isFirst ? at.First : at.Second).kernel = &at.Bare;
    EXPECT_EQ(at.meeting(), "UnknownIndex");
  }
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

TEST(Passes, EndWhereATileIsFilled) {
  // A tile from the producer to the consumers; which stages take turns.
  const auto passes = [](std::vector<std::uint32_t> producers,
                         std::vector<std::uint32_t> consumers) {
    static const Kernel kernel;
    Group group;
    for (int i = 0; i < 3; ++i) {
      Stage stage;
      stage.kernel = &kernel;
      group.stages.add(std::move(stage));
    }
    std::vector<Placement> placements(1);
    placements[0].kind = PlacementKind::Register;
    placements[0].isTile = true;
    placements[0].producers = std::move(producers);
    placements[0].consumers = std::move(consumers);
    return settlePasses(group, std::vector<Halo>(3), placements);
  };
  using Numbers = std::vector<std::uint32_t>;
  EXPECT_EQ(passes({0}, {1}), (Numbers{0, 1, 1}));
  EXPECT_EQ(passes({0}, {2}), (Numbers{0, 0, 1}));
  EXPECT_EQ(passes({0}, {1, 2}), (Numbers{0, 1, 1}));
  EXPECT_EQ(passes({0, 1}, {2}), (Numbers{0, 1, 2}));
}

Guard both(Guard guard, const Guard &more) {
  guard.insert(guard.end(), more.begin(), more.end());
  return guard;
}

// B[i] is written where i / 768 is at least 1, in blocks of 256 threads, and
// read from block 3 on, in blocks of 128: from B[384] on.
TEST(Meetings, TermsOfMovedMembersHaveOtherBlocks) {
  PlanBuilder builder;
  const ArrayId a = builder.array("A"), b = builder.array("B"),
                c = builder.array("C");
  const Polynomial n = builder.value("n");
  const Polynomial far(builder.program().terms.intern(
      {TermKind::Divide, 0, {global(), num(768)}}));
  const Guard written = both(Below, {atLeast(far, num(1))});
  const KernelId one = builder.kernel(
      "one", 2, 1, {read(0, global(), written), write(1, global(), written)});
  const Guard asked = both(Below, {atLeast(block(), num(3))});
  const KernelId two = builder.kernel(
      "two", 2, 1, {read(0, global(), asked), write(1, global(), asked)});
  builder[two].features.push_back({KernelFeature::BlockPlace, {}, ""});
  const auto at = [](ArrayId array) {
    return PointerValue{array, Polynomial{}};
  };
  const LaunchId x =
      builder.launch(one, {at(a), at(b)}, {n}, {num(64), num(1), num(1)},
                     {num(256), num(1), num(1)});
  const LaunchId y =
      builder.launch(two, {at(b), at(c)}, {n}, {num(128), num(1), num(1)},
                     {num(128), num(1), num(1)});
  ASSERT_EQ(builder.verdict({x, y}), "fused");
  const FusedKernel fused = builder.plan({x, y});
  for (const Placement &placement : fused.placements)
    if (placement.array == b) {
      EXPECT_TRUE(placement.isPartial()) << placementOf(fused, b);
    }
}

// B[i * 8 + k] is written where k / 2 is at least 1, and read for all k in a
// loop over q, for q of at least 2.
TEST(Meetings, CountersWithinTermsAreNotRenamed) {
  PlanBuilder builder;
  const ArrayId a = builder.array("A"), b = builder.array("B"),
                c = builder.array("C");
  const Polynomial n = builder.value("n");
  const Polynomial half(builder.program().terms.intern(
      {TermKind::Divide, 0, {counter(1), num(2)}}));
  const Guard loops =
      both(Below, {less(counter(0), num(4)), less(counter(1), num(8))});
  Access store = write(1, num(8) * global() + counter(1),
                       both(loops, {atLeast(half, num(1))}));
  Access load = read(0, num(8) * global() + counter(1),
                     both(loops, {atLeast(counter(0), num(2))}));
  store.loops = load.loops = {0, 1};
  const KernelId one = builder.kernel("one", 2, 1, {store});
  const KernelId two =
      builder.kernel("two", 2, 1, {load, write(1, global(), Below)});
  const LaunchId x = builder.launch(one, {a, b}, {n});
  const LaunchId y = builder.launch(two, {b, c}, {n});
  builder.problem();
  const Stage first = makeStage(builder.program(), x, Frame::Bound),
              second = makeStage(builder.program(), y, Frame::Bound);
  EXPECT_FALSE(meet({first, first.accesses[0]}, {second, second.accesses[0]},
                    knownOf(builder.program()))
                   .isCovered);
}

// B[i * 8 + k] is written for k of 3 to 5, and read for k of 20, too, which
// another thread wrote.
TEST(Meetings, CountersWithinTermsLetThreadsMeet) {
  PlanBuilder builder;
  const ArrayId a = builder.array("A"), b = builder.array("B"),
                c = builder.array("C");
  const Polynomial n = builder.value("n");
  const Polynomial k = counter(1), q = counter(0);
  const Polynomial least(builder.program().terms.intern(
      {TermKind::Minimum, 0, {k - num(3), num(100) - num(9) * k}}));
  const Guard loops = both(
      Below, {less(q, num(4)), less(k, num(64)), atLeast(num(7), k + least)});
  Access store =
      write(1, num(8) * global() + k, both(loops, {atLeast(least, num(0))}));
  Access load =
      read(0, num(8) * global() + k, both(loops, {atLeast(q, num(3))}));
  store.loops = load.loops = {0, 1};
  const KernelId one = builder.kernel("one", 2, 1, {store});
  const KernelId two =
      builder.kernel("two", 2, 1, {load, write(1, global(), Below)});
  const LaunchId x = builder.launch(one, {a, b}, {n});
  const LaunchId y = builder.launch(two, {b, c}, {n});
  builder.problem();
  const Stage first = makeStage(builder.program(), x, Frame::Bound),
              second = makeStage(builder.program(), y, Frame::Bound);
  EXPECT_EQ(meet({first, first.accesses[0]}, {second, second.accesses[0]},
                 knownOf(builder.program()))
                .kind,
            Meeting::Kind::Conflict);
}

} // namespace
} // namespace kfuse
