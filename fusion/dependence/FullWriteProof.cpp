//===- FullWriteProof.cpp - Accesses that reach a whole array -------------===//

#include "fusion/dependence/FullWriteProof.h"

#include "fusion/dependence/Division.h"
#include "fusion/dependence/Guards.h"
#include "graphs/program/Wrapping.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace kfuse {
namespace {

/// Elements, or their coordinates on one axis: [low, end).
struct Side {
  Polynomial low, end;
};
using Box = std::vector<Side>; ///< by axis, the fastest first

/// An array's axes: the distance of neighbours, and how many there are.
struct ArrayShape {
  std::vector<Polynomial> strides, extents;
  bool operator==(const ArrayShape &) const = default;
};

bool isAtMost(const Polynomial &lhs, const Polynomial &rhs,
              const KnownFacts &facts) {
  auto slack = subtract(rhs, lhs);
  return slack && provesNonNegative(facts, *slack);
}

//===----------------------------------------------------------------------===//
// From an access to a box
//===----------------------------------------------------------------------===//

/// A coordinate that the index mentions.
struct IndexDigit {
  Symbol coordinate;
  Polynomial coefficient;
  Side side; ///< every value in it is taken
};

/// Checks whether `blocks` blocks of `threads` threads are at least `width`
/// threads.
bool reachesAll(const Polynomial &blocks, const Polynomial &threads,
                const Polynomial &width, const KnownFacts &facts) {
  auto all = multiply(blocks, threads);
  if (all && isAtMost(width, *all, facts))
    return true;
  if (!provesPositive(facts, threads))
    return false;
  // The usual number of blocks: b * (a / b) is at least a - b + 1.
  for (Symbol symbol : blocks.symbols()) {
    if (symbol.kind != SymbolKind::Opaque)
      continue;
    const Term &quotient = (*facts.terms)[symbol];
    auto parts = blocks.splitLinear(symbol);
    if (quotient.kind != TermKind::Divide || quotient.operands.size() != 2 ||
        quotient.operands[1] != threads || !parts ||
        parts->coefficient != Polynomial(1))
      continue;
    auto excess = subtract(quotient.operands[0], threads);
    auto least = excess ? add(*excess, Polynomial(1)) : std::nullopt;
    auto rest = multiply(parts->rest, threads);
    auto count = least && rest ? add(*least, *rest) : std::nullopt;
    if (count && isAtMost(width, *count, facts))
      return true;
  }
  return false;
}

/// Returns the values that `coordinate` takes, from the constraints that
/// mention it; nullopt if it isn't sure that it takes all between two bounds.
std::optional<Side> sideOf(Symbol coordinate, const Stage &stage,
                           const std::vector<Polynomial> &lows,
                           const std::vector<Polynomial> &ends,
                           const KnownFacts &facts) {
  Side side;
  for (const Polynomial &low : lows) {
    if (isAtMost(low, side.low, facts))
      continue;
    if (!isAtMost(side.low, low, facts))
      return std::nullopt;
    side.low = low;
  }
  const bool isBound = !ends.empty();
  if (isBound)
    side.end = ends.front();
  for (const Polynomial &end : ends)
    if (isAtMost(end, side.end, facts))
      side.end = end;
  for (const Polynomial &end : ends)
    if (!isAtMost(side.end, end, facts))
      return std::nullopt;
  // A grid-stride loop goes as far as its bound says, on any grid.
  if (coordinate.kind == SymbolKind::StrideIdx)
    return isBound ? std::optional(side) : std::nullopt;
  const Polynomial &blocks = stage.grid[coordinate.index];
  const Polynomial &threads = stage.block[coordinate.index];
  if (isBound)
    return reachesAll(blocks, threads, side.end, facts) ? std::optional(side)
                                                        : std::nullopt;
  auto all = multiply(blocks, threads);
  if (!all)
    return std::nullopt;
  side.end = std::move(*all);
  return side;
}

/// Returns the coordinates in the index; nullopt if the index is no sum of
/// them, or the guard does more than bound them.
std::optional<std::vector<IndexDigit>> digitsOf(const AccessRange &reach,
                                                const Guard &guard,
                                                Polynomial &rest,
                                                const KnownFacts &facts) {
  const auto *index = std::get_if<Polynomial>(&reach.access->index);
  const Access &access = *reach.access->access;
  if (!index || access.offset != 0 || access.width != access.elementBytes ||
      !access.loops.empty())
    return std::nullopt;
  rest = *index;
  std::vector<IndexDigit> digits;
  for (Symbol coordinate : coordinatesOf(*reach.stage, AxisSplit{})) {
    auto parts = rest.splitLinear(coordinate);
    if (!parts || varies(parts->coefficient, *facts.terms))
      return std::nullopt;
    rest = std::move(parts->rest);
    if (!parts->coefficient.isZero())
      digits.push_back({coordinate, std::move(parts->coefficient), {}});
  }
  if (varies(rest, *facts.terms))
    return std::nullopt;
  std::vector<std::vector<Polynomial>> lows(digits.size()), ends(digits.size());
  for (const Constraint &constraint : guard) {
    if (constraint.relation != Relation::NonNegative)
      return std::nullopt;
    if (provesNonNegative(facts, constraint.expression))
      continue;
    bool isBound = false;
    for (std::size_t i = 0; i < digits.size() && !isBound; ++i) {
      auto parts = constraint.expression.splitLinear(digits[i].coordinate);
      if (!parts || varies(parts->rest, *facts.terms))
        continue;
      auto low = subtract(Polynomial{}, parts->rest);
      auto end = add(parts->rest, Polynomial(1));
      if (parts->coefficient == Polynomial(1) && low)
        lows[i].push_back(std::move(*low));
      else if (parts->coefficient == Polynomial(-1) && end)
        ends[i].push_back(std::move(*end));
      else
        continue;
      isBound = true;
    }
    if (!isBound)
      return std::nullopt;
  }
  for (std::size_t i = 0; i < digits.size(); ++i) {
    auto side =
        sideOf(digits[i].coordinate, *reach.stage, lows[i], ends[i], facts);
    if (!side)
      return std::nullopt;
    digits[i].side = std::move(*side);
  }
  return digits;
}

std::optional<Side> shifted(const Side &side, const Polynomial &by) {
  auto low = add(side.low, by), end = add(side.end, by);
  if (!low || !end)
    return std::nullopt;
  return Side{std::move(*low), std::move(*end)};
}

/// Returns the elements that the access reaches, on the axes of `shape`.
std::optional<Box> boxOf(const AccessRange &reach, const Guard &guard,
                         const ArrayShape &shape, const KnownFacts &facts) {
  Polynomial rest;
  auto digits = digitsOf(reach, guard, rest, facts);
  if (!digits)
    return std::nullopt;
  Box box(shape.strides.size(), Side{Polynomial{}, Polynomial(1)});
  std::vector<bool> isTaken(box.size(), false);
  for (const IndexDigit &digit : *digits) {
    const auto stride = std::find(shape.strides.begin(), shape.strides.end(),
                                  digit.coefficient);
    const auto axis = static_cast<std::size_t>(stride - shape.strides.begin());
    if (stride == shape.strides.end() || isTaken[axis])
      return std::nullopt;
    isTaken[axis] = true;
    box[axis] = digit.side;
  }
  for (std::size_t axis = box.size(); axis-- > 0;) {
    auto parts = divideBySum(rest, shape.strides[axis]);
    auto side = parts ? shifted(box[axis], parts->quotient) : std::nullopt;
    if (!side)
      return std::nullopt;
    box[axis] = std::move(*side);
    rest = std::move(parts->rest);
  }
  if (!rest.isZero())
    return std::nullopt;
  // The last column is one before the next row's first.
  for (std::size_t axis = 0; axis + 1 < box.size(); ++axis) {
    const auto end = box[axis].end.asConstant();
    if (!end || *end > 0)
      continue;
    auto side = shifted(box[axis], shape.extents[axis]);
    auto next = shifted(box[axis + 1], Polynomial(-1));
    if (!side || !next)
      return std::nullopt;
    box[axis] = std::move(*side);
    box[axis + 1] = std::move(*next);
  }
  return box;
}

//===----------------------------------------------------------------------===//
// From boxes to the array
//===----------------------------------------------------------------------===//

/// Returns the axes on which the index of an access counts through `elements`.
std::optional<ArrayShape> shapeOf(std::vector<IndexDigit> digits,
                                  const Polynomial &elements) {
  ArrayShape shape;
  Polynomial stride(1);
  while (!digits.empty()) {
    const auto next = std::find_if(
        digits.begin(), digits.end(), [&](const IndexDigit &digit) {
          auto times = divideBySum(digit.coefficient, stride);
          // The nearest multiple: all others are multiples of it.
          return times && times->rest.isZero() &&
                 std::all_of(digits.begin(), digits.end(),
                             [&](const IndexDigit &other) {
                               auto ratio = divideBySum(other.coefficient,
                                                        digit.coefficient);
                               return ratio && ratio->rest.isZero();
                             });
        });
    if (next == digits.end() ||
        (shape.strides.empty() && next->coefficient != stride))
      return std::nullopt;
    if (!shape.strides.empty())
      shape.extents.push_back(divideBySum(next->coefficient, stride)->quotient);
    stride = next->coefficient;
    shape.strides.push_back(stride);
    digits.erase(next);
  }
  auto last = divideBySum(elements, stride);
  if (shape.strides.empty() || !last || !last->rest.isZero())
    return std::nullopt;
  shape.extents.push_back(std::move(last->quotient));
  return shape;
}

/// Takes the box off one side of what is left, which it has to span on all
/// other axes.
enum class Taken : std::uint8_t { Nothing, Part, All };
Taken take(const Box &box, Box &left, const KnownFacts &facts) {
  const auto spans = [&](std::size_t axis) {
    return isAtMost(box[axis].low, left[axis].low, facts) &&
           isAtMost(left[axis].end, box[axis].end, facts);
  };
  for (std::size_t axis = 0; axis < left.size(); ++axis) {
    bool spansOthers = true;
    for (std::size_t other = 0; other < left.size(); ++other)
      spansOthers = spansOthers && (other == axis || spans(other));
    if (!spansOthers)
      continue;
    if (spans(axis))
      return Taken::All;
    if (isAtMost(box[axis].low, left[axis].low, facts))
      left[axis].low = box[axis].end;
    else if (isAtMost(left[axis].end, box[axis].end, facts))
      left[axis].end = box[axis].low;
    else
      continue;
    return Taken::Part;
  }
  return Taken::Nothing;
}

bool coverWhole(std::vector<Box> boxes, const ArrayShape &shape,
                const KnownFacts &facts) {
  Box left;
  for (const Polynomial &extent : shape.extents)
    left.push_back({Polynomial{}, extent});
  // Others may span what is left after one was taken.
  for (bool isDone = false; !isDone;) {
    isDone = true;
    for (std::size_t i = 0; i < boxes.size();) {
      const Taken taken = take(boxes[i], left, facts);
      if (taken == Taken::All)
        return true;
      if (taken == Taken::Nothing) {
        ++i;
        continue;
      }
      boxes.erase(boxes.begin() + static_cast<std::ptrdiff_t>(i));
      isDone = false;
    }
  }
  return false;
}

/// Returns what is positive if a quotient is: n for (n + 31) / 32. Of any other
/// extent it returns nullopt.
std::optional<Polynomial> leastDividend(const TermTable &terms, Symbol extent) {
  if (extent.kind != SymbolKind::Opaque)
    return std::nullopt;
  const Term &term = terms[extent];
  if (term.kind != TermKind::Divide ||
      term.operands[1].asConstant().value_or(0) <= 0)
    return std::nullopt;
  const auto excess = subtract(term.operands[0], term.operands[1]);
  return excess ? add(*excess, Polynomial(1)) : std::nullopt;
}

/// Adds that a launch has at least one block: for (n + 31) / 32 blocks, n is at
/// least 1.
void addPositive(KnownFacts &facts, Symbol extent) {
  facts.positive.insert(extent);
  const auto least = leastDividend(*facts.terms, extent);
  const auto excess = least ? subtract(*least, Polynomial(1)) : std::nullopt;
  if (excess && std::find(facts.notNegative.begin(), facts.notNegative.end(),
                          *excess) == facts.notNegative.end())
    facts.notNegative.push_back(*excess);
}

} // namespace

