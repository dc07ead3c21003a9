//===- ElementsTest.cpp - Copies and functions ----------------------------===//
//
// Copies that become swaps, arrays that are computed where they are read, and
// the sizes and coordinates that these need.
//
//===----------------------------------------------------------------------===//

#include "PlanBuilder.h"

#include "fusion/cost/CoordinateExtents.h"
#include "fusion/dependence/Coordinates.h"
#include "fusion/forwarding/Recomputation.h"
#include "fusion/group/Stages.h"
#include "fusion/rewrites/Exchanges.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace kfuse {
namespace {

using namespace test;

//===----------------------------------------------------------------------===//
// Computed (RecomputationTest.cpp)
//===----------------------------------------------------------------------===//

constexpr std::int64_t Large = std::int64_t{1} << 30;

/// A→B by element, then B→C at an index that comes from memory.
struct Calling {
  PlanBuilder builder;
  Polynomial n = builder.value("n"), width = builder.value("width"),
             height = builder.value("height");
  ArrayId a = builder.array("A"), b = builder.array("B"),
          c = builder.array("C");
  Polynomial size = n; ///< of B, in elements
  Polynomial element = global();
  Guard guard = {less(global(), param(0))};
  std::vector<Polynomial> scalars = {n, n, n};
  std::array<Polynomial, 3> grid = {blocks(n), num(1), num(1)};
  Access load = read(0, NotPolynomial::Indirect, {less(global(), param(0))});
  std::function<void(Kernel &)> changeWriter = [](Kernel &) {};
  std::function<void(Kernel &)> changeReader = [](Kernel &) {};

