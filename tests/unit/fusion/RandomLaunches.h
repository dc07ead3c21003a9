//===- RandomLaunches.h - Launches of one access each ---------------------===//
//
// Draws kernels whose index and guard have the forms that occur in real
// kernels. Their grids and blocks are small enough to enumerate.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_TESTS_UNIT_FUSION_RANDOMLAUNCHES_H
#define KFUSE_TESTS_UNIT_FUSION_RANDOMLAUNCHES_H

#include "Enumeration.h"
#include "PlanBuilder.h"

#include "fusion/dependence/Coordinates.h"
#include "fusion/dependence/FullWriteProof.h"

#include <random>
#include <utility>
#include <vector>

namespace kfuse::test {

/// The enumeration runs at most this many iterations of a loop; guards may
/// admit more.
inline constexpr std::int64_t Rounds = 5;

class Dice {
public:
  explicit Dice(std::uint32_t seed) : Engine(seed) {}
  /// Returns a number from 0 to `sides` - 1.
  std::uint32_t roll(std::uint32_t sides) {
    return static_cast<std::uint32_t>(Engine()) % sides;
  }
  bool once(std::uint32_t in) { return roll(in) == 0; }
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + roll(static_cast<std::uint32_t>(high - low + 1));
  }
  template <typename T> const T &of(const std::vector<T> &choices) {
    return choices[roll(static_cast<std::uint32_t>(choices.size()))];
  }

private:
  std::mt19937 Engine;
};

/// Builds kernels with one access each, and their launches.
class RandomProgram {
public:
  explicit RandomProgram(std::uint32_t seed) : Random(seed) {
    Host = {Builder.value("n"), Builder.value("m"), Builder.value("s")};
    Builder.program().values[2].isPositive = true;
    Array = Builder.array("A");
    const bool isPlane = Random.once(2);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const bool isUsed = axis == 0 || (axis == 1 && isPlane);
      Block[axis] = num(isUsed ? Random.between(1, 4) : 1);
      Grid[axis] = isUsed ? extent(axis) : num(1);
    }
    Axes = isPlane ? 2 : 1;
  }

  Dice Random;
  PlanBuilder Builder;

  /// Returns an index as kernels write it.
  Polynomial index() {
    const Polynomial x = global(0), y = global(1);
    const Polynomial row = Random.of(sizes());
    Polynomial index = x;
    switch (Random.roll(12)) {
    case 0:
      index = x * num(Random.between(-2, 3));
      break;
    case 1:
      index = block() * num(Random.between(1, 5)) + thread();
      break;
    case 2:
      index = thread() * num(Random.between(1, 5)) + block();
      break;
    case 3: {
      const Polynomial by = divisor();
      index = quotient(x, by) * num(Random.between(1, 6)) + rest(x, by);
      break;
    }
    case 4: {
      const Polynomial by = divisor();
      index = rest(x, by) * Random.of(sizes()) + quotient(x, by);
      break;
    }
    case 5:
      index = rest(Random.once(2) ? x : thread(), divisor());
      break;
    case 6:
      index = quotient(Random.once(2) ? x : thread(), divisor());
      break;
    case 7:
      index = num(Random.between(1, 4)) * x + counter(0);
      break;
    case 8:
      index = counter(0) * row + x;
      break;
    case 9:
      index = row - num(1) - x;
      break;
    case 10:
      index = term(Random.once(2) ? TermKind::Minimum : TermKind::Maximum, x,
                   Random.of(sizes()));
      break;
    default:
      break;
    }
    if (Axes == 2 && !Random.once(6))
      index = Random.once(8) ? index * row + y : index + y * row;
    return index + num(Random.once(2) ? 0 : Random.between(-3, 3));
  }

  /// Returns an index near another one: the same, a neighbour's, or any.
  Polynomial indexNear(const Polynomial &other) {
    switch (Random.roll(5)) {
    case 0:
    case 1:
      return other;
    case 2:
      return other + num(Random.between(-2, 2));
    case 3:
      return other + num(Random.between(-1, 1)) * Random.of(sizes());
    default:
      return index();
    }
  }

  /// Makes an access one of a window of neighbours on one axis.
  void addWindow(Polynomial &index, Guard &guard) {
    const std::size_t axis = Axes == 2 && Random.once(2) ? 1 : 0;
    const auto parts = index.splitLinear(global(axis).symbols()[0]);
    const Polynomial away = counter(0) - num(Random.between(0, 2));
    index = index + away * (parts ? parts->coefficient : num(1));
    guard.push_back({Relation::NonNegative, counter(0)});
    guard.push_back(less(counter(0), num(Random.between(1, 4))));
    if (!Random.once(4))
      guard.push_back({Relation::NonNegative,
                       global(axis) + (Random.once(2) ? away : num(-2))});
  }

  Guard guard() {
    Guard guard;
    if (Random.once(2))
      guard.push_back(less(global(0), Random.of(sizes())));
    if (Axes == 2 && Random.once(2))
      guard.push_back(less(global(1), Random.of(sizes())));
    for (auto more = Random.roll(3); more > 0; --more)
      guard.push_back(constraint());
    return guard;
  }

  /// Returns another guard that may follow from `other`.
  Guard guardNear(const Guard &other) {
    Guard guard;
    for (const Constraint &one : other)
      if (!Random.once(4))
        guard.push_back(
            {one.relation,
             one.expression + num(Random.once(2) ? 0 : Random.between(-1, 1))});
    if (Random.once(2))
      guard.push_back(constraint());
    return guard;
  }

  LaunchId launch(Access access, std::array<Polynomial, 3> grid) {
    if (std::get<Polynomial>(access.index).mentions(counter(0).symbols()[0]))
      access.loops = {0};
    for (const Constraint &one : access.guard)
      if (one.expression.mentions(counter(0).symbols()[0]))
        access.loops = {0};
    const KernelId kernel = Builder.kernel("k", 1, 3, {std::move(access)});
    Builder[kernel].loops = {{{}, {}, LoopVariable{"k", num(-1), 1}}};
    return Builder.launch(kernel, {{Array, Polynomial{}}}, Host,
                          std::move(grid), Block);
  }
  LaunchId launch(Access access) { return launch(std::move(access), Grid); }

  /// Returns a grid that is unrelated to sizes and may have no blocks.
  std::array<Polynomial, 3> grid() {
    std::array<Polynomial, 3> grid = {num(1), num(1), num(1)};
    for (Polynomial &extent : grid)
      if (Random.once(2))
        extent = Random.of(Host);
    return grid;
  }

  /// Returns a grid with enough threads for `sizes`, or sometimes for one less.
  std::array<Polynomial, 3> gridFor(const std::array<Polynomial, 2> &sizes) {
    std::array<Polynomial, 3> grid = Grid;
    for (std::size_t axis = 0; axis < Axes; ++axis) {
      const Polynomial size = bound(sizes[axis]);
      grid[axis] = bound(quotient(
          size + Block[axis] - num(Random.once(6) ? 2 : 1), Block[axis]));
    }
    return grid;
  }

  KnownFacts facts() {
    const Program &program = Builder.problem().program;
    KnownFacts facts = factsOf(program, stage(LaunchId{0}));
    for (std::uint32_t i = 1; i < program.launches.size(); ++i) {
      const KnownFacts more = factsOf(program, stage(LaunchId{i}));
      facts.positive.insert(more.positive.begin(), more.positive.end());
    }
    return facts;
  }
  Stage stage(LaunchId launch, SymbolSpace space = SymbolSpace::Launch) {
    return makeStage(Builder.problem().program, launch, space);
  }
  /// Returns the kernel's own access.
  const Access &access(LaunchId launch) {
    return Builder.program().kernelOf(launch).accesses[0];
  }
  std::optional<std::vector<Touch>> touches(LaunchId launch,
                                            const Numbers &numbers) {
    return touchesOf(Builder.program(), launch, access(launch), numbers,
                     Rounds);
  }
  /// Returns values for n and m, of any sign, and for s, which is at least 1.
  Numbers numbers() {
    return {Random.between(-2, 8), Random.between(-2, 8), Random.between(1, 5)};
  }
  Polynomial bound(const Polynomial &value) {
    return *substituteDeep(value, Builder.program().terms,
                           [&](Symbol symbol) -> std::optional<Polynomial> {
                             if (symbol.kind != SymbolKind::Parameter)
                               return std::nullopt;
                             return Host[symbol.index];
                           });
  }
  std::vector<Polynomial> sizes() {
    return {param(0),          param(1),          param(2), num(4),
            param(0) - num(1), param(2) + num(1), num(7),   num(2)};
  }
  std::size_t axes() const { return Axes; }

