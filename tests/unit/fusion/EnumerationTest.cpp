//===- EnumerationTest.cpp - Proofs compared with enumeration -------------===//
//
// Draws random accesses of small launches. What is proved about them must hold
// in every thread, whatever the numbers are. Each test counts how often
// something was proved, so that it can't pass by proving nothing.
//
//===----------------------------------------------------------------------===//

#include "RandomLaunches.h"

#include "fusion/dependence/AccessDependences.h"
#include "fusion/dependence/FullWriteProof.h"
#include "fusion/dependence/Guards.h"
#include "fusion/dependence/Intervals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace kfuse {
namespace {

using namespace test;

// Sanitizers make each program ten times as slow, and find what few show. Of
// few programs fewer than their share may be proved.
#if __has_feature(address_sanitizer)
constexpr int Share = 6, Slack = 12;
#else
constexpr int Share = 1, Slack = 1;
#endif

/// Returns how many programs to try. KFUSE_MORE, which is set by hand,
/// multiplies the number.
std::uint32_t programs(std::uint32_t few) {
  const char *times = std::getenv("KFUSE_MORE");
  return few / Share * static_cast<std::uint32_t>(times ? std::atoi(times) : 1);
}

Triple placeOf(const Instance &instance) {
  return {instance.globalIdx(0), instance.globalIdx(1), instance.globalIdx(2)};
}

std::string describe(const Access &access) {
  std::string text = print(std::get<Polynomial>(access.index)) + " where";
  for (const Constraint &constraint : access.guard)
    text += " " + std::to_string(static_cast<int>(constraint.relation)) + ":" +
            print(constraint.expression);
  return text;
}

/// Returns the thread whose value an instance takes.
Triple placeIn(const Window &window, const Instance &instance) {
  Triple there = placeOf(instance);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    there[axis] += window.base[axis];
    for (const Window::Loop &loop : window.loops)
      there[axis] +=
          loop.step[axis] *
          (loop.first + loop.increment * instance.counters.at(loop.number));
  }
  return there;
}

/// Returns what is wrong with a dependence in one run; empty if nothing is.
std::string contradiction(const AccessDependence &dependence,
                          const std::vector<Touch> &first,
                          const std::vector<Touch> &second) {
  if (dependence.kind == AccessDependence::Kind::Conflict)
    return {};
  std::multimap<std::int64_t, Triple> earlier;
  for (const Touch &touch : first)
    earlier.emplace(touch.element, placeOf(touch.instance));
  for (const Touch &touch : second) {
    const Triple there = placeIn(dependence.window, touch.instance);
    const auto [begin, end] = earlier.equal_range(touch.element);
    if (dependence.kind == AccessDependence::Kind::Disjoint && begin != end)
      return "both touch " + std::to_string(touch.element);
    const bool isMet = std::any_of(
        begin, end, [&](const auto &other) { return other.second == there; });
    const bool isAlone = std::all_of(
        begin, end, [&](const auto &other) { return other.second == there; });
    if (!isAlone)
      return "another thread touches " + std::to_string(touch.element);
    if (dependence.isCovered && !isMet)
      return "nobody touches " + std::to_string(touch.element);
  }
  return {};
}