KnownFacts knownOf(const Program &program) {
  KnownFacts facts;
  facts.terms = &program.terms;
  facts.values = &program.values;
  return facts;
}

KnownFacts factsOf(const Program &program, const Stage &stage) {
  KnownFacts facts = knownOf(program);
  for (const auto *extents : {&stage.grid, &stage.block})
    for (const Polynomial &extent : *extents)
      if (auto symbol = extent.asSymbol())
        addPositive(facts, *symbol);
  return facts;
}

/// Returns the size that is kept in a narrower type; `bytes` if none is.
static Polynomial beforeNarrowing(const Program &program,
                                  const Polynomial &bytes) {
  const std::optional<Symbol> symbol = bytes.asSymbol();
  const bool isNarrow = symbol && symbol->kind == SymbolKind::Opaque &&
                        program.terms[*symbol].kind == TermKind::Narrow;
  return isNarrow ? program.terms[*symbol].operands.front() : bytes;
}

/// Returns a size as it was before it was kept in an `int`: if not negative, it
/// was no smaller.
static Polynomial widened(const Program &program, const Polynomial &bytes,
                          const KnownFacts &facts) {
  const Polynomial size = beforeNarrowing(program, bytes);
  return size == bytes || provesNonNegative(facts, size) ? size : bytes;
}