private:
  Polynomial extent(std::size_t axis) {
    if (Random.once(4))
      return Host[2];
    if (Random.once(4))
      return bound(quotient(param(0) + Block[axis] - num(1), Block[axis]));
    return num(Random.between(1, 3));
  }
  Polynomial term(TermKind kind, const Polynomial &a, const Polynomial &b) {
    return makeTerm(Builder.program().terms, {kind, 0, {a, b}});
  }
  Polynomial quotient(const Polynomial &a, const Polynomial &b) {
    return term(TermKind::Divide, a, b);
  }
  Polynomial rest(const Polynomial &a, const Polynomial &b) {
    return term(TermKind::Remainder, a, b);
  }
  Polynomial divisor() {
    return Random.once(3) ? Random.of(sizes()) : num(Random.between(2, 5));
  }
  Constraint constraint() {
    const Polynomial x = global(0);
    switch (Random.roll(11)) {
    case 0:
      return atLeast(x, num(Random.between(0, 2)));
    case 1:
      return equal(x, Random.once(2) ? num(Random.between(0, 2))
                                     : Random.of(sizes()));
    case 2:
      return equal(rest(Random.once(2) ? x : thread(), divisor()),
                   num(Random.between(0, 1)));
    case 3:
      return less(thread(), num(Random.between(1, 3)));
    case 4:
      return {Relation::NonZero, x - num(Random.between(0, 2))};
    case 5:
      return less(counter(0), Random.of(sizes()));
    case 6:
      return less(x + global(1), Random.of(sizes()));
    case 7:
      return less(num(Random.between(1, 3)) * x + counter(0),
                  Random.of(sizes()));
    case 8: { // x == a || x == b
      const auto differs = [&](const Polynomial &to) {
        return num(1) - makeTerm(Builder.program().terms,
                                 {TermKind::Compare, 0, {x, to}});
      };
      return {Relation::Zero,
              differs(num(0)) * differs(Random.of(sizes()) - num(1))};
    }
    case 9:
      return equal(block(), num(Random.between(0, 1)));
    default:
      return less(x, Random.of(sizes()) - num(Random.between(0, 2)));
    }
  }

  std::vector<Polynomial> Host;
  ArrayId Array{};
  std::array<Polynomial, 3> Grid, Block;
  std::size_t Axes = 1;
};

} // namespace kfuse::test

#endif
