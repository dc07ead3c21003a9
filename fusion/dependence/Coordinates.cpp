//===- Coordinates.cpp - Accesses in the coordinates of the group ---------===//

#include "fusion/dependence/Coordinates.h"

#include "fusion/dependence/Recombination.h"

#include <algorithm>
#include <cstdlib>

namespace kfuse {
namespace {

bool isOne(const Polynomial &extent) { return extent == Polynomial(1); }

/// Returns a coordinate of the kernel's text in canonical coordinates.
std::optional<Polynomial> canonicalValue(Symbol symbol, const Stage &stage) {
  const std::uint32_t axis = symbol.index;
  if (axis >= 3)
    return std::nullopt;
  const bool oneBlock = isOne(stage.grid[axis]);
  const bool oneThread = isOne(stage.block[axis]);
  Polynomial global(Symbol{SymbolKind::GlobalIdx, axis});
  Polynomial block(Symbol{SymbolKind::BlockIdx, axis});
  switch (symbol.kind) {
  case SymbolKind::ThreadIdx: {
    if (oneThread)
      return Polynomial{};
    if (oneBlock)
      return global;
    auto before = multiply(block, stage.block[axis]);
    return before ? subtract(global, *before) : std::nullopt;
  }
  case SymbolKind::BlockIdx:
    if (oneBlock)
      return Polynomial{};
    return oneThread ? global : block;
  case SymbolKind::GlobalIdx:
    return oneBlock && oneThread ? Polynomial{} : global;
  default:
    return std::nullopt;
  }
}

} // namespace

std::optional<Polynomial> canonical(const Polynomial &polynomial,
                                    const Stage &stage,
                                    const TermTable &terms) {
  return substitute(recombine(polynomial, terms), [&](Symbol symbol) {
    return canonicalValue(symbol, stage);
  });
}

namespace {

Guard canonicalGuard(const Guard &bound, const Guard &own, const Stage &stage,
                     const TermTable &terms) {
  Guard guard;
  for (std::size_t i = 0; i < bound.size(); ++i) {
    Constraint constraint{bound[i].relation, {}};
    auto expression = canonical(bound[i].expression, stage, terms);
    if (!expression || (i < own.size() && hasUnique(own[i].expression, terms)))
      constraint.relation = Relation::Unknown;
    else
      constraint.expression = std::move(*expression);
    auto constant = constraint.expression.asConstant();
    if (constant &&
        ((constraint.relation == Relation::NonNegative && *constant >= 0) ||
         (constraint.relation == Relation::Zero && *constant == 0) ||
         (constraint.relation == Relation::NonZero && *constant != 0)))
      continue;
    guard.push_back(std::move(constraint));
  }
  return guard;
}

/// Checks whether the text compares the bare index with a bound, or adds a
/// small number to it. `own` is the constraint in the text's symbols: its `i <
/// end - first` may have been written `first + i < end`, and `i < n - 1` as `i
/// + 1 < n`.
bool isBare(const Constraint &bound, const Constraint &own, const Stage &stage,
            const TermTable &terms) {
  constexpr std::int64_t MostAdded = 1 << 20;
  if (hasUnique(own.expression, terms))
    return false;
  std::size_t parts = 0;
  std::int64_t added = 0;
  for (const auto &[monomial, coefficient] : own.expression.terms())
    if (monomial.empty())
      added = coefficient;
    else if (!varies(Polynomial(monomial, coefficient), terms))
      ++parts;
  if (parts > 1 || (parts == 1 && std::abs(added) > MostAdded))
    return false;
  const auto expression = canonical(bound.expression, stage, terms);
  for (std::uint32_t axis = 0; expression && axis < 3; ++axis)
    if (const auto rest =
            expression->splitLinear(Symbol{SymbolKind::GlobalIdx, axis});
        rest && rest->coefficient == Polynomial(-1) &&
        !varies(rest->rest, terms))
      return true;
  return false;
}

/// Returns the guard without the conjuncts whose opposites guard another store
/// of the kernel.
Guard withoutOtherArm(const Guard &guard,
                      const std::vector<std::uint32_t> &otherArm) {
  Guard cover;
  for (std::uint32_t i = 0; i < guard.size(); ++i)
    if (std::find(otherArm.begin(), otherArm.end(), i) == otherArm.end())
      cover.push_back(guard[i]);
  return cover;
}

/// Converts `offset` bytes to a number of elements.
std::optional<Polynomial> inElements(const Polynomial &offset,
                                     std::uint32_t elementBytes) {
  if (offset.isZero())
    return offset;
  if (elementBytes == 0)
    return std::nullopt;
  Polynomial quotient;
  for (const auto &[monomial, coefficient] : offset.terms()) {
    if (coefficient % elementBytes != 0)
      return std::nullopt;
    std::optional<Polynomial> term =
        Polynomial(coefficient / static_cast<std::int64_t>(elementBytes));
    for (Symbol symbol : monomial)
      term = term ? multiply(*term, Polynomial(symbol)) : std::nullopt;
    auto sum = term ? add(quotient, *term) : std::nullopt;
    if (!sum)
      return std::nullopt;
    quotient = std::move(*sum);
  }
  return quotient;
}

IndexExpr canonicalIndex(const Access &access, const Access &own,
                         const PointerValue *pointer, const Stage &stage,
                         const TermTable &terms) {
  const auto *polynomial = std::get_if<Polynomial>(&access.index);
  if (!polynomial)
    return access.index;
  if (const auto *text = std::get_if<Polynomial>(&own.index);
      !text || hasUnique(*text, terms))
    return NotPolynomial::Indirect;
  auto index = canonical(*polynomial, stage, terms);
  if (index && pointer) {
    const auto *offset = std::get_if<Polynomial>(&pointer->offset);
    auto elements =
        offset ? inElements(*offset, access.elementBytes) : std::nullopt;
    if (!elements)
      return NotPolynomial::Unsupported;
    index = add(*index, *elements);
  }
  if (!index)
    return NotPolynomial::Overflow;
  return *index;
}

/// Returns the value of a parameter or extent if it is a constant.
std::optional<Polynomial> constantValue(Symbol symbol, const Launch &launch) {
  const Polynomial *value = nullptr;
  if (symbol.kind == SymbolKind::Parameter &&
      symbol.index < launch.scalars.size())
    value = &launch.scalars[symbol.index];
  if (symbol.kind == SymbolKind::BlockDim && symbol.index < 3)
    value = &launch.block.extent[symbol.index];
  if (symbol.kind == SymbolKind::GridDim && symbol.index < 3)
    value = &launch.grid.extent[symbol.index];
  if (value && value->asConstant())
    return *value;
  return std::nullopt;
}

/// Replaces symbols in a kernel's access by the launch's constants. Terms stay
/// as they are, since a span can't mention them anyway.
Access withConstants(Access access, const Launch &launch) {
  auto value = [&](Symbol symbol) { return constantValue(symbol, launch); };
  if (auto *index = std::get_if<Polynomial>(&access.index)) {
    if (auto replaced = substitute(*index, value))
      *index = std::move(*replaced);
    else
      access.index = NotPolynomial::Overflow;
  }
  for (Constraint &constraint : access.guard) {
    if (auto replaced = substitute(constraint.expression, value))
      constraint.expression = std::move(*replaced);
    else
      constraint.relation = Relation::Unknown;
  }
  return access;
}

/// Returns the first value of the loop's variable, if it is a constant.
std::optional<std::int64_t> startOf(const KernelLoop &loop,
                                    const Launch &launch) {
  const auto first = loop.variable
                         ? substitute(loop.variable->first,
                                      [&](Symbol symbol) {
                                        return constantValue(symbol, launch);
                                      })
                         : std::nullopt;
  return first ? first->asConstant() : std::nullopt;
}

} // namespace

Stage makeStage(const Program &program, LaunchId id, SymbolSpace space) {
  const Launch &launch = program[id];
  Stage stage;
  stage.launch = id;
  stage.kernel = &program[launch.kernel];
  if (stage.kernel->gridStride)
    stage.strideAxis = stage.kernel->gridStride->axis;
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    stage.grid[axis] = launch.grid.extent[axis];
    stage.block[axis] = launch.block.extent[axis];
    if (space == SymbolSpace::Kernel && !stage.grid[axis].asConstant())
      stage.grid[axis] = Polynomial(Symbol{SymbolKind::GridDim, axis});
    if (space == SymbolSpace::Kernel && !stage.block[axis].asConstant())
      stage.block[axis] = Polynomial(Symbol{SymbolKind::BlockDim, axis});
  }
  const std::vector<Access> &inText = program.ownAccesses(launch);
  const std::size_t count = std::min(launch.accesses.size(), inText.size());
  for (std::size_t i = 0; i < count; ++i) {
    const Access &own = inText[i];
    const Access &bound = launch.accesses[i];
    StageAccess access;
    access.number = static_cast<std::uint32_t>(i);
    access.access = &bound;
    const PointerValue *pointer = bound.pointer < launch.pointers.size()
                                      ? &launch.pointers[bound.pointer]
                                      : nullptr;
    if (pointer && indexOf(pointer->array) < program.arrays.size())
      access.array = pointer->array;
    const auto addGuard = [&](const Access &framed) {
      access.guard =
          canonicalGuard(framed.guard, own.guard, stage, program.terms);
      access.cover =
          own.otherArm.empty()
              ? access.guard
              : canonicalGuard(withoutOtherArm(framed.guard, own.otherArm),
                               withoutOtherArm(own.guard, own.otherArm), stage,
                               program.terms);
      Guard bare;
      for (std::size_t c = 0; c < framed.guard.size() && c < own.guard.size();
           ++c)
        if (isBare(framed.guard[c], own.guard[c], stage, program.terms))
          bare.push_back(framed.guard[c]);
      access.bare = canonicalGuard(bare, {}, stage, program.terms);
    };
    if (space == SymbolSpace::Launch) {
      access.index =
          pointer ? canonicalIndex(bound, own, pointer, stage, program.terms)
                  : IndexExpr(NotPolynomial::Unsupported);
      addGuard(bound);
    } else {
      const Access half = withConstants(own, launch);
      access.index = canonicalIndex(half, own, nullptr, stage, program.terms);
      addGuard(half);
    }
    stage.accesses.push_back(std::move(access));
  }
  for (const KernelLoop &loop : stage.kernel->loops)
    stage.loopStarts.push_back(startOf(loop, launch));
  return stage;
}

