//===- LaunchRanges.cpp - A kernel's numbers in a launch ------------------===//

#include "graphs/program/LaunchRanges.h"

#include <algorithm>

namespace kfuse {

NumberRange rangeOfHostValue(const std::vector<HostValue> &values,
                             Symbol symbol) {
  return symbol.kind == SymbolKind::HostValue && symbol.index < values.size()
             ? rangeOf(values[symbol.index].type)
             : anyNumber();
}

LaunchRanges::LaunchRanges(Program &program, const Launch &launch)
    : Code(program), Given(launch), Terms(program.terms),
      Bound(Terms, [this](Symbol symbol) { return rangeOfBound(symbol); }),
      Sizes(Terms, [this](Symbol symbol) { return rangeOfSize(symbol); }) {
  findExtents();
}

std::optional<Polynomial> LaunchRanges::bind(const Polynomial &own) {
  bool isKnown = true;
  auto value = substituteDeep(
      own, Terms, [&](Symbol symbol) { return valueOf(symbol, isKnown); });
  return isKnown ? value : std::nullopt;
}

std::optional<Polynomial> LaunchRanges::valueOf(Symbol symbol,
                                                bool &isKnown) const {
  switch (symbol.kind) {
  case SymbolKind::Parameter:
    if (symbol.index < Given.scalars.size())
      return Given.scalars[symbol.index];
    isKnown = false;
    return std::nullopt;
  case SymbolKind::BlockDim:
    return Given.block.extent[symbol.index];
  case SymbolKind::GridDim:
    return Given.grid.extent[symbol.index];
  default:
    return std::nullopt;
  }
}

Guard LaunchRanges::bind(const Guard &own) {
  Guard result;
  for (const Constraint &constraint : own)
    if (auto value = constraint.relation == Relation::Unknown
                         ? std::nullopt
                         : bind(constraint.expression))
      result.push_back({constraint.relation, std::move(*value)});
  return result;
}

/// Returns the range of a number that makes a launch's shape: a size, which
/// isn't negative.
NumberRange LaunchRanges::rangeOfSize(Symbol symbol) const {
  NumberRange range = rangeOfBound(symbol);
  range.least = std::max<WideInteger>(range.least, 0);
  return range;
}

/// Removes the conversions to unsigned types that keep a size as it is.
Polynomial LaunchRanges::asSize(const Polynomial &given) {
  return substituteDeep(
             given, Terms,
             [&](Symbol symbol) -> std::optional<Polynomial> {
               if (symbol.kind != SymbolKind::Opaque ||
                   Terms[symbol].kind != TermKind::Narrow)
                 return std::nullopt;
               const Term narrow = Terms[symbol];
               Polynomial operand = asSize(narrow.operands[0]);
               if (!isMadeOfInts(operand) &&
                   !contains(rangeOfNarrow(narrow), Sizes.of(operand)))
                 return std::nullopt;
               return operand;
             })
      .value_or(given);
}

/// Checks whether the value is made of ints, so that it was computed as one.
bool LaunchRanges::isMadeOfInts(const Polynomial &value) const {
  const std::vector<Symbol> symbols = symbolsDeep(value, Terms);
  return std::all_of(symbols.begin(), symbols.end(), [this](Symbol symbol) {
    if (symbol.kind == SymbolKind::Opaque) {
      const Term &term = Terms[symbol];
      return term.kind != TermKind::Narrow &&
             (term.kind != TermKind::Unique ||
              (!term.operands.empty() &&
               term.operands[0].asConstant().value_or(-64) == -32));
    }
    return symbol.kind == SymbolKind::HostValue &&
           symbol.index < Code.values.size() &&
           Code.values[symbol.index].type == IntegerType{32, false};
  });
}

/// Bounds the number of threads; if `grid` is a quotient by `block` or more, by
/// its dividend.
WideInteger LaunchRanges::threadsOf(const Polynomial &grid,
                                    const Polynomial &block) {
  const auto all = multiply(grid, block);
  const WideInteger most = all ? Sizes.of(*all).most : anyNumber().most;
  const auto symbol = grid.asSymbol();
  if (!symbol || symbol->kind != SymbolKind::Opaque ||
      Terms[*symbol].kind != TermKind::Divide)
    return most;
  const Term &blocks = Terms[*symbol];
  const auto spare = subtract(blocks.operands[1], block);
  if (!spare || spare->asConstant().value_or(-1) < 0)
    return most;
  const WideInteger dividend = isMadeOfInts(blocks.operands[0])
                                   ? WideInteger{INT32_MAX}
                                   : Sizes.of(blocks.operands[0]).most;
  return std::min(most, dividend);
}

/// Bounds the numbers of threads and blocks on each axis.
void LaunchRanges::findExtents() {
  const bool isOpenCl = Code.language == Language::OpenCL;
  const auto most = [&](const Polynomial &value, Symbol limit) {
    return std::min(Sizes.of(value).most,
                    rangeOfCoordinate(limit, isOpenCl)->most);
  };
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const Polynomial grid = asSize(Given.grid.extent[axis]);
    const Polynomial block = asSize(Given.block.extent[axis]);
    Grid[axis] = most(grid, {SymbolKind::GridDim, axis});
    Block[axis] = most(block, {SymbolKind::BlockDim, axis});
    Threads[axis] = std::min(Grid[axis] * Block[axis], threadsOf(grid, block));
  }
  HasExtents = true;
}

NumberRange LaunchRanges::rangeOfBound(Symbol symbol) const {
  if (symbol.kind == SymbolKind::HostValue)
    return rangeOfHostValue(Code.values, symbol);
  auto range = rangeOfCoordinate(symbol, Code.language == Language::OpenCL);
  if (range && HasExtents) {
    const WideInteger extent =
        symbol.kind == SymbolKind::ThreadIdx   ? Block[symbol.index]
        : symbol.kind == SymbolKind::BlockIdx  ? Grid[symbol.index]
        : symbol.kind == SymbolKind::GlobalIdx ? Threads[symbol.index]
                                               : range->most + 1;
    range->most = std::min(range->most, std::max<WideInteger>(extent - 1, 0));
  }
  return range.value_or(anyNumber());
}

} // namespace kfuse
