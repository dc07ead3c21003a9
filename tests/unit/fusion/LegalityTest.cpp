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
  EXPECT_EQ(readAfter(num(8), num(9), 3), "CrossThreadFlow");
  EXPECT_EQ(readAfter(num(8), param(0), 3), "CrossThreadFlow");
  EXPECT_EQ(readAfter(param(0), param(0), 0), "fused");
  EXPECT_EQ(readAfter(param(0), param(0), 1), "CrossThreadFlow");
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

TEST(Legality, TwoDimensionalIndicesNeedTheRowLength) {
  std::vector<Condition> conditions;
  auto verdict = [&](const Polynomial &rowLength, const Guard &guard,
                     bool mayTest = false) {
    PlanBuilder builder;
    builder.options().conditions = mayTest;
    const ArrayId a = builder.array("A"), b = builder.array("B"),
                  c = builder.array("C");
    const Polynomial w = builder.value("w"), h = builder.value("h"),
                     pitch = builder.value("pitch");
    const Polynomial index = global(1) * rowLength + global(0);
    const std::vector<Access> accesses = {read(0, index, guard),
                                          write(1, index, guard)};
    const KernelId one = builder.kernel("one", 2, 3, accesses);
    const KernelId two = builder.kernel("two", 2, 3, accesses);
    const std::array<Polynomial, 3> grid = {builder.value("gx"),
                                            builder.value("gy"), num(1)};
    const std::array<Polynomial, 3> threads = {num(16), num(16), num(1)};
    auto at = [](ArrayId array) { return PointerValue{array, Polynomial{}}; };
    const LaunchId x =
        builder.launch(one, {at(a), at(b)}, {w, h, pitch}, grid, threads);
    const LaunchId y =
        builder.launch(two, {at(b), at(c)}, {w, h, pitch}, grid, threads);
    conditions =
        mayTest ? builder.plan({x, y}).conditions : std::vector<Condition>{};
    return builder.verdict({x, y});
  };
  const Guard inside = {less(global(0), param(0)), less(global(1), param(1))};
  EXPECT_EQ(verdict(param(0), inside), "fused");
  EXPECT_EQ(verdict(param(0),
                    {less(global(0), param(0) - num(1)),
                     atLeast(global(0), num(1)), less(global(1), param(1))}),
            "fused");
  EXPECT_EQ(verdict(param(0), {}), "NotInjective");
  EXPECT_EQ(verdict(param(2), inside), "NotInjective");
  // The row length is the grid's own width.
  EXPECT_EQ(
      verdict(sym(SymbolKind::GridDim, 0) * sym(SymbolKind::BlockDim, 0), {}),
      "fused");
  // The host can test before the launch what isn't known.
  const Polynomial threads = sym(SymbolKind::GridDim, 0) * num(16);
  const Guard oneLess = {less(global(0), param(0) - num(1)),
                         less(global(1), param(1))};
  for (const auto &[length, guard, room] :
       {std::tuple(param(0), Guard{}, param(0) - threads),
        {param(2), inside, param(2) - param(0)},
        {param(2) + num(1), oneLess, param(2) - param(0) + num(2)}}) {
    SCOPED_TRACE(print(length));
    EXPECT_EQ(verdict(length, guard, true), "fused");
    ASSERT_EQ(conditions.size(), 1U);
    EXPECT_EQ(conditions[0].kind, ConditionKind::LongRows);
    EXPECT_EQ(conditions[0].polynomial - conditions[0].other, room);
  }
}