Stage withoutAccesses(const Stage &stage) {
  Stage bare;
  bare.launch = stage.launch;
  bare.kernel = stage.kernel;
  bare.grid = stage.grid;
  bare.block = stage.block;
  bare.strideAxis = stage.strideAxis;
  bare.hasOwnTerms = stage.hasOwnTerms;
  bare.loopStarts = stage.loopStarts;
  return bare;
}

std::optional<Polynomial> splitAxes(const Polynomial &polynomial,
                                    const Stage &stage,
                                    const AxisSplit &split) {
  return substitute(
      polynomial, [&](Symbol symbol) -> std::optional<Polynomial> {
        if (symbol.kind != SymbolKind::GlobalIdx || !split[symbol.index])
          return std::nullopt;
        const std::uint32_t axis = symbol.index;
        auto before = multiply(Polynomial(Symbol{SymbolKind::BlockIdx, axis}),
                               stage.block[axis]);
        return before ? add(*before,
                            Polynomial(Symbol{SymbolKind::ThreadIdx, axis}))
                      : std::nullopt;
      });
}

std::vector<Symbol> coordinatesOf(const Stage &stage, const AxisSplit &split) {
  std::vector<Symbol> coordinates;
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    if (stage.strideAxis == axis) {
      coordinates.push_back({SymbolKind::StrideIdx, axis});
      continue;
    }
    if (isOne(stage.grid[axis]) && isOne(stage.block[axis]))
      continue;
    if (!split[axis]) {
      coordinates.push_back({SymbolKind::GlobalIdx, axis});
      continue;
    }
    coordinates.push_back({SymbolKind::ThreadIdx, axis});
    coordinates.push_back({SymbolKind::BlockIdx, axis});
  }
  return coordinates;
}