/// Checks whether an array of `bytes` bytes has no elements if `extent` isn't
/// positive: it is one of the factors.
static bool isFactor(const Polynomial &extent, const Polynomial &bytes) {
  std::int64_t common = 0;
  for (const auto &[monomial, coefficient] : extent.terms())
    common = std::gcd(common, coefficient);
  const auto whole =
      multiply(bytes, Polynomial(std::max<std::int64_t>(common, 1)));
  return whole && divideExactly(*whole, extent);
}

/// Adds what the launch tells, if it has blocks, of the values in the array's
/// size: for (n + 31) / 32 blocks, n is at least 1. If it has none, there is no
/// such element: no array has a negative number of them on an axis.
static void addSizes(const Stage &stage, const Program &program,
                     const Polynomial &bytes, KnownFacts &facts) {
  const Polynomial size = beforeNarrowing(program, bytes);
  for (const auto *extents : {&stage.grid, &stage.block})
    for (const Polynomial &extent : *extents) {
      const auto symbol = extent.asSymbol();
      if (!symbol)
        continue;
      const auto least = leastDividend(program.terms, *symbol);
      if (isFactor(least.value_or(extent), size))
        addPositive(facts, *symbol);
    }
}

/// Checks whether the accesses cover the array if their launches run.
static bool coverWhere(const Program &program,
                       const std::vector<AccessRange> &reaches,
                       const Polynomial &bytes, const KnownFacts &facts) {
  if (reaches.empty())
    return false;
  const std::uint32_t elementBytes =
      reaches.front().access->access->elementBytes;
  auto elements = divide(bytes, Polynomial(std::int64_t{elementBytes}));
  if (!elements || !elements->rest.isZero() ||
      std::any_of(reaches.begin(), reaches.end(),
                  [&](const AccessRange &reach) {
                    return reach.access->access->elementBytes != elementBytes;
                  }))
    return false;
  struct Part {
    const AccessRange *reach;
    Guard guard;
  };
  std::vector<Part> parts;
  for (const AccessRange &reach : reaches)
    for (Guard &guard : alternatives(*reach.guard, *reach.stage, program.terms))
      parts.push_back({&reach, std::move(guard)});
  std::vector<ArrayShape> tried;
  return std::any_of(parts.begin(), parts.end(), [&](const Part &candidate) {
    Polynomial rest;
    auto digits = digitsOf(*candidate.reach, candidate.guard, rest, facts);
    auto shape =
        digits ? shapeOf(std::move(*digits), elements->quotient) : std::nullopt;
    if (!shape || std::find(tried.begin(), tried.end(), *shape) != tried.end())
      return false;
    tried.push_back(*shape);
    std::vector<Box> boxes;
    for (const Part &part : parts)
      if (auto box = boxOf(*part.reach, part.guard, *shape, facts))
        boxes.push_back(std::move(*box));
    return coverWhole(std::move(boxes), *shape, facts);
  });
}

