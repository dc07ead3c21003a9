//===- ShapeMappingTest.cpp - Members in the shapes of others -------------===//

#include "PlanBuilder.h"

#include "fusion/shapes/ShapeMapping.h"

#include <gtest/gtest.h>

namespace kfuse {
namespace {

using namespace test;

constexpr std::int64_t Large = std::int64_t{1} << 40;

TEST(ShapeMapping, BlocksAreNoLargerThanTheirKernelSays) {
  Kernel kernel;
  const auto allows = [&](const PerAxis &block) {
    return allowsBlock(kernel, block);
  };
  EXPECT_TRUE(allows({num(256), num(4), num(1)}));
  kernel.maxThreads = 128;
  EXPECT_TRUE(allows({num(32), num(4), num(1)}));
  EXPECT_FALSE(allows({num(32), num(4), num(2)}));
  EXPECT_FALSE(allows({sym(SymbolKind::HostValue, 0), num(1), num(1)}));
  EXPECT_FALSE(allows({num(0), num(1), num(1)}));
  EXPECT_FALSE(allows({num(-8), num(-8), num(1)}));
  // Their product is 0 in 64 bits.
  EXPECT_FALSE(allows({num(Large), num(Large), num(1)}));
}

TEST(ShapeMapping, AWideBlockIsWide) {
  Stage stage;
  stage.grid = {num(64), num(1), num(1)};
  stage.block = {num(1), num(8), num(1)};
  EXPECT_FALSE(isOneWide(stage, 0));
  EXPECT_FALSE(isOneWide(stage, 1));
  EXPECT_TRUE(isOneWide(stage, 2));
}

/// Builds a stage with one access in the coordinates of its kernel's text.
struct OneAccess {
  Kernel kernel;
  Stage stage;
  OneAccess(IndexExpr index, Guard guard) {
    stage.kernel = &kernel;
    StageAccess access;
    access.index = std::move(index);
    access.guard = std::move(guard);
    stage.accesses.push_back(std::move(access));
  }
};

TEST(ShapeMapping, ThreadsOfAnyBlockKnowTheirGlobalIndexAlone) {
  const auto isFree = [](const IndexExpr &index, const Guard &guard) {
    return isFreeOfBlocks(OneAccess(index, guard).stage);
  };
  const Polynomial place = sym(SymbolKind::GlobalIdx, 0);
  EXPECT_TRUE(isFree(place, {less(place, num(100))}));
  EXPECT_TRUE(isFree(NotPolynomial::Indirect, {}));
  for (const Polynomial &own : {thread(), block(), place - block() * num(32)}) {
    SCOPED_TRACE(print(own));
    EXPECT_FALSE(isFree(own, {}));
    EXPECT_FALSE(isFree(place, {less(own, num(100))}));
    EXPECT_FALSE(isFree(NotPolynomial::Indirect, {less(own, num(100))}));
  }
}

TEST(ShapeMapping, IterationsOverflowAsThreads) {
  // The coefficients add up to one of the thread's, which is too large.
  const Polynomial half = num(std::int64_t{1} << 62);
  const Polynomial loop = sym(SymbolKind::StrideIdx, 0);
  const Polynomial both = half * loop + half * sym(SymbolKind::GlobalIdx, 0);
  const auto unrolls = [](const IndexExpr &index, const Guard &guard) {
    OneAccess one(index, guard);
    one.stage.strideAxis = 0;
    return unrollLoop(one.stage);
  };
  EXPECT_TRUE(unrolls(loop, {less(loop, num(100))}));
  EXPECT_FALSE(unrolls(both, {}));
  EXPECT_FALSE(unrolls(loop, {{Relation::NonNegative, both}}));
}

// Both kernels have 256 threads per block. In a single block threadIdx is the
// global index. In a grid of several blocks, each has a thread that the guard
// admits.
TEST(ShapeMapping, OneBlockAmongOthersIsLeftToOne) {
  const auto isBounded = [](const Polynomial &place) {
    PlanBuilder builder;
    const ArrayId a = builder.array("A"), b = builder.array("B"),
                  c = builder.array("C");
    const Guard first = {less(place, num(100))},
                below = {less(global(), param(0))};
    const KernelId all = builder.kernel(
        "all", 2, 1, {read(0, global(), below), write(1, global(), below)});
    const KernelId few = builder.kernel(
        "few", 2, 1, {read(0, place, first), write(1, place, first)});
    if (place == thread())
      builder[few].features.push_back({KernelFeature::BlockPlace, {}, ""});
    const LaunchId x = builder.launch(all, {a, b}, {num(16384)});
    const LaunchId y = builder.launch(few, {b, c}, {num(0)});
    builder.program().launches[1].grid.extent[0] = num(1);
    return builder.plan({x, y}).fits[1].isBounded();
  };
  EXPECT_FALSE(isBounded(global()));
  EXPECT_TRUE(isBounded(thread()));
}

} // namespace
} // namespace kfuse