Range rangeOf(Symbol coordinate, const Stage &stage, const Guard &guard,
              const TermTable &terms) {
  Range range;
  range.low.emplace_back();
  auto belowExtent = [&](const std::optional<Polynomial> &extent) {
    if (auto last = extent ? subtract(*extent, Polynomial(1)) : std::nullopt)
      range.high.push_back(std::move(*last));
  };
  if (coordinate.kind == SymbolKind::ThreadIdx)
    belowExtent(stage.block[coordinate.index]);
  if (coordinate.kind == SymbolKind::BlockIdx)
    belowExtent(stage.grid[coordinate.index]);
  if (coordinate.kind == SymbolKind::GlobalIdx)
    belowExtent(
        multiply(stage.grid[coordinate.index], stage.block[coordinate.index]));
  addGuardBounds(range, coordinate, guard, terms);
  return range;
}

/// Returns what 8 - 3 * x >= 0 says of x itself: 2 - x >= 0.
static Polynomial::LinearSplit perUnit(const Polynomial::LinearSplit &split) {
  const std::int64_t by = split.coefficient.asConstant().value_or(0);
  const auto rest = split.rest.asConstant();
  if (by == 0 || !rest || *rest == INT64_MIN || by == INT64_MIN)
    return split;
  const std::int64_t size = std::abs(by);
  const std::int64_t whole = *rest / size - (*rest % size < 0 ? 1 : 0);
  return {Polynomial(by / size), Polynomial(whole)};
}