  Polynomial quotient(const Polynomial &value, std::int64_t divisor) {
    return makeTerm(builder.program().terms,
                    {TermKind::Divide, 0, {value, num(divisor)}});
  }
  Polynomial blocks(const Polynomial &threads) {
    return quotient(threads + num(127), 128);
  }
  /// The thread of an element, and whether there may be too many; then what
  /// becomes of both launches.
  std::string plan() {
    Program &program = builder.program();
    program.arrays[indexOf(b)].bytes = size * num(4);
    const std::array<Polynomial, 3> block = {num(128), num(1), num(1)};
    const KernelId writer = builder.kernel(
        "writer", 2, 3, {read(0, element, guard), write(1, element, guard)});
    changeWriter(builder[writer]);
    const LaunchId first =
        builder.launch(writer, std::vector<PointerValue>{{a, {}}, {b, {}}},
                       scalars, grid, block);
    const KernelId reader = builder.kernel(
        "reader", 2, 1, {load, write(1, global(), {less(global(), param(0))})});
    changeReader(builder[reader]);
    const LaunchId second =
        builder.launch(reader, std::vector<PointerValue>{{b, {}}, {c, {}}}, {n},
                       {blocks(n), num(1), num(1)}, block);
    const auto function = asElementProducer(builder.problem(), first);
    std::string text = "none";
    if (function) {
      text = function->thread.first.isZero()
                 ? ""
                 : print(function->thread.first) + "+";
      for (std::size_t i = 0; i < function->thread.axes.size(); ++i)
        text +=
            (i == 0 ? "" : "+(" + print(function->thread.rows[i - 1]) + ")*") +
            std::string(1, "xyz"[function->thread.axes[i]]);
      text += function->fewElements ? " if few" : "";
    }
    return text + ": " + builder.verdict({first, second});
  }
};

std::string recomputationsOf(const std::function<void(Calling &)> &change) {
  Calling calling;
  change(calling);
  return calling.plan();
}
std::string withWriter(const std::function<void(Kernel &)> &change) {
  return recomputationsOf([&](Calling &p) { p.changeWriter = change; });
}
std::string withReader(const std::function<void(Kernel &)> &change) {
  return recomputationsOf([&](Calling &p) { p.changeReader = change; });
}

TEST(Computed, WritersAreFunctions) {
  const std::string no = "none: NonPolynomialIndex";
  EXPECT_EQ(withWriter([](Kernel &) {}), "x: fused");
  // A thread writes two elements, of which the second tells no thread.
  EXPECT_EQ(recomputationsOf([](Calling &p) {
              p.size = num(2) * p.n;
              p.changeWriter = [](Kernel &k) {
                k.accesses.push_back(k.accesses[1]);
                k.accesses[2].index = global() + param(0);
              };
            }),
            no);
  EXPECT_EQ(recomputationsOf([](Calling &p) {
              p.changeWriter = [](Kernel &k) {
                k.accesses.push_back(k.accesses[1]);
              };
            }),
            "x: fused");
  // The rows of threads have a length that the text has to compute.
  EXPECT_EQ(recomputationsOf([](Calling &p) {
              const Polynomial half = p.quotient(param(0), 2);
              p.size = p.quotient(p.width, 2) * p.height;
              p.element = global(1) * half + global();
              p.guard = {less(global(), half), less(global(1), param(1))};
              p.scalars = {p.width, p.height, num(0)};
              p.grid = {p.blocks(p.quotient(p.width, 2)), p.height, num(1)};
            }),
            no);
  EXPECT_EQ(recomputationsOf([](Calling &p) {
              p.size = p.width * p.height;
              p.element = global(1) * param(0) + global();
              p.guard = {less(global(), param(0)), less(global(1), param(1))};
              p.scalars = {p.width, p.height, num(0)};
              p.grid = {p.blocks(p.width), p.height, num(1)};
            }),
            "x+(param0)*y if few: fused");
  // Storage that kernels find by name, or in an aggregate.
  EXPECT_EQ(withWriter([](Kernel &k) { k.pointers[0].global = ArrayId{0}; }),
            no);
  EXPECT_EQ(withWriter([](Kernel &k) { k.pointers[1].global = ArrayId{1}; }),
            no);
  EXPECT_EQ(withWriter([](Kernel &k) { k.pointers[1].path = ".data"; }), no);
  // It looks at what was there, or it isn't known at what.
  EXPECT_EQ(withWriter([](Kernel &k) { k.accesses[0].pointer = 1; }), no);
  EXPECT_EQ(recomputationsOf([](Calling &p) {
              p.a = noneOf<ArrayId>();
            }).substr(0, 4),
            "none");
  EXPECT_EQ(withWriter([](Kernel &k) {
              k.accesses[1].kind = AccessKind::Atomic;
            }).substr(0, 4),
            "none");
  EXPECT_EQ(withWriter([](Kernel &k) { k.analysed = false; }).substr(0, 4),
            "none");
}

TEST(Computed, WhoWritesNothingIsNoFunction) {
  PlanBuilder builder;
  const LaunchId launch = builder.launch(builder.kernel("idle", 0, 0, {}),
                                         std::vector<ArrayId>{}, {});
  EXPECT_FALSE(asElementProducer(builder.problem(), launch));
}

TEST(Computed, ElementsMayBeTooMany) {
  const auto bounded =
      [](const std::function<Polynomial(Calling &, const Polynomial &)>
             &extent) {
        return recomputationsOf([&](Calling &p) {
          p.size = extent(p, p.n);
          p.guard = {less(global(), extent(p, param(0)))};
          p.grid[0] = p.blocks(p.size);
          p.changeWriter = [](Kernel &k) { k.parameters[3].type = "long"; };
        });
      };
  using P = const Polynomial &;
  EXPECT_EQ(bounded([](Calling &, P n) { return n; }), "x: fused");
  EXPECT_EQ(bounded([](Calling &, P n) { return n + num(Large - 1); }),
            "x: fused");
  // More than an `int`, and less than 2^30 more.
  EXPECT_EQ(bounded([](Calling &, P n) { return n + num(Large); }),
            "x if few: fused");
  EXPECT_EQ(bounded([](Calling &, P n) { return num(2) * n; }),
            "x if few: fused");
  // Of a `long`, the half: as a term, its number is that of an `int`.
  EXPECT_EQ(recomputationsOf([](Calling &p) {
              p.size = p.quotient(p.n, 2);
              p.guard = {less(global(), p.quotient(param(0), 2))};
              p.grid[0] = p.blocks(p.size);
              p.changeWriter = [](Kernel &k) { k.parameters[2].type = "long"; };
            }),
            "x if few: fused");
  // So many that their number can't be told: rows are 2^31 * width long, and
  // the guard lets `times` * height be.
  const auto rows = [](std::int64_t times) {
    return recomputationsOf([&](Calling &p) {
      const Polynomial large = num(2 * Large), bound = num(times) * param(1);
      p.builder.program().values[2].isPositive = true; // height
      p.size = large * p.width * p.height;
      p.element = global(1) * large * param(0) + global();
      p.guard = {less(global(), large * param(0)), less(global(1), param(1)),
                 less(global(1), bound)};
      p.scalars = {p.width, p.height, num(0)};
      p.grid = {p.blocks(large * p.width), p.height, num(1)};
    });
  };
  EXPECT_EQ(rows(1), "x+(2147483648*param0)*y if few: fused");
  EXPECT_EQ(rows(4 * Large), "none: DifferentShape");
}

TEST(Computed, LoadsAreCalls) {
  const std::string no = "x: NonPolynomialIndex";
  const auto load = [](const std::function<void(Access &)> &change) {
    return recomputationsOf([&](Calling &p) { change(p.load); });
  };
  EXPECT_EQ(load([](Access &) {}), "x: fused");
  EXPECT_EQ(load([](Access &a) { a.form = AccessForm::UpdateLoad; }), no);
  // A reference is bound to the element.
  EXPECT_EQ(load([](Access &a) { a.isValue = false; }), no);
  EXPECT_EQ(withReader([](Kernel &k) { k.pointers[0].global = ArrayId{1}; }),
            no);
  // What is called with such a value may be declared with its type.
  EXPECT_EQ(
      withReader([](Kernel &k) { k.pointers[0].element.isCompound = true; }),
      no);
}

/// Launches that copy elements of arrays to arrays: `AB` is B[i] = A[i], `BBC`
/// C[i] = B[i] + B[i] by two pointers, `?C` of an unknown array. Whether the
/// one with the number is called by others alone.
bool isCalledAlone(const std::vector<std::string> &copies, std::size_t number,
                   bool isExact = true) {
  PlanBuilder builder;
  builder.options().exactRounding = isExact;
  const Polynomial n = builder.value("n");
  for (const char *name : {"A", "B", "C", "D"})
    builder.program().arrays[indexOf(builder.array(name))].bytes = n * num(4);
  const Polynomial blocks = makeTerm(
      builder.program().terms, {TermKind::Divide, 0, {n + num(255), num(256)}});
  std::vector<LaunchId> members;
  for (const std::string &copy : copies) {
    std::vector<PointerValue> pointers;
    for (const char name : copy)
      pointers.push_back({name == '?'
                              ? noneOf<ArrayId>()
                              : ArrayId{static_cast<std::uint32_t>(name - 'A')},
                          Polynomial{}});
    members.push_back(builder.launch(
        builder.pointwise("k", static_cast<unsigned>(copy.size() - 1)),
        pointers, {n}, {blocks, num(1), num(1)}, {num(256), num(1), num(1)}));
  }
  Group group;
  group.problem = &builder.problem();
  for (const LaunchId member : members)
    group.stages.add(stageOf(builder.problem(), member, SymbolSpace::Launch));
  ElementFunctions functions(members.size());
  functions[number] = asElementProducer(builder.problem(), members[number]);
  EXPECT_TRUE(functions[number]);
  return areCalledAlone(group, functions);
}

TEST(Computed, LaterMembersAloneCall) {
  EXPECT_TRUE(isCalledAlone({"AB", "BC"}, 0));
  EXPECT_TRUE(isCalledAlone({"AB", "BC", "BD"}, 0));
  EXPECT_FALSE(isCalledAlone({"AB", "AC"}, 0)); // nobody does
  EXPECT_FALSE(isCalledAlone({"BD", "AB", "BC"}, 1));
  // What isn't known may be B.
  EXPECT_FALSE(isCalledAlone({"AB", "BC", "?D"}, 0));
  // One product could be in two sums.
  EXPECT_FALSE(isCalledAlone({"AB", "BBC"}, 0));
  EXPECT_TRUE(isCalledAlone({"AB", "BBC"}, 0, /*isExact=*/false));
}

TEST(Computed, OnlyProducersAreComputed) {
  FusedKernel kernel;
  kernel.placements.push_back(
      {ArrayId{0}, PlacementKind::RegisterOnly, {1}, {2}});
  EXPECT_FALSE(isComputed(kernel, 1));
  kernel.placements.back().computed = ElementThread{};
  EXPECT_TRUE(isComputed(kernel, 1));
  EXPECT_FALSE(isComputed(kernel, 0));
  EXPECT_FALSE(isComputed(kernel, 2));
}

//===----------------------------------------------------------------------===//
// Coordinates
//===----------------------------------------------------------------------===//

TEST(Coordinates, IndicesOfAShape) {
  struct Case {
    std::int64_t grid, block;
    SymbolKind kind;
    const char *canonical;
  };
  // A global index is 0 only of the one thread of the one block.
  const std::vector<Case> cases = {
      {1, 1, SymbolKind::GlobalIdx, "0"},
      {1, 8, SymbolKind::GlobalIdx, "global.x"},
      {4, 1, SymbolKind::GlobalIdx, "global.x"},
      {4, 8, SymbolKind::GlobalIdx, "global.x"},
      {1, 1, SymbolKind::ThreadIdx, "0"},
      {1, 8, SymbolKind::ThreadIdx, "global.x"},
      {4, 1, SymbolKind::ThreadIdx, "0"},
      {1, 1, SymbolKind::BlockIdx, "0"},
      {1, 8, SymbolKind::BlockIdx, "0"},
      {4, 1, SymbolKind::BlockIdx, "global.x"},
      {4, 8, SymbolKind::BlockIdx, "block.x"},
  };
  const auto name = [](Symbol symbol) {
    return std::string(symbol.kind == SymbolKind::GlobalIdx  ? "global."
                       : symbol.kind == SymbolKind::BlockIdx ? "block."
                                                             : "other.") +
           "xyz"[symbol.index];
  };
  const TermTable terms;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    Stage stage;
    stage.grid = {num(cases[i].grid), num(1), num(1)};
    stage.block = {num(cases[i].block), num(1), num(1)};
    const auto value = canonical(sym(cases[i].kind, 0), stage, terms);
    ASSERT_TRUE(value) << i;
    EXPECT_EQ(print(*value, name), cases[i].canonical) << i;
  }
}