TEST(Legality, BlocksAndThreadsTellApart) {
  // There is one value per block, written by the block's first thread.
  const Guard first = {equal(thread(), num(0))};
  EXPECT_EQ(verdictOf({write(1, block(), first)},
                      {read(0, block(), first), write(1, block(), first)}),
            "fused");
  // Others of its block wait for it, those of other blocks can't.
  EXPECT_EQ(verdictOf({write(1, block(), first)},
                      {read(0, block()), write(1, global(), Below)}),
            "fused");
  EXPECT_EQ(verdictOf({write(1, block())},
                      {read(0, block()), write(1, global(), Below)}),
            "fused");
  EXPECT_EQ(verdictOf({write(1, block(), first)},
                      {read(0, block() + num(1)), write(1, global(), Below)}),
            "CrossThreadFlow");
  EXPECT_EQ(verdictOf({write(1, block(), first)},
                      {read(0, num(2) * block()), write(1, global(), Below)}),
            "CrossThreadFlow");
  EXPECT_EQ(verdictOf({write(1, thread())},
                      {read(0, thread()), write(1, global(), Below)}),
            "NotInjective");
  // A row that some thread writes has a first element; else it may have none.
  const Guard inRow = {less(thread(), param(0))};
  EXPECT_EQ(verdictOf({write(1, param(0) * block() + thread(), inRow)},
                      {read(0, param(0) * block()), write(1, global(), Below)}),
            "fused");
  EXPECT_EQ(verdictOf({write(1, param(0) * block(), first)},
                      {read(0, param(0) * block()), write(1, global(), Below)}),
            "NotInjective");
  EXPECT_EQ(verdictOf({write(1, thread() + num(512) * block())},
                      {read(0, thread() + num(512) * block()),
                       write(1, global(), Below)}),
            "fused");
}

TEST(Legality, SplitAndRejoinedIndicesAreTheSame) {
  PlanBuilder builder;
  const ArrayId a = builder.array("A"), b = builder.array("B"),
                c = builder.array("C");
  const Polynomial n = builder.value("n"), w = builder.value("w");
  TermTable &terms = builder.program().terms;
  const Polynomial x(
      terms.intern({TermKind::Remainder, 0, {global(), param(1)}}));
  const Polynomial y(terms.intern({TermKind::Divide, 0, {global(), param(1)}}));
  const Polynomial index = y * param(1) + x;
  const KernelId one = builder.kernel(
      "one", 2, 2, {read(0, index, Below), write(1, index, Below)});
  const KernelId two = builder.kernel(
      "two", 2, 2, {read(0, global(), Below), write(1, index, Below)});
  const KernelId wrapped = builder.kernel(
      "wrapped", 2, 2, {read(0, x, Below), write(1, index, Below)});
  const LaunchId first = builder.launch(one, {a, b}, {n, w});
  const LaunchId second = builder.launch(two, {b, c}, {n, w});
  const LaunchId third = builder.launch(wrapped, {c, b}, {n, w});
  EXPECT_EQ(builder.verdict({first, second}), "fused");
  EXPECT_EQ(builder.verdict({second, third}), "CrossThreadFlow");
}

TEST(Legality, StridesMustBeKnownToBePositive) {
  const auto verdict = [](TermKind kind, std::int64_t detail,
                          std::vector<Polynomial> operands,
                          std::int64_t more = 0) {
    PlanBuilder builder;
    const ArrayId a = builder.array("A"), b = builder.array("B"),
                  c = builder.array("C");
    const Polynomial stride =
        makeTerm(builder.program().terms, {kind, detail, std::move(operands)}) +
        num(more);
    const std::vector<Access> accesses = {read(0, global() * stride, Below),
                                          write(1, global() * stride, Below)};
    const std::vector<Polynomial> scalars = {
        builder.value("n"), builder.value("m"), builder.value("k")};
    const KernelId one = builder.kernel("one", 2, 3, accesses);
    const KernelId two = builder.kernel("two", 2, 3, accesses);
    const LaunchId x = builder.launch(one, {a, b}, scalars);
    const LaunchId y = builder.launch(two, {b, c}, scalars);
    return builder.verdict({x, y});
  };
  const Polynomial m = param(1), k = param(2);
  EXPECT_EQ(verdict(TermKind::Maximum, 0, {m, num(1)}), "fused");
  EXPECT_EQ(verdict(TermKind::Maximum, 0, {m, k}), "NotInjective");
  EXPECT_EQ(verdict(TermKind::Minimum, 0, {m, num(1)}), "NotInjective");
  EXPECT_EQ(verdict(TermKind::Compare, 2, {m, k}), "NotInjective");
  EXPECT_EQ(verdict(TermKind::Compare, 2, {m, k}, 1), "fused");
  EXPECT_EQ(verdict(TermKind::Remainder, 0, {m, num(4)}, 1), "NotInjective");
  EXPECT_EQ(verdict(TermKind::Remainder, 0, {m * m, num(4)}, 1), "fused");
  EXPECT_EQ(verdict(TermKind::BitXor, 0, {m, k}, 1), "NotInjective");
  EXPECT_EQ(verdict(TermKind::BitOr, 0, {m, k}, 1), "NotInjective");
  EXPECT_EQ(verdict(TermKind::BitAnd, 0, {m, num(7)}, 1), "fused");
  EXPECT_EQ(verdict(TermKind::ShiftLeft, 0, {num(1), m}), "NotInjective");
  EXPECT_EQ(verdict(TermKind::Narrow, 32, {m}, 1), "fused");
  EXPECT_EQ(verdict(TermKind::Narrow, -32, {m}, 1), "NotInjective");
}

