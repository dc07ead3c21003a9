//===- RecomputationTest.cpp - Values computed at their reads -------------===//

#include "PlanBuilder.h"

#include "fusion/dependence/Names.h"

#include <gtest/gtest.h>

#include <functional>

namespace kfuse {
namespace {

using namespace test;

/// Builds A→B by element and B→C at an index from memory.
struct Pair {
  PlanBuilder builder;
  Polynomial n = builder.value("n"), width = builder.value("width"),
             height = builder.value("height");
  ArrayId a = builder.array("A"), b = builder.array("B"),
          c = builder.array("C"), d = builder.array("D");
  Polynomial size = n; ///< number of elements of B
  Polynomial element = global();
  Guard guard = {less(global(), param(0))};
  std::vector<Polynomial> scalars = {n};
  std::array<Polynomial, 3> grid = {quotient(n + num(127), 128), num(1),
                                    num(1)};
  std::array<Polynomial, 3> block = {num(128), num(1), num(1)};
  Access load = read(0, NotPolynomial::Indirect, {less(global(), param(0))});
  std::vector<Access> more; ///< further accesses of the reader
  std::function<void(Kernel &)> changeWriter = [](Kernel &) {};
  std::function<void(Kernel &)> changeReader = [](Kernel &) {};
  /// Changes, if set, the kernel of a later member that works on C in place.
  std::function<void(Kernel &)> changeBehind;
  Polynomial offset; ///< offset of the reader's pointer to B
  bool isReadLater = false, isReadBefore = false, isWrittenTwice = false;
  bool areConditions = true;
  bool isExact = false;

  Polynomial quotient(const Polynomial &value, std::int64_t divisor) {
    return makeTerm(builder.program().terms,
                    {TermKind::Divide, 0, {value, num(divisor)}});
  }

