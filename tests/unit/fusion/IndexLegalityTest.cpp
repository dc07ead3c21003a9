//===- IndexLegalityTest.cpp - Pairs whose indices are hard to tell apart -===//
//
// Tests pairs of kernels whose indices have several axes, quotients, strides or
// signs. Each row names the obstacle if the pair is refused.
//
//===----------------------------------------------------------------------===//

#include "PlanBuilder.h"

#include <gtest/gtest.h>

namespace kfuse {
namespace {

using namespace test;

TEST(IndexLegality, TwoDimensionalIndicesNeedTheRowLength) {
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

TEST(IndexLegality, BlocksAndThreadsTellApart) {
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

TEST(IndexLegality, SplitAndRejoinedIndicesAreTheSame) {
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

TEST(IndexLegality, StridesMustBeKnownToBePositive) {
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

TEST(IndexLegality, GuardsMayHaveQuotientsOfAnySign) {
  PlanBuilder builder;
  const ArrayId a = builder.array("A"), b = builder.array("B"),
                c = builder.array("C");
  const Polynomial quotient = makeTerm(
      builder.program().terms, {TermKind::Divide, 0, {param(0), param(1)}});
  const std::vector<Polynomial> scalars = {builder.value("n"),
                                           builder.value("m")};
  const auto kernel = [&](const Guard &guard) {
    return builder.kernel(
        "kernel", 2, 2, {read(0, global(), guard), write(1, global(), guard)});
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

TEST(IndexLegality, CurvesAndOverflowsTellNobodyApart) {
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

TEST(IndexLegality, UnboundedIndicesAreNotApart) {
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