TEST(Coordinates, WhatIsEqualOnlyToItselfIsUnknown) {
  // The kernel's text takes it to be two values, in two launches: B[u] isn't
  // the element that was written.
  PlanBuilder builder;
  const ArrayId a = builder.array("A"), b = builder.array("B"),
                c = builder.array("C");
  const Polynomial u(builder.program().terms.unique());
  const Guard guard = {less(global(), param(0))};
  const KernelId kernel = builder.kernel(
      "k", 2, 1, {read(0, global() + u, guard), write(1, global() + u, guard)});
  const LaunchId first = builder.launch(kernel, {a, b}, {num(9)});
  const LaunchId second = builder.launch(kernel, {b, c}, {num(9)});
  EXPECT_EQ(builder.verdict({first, second}), "NonPolynomialIndex");
}

TEST(Coordinates, WhatFollowsFromBounds) {
  const Symbol n{SymbolKind::HostValue, 0};
  struct Case {
    Polynomial value; ///< that isn't negative
    bool isPositive;  ///< whether n is at least 1 then
  };
  const std::vector<Case> cases = {
      {Polynomial(n) - num(1), true},
      {num(2) * Polynomial(n) - num(1), true},
      {Polynomial(n), false},
      {Polynomial(n) + num(3), false},
      {num(0) - Polynomial(n), false},
      {num(0) - Polynomial(n) - num(1), false},
      {Polynomial(n) + sym(SymbolKind::HostValue, 1) - num(1), false},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    KnownFacts facts;
    assumeNonNegative(facts, cases[i].value);
    EXPECT_EQ(isPositive(facts, n), cases[i].isPositive) << i;
  }
  // Bounds between which there is nothing say nothing of other values.
  KnownFacts facts;
  assumeNonEmpty(facts, {{num(5)}, {num(3)}});
  EXPECT_FALSE(provesNonNegative(facts, global() - num(5)));
}