TEST(Enumeration, AccessDependences) {
  std::map<AccessDependence::Kind, int> counts;
  int covered = 0, windows = 0;
  for (std::uint32_t seed = 0; seed < programs(4000); ++seed) {
    RandomProgram random(seed);
    const Polynomial index = random.index();
    const Guard guard = random.guard();
    const bool isFlow = !random.Random.once(3);
    random.launch(write(0, index, guard));
    Polynomial other = random.indexNear(index);
    Guard otherGuard =
        random.Random.once(3) ? random.guard() : random.guardNear(guard);
    if (isFlow && seed % 4 == 0)
      random.addWindow(other, otherGuard);
    random.launch(isFlow ? read(0, other, otherGuard)
                         : write(0, other, otherGuard));
    const KnownFacts facts = random.facts();
    const Stage one = random.stage(LaunchId{0}),
                two = random.stage(LaunchId{1});
    const AccessDependence dependence = dependenceBetween(
        {one, one.accesses[0]}, {two, two.accesses[0]}, facts);
    ++counts[dependence.kind];
    covered += dependence.isCovered;
    windows += dependence.window.loops.empty() ? 0 : 1;
    for (int i = 0;
         dependence.kind != AccessDependence::Kind::Conflict && i < 8; ++i) {
      const Numbers numbers = random.numbers();
      const auto first = random.touches(LaunchId{0}, numbers);
      const auto second = random.touches(LaunchId{1}, numbers);
      if (!first || !second)
        continue;
      ASSERT_EQ(contradiction(dependence, *first, *second), "")
          << "seed " << seed << "\n"
          << describe(random.access(LaunchId{0})) << "\n"
          << describe(random.access(LaunchId{1})) << "\nn " << numbers[0]
          << " m " << numbers[1] << " s " << numbers[2] << " grid "
          << print(one.grid[0]) << " " << print(one.grid[1]) << " block "
          << print(one.block[0]) << " " << print(one.block[1]);
    }
  }
  EXPECT_GT(counts[AccessDependence::Kind::SameThread], 300 / Slack);
  EXPECT_GT(counts[AccessDependence::Kind::Neighbour], 20 / Slack);
  EXPECT_GT(counts[AccessDependence::Kind::Disjoint], 50 / Slack);
  EXPECT_GT(counts[AccessDependence::Kind::Conflict], 300 / Slack);
  EXPECT_GT(covered, 100 / Slack);
  EXPECT_GT(windows, 20 / Slack);
}

TEST(Enumeration, Implications) {
  int proved = 0;
  for (std::uint32_t seed = 0; seed < programs(1500); ++seed) {
    RandomProgram random(seed);
    const Guard guard = random.guard();
    random.launch(write(0, global(), guard));
    random.launch(read(0, global(), random.guardNear(guard)));
    const KnownFacts facts = random.facts();
    const Stage stage = random.stage(LaunchId{0});
    const Guard producer = random.stage(LaunchId{1}).accesses[0].guard;
    if (!implies(stage.accesses[0].guard, producer, stage, facts))
      continue;
    ++proved;
    const Program &program = random.Builder.program();
    for (int i = 0; i < 8; ++i) {
      const Numbers numbers = random.numbers();
      for (const Touch &touch :
           random.touches(LaunchId{0}, numbers).value_or(std::vector<Touch>{}))
        ASSERT_TRUE(holds(producer, program.terms,
                          valuation(touch.instance, numbers,
                                    program.launches[1], program.terms)))
            << "seed " << seed << "\n"
            << describe(random.access(LaunchId{0})) << "\n"
            << describe(random.access(LaunchId{1}));
    }
  }
  EXPECT_GT(proved, 150 / Slack);
}

/// Checks that every entry of an interval bounds all elements that are touched.
void expectWithin(const std::vector<Polynomial> &low,
                  const std::vector<Polynomial> &high,
                  const std::vector<Touch> &touches, const Numbers &numbers,
                  RandomProgram &random, const std::string &what) {
  const Program &program = random.Builder.program();
  for (const Touch &touch : touches) {
    const auto number = [&](const Polynomial &bound) {
      return valueOf(bound, program.terms,
                     valuation(touch.instance, numbers, program.launches[0],
                               program.terms));
    };
    for (const Polynomial &bound : low)
      ASSERT_LE(number(bound).value_or(touch.element), touch.element)
          << what << " from " << print(bound);
    for (const Polynomial &bound : high)
      ASSERT_GE(number(bound).value_or(touch.element), touch.element)
          << what << " to " << print(bound);
  }
}