TEST(Legality, GuardsMayHaveQuotientsOfAnySign) {
  PlanBuilder builder;
  const ArrayId a = builder.array("A"), b = builder.array("B"),
                c = builder.array("C");
  const Polynomial quotient = makeTerm(
      builder.program().terms, {TermKind::Divide, 0, {param(0), param(1)}});
  const std::vector<Polynomial> scalars = {builder.value("n"),
                                           builder.value("m")};
  const auto kernel = [&](const Guard &guard) {
    return builder.kernel("kernel", 2, 2, copy(guard));
  };
  const LaunchId x =
      builder.launch(kernel({atLeast(global(), num(1))}), {a, b}, scalars);
  const LaunchId y =
      builder.launch(kernel({atLeast(global(), quotient)}), {b, c}, scalars);
  // The quotient may be 0. Then thread 0 reads an element that no thread wrote.
  const FusedKernel fused = builder.plan({x, y});
  for (const Placement &placement : fused.placements)
    EXPECT_EQ(placement.isPartial(), placement.array == b);
}

TEST(Legality, CurvesAndOverflowsTellNobodyApart) {
  const auto verdict = [](const Polynomial &written, const Polynomial &readAt) {
    PlanBuilder builder;
    const ArrayId a = builder.array("A"), b = builder.array("B"),
                  c = builder.array("C");
    const KernelId one = builder.kernel("one", 2, 0, {write(1, written)});
    const KernelId two =
        builder.kernel("two", 2, 0, {read(0, readAt), write(1, num(0))});
    const std::array<Polynomial, 3> grid = {num(64), num(64), num(1)};
    const std::array<Polynomial, 3> threads = {num(16), num(16), num(1)};
    const auto at = [](ArrayId array) {
      return PointerValue{array, Polynomial{}};
    };
    const LaunchId x = builder.launch(one, {at(a), at(b)}, {}, grid, threads);
    const LaunchId y = builder.launch(two, {at(b), at(c)}, {}, grid, threads);
    return builder.verdict({x, y});
  };
  const Polynomial i = global(0), j = global(1);
  EXPECT_EQ(verdict(num(1024) * j + i, num(1024) * j + i), "fused");
  // The threads 0 and 3 of a row conflict, and so do those at (1, 2) and (2,
  // 1).
  const Polynomial curve = num(4096) * j + i * (i - num(3));
  EXPECT_EQ(verdict(curve, curve), "NotInjective");
  EXPECT_EQ(verdict(i * j, i * j), "NotInjective");
  // If the sum is split into blocks and threads, its factors exceed 64 bits.
  const Polynomial far =
      num(std::int64_t{1} << 60) *
      (sym(SymbolKind::GlobalIdx, 0) + sym(SymbolKind::GlobalIdx, 1));
  EXPECT_EQ(verdict(far, far), "NotInjective");
}

TEST(Legality, UnboundedIndicesAreNotApart) {
  const auto verdict = [](const Polynomial &written, const Polynomial &readAt) {
    return verdictOf({write(1, written, Below)},
                     {read(0, readAt, Below), write(1, global(), Below)});
  };
  // Thread 3 reads what thread 2 wrote.
  EXPECT_EQ(verdict(global() * global(), global() + num(1)), "CrossThreadFlow");
  EXPECT_EQ(verdict(global(), global() * global()), "CrossThreadFlow");
  // They meet in the middle, although their distance doesn't fit into 64 bits.
  const Polynomial step = num(std::int64_t{1} << 55);
  const Polynomial half = num(std::int64_t{1} << 62);
  const Polynomial place = step * sym(SymbolKind::GlobalIdx, 0);
  EXPECT_EQ(verdict(place - half - step, half - place), "CrossThreadFlow");
}

} // namespace
} // namespace kfuse