//===----------------------------------------------------------------------===//
// Exchanges (ExchangesTest.cpp, in Copying)
//===----------------------------------------------------------------------===//

TEST(Coordinates, BareIndicesAreComparedWithOneNumber) {
  const auto isBare = [](const Constraint &constraint) {
    PlanBuilder builder;
    const ArrayId array = builder.array("A");
    const Polynomial n = builder.value("n"), m = builder.value("m");
    const LaunchId launch = builder.launch(
        builder.kernel("k", 1, 2, {write(0, global(), {constraint})}),
        std::vector<ArrayId>{array}, {n, m});
    builder.problem();
    const Stage stage =
        makeStage(builder.program(), launch, SymbolSpace::Launch);
    EXPECT_EQ(stage.accesses[0].guard.size(), 1U);
    return !stage.accesses[0].bare.empty();
  };
  const Polynomial i = global(), n = param(0);
  EXPECT_TRUE(isBare(less(i, n)));
  EXPECT_TRUE(isBare(less(i + num(1), n)));
  EXPECT_TRUE(isBare(less(i, num(1 << 30))));
  EXPECT_TRUE(isBare(equal(n, i)));
  EXPECT_FALSE(isBare(less(i, n - param(1)))); // may be i + m < n
  EXPECT_FALSE(isBare(less(i + num(1 << 30), n)));
  EXPECT_FALSE(isBare(less(num(2) * i, n)));
  EXPECT_FALSE(isBare(atLeast(i, n)));
  EXPECT_FALSE(isBare(less(i + counter(0), n)));
}

