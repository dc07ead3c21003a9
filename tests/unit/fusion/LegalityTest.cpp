//===- LegalityTest.cpp - Pairs of kernels that may be fused --------------===//
//
// Tests pairs of kernels: a writer of B and the kernel that follows it. Each
// row names the obstacle if the pair is refused.
//
//===----------------------------------------------------------------------===//

#include "PlanBuilder.h"

#include <gtest/gtest.h>

namespace kfuse {
namespace {

using namespace test;

std::vector<Access> copy(const Guard &guard) {
  return {read(0, global(), guard), write(1, global(), guard)};
}

TEST(Legality, SameIndexAndGuardFuse) {
  EXPECT_EQ(verdictOf(copy(Below), copy(Below)), "fused");
  EXPECT_EQ(verdictOf(copy(Below), copy(Interior)), "fused");
  EXPECT_EQ(verdictOf(copy({}), copy(Below)), "fused");
}

TEST(Legality, UpdatesMayGoBeyondTheGuard) {
  const auto updated = [](const Guard &guard) {
    return update(0, global(), guard);
  };
  EXPECT_EQ(verdictOf(copy(Interior), updated(Below)), "fused");
  EXPECT_EQ(verdictOf(copy(Below), updated(Interior)), "fused");
}

TEST(Legality, NeighboursAreRefused) {
  // Each thread reads the whole vector.
  EXPECT_EQ(verdictOf(copy(Below),
                      {read(0, counter(0), Below), write(1, global(), Below)}),
            "CrossThreadFlow");
}

TEST(Legality, WritesAfterReadsNeedTheSameThread) {
  auto verdict = [](const Polynomial &readAt, const Polynomial &writtenAt) {
    PlanBuilder builder;
    const ArrayId a = builder.array("A"), b = builder.array("B"),
                  c = builder.array("C");
    const Polynomial n = builder.value("n");
    const KernelId one = builder.kernel(
        "one", 2, 1, {read(0, readAt, Interior), write(1, global(), Interior)});
    const KernelId two = builder.kernel(
        "two", 2, 1,
        {read(0, global(), Interior), write(1, writtenAt, Interior)});
    const LaunchId x = builder.launch(one, {a, b}, {n});
    const LaunchId y = builder.launch(two, {c, a}, {n});
    return builder.verdict({x, y});
  };
  EXPECT_EQ(verdict(global(), global()), "fused");
  EXPECT_EQ(verdict(global() + num(1), global()), "CrossThreadAntiDependence");
  EXPECT_EQ(verdict(global(), num(7)), "CrossThreadAntiDependence");
}

TEST(Legality, ConsumerThatUpdatesWhatNeighboursReadIsRefused) {
  PlanBuilder builder;
  const ArrayId u = builder.array("u"), r = builder.array("r");
  const Polynomial n = builder.value("n");
  const KernelId residual = builder.kernel(
      "residual", 2, 1,
      {read(0, global() - num(1), Interior),
       read(0, global() + num(1), Interior), write(1, global(), Interior)});
  std::vector<Access> accesses = {read(0, global(), Interior)};
  for (const Access &half : update(1, global(), Interior))
    accesses.push_back(half);
  const KernelId apply = builder.kernel("apply", 2, 1, accesses);
  const LaunchId x = builder.launch(residual, {u, r}, {n});
  const LaunchId y = builder.launch(apply, {r, u}, {n});
  EXPECT_EQ(builder.verdict({x, y}), "CrossThreadAntiDependence");
  const Obstacle obstacle = builder.obstacle({x, y});
  EXPECT_EQ(obstacle.text, "'apply' writes u at (i), which another thread of "
                           "'residual' reads at (i - 1)");
  EXPECT_EQ(obstacle.notes.size(), 2u);
  EXPECT_FALSE(obstacle.remedy.empty());
}

TEST(Legality, EveryThreadWritingOneElementIsRefused) {
  EXPECT_EQ(verdictOf({read(0, global(), Below), write(1, num(0), Below)},
                      {read(0, num(0), Below), write(1, global(), Below)}),
            "NotInjective");
  // One thread writes the element and all threads read it.
  EXPECT_EQ(verdictOf({write(1, num(0), {equal(global(), num(0))})},
                      {read(0, num(0), Below), write(1, global(), Below)}),
            "CrossThreadFlow");
  // One thread writes the element and the same thread reads it.
  EXPECT_EQ(verdictOf({write(1, num(0), {equal(global(), num(0))})},
                      {read(0, num(0), {equal(global(), num(0))}),
                       write(1, num(3), {equal(global(), num(0))})}),
            "fused");
}

TEST(Legality, TransposedRowsAreRefused) {
  const Polynomial n = param(0);
  const Guard guard = {less(global(), n), less(counter(0), n),
                       atLeast(counter(0), num(0))};
  Access row = write(1, global() * n + counter(0), guard);
  row.loops = {0};
  Access column = read(0, counter(0) * n + global(), guard);
  column.loops = {0};
  EXPECT_EQ(verdictOf({row}, {column, write(1, global(), Below)}),
            "CrossThreadFlow");
  Access sameRow = read(0, global() * n + counter(0), guard);
  sameRow.loops = {0};
  EXPECT_EQ(verdictOf({row}, {sameRow, write(1, global(), Below)}), "fused");
}

TEST(Legality, CountersOfTwoKernelsAreToldApart) {
  const auto in = [](std::uint32_t loop, std::int64_t end) {
    return Guard{atLeast(counter(loop), num(0)), less(counter(loop), num(end))};
  };
  const auto both = [](Guard guard, const Guard &more) {
    guard.insert(guard.end(), more.begin(), more.end());
    return guard;
  };
  // B[i * 8 + k] is written for k below 4 or for odd k. The reader's k is in a
  // loop over t.
  const auto verdict = [&](const Guard &written, const Guard &asked) {
    Access store =
        write(1, global() * num(8) + counter(0), both(Below, written));
    store.loops = {0};
    Access load =
        read(0, global() * num(8) + counter(1), both(Interior, asked));
    load.loops = {0, 1};
    return verdictOf({store}, {load, write(1, global(), Below)});
  };
  EXPECT_EQ(verdict(in(0, 4), both(in(0, 8), in(1, 4))), "fused");
  EXPECT_EQ(verdict(in(0, 4), both(in(0, 4), in(1, 12))), "CrossThreadFlow");
}

TEST(Legality, CountersBelowTheStrideStayInTheThread) {
  // The store is to B[stride * i + k] for k below `end`, the load from B[stride
  // * i + place].
  const auto stores = [](std::uint32_t pointer, const Polynomial &stride,
                         const Polynomial &end) {
    Guard guard = Below;
    guard.push_back(atLeast(counter(0), num(0)));
    guard.push_back(less(counter(0), end));
    Access store = write(pointer, global() * stride + counter(0), guard);
    store.loops = {0};
    return store;
  };
  const auto load = [](std::uint32_t pointer, const Polynomial &stride,
                       std::int64_t place) {
    return read(pointer, global() * stride + num(place), Below);
  };
  const auto readAfter = [&](const Polynomial &stride, const Polynomial &end,
                             std::int64_t place) {
    return verdictOf({stores(1, stride, end)},
                     {load(0, stride, place), write(1, global(), Below)});
  };
  const auto writtenAfter = [&](const Polynomial &stride, const Polynomial &end,
                                std::int64_t place) {
    return verdictOf({load(1, stride, place)},
                     {stores(0, stride, end), write(1, global(), Below)});
  };
  EXPECT_EQ(readAfter(num(8), num(8), 3), "fused");
  EXPECT_EQ(readAfter(num(8), num(8), 0), "fused");
  EXPECT_EQ(readAfter(num(8), num(8), 8), "CrossThreadFlow");
  EXPECT_EQ(readAfter(num(8), num(8), -1), "CrossThreadFlow");
  EXPECT_EQ(readAfter(num(8), num(11), 3), "fused");
  EXPECT_EQ(readAfter(num(8), num(12), 3), "CrossThreadFlow");
  // The host tests that the row is long enough.
  EXPECT_EQ(readAfter(num(8), param(0), 3), "fused");
  EXPECT_EQ(readAfter(param(0), param(0), 0), "fused");
  EXPECT_EQ(readAfter(param(0), param(0), 1), "fused");
  EXPECT_EQ(writtenAfter(num(8), num(8), 3), "fused");
  EXPECT_EQ(writtenAfter(num(8), num(8), 9), "CrossThreadAntiDependence");
}

TEST(Legality, OwnRowsMayBeWrittenAfterReading) {
  PlanBuilder builder;
  const ArrayId a = builder.array("A"), b = builder.array("B");
  const Polynomial n = builder.value("n"), k = builder.value("k");
  const Guard guard = {less(global(), param(0)), less(counter(0), param(1)),
                       atLeast(counter(0), num(0))};
  Access load = read(0, global() * param(1) + counter(0), guard);
  load.loops = {0};
  Access store = write(0, global() * param(1) + counter(0), guard);
  store.loops = {0};
  const KernelId sum =
      builder.kernel("sum", 2, 2, {load, write(1, global(), Below)});
  const KernelId clear = builder.kernel("clear", 1, 2, {store});
  const LaunchId x = builder.launch(sum, {a, b}, {n, k});
  const LaunchId y = builder.launch(clear, {a}, {n, k});
  EXPECT_EQ(builder.verdict({x, y}), "fused");
}

TEST(Legality, UnknownIndicesAreRefused) {
  EXPECT_EQ(verdictOf(copy(Below), {read(0, NotPolynomial::Indirect, Below),
                                    write(1, global(), Below)}),
            "NonPolynomialIndex");
  EXPECT_EQ(verdictOf({read(0, global(), Below),
                       write(1, NotPolynomial::Indirect, Below)},
                      copy(Below)),
            "NonPolynomialIndex");
  // An index list that nothing writes doesn't matter.
  EXPECT_EQ(verdictOf({read(0, NotPolynomial::Indirect, Below),
                       write(1, global(), Below)},
                      copy(Below)),
            "fused");
}

TEST(Legality, AtomicsMeetOnlyTheirLike) {
  EXPECT_EQ(verdictOf({read(0, global(), Below), atomic(1, num(0), Below)},
                      {read(0, num(0), Below), write(1, global(), Below)}),
            "AtomicConflict");
  EXPECT_EQ(verdictOf({atomic(1, NotPolynomial::Indirect, Below)},
                      {read(0, global(), Below), write(1, global(), Below)}),
            "AtomicConflict");
  EXPECT_EQ(verdictOf({read(0, global(), Below), atomic(1, num(0), Below)},
                      {atomic(0, num(0), Below), write(1, global(), Below)}),
            "fused");
  Access maximum = atomic(0, num(0), Below);
  maximum.atomicOperation = 2;
  EXPECT_EQ(verdictOf({read(0, global(), Below), atomic(1, num(0), Below)},
                      {maximum, write(1, global(), Below)}),
            "AtomicConflict");
}

TEST(Legality, AnotherIndexSpaceMayNotOverwrite) {
  PlanBuilder builder;
  const ArrayId a = builder.array("A"), b = builder.array("B");
  const Polynomial n = builder.value("n");
  const KernelId fill = builder.pointwise("fill", 1);
  const KernelId edges = builder.kernel(
      "edges", 2, 1,
      {read(0, global(), Below), write(1, global() * param(0), Below)});
  const LaunchId x = builder.launch(fill, {a, b}, {n});
  const LaunchId y = builder.launch(edges, {a, b}, {n});
  EXPECT_EQ(builder.verdict({x, y}), "CrossThreadAntiDependence");
}

TEST(Legality, PartsOfElementsThatDifferDoNotMeet) {
  Access first = write(1, global(), Below);
  first.elementBytes = 8;
  first.offset = 0;
  Access second = read(0, global() + num(1), Below);
  second.elementBytes = 8;
  second.offset = 4;
  EXPECT_EQ(verdictOf({first}, {second, write(1, global(), Below)}), "fused");
  second.offset = 0;
  EXPECT_EQ(verdictOf({first}, {second, write(1, global(), Below)}),
            "NotForwardable");
  second.elementBytes = 4;
  EXPECT_EQ(verdictOf({first}, {second, write(1, global(), Below)}),
            "NonPolynomialIndex");
}

TEST(Legality, InterleavedFieldsDoNotMeet) {
  EXPECT_EQ(verdictOf({write(1, num(3) * global(), Below)},
                      {read(0, num(3) * global() + num(1), Below),
                       write(1, global(), Below)}),
            "fused");
  EXPECT_EQ(verdictOf({write(1, num(3) * global(), Below)},
                      {read(0, num(3) * global() + num(3), Below),
                       write(1, global(), Below)}),
            "fused");
  EXPECT_EQ(
      verdictOf({write(1, num(3) * global(), Below)},
                {read(0, num(2) * global(), Below), write(1, global(), Below)}),
      "CrossThreadFlow");
}

TEST(Legality, HalvesOfOneAllocationDoNotMeet) {
  PlanBuilder builder;
  const ArrayId pool = builder.array("pool"), c = builder.array("C"),
                a = builder.array("A");
  const Polynomial n = builder.value("n");
  const KernelId copyKernel = builder.pointwise("copy", 1);
  const KernelId blur = builder.kernel("blur", 3, 1,
                                       {read(0, global() + num(1), Interior),
                                        read(1, global(), Interior),
                                        write(2, global(), Interior)});
  const std::array<Polynomial, 3> grid = {num(64), num(1), num(1)};
  const std::array<Polynomial, 3> threads = {num(256), num(1), num(1)};
  const LaunchId x = builder.launch(
      copyKernel, {{a, Polynomial{}}, {pool, n * num(4)}}, {n}, grid, threads);
  const LaunchId y = builder.launch(
      blur, {{pool, Polynomial{}}, {a, Polynomial{}}, {c, Polynomial{}}}, {n},
      grid, threads);
  EXPECT_EQ(builder.verdict({x, y}), "fused");
}

} // namespace
} // namespace kfuse
