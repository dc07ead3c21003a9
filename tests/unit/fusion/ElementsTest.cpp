//===- ElementsTest.cpp - Swaps and recomputation -------------------------===//
//
// Tests copies that become swaps and arrays that are recomputed when they are
// read.
//
//===----------------------------------------------------------------------===//

#include "PlanBuilder.h"

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
// Recomputation (see also RecomputationTest.cpp)
//===----------------------------------------------------------------------===//

constexpr std::int64_t Large = std::int64_t{1} << 30;

/// Builds A→B by element, then B→C at an index from memory.
struct Calling {
  PlanBuilder builder;
  Polynomial n = builder.value("n"), width = builder.value("width"),
             height = builder.value("height");
  ArrayId a = builder.array("A"), b = builder.array("B"),
          c = builder.array("C");
  Polynomial size = n; ///< number of elements of B
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
  /// Returns the thread of an element and whether there may be too many, then
  /// the verdict on both launches.
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

TEST(Recomputation, WritersAreFunctions) {
  const std::string no = "none: NonPolynomialIndex";
  EXPECT_EQ(withWriter([](Kernel &) {}), "x: fused");
  // A thread writes two elements, and the index of the second doesn't determine
  // the thread.
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
  // The text has to compute the length of the rows of threads.
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
  // Kernels find the storage by name, or in an aggregate.
  EXPECT_EQ(withWriter([](Kernel &k) { k.pointers[0].global = ArrayId{0}; }),
            no);
  EXPECT_EQ(withWriter([](Kernel &k) { k.pointers[1].global = ArrayId{1}; }),
            no);
  EXPECT_EQ(withWriter([](Kernel &k) { k.pointers[1].path = ".data"; }), no);
  // The writer reads the array's old content or an unknown array, or its
  // accesses are unknown.
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

TEST(Recomputation, WhoWritesNothingIsNoFunction) {
  PlanBuilder builder;
  const LaunchId launch = builder.launch(builder.kernel("idle", 0, 0, {}),
                                         std::vector<ArrayId>{}, {});
  EXPECT_FALSE(asElementProducer(builder.problem(), launch));
}

TEST(Recomputation, ElementsMayBeTooMany) {
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
  // The number of elements may exceed an `int` by 2^30 or more.
  EXPECT_EQ(bounded([](Calling &, P n) { return n + num(Large); }),
            "x if few: fused");
  EXPECT_EQ(bounded([](Calling &, P n) { return num(2) * n; }),
            "x if few: fused");
  // The size is half of a `long`, although the term has the same number as an
  // `int` parameter.
  EXPECT_EQ(recomputationsOf([](Calling &p) {
              p.size = p.quotient(p.n, 2);
              p.guard = {less(global(), p.quotient(param(0), 2))};
              p.grid[0] = p.blocks(p.size);
              p.changeWriter = [](Kernel &k) { k.parameters[2].type = "long"; };
            }),
            "x if few: fused");
  // The number of elements is unknown: rows have 2^31 * width elements, and the
  // guard allows `times` * height rows.
  const auto rows = [](std::int64_t times) {
    return recomputationsOf([&](Calling &p) {
      const Polynomial large = num(2 * Large), bound = num(times) * param(1);
      p.builder.program().values[2].isPositive = true; // the height
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

TEST(Recomputation, LoadsAreCalls) {
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
  // A callee may be declared with the type of such a value.
  EXPECT_EQ(
      withReader([](Kernel &k) { k.pointers[0].element.isCompound = true; }),
      no);
}

/// Returns whether launch `number` can be replaced by calls in the other
/// launches. The launches copy between arrays: `AB` is B[i] = A[i], `BBC` is
/// C[i] = B[i] + B[i] with two pointers, and `?C` reads an unknown array.
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

TEST(Recomputation, LaterMembersAloneCall) {
  EXPECT_TRUE(isCalledAlone({"AB", "BC"}, 0));
  EXPECT_TRUE(isCalledAlone({"AB", "BC", "BD"}, 0));
  EXPECT_FALSE(isCalledAlone({"AB", "AC"}, 0)); // nobody reads B
  EXPECT_FALSE(isCalledAlone({"BD", "AB", "BC"}, 1));
  // The unknown array may be B.
  EXPECT_FALSE(isCalledAlone({"AB", "BC", "?D"}, 0));
  // One product could be contracted in two sums.
  EXPECT_FALSE(isCalledAlone({"AB", "BBC"}, 0));
  EXPECT_TRUE(isCalledAlone({"AB", "BBC"}, 0, /*isExact=*/false));
}

TEST(Recomputation, OnlyProducersAreComputed) {
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
// Exchanges (see also ExchangesTest.cpp)
//===----------------------------------------------------------------------===//

/// Builds arrays A and B of n elements and a launch that copies B to A.
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
  // This is A[i] = B[i].x; the elements of B are twice as large.
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

} // namespace
} // namespace kfuse