void addGuardBounds(Range &range, Symbol symbol, const Guard &guard,
                    const TermTable &terms) {
  for (const Constraint &constraint : guard) {
    if (constraint.relation != Relation::NonNegative &&
        constraint.relation != Relation::Zero)
      continue;
    auto split = constraint.expression.splitLinear(symbol);
    if (!split || varies(split->rest, terms))
      continue;
    if (constraint.relation == Relation::NonNegative)
      split = perUnit(*split);
    const bool isLower = split->coefficient == Polynomial(1);
    const bool isUpper = split->coefficient == Polynomial(-1);
    if (!isLower && !isUpper)
      continue;
    auto bound = isUpper ? std::optional(split->rest)
                         : subtract(Polynomial{}, split->rest);
    if (!bound)
      continue;
    // Guards come first: they are tighter than the shape as a rule.
    if (isLower || constraint.relation == Relation::Zero)
      range.low.insert(range.low.begin(), *bound);
    if (isUpper || constraint.relation == Relation::Zero)
      range.high.insert(range.high.begin(), *bound);
  }
}

Guard splitGuard(const Guard &guard, const Stage &stage,
                 const AxisSplit &split) {
  Guard result;
  for (const Constraint &constraint : guard)
    if (auto expression = splitAxes(constraint.expression, stage, split))
      result.push_back({constraint.relation, std::move(*expression)});
  return result;
}

/// Returns the one symbol of a value that is negative unless the symbol is
/// positive.
static std::optional<Symbol> positiveSymbol(const Polynomial &value) {
  const std::vector<Symbol> symbols = value.symbols();
  const auto parts =
      symbols.size() == 1 ? value.splitLinear(symbols.front()) : std::nullopt;
  if (!parts || parts->coefficient.asConstant().value_or(0) <= 0 ||
      parts->rest.asConstant().value_or(0) >= 0)
    return std::nullopt;
  return symbols.front();
}

void assumeNonNegative(KnownFacts &facts, Polynomial value) {
  if (value.asConstant() ||
      std::find(facts.notNegative.begin(), facts.notNegative.end(), value) !=
          facts.notNegative.end())
    return;
  if (auto symbol = positiveSymbol(value))
    facts.positive.insert(*symbol);
  facts.notNegative.push_back(std::move(value));
}

void assumeNonEmpty(KnownFacts &facts, const Range &range) {
  for (const Polynomial &low : range.low)
    for (const Polynomial &high : range.high)
      if (auto difference = subtract(high, low))
        assumeNonNegative(facts, std::move(*difference));
}

} // namespace kfuse
