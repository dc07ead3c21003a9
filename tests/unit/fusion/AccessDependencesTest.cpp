//===- AccessDependencesTest.cpp - Dependences between two accesses -------===//

#include "World.h"

#include "fusion/dependence/AccessDependences.h"
#include "fusion/dependence/FullWriteProof.h"
#include "fusion/dependence/Guards.h"
#include "fusion/forwarding/Phases.h"
#include "fusion/group/Group.h"

#include <gtest/gtest.h>

namespace kfuse {
namespace {

using namespace test;

TEST(Legality, ReinterpretedElementsAreOfAnotherType) {
  const auto verdict = [](bool isFirst, bool isSecond) {
    Access store = write(1, global(), Below), load = read(0, global(), Below);
    store.isReinterpreted = isFirst;
    load.isReinterpreted = isSecond;
    return verdictOf({store}, {load, write(1, global(), Below)});
  };
  EXPECT_EQ(verdict(false, false), "fused");
  EXPECT_EQ(verdict(true, false), "NonPolynomialIndex");
  EXPECT_EQ(verdict(false, true), "NonPolynomialIndex");
  // One of the atomics accesses two elements at once.
  Access wide = atomic(0, global(), Below);
  wide.elementBytes = wide.width = 8;
  EXPECT_EQ(verdictOf({atomic(1, global(), Below)},
                      {wide, write(1, global(), Below)}),
            "AtomicConflict");
}

TEST(Legality, AccessesOfOneGuardDifferInTheirIndex) {
  // The stages access B[i] and A[i], or B[i] and A[0] in all threads.
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
    const std::string neighbour =
        isFlow ? "CrossThreadFlow" : "CrossThreadAntiDependence";
    SCOPED_TRACE(neighbour);
    EXPECT_EQ(verdict(num(1), num(8), param(0), isFlow), "fused");
    EXPECT_EQ(verdict(num(-1), num(8), param(0), isFlow), "fused");
    // One element more is another thread's first, which isn't loaded.
    EXPECT_EQ(verdict(num(-1), num(9), param(0), isFlow), "fused");
    EXPECT_EQ(verdict(num(-1), num(12), param(0), isFlow), neighbour);
    // The host tests that the loop ends in the row.
    EXPECT_EQ(verdict(num(-1), param(0), param(0), isFlow), "fused");
  }
}

TEST(Legality, OnlyCountersWithinTermsAreHidden) {
  // The store is to B[i * 8 + k] for i below n / 2, the load from B[i * 8 + 3].
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
  // B[i * 8 + k] is written for k / 2 below 2. The reader has loops over t and
  // k, and its guard asks for t / 2 below 2.
  const auto verdict = [](std::uint32_t loop) {
    PlanBuilder builder;
    builder.program().language = Language::OpenCL; // no block waits
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
  EXPECT_EQ(verdict(1), "CrossThreadFlow");
}

TEST(AccessDependences, ReadsTakeNothingFromReads) {
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

/// Compares a load of A[x - 1] with a store to A[x], or the same along y.
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
  std::string dependence() const {
    const AccessDependence found =
        dependenceBetween({First, Store}, {Second, Load}, Here.facts());
    return found.kind == AccessDependence::Kind::Neighbour ? "neighbour"
           : found.kind == AccessDependence::Kind::Conflict
               ? obstacleName(found.obstacle)
               : "other";
  }
  World Here;
  Kernel Typed, Bare;
  Access Wrote, Reads;
  Stage First = Here.stage, Second = Here.stage;
  StageAccess Store, Load;
};

TEST(AccessDependences, TilesAreOfASizeThatTheCompilerKnows) {
  EXPECT_EQ(NextDoor(G).dependence(), "neighbour");
  for (const bool isFirst : {false, true})
    for (const bool isSecond : {false, true}) {
      NextDoor at(G);
      (isFirst ? at.First : at.Second).block[0] = N;
      (isSecond ? at.Second : at.First).block[0] = N;
      EXPECT_EQ(at.dependence(), "CrossThreadFlow") << isFirst << isSecond;
    }
}

TEST(AccessDependences, LoopsOverTheGridHaveNoTiles) {
  for (const bool isLoop : {false, true}) {
    NextDoor at(Row);
    for (Stage *stage : {&at.First, &at.Second}) {
      stage->grid = {num(1), num(64), num(1)};
      stage->block = {num(1), num(256), num(1)};
    }
    if (isLoop)
      at.Second.strideAxis = 0;
    EXPECT_EQ(at.dependence(), isLoop ? "CrossThreadFlow" : "neighbour");
  }
}

TEST(AccessDependences, PointersHaveTypes) {
  for (const bool isFirst : {false, true}) {
    NextDoor at(G);
    (isFirst ? at.First : at.Second).kernel = &at.Bare;
    EXPECT_EQ(at.dependence(), "NonPolynomialIndex") << isFirst;
  }
}

// In another shape the text's comparisons are about other coordinates, so the
// stage has a single alternative.
TEST(Guards, AlternativesAreOfAStageInItsOwnShape) {
  World world;
  const Polynomial first = world.term(TermKind::Compare, {Text, num(0)}),
                   last = world.term(TermKind::Compare, {Text, N});
  const Guard edges = {{Relation::Zero, (num(1) - first) * (num(1) - last)}};
  EXPECT_EQ(alternatives(edges, world.stage, world.terms).size(), 2U);
  world.stage.hasOwnTerms = false;
  EXPECT_EQ(alternatives(edges, world.stage, world.terms).size(), 1U);
}

TEST(Phases, EndWhereATileIsFilled) {
  // Returns the phases of three stages if a tile passes from the producers to
  // the consumers.
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
    return assignPhases(group, std::vector<Halo>(3), placements);
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

// B[i] is written for i / 768 of at least 1, in blocks of 256 threads. It is
// read from block 3 on in blocks of 128 threads, which is from B[384] on.
TEST(AccessDependences, TermsOfMovedMembersHaveOtherBlocks) {
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

/// Returns how a load in one kernel depends on a store in another one, each in
/// two loops.
AccessDependence meetingOf(PlanBuilder builder, Access store, Access load) {
  const ArrayId array = builder.array("A");
  store.loops = load.loops = {0, 1};
  store.pointer = load.pointer = 0;
  const Polynomial n = builder.value("n");
  std::vector<Stage> stages;
  std::vector<LaunchId> launches;
  for (const Access &access : {store, load})
    launches.push_back(builder.launch(builder.kernel("k", 1, 1, {access}),
                                      std::vector<ArrayId>{array}, {n}));
  builder.problem();
  for (const LaunchId launch : launches)
    stages.push_back(makeStage(builder.program(), launch, SymbolSpace::Launch));
  return dependenceBetween({stages[0], stages[0].accesses[0]},
                           {stages[1], stages[1].accesses[0]},
                           knownOf(builder.program()));
}

// B[i * 8 + k] is written for k / 2 of at least 1. It is read for all k, in the
// iterations of a loop over q from q = 2 on.
TEST(AccessDependences, CountersWithinTermsAreNotRenamed) {
  PlanBuilder builder;
  const Polynomial half(builder.program().terms.intern(
      {TermKind::Divide, 0, {counter(1), num(2)}}));
  const Guard loops =
      both(Below, {less(counter(0), num(4)), less(counter(1), num(8))});
  Access store = write(1, num(8) * global() + counter(1),
                       both(loops, {atLeast(half, num(1))}));
  Access load = read(0, num(8) * global() + counter(1),
                     both(loops, {atLeast(counter(0), num(2))}));
  EXPECT_FALSE(meetingOf(std::move(builder), store, load).isCovered);
}

// B[i * 8 + k] is written for k from 3 to 5. It is also read for k = 20, an
// element that another thread wrote.
TEST(AccessDependences, CountersWithinTermsLetThreadsMeet) {
  PlanBuilder builder;
  const Polynomial k = counter(1), q = counter(0);
  const Polynomial least(builder.program().terms.intern(
      {TermKind::Minimum, 0, {k - num(3), num(100) - num(9) * k}}));
  const Guard loops = both(
      Below, {less(q, num(4)), less(k, num(64)), atLeast(num(7), k + least)});
  Access store =
      write(1, num(8) * global() + k, both(loops, {atLeast(least, num(0))}));
  Access load =
      read(0, num(8) * global() + k, both(loops, {atLeast(q, num(3))}));
  EXPECT_EQ(meetingOf(std::move(builder), store, load).kind,
            AccessDependence::Kind::Conflict);
}

} // namespace
} // namespace kfuse