TEST(Enumeration, Intervals) {
  int found = 0, spans = 0;
  for (std::uint32_t seed = 0; seed < programs(1500); ++seed) {
    RandomProgram random(seed);
    random.launch(write(0, random.index(), random.guard()));
    const KnownFacts facts = random.facts();
    const Stage stage = random.stage(LaunchId{0}),
                own = random.stage(LaunchId{0}, SymbolSpace::Kernel);
    const auto interval = intervalOf(stage.accesses[0], stage, facts);
    const auto span = spanOf(own.accesses[0], own, facts);
    found += interval.has_value();
    spans += span.has_value();
    const std::string what = "seed " + std::to_string(seed) + ": " +
                             describe(random.access(LaunchId{0}));
    for (int i = 0; (interval || span) && i < 8; ++i) {
      const Numbers numbers = random.numbers();
      const auto touches = random.touches(LaunchId{0}, numbers);
      if (touches && interval)
        expectWithin(interval->low, interval->high, *touches, numbers, random,
                     what);
      if (touches && span)
        expectWithin({span->low}, span->high, *touches, numbers, random,
                     what + ", span");
    }
    if (HasFatalFailure())
      return;
  }
  EXPECT_GT(found, 150 / Slack);
  EXPECT_GT(spans, 150 / Slack);
}

TEST(Enumeration, Coverage) {
  int proved = 0;
  for (std::uint32_t seed = 0; seed < programs(3000); ++seed) {
    RandomProgram random(seed);
    Dice &dice = random.Random;
    const std::array<Polynomial, 2> sizes = {dice.of(random.sizes()),
                                             dice.of(random.sizes())};
    const bool isPlane = random.axes() == 2;
    const auto stores = dice.between(1, 3);
    for (std::int64_t i = 0; i < stores; ++i) {
      const Polynomial row = dice.once(6) ? dice.of(random.sizes()) : sizes[0];
      Polynomial cell = isPlane ? global(1) * row + global(0) : global(0);
      if (dice.once(8))
        cell = random.index();
      Guard guard;
      if (!dice.once(4))
        guard.push_back(less(global(0), sizes[0]));
      if (isPlane && !dice.once(4))
        guard.push_back(less(global(1), sizes[1]));
      if (dice.once(2))
        guard = random.guardNear(guard);
      random.launch(write(0, cell, guard),
                    dice.once(8)   ? random.grid()
                    : dice.once(6) ? random.gridFor({sizes[1], sizes[0]})
                                   : random.gridFor(sizes));
    }
    const Polynomial count =
        random.bound(isPlane ? sizes[0] * sizes[1] : sizes[0]) -
        num(dice.once(8) ? 1 : 0);
    const Program &program = random.Builder.problem().program;
    std::vector<AccessRange> reaches;
    for (std::uint32_t i = 0; i < program.launches.size(); ++i) {
      const auto stage =
          std::make_shared<const Stage>(random.stage(LaunchId{i}));
      reaches.push_back(
          {&stage->accesses[0], &stage->accesses[0].guard, stage});
    }
    if (!coversArray(program, reaches, count * num(4), knownOf(program)))
      continue;
    ++proved;
    for (int i = 0; i < 12; ++i) {
      const Numbers numbers = random.numbers();
      std::set<std::int64_t> touched;
      bool isRun = true;
      std::string what = "seed " + std::to_string(seed);
      for (std::uint32_t launch = 0; launch < program.launches.size();
           ++launch) {
        const auto touches = random.touches(LaunchId{launch}, numbers);
        // A launch without threads touches nothing.
        isRun &= touches || !firstThread(program, LaunchId{launch}, numbers);
        what += "\n" + describe(random.access(LaunchId{launch}));
        for (const Touch &touch : touches.value_or(std::vector<Touch>{}))
          touched.insert(touch.element);
      }
      const auto number = [&](const Polynomial &value) {
        return valueOf(
            value, program.terms,
            valuation({}, numbers, program.launches[0], program.terms));
      };
      isRun &= number(sizes[0]).value_or(-1) >= 0 &&
               (!isPlane || number(sizes[1]).value_or(-1) >= 0);
      const auto elements = number(count);
      for (std::int64_t e = 0; isRun && elements && e < *elements; ++e)
        ASSERT_TRUE(touched.contains(e))
            << what << "\nelement " << e << " of " << *elements << ", n "
            << numbers[0] << " m " << numbers[1] << " s " << numbers[2];
    }
  }
  EXPECT_GT(proved, 150 / Slack);
}