  std::string plan() {
    builder.options().conditions = areConditions;
    builder.options().exactRounding = isExact;
    builder.options().withoutTerms = {CostTerm::Memory, CostTerm::Flops,
                                      CostTerm::Issue};
    builder.program().arrays[indexOf(b)].bytes = size * num(4);
    const KernelId writer = builder.kernel(
        "writer", 2, 3, {read(0, element, guard), write(1, element, guard)});
    changeWriter(builder[writer]);
    while (scalars.size() < 3)
      scalars.push_back(num(0));
    if (isReadBefore)
      builder.launch(builder.pointwise("before", 1), {b, d}, {n});
    const auto write = [&] {
      return builder.launch(
          writer,
          std::vector<PointerValue>{{a, Polynomial{}}, {b, Polynomial{}}},
          scalars, grid, block);
    };
    std::vector<LaunchId> members = {write()};
    if (isWrittenTwice)
      members.push_back(write());
    std::vector<Access> accesses = {
        load, test::write(1, global(), {less(global(), param(0))})};
    accesses.insert(accesses.end(), more.begin(), more.end());
    const KernelId reader = builder.kernel("reader", 3, 1, accesses);
    changeReader(builder[reader]);
    members.push_back(
        builder.launch(reader,
                       std::vector<PointerValue>{
                           {b, offset}, {c, Polynomial{}}, {a, Polynomial{}}},
                       {n}, {quotient(n + num(63), 64), num(1), num(1)},
                       {num(64), num(1), num(1)}));
    if (changeBehind) {
      const KernelId behind = builder.kernel(
          "behind", 1, 1, update(0, global(), {less(global(), param(0))}));
      changeBehind(builder[behind]);
      members.push_back(
          builder.launch(behind, std::vector<PointerValue>{{c, Polynomial{}}},
                         {n}, {quotient(n + num(63), 64), num(1), num(1)},
                         {num(64), num(1), num(1)}));
    }
    if (isReadLater)
      builder.launch(builder.pointwise("later", 1), {b, d}, {n});
    const std::string verdict = builder.verdict(members);
    if (verdict != "fused")
      return verdict;
    const FusedKernel kernel = builder.plan(members);
    for (const Placement &placement : kernel.placements)
      if (placement.computed)
        return textOf(*placement.computed) + " if " +
               std::to_string(kernel.conditions.size());
    return "not computed";
  }

private:
  static std::string textOf(const ElementThread &thread) {
    std::string text = thread.first.isZero() ? "" : print(thread.first) + "+";
    for (std::size_t i = 0; i < thread.axes.size(); ++i)
      text += (i == 0 ? "" : "+(" + print(thread.rows[i - 1]) + ")*") +
              std::string(1, "xyz"[thread.axes[i]]);
    return text;
  }
};

std::string planOf(const std::function<void(Pair &)> &change) {
  Pair pair;
  change(pair);
  return pair.plan();
}

void makeRows(Pair &p) {
  p.size = p.width * p.height;
  p.element = global(1) * param(0) + global();
  p.guard = {less(global(), param(0)), less(global(1), param(1))};
  p.scalars = {p.width, p.height};
  p.grid = {p.quotient(p.width + num(15), 16), p.quotient(p.height + num(7), 8),
            num(1)};
  p.block = {num(16), num(8), num(1)};
}

TEST(Recomputation, TellsTheThreadOfAnElement) {
  EXPECT_EQ(planOf([](Pair &) {}), "x if 0");
  EXPECT_EQ(planOf(makeRows), "x+(param0)*y if 1");
  EXPECT_EQ(planOf([](Pair &p) {
              makeRows(p);
              p.element = global() * param(1) + global(1);
            }),
            "y+(param1)*x if 1");
  EXPECT_EQ(planOf([](Pair &p) {
              p.element = global() - num(1);
              p.guard = {less(global() - num(1), param(0)),
                         atLeast(global(), num(1))};
              p.grid[0] = p.quotient(p.n + num(128), 128);
            }),
            "-1+x if 0");
  EXPECT_EQ(planOf([](Pair &p) {
              p.size = num(2) * p.width * p.height;
              p.element =
                  (global(2) * param(1) + global(1)) * param(0) + global();
              p.guard = {less(global(), param(0)), less(global(1), param(1)),
                         less(global(2), num(2))};
              p.scalars = {p.width, p.height};
              p.grid = {p.quotient(p.width + num(15), 16),
                        p.quotient(p.height + num(7), 8), num(2)};
              p.block = {num(16), num(8), num(1)};
            }),
            "x+(param0)*y+(param1)*z if 1");
}

TEST(Recomputation, TheElementTellsItsOnlyThread) {
  // The threads write every second element, repeat along another axis, or write
  // in reverse order.
  EXPECT_EQ(planOf([](Pair &p) { p.element = num(2) * global(); }),
            "NonPolynomialIndex");
  EXPECT_EQ(planOf([](Pair &p) { p.grid[1] = num(2); }), "NonPolynomialIndex");
  EXPECT_EQ(planOf([](Pair &p) {
              p.element = param(0) - num(1) - global();
              p.guard = {less(global(), param(0))};
            }),
            "NonPolynomialIndex");
  // The rows of threads end after those of elements.
  EXPECT_EQ(planOf([](Pair &p) {
              makeRows(p);
              p.guard = {less(global(1), param(1))};
            }),
            "NonPolynomialIndex");
  // The index has a term that isn't a parameter, although the launch fixes its
  // value.
  EXPECT_EQ(planOf([](Pair &p) {
              p.element = global() + p.quotient(param(1), 2);
              p.scalars = {p.n, num(1)};
            }),
            "NonPolynomialIndex");
}

TEST(Recomputation, AnIndexHasTheBitsOfAThread) {
  const auto widen = [](Kernel &kernel) {
    kernel.parameters.back().type = "long";
    kernel.parameters[2].type = "size_t";
  };
  EXPECT_EQ(planOf([&](Pair &p) { p.changeWriter = widen; }), "x if 1");
  EXPECT_EQ(planOf([&](Pair &p) {
              p.changeWriter = widen;
              p.areConditions = false;
            }),
            "NonPolynomialIndex");
  EXPECT_EQ(planOf([&](Pair &p) {
              p.changeWriter = widen;
              p.size = num(5000);
              p.scalars = {num(5000)};
              p.grid[0] = num(40);
            }),
            "x if 0");
  EXPECT_EQ(planOf([&](Pair &p) {
              p.changeWriter = widen;
              p.size = num(std::int64_t{1} << 32);
              p.scalars = {p.size};
              p.grid[0] = num(std::int64_t{1} << 25);
            }),
            "NonPolynomialIndex");
}

TEST(Recomputation, AllElementsAreWritten) {
  EXPECT_EQ(planOf([](Pair &p) { p.size = p.n + num(1); }),
            "NonPolynomialIndex");
  EXPECT_EQ(planOf([](Pair &p) { p.guard.push_back(unknown()); }),
            "NonPolynomialIndex");
  EXPECT_EQ(
      planOf([](Pair &p) { p.guard.push_back(atLeast(global(), num(1))); }),
      "NonPolynomialIndex");
  EXPECT_EQ(planOf([](Pair &p) { p.grid[0] = p.quotient(p.n, 128); }),
            "NonPolynomialIndex");
}

TEST(Recomputation, NobodyElseNeedsTheArray) {
  EXPECT_EQ(planOf([](Pair &p) { p.isReadLater = true; }),
            "NonPolynomialIndex");
  EXPECT_EQ(planOf([](Pair &p) { p.isReadBefore = true; }),
            "NonPolynomialIndex");
  EXPECT_EQ(planOf([](Pair &p) { p.isWrittenTwice = true; }),
            "NonPolynomialIndex");
  EXPECT_EQ(planOf([](Pair &p) {
              p.builder.program().arrays[indexOf(p.b)].escapes = true;
            }),
            "NonPolynomialIndex");
}

TEST(Recomputation, TheProducerOnlyWritesItsElement) {
  const auto with = [](const std::function<void(Kernel &)> &change) {
    return planOf([&](Pair &p) { p.changeWriter = change; });
  };
  EXPECT_EQ(with([](Kernel &k) { k.accesses[1].form = AccessForm::Update; }),
            "NonPolynomialIndex");
  EXPECT_EQ(with([](Kernel &k) { k.accesses[1].form = AccessForm::Other; }),
            "NonPolynomialIndex");
  EXPECT_EQ(with([](Kernel &k) { k.accesses[1].kind = AccessKind::Atomic; }),
            "AtomicConflict");
  EXPECT_EQ(with([](Kernel &k) { k.accesses[1].editable = false; }),
            "NonPolynomialIndex");
  EXPECT_EQ(with([](Kernel &k) { k.accesses[1].loops = {0}; }),
            "NonPolynomialIndex");
  EXPECT_EQ(with([](Kernel &k) { k.accesses[0].pointer = 1; }),
            "NonPolynomialIndex");
  EXPECT_EQ(with([](Kernel &k) {
              k.accesses.push_back(k.accesses[1]);
              k.accesses.back().pointer = 0;
            }),
            "NonPolynomialIndex");
  EXPECT_EQ(with([](Kernel &k) { k.barriers = 1; }), "NonPolynomialIndex");
  EXPECT_EQ(with([](Kernel &k) { k.staticSharedBytes = 4; }),
            "NonPolynomialIndex");
  EXPECT_EQ(with([](Kernel &k) { k.integersToFloating = true; }),
            "NonPolynomialIndex");
  for (const KernelFeature feature :
       {KernelFeature::BlockPlace, KernelFeature::GridShape,
        KernelFeature::CoordinatesInCallee})
    EXPECT_EQ(with([&](Kernel &k) { k.features.push_back({feature, {}, {}}); }),
              "NonPolynomialIndex")
        << featureText(feature);
}

TEST(Recomputation, ItsInputsStayAsTheyAre) {
  EXPECT_EQ(planOf([](Pair &p) {
              p.more = {write(2, global(), {less(global(), param(0))})};
            }),
            "NonPolynomialIndex");
  EXPECT_EQ(planOf([](Pair &p) {
              p.more = {read(2, global(), {less(global(), param(0))})};
            }),
            "x if 0");
}

TEST(Recomputation, LoadsCanBeCalls) {
  const auto with = [](const std::function<void(Access &)> &change) {
    return planOf([&](Pair &p) { change(p.load); });
  };
  EXPECT_EQ(with([](Access &a) { a.form = AccessForm::Other; }),
            "NonPolynomialIndex");
  EXPECT_EQ(with([](Access &a) { a.editable = false; }), "NonPolynomialIndex");
  EXPECT_EQ(with([](Access &a) { a.width = 2; }), "NonPolynomialIndex");
  EXPECT_EQ(planOf([](Pair &p) { p.offset = num(4); }), "NonPolynomialIndex");
  const auto reader =
      [](const std::function<void(PointerParameter &)> &change) {
        return planOf([&](Pair &p) {
          p.changeReader = [&](Kernel &k) { change(k.pointers[0]); };
        });
      };
  EXPECT_EQ(reader([](PointerParameter &p) { p.element.canonical = "int"; }),
            "NonPolynomialIndex");
  EXPECT_EQ(reader([](PointerParameter &p) { p.dimensions = 1; }),
            "NonPolynomialIndex");
  EXPECT_EQ(reader([](PointerParameter &p) { p.path = ".data"; }),
            "NonPolynomialIndex");
}

TEST(Recomputation, WhatIsComputedMayPartSums) {
  const auto contract = [](Pair &p) {
    p.isExact = true;
    p.changeReader = [](Kernel &k) {
      k.contractions = {k.accesses.front().range};
    };
  };
  EXPECT_EQ(planOf(contract), "NonPolynomialIndex");
  EXPECT_EQ(planOf([&](Pair &p) {
              contract(p);
              p.isExact = false;
            }),
            "x if 0");
}

/// Checks that a member that reads recomputed values is isolated like any
/// other.
TEST(Recomputation, OthersMayMakeNumbersApart) {
  const auto with = [](std::vector<KernelFeature> features) {
    return planOf([&](Pair &p) {
      p.isExact = true;
      p.changeReader = [](Kernel &k) { k.integersToFloating = true; };
      p.changeBehind = [&](Kernel &k) {
        k.integersToFloating = true;
        for (const KernelFeature feature : features)
          k.features.push_back({feature, {}, ""});
      };
    });
  };
  EXPECT_EQ(with({}), "x if 0");
  EXPECT_NE(with({KernelFeature::CoordinatesInCallee}), "x if 0");
}

} // namespace
} // namespace kfuse