TEST(Coordinates, NumbersThatMayDifferBoundNobody) {
  PlanBuilder builder;
  const Polynomial loaded(builder.program().terms.unique());
  const LaunchId launch = builder.launch(
      builder.kernel("k", 1, 0, {write(0, global(), {less(global(), loaded)})}),
      std::vector<ArrayId>{builder.array("A")}, {});
  builder.problem();
  EXPECT_TRUE(makeStage(builder.program(), launch, SymbolSpace::Launch)
                  .accesses[0]
                  .bare.empty());
}

/// A and B, of n elements, and a launch that copies B to A.
struct Swapping {
  PlanBuilder builder;
  Polynomial n = builder.value("n");
  ArrayId a = array("A"), b = array("B");
  std::vector<Access> accesses = {
      read(1, global(), {less(global(), param(0))}),
      write(0, global(), {less(global(), param(0))})};

  ArrayId array(const std::string &name) {
    const ArrayId id = builder.array(name);
    (*this)[id].bytes = n * num(4);
    (*this)[id].holder = {name, "float *"};
    return id;
  }
  Array &operator[](ArrayId id) {
    return builder.program().arrays[indexOf(id)];
  }
  CopyVerdict verdict() {
    accesses[1].copyOf = 0;
    const Polynomial blocks =
        makeTerm(builder.program().terms,
                 {TermKind::Divide, 0, {n + num(255), num(256)}});
    const LaunchId copy =
        builder.launch(builder.kernel("k", 2, 1, accesses),
                       std::vector<PointerValue>{{a, {}}, {b, {}}}, {n},
                       {blocks, num(1), num(1)}, {num(256), num(1), num(1)});
    return copyVerdict(builder.problem().program, builder.program()[copy].step);
  }
};

TEST(Exchanges, ElementsOfOneSize) {
  Swapping program;
  EXPECT_EQ(program.verdict().exchanges.size(), 1U);
  // A[i] = B[i].x, of elements twice as large.
  Swapping parts;
  parts.accesses[0].elementBytes = 8;
  EXPECT_FALSE(parts.verdict().isCopy);
}

TEST(Exchanges, UnknownSizesAreNotEqual) {
  Swapping program;
  program[program.a].bytes.reset();
  program[program.b].bytes.reset();
  EXPECT_NE(program.verdict().why.find("one size and type"), std::string::npos);
}

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

TEST(Extents, ConstantsOfSizes) {
  EXPECT_EQ(constantOf(num(0)), 0.0);
  EXPECT_EQ(constantOf(num(7)), 7.0);
  EXPECT_EQ(constantOf(num(-1)), std::nullopt);
  EXPECT_EQ(constantOf(param(0)), std::nullopt);
}

TEST(Extents, TermsOfCoordinates) {
  TermTable terms;
  const auto quotient = [&](const Polynomial &value) {
    return terms.intern({TermKind::Divide, 0, {value, num(4)}});
  };
  EXPECT_TRUE(isTermOfCoordinates(quotient(global()), terms));
  EXPECT_TRUE(isTermOfCoordinates(
      quotient(Polynomial(quotient(thread(1))) + param(0)), terms));
  EXPECT_FALSE(isTermOfCoordinates(quotient(param(0)), terms));
  EXPECT_FALSE(isTermOfCoordinates({SymbolKind::GlobalIdx, 0}, terms));
  EXPECT_TRUE(isCoordinate({SymbolKind::GlobalIdx, 2}));
  EXPECT_FALSE(isCoordinate({SymbolKind::GlobalIdx, 3}));
  EXPECT_FALSE(isCoordinate({SymbolKind::GridDim, 0}));
}

TEST(Extents, WhatLeadsAroundAnEdge) {
  TermTable terms;
  Extents extents;
  extents.block = {128, 1, 1};
  extents.grid = {8, 1, 1};
  const auto term = [&](TermKind kind, const Polynomial &divisor) {
    return Polynomial(terms.intern({kind, 0, {global() + num(1), divisor}}));
  };
  const Polynomial around = term(TermKind::Remainder, num(1024)),
                   aroundAny = term(TermKind::Remainder, param(0)),
                   again = term(TermKind::Remainder, num(32)),
                   row = term(TermKind::Divide, num(1024));
  EXPECT_EQ(unwrapped(num(3) * around + param(1), extents, terms),
            num(3) * (global() + num(1)) + param(1));
  EXPECT_EQ(unwrapped(aroundAny, extents, terms), global() + num(1));
  // Most threads meet other threads' elements again.
  EXPECT_EQ(unwrapped(again, extents, terms), again);
  EXPECT_EQ(unwrapped(row, extents, terms), row);
}

} // namespace
} // namespace kfuse