/// Returns a term of host values like those of sizes and grids.
Polynomial randomTerm(TermTable &terms, Dice &dice,
                      const std::vector<Polynomial> &of) {
  static const std::vector<TermKind> Kinds = {
      TermKind::Divide,     TermKind::Remainder, TermKind::Minimum,
      TermKind::Maximum,    TermKind::BitAnd,    TermKind::BitOr,
      TermKind::ShiftRight, TermKind::Compare,   TermKind::Select};
  const TermKind kind = dice.of(Kinds);
  const auto operand = [&] {
    return dice.of(of) * num(dice.once(4) ? -1 : 1) + num(dice.between(-1, 3));
  };
  std::vector<Polynomial> operands = {operand(), operand()};
  if (kind == TermKind::Select)
    operands.push_back(operand());
  if (dice.once(2) && kind != TermKind::Compare)
    operands.back() = num(dice.between(kind == TermKind::Divide ? 1 : 0, 4));
  return makeTerm(terms,
                  {kind, kind == TermKind::Compare ? dice.between(0, 3) : 0,
                   std::move(operands)});
}

TEST(Enumeration, KnownFacts) {
  int proved = 0;
  for (std::uint32_t seed = 0; seed < programs(10000); ++seed) {
    Dice dice(seed);
    TermTable terms;
    std::vector<HostValue> values = {{}, {}, {noneOf<VariableId>(), "", true}};
    std::vector<Polynomial> of;
    for (std::uint32_t i = 0; i < 3; ++i)
      of.push_back(sym(SymbolKind::HostValue, i));
    of.push_back(global());
    const std::vector<Polynomial> plain = of;
    for (int i = 0; i < 3; ++i)
      of.push_back(randomTerm(terms, dice, plain));
    const auto sum = [&](std::int64_t least) {
      Polynomial value(dice.between(-2, 2));
      for (int i = 0; i < 2; ++i)
        value = value + dice.of(of) * num(dice.between(least, 2)) *
                            (dice.once(5) ? dice.of(of) : num(1));
      return value;
    };
    KnownFacts facts;
    facts.terms = &terms;
    facts.values = &values;
    for (auto some = dice.roll(3); some > 0; --some)
      facts.notNegative.push_back(sum(-2));
    Polynomial asked = sum(dice.once(2) ? -2 : 0);
    for (const Polynomial &fact : facts.notNegative)
      asked = asked + fact * num(dice.between(0, 2));
    if (!provesNonNegative(facts, asked))
      continue;
    ++proved;
    for (int i = 0; i < 40; ++i) {
      const Numbers numbers = {dice.between(-4, 6), dice.between(-4, 6),
                               dice.between(1, 5)};
      const std::int64_t thread = dice.between(0, 4);
      const auto number = [&](const Polynomial &polynomial) {
        return valueOf(polynomial, terms,
                       [&](Symbol symbol) -> std::optional<std::int64_t> {
                         return symbol.kind == SymbolKind::GlobalIdx
                                    ? thread
                                    : numbers[symbol.index];
                       });
      };
      // Each term has a value in the program that contains it.
      const bool isPossible =
          std::all_of(
              of.begin(), of.end(),
              [&](const Polynomial &one) { return number(one).has_value(); }) &&
          std::all_of(facts.notNegative.begin(), facts.notNegative.end(),
                      [&](const Polynomial &fact) {
                        return number(fact).value_or(-1) >= 0;
                      });
      if (isPossible)
        ASSERT_GE(*number(asked), 0)
            << "seed " << seed << ": " << print(asked) << " with n "
            << numbers[0] << " m " << numbers[1] << " s " << numbers[2]
            << " thread " << thread;
    }
  }
  EXPECT_GT(proved, 1000 / Slack);
}

} // namespace
} // namespace kfuse