/// Checks whether the launch has threads on every axis whose extent the index
/// doesn't tell: such an extent may be 0, and so may that of a grid-stride
/// loop.
static bool hasThreads(const AccessRange &reach, const KnownFacts &facts) {
  const auto *index = std::get_if<Polynomial>(&reach.access->index);
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const bool isTold = index && reach.stage->strideAxis != axis &&
                        index->mentions(Symbol{SymbolKind::GlobalIdx, axis});
    if (!isTold && (!provesPositive(facts, reach.stage->grid[axis]) ||
                    !provesPositive(facts, reach.stage->block[axis])))
      return false;
  }
  return true;
}

bool coversArray(const Program &program,
                 const std::vector<AccessRange> &reaches,
                 const Polynomial &bytes, const KnownFacts &known) {
  KnownFacts facts = known;
  for (const AccessRange &reach : reaches)
    addSizes(*reach.stage, program, bytes, facts);
  std::vector<AccessRange> sure;
  std::copy_if(reaches.begin(), reaches.end(), std::back_inserter(sure),
               [&](const AccessRange &reach) {
                 return hasThreads(reach, facts) &&
                        !isTested(program[reach.stage->launch]);
               });
  return coverWhere(program, sure, widened(program, bytes, facts), facts);
}

} // namespace kfuse
