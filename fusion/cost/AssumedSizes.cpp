//===- AssumedSizes.cpp - Sizes that the source doesn't tell --------------===//

#include "fusion/cost/AssumedSizes.h"

#include "fusion/cost/MeasuredLaunches.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace kfuse {
namespace {

/// Extents of a launch: of its block, or of its block and its grid.
using ExtentList = std::vector<Polynomial>;

ExtentList extentsOf(const Launch &launch) {
  ExtentList all(launch.block.extent.begin(), launch.block.extent.end());
  all.insert(all.end(), launch.grid.extent.begin(), launch.grid.extent.end());
  return all;
}

/// Returns the alternative that a selection is expected to take: of an argument
/// and a constant the argument, of an argument and what is computed the latter.
const Polynomial &usualValue(const Term &selection, const TermTable &terms) {
  const Polynomial &first = selection.operands[1];
  const auto symbol = first.asSymbol();
  const bool isArgument = symbol && symbol->kind == SymbolKind::Opaque &&
                          terms[*symbol].kind == TermKind::Unique;
  const bool isSecond =
      first.asConstant() || (isArgument && !selection.operands[2].asConstant());
  return selection.operands[isSecond ? 2 : 1];
}

/// Evaluates expressions of the host. Terms share subterms, so what became of
/// each one is remembered.
class Evaluation {
public:
  Evaluation(const TermTable &terms,
             std::function<std::optional<double>(Symbol)> numbers)
      : Terms(terms), Number(std::move(numbers)) {}

  std::optional<double> operator()(const Polynomial &polynomial) {
    double sum = 0;
    for (const auto &[monomial, coefficient] : polynomial.terms()) {
      auto product = static_cast<double>(coefficient);
      for (const Symbol symbol : monomial) {
        const auto factor = of(symbol);
        if (!factor)
          return std::nullopt;
        product *= *factor;
      }
      sum += product;
    }
    return sum;
  }

private:
  std::optional<double> of(Symbol symbol) {
    if (const auto number = Number(symbol))
      return number;
    if (symbol.kind != SymbolKind::Opaque)
      return std::nullopt;
    if (const auto known = Known.find(symbol); known != Known.end())
      return known->second;
    const auto value = ofTerm(Terms[symbol]);
    Known.emplace(symbol, value);
    return value;
  }

  std::optional<double> ofTerm(const Term &term) {
    if (term.kind == TermKind::Select)
      return (*this)(usualValue(term, Terms));
    std::vector<double> values;
    for (const Polynomial &operand : term.operands) {
      const auto value = (*this)(operand);
      if (!value)
        return std::nullopt;
      values.push_back(*value);
    }
    switch (term.kind) {
    case TermKind::Divide:
      return values[1] == 0 ? std::nullopt
                            : std::optional(std::trunc(values[0] / values[1]));
    case TermKind::Remainder:
      return values[1] == 0 ? std::nullopt
                            : std::optional(std::fmod(values[0], values[1]));
    case TermKind::Minimum:
      return std::min(values[0], values[1]);
    case TermKind::Maximum:
      return std::max(values[0], values[1]);
    case TermKind::ShiftRight:
      return std::floor(values[0] / std::exp2(values[1]));
    case TermKind::ShiftLeft:
      return values[0] * std::exp2(values[1]);
    case TermKind::Narrow:
      return values[0];
    case TermKind::Compare:
    case TermKind::Select:
    case TermKind::BitAnd:
    case TermKind::BitOr:
    case TermKind::BitXor:
    case TermKind::Unique:
      break;
    }
    return std::nullopt;
  }

  const TermTable &Terms;
  std::function<std::optional<double>(Symbol)> Number;
  std::map<Symbol, std::optional<double>> Known;
};

bool isNumber(Symbol symbol, const TermTable &terms) {
  return symbol.kind == SymbolKind::HostValue ||
         (symbol.kind == SymbolKind::Opaque &&
          terms[symbol].kind == TermKind::Unique);
}

/// Adds the numbers that decide how large the value is.
void addNumbers(const Polynomial &polynomial, const TermTable &terms,
                std::set<Symbol> &seen, std::vector<Symbol> &numbers) {
  for (const Symbol symbol : polynomial.symbols()) {
    if (!seen.insert(symbol).second)
      continue;
    if (isNumber(symbol, terms))
      numbers.push_back(symbol);
    else if (symbol.kind != SymbolKind::Opaque)
      continue;
    else if (terms[symbol].kind == TermKind::Select)
      addNumbers(usualValue(terms[symbol], terms), terms, seen, numbers);
    else if (terms[symbol].kind != TermKind::Compare)
      for (const Polynomial &operand : terms[symbol].operands)
        addNumbers(operand, terms, seen, numbers);
  }
}

std::vector<Symbol> numbersIn(const ExtentList &extents,
                              const TermTable &terms) {
  std::set<Symbol> seen;
  std::vector<Symbol> numbers;
  for (const Polynomial &extent : extents)
    addNumbers(extent, terms, seen, numbers);
  return numbers;
}

class Assumption {
public:
  explicit Assumption(const Problem &problem)
      : TheProblem(problem), Given(problem.program),
        Threads(problem.options.assumedThreads) {}

  AssumedValues run() {
    for (std::uint32_t i = 0; i < Given.launches.size(); ++i)
      takeMeasured(LaunchId{i});
    for (const Launch &launch : Given.launches)
      takeUsual(launch.block.extent);
    std::vector<ExtentList> blocks, grids, strides;
    for (const Launch &launch : Given.launches) {
      blocks.emplace_back(launch.block.extent.begin(),
                          launch.block.extent.end());
      grids.push_back(extentsOf(launch));
      if (auto bound = strideBound(Given, launch))
        strides.push_back({std::move(*bound)});
    }
    assume(blocks, AssumedBlock);
    assume(grids, Threads);
    assume(strides, Threads);
    return std::move(Known);
  }

private:
  /// Gives those numbers values that a measured launch tells.
  void takeMeasured(LaunchId id) {
    const Launch &launch = Given[id];
    const MeasuredLaunch *measured = measuredLaunch(TheProblem, id);
    if (!measured)
      return;
    for (std::uint32_t i = 0; i < launch.scalars.size(); ++i)
      if (const auto value = measuredScalar(TheProblem, id, i);
          value && *value >= 1)
        assume({launch.scalars[i]}, static_cast<double>(*value));
    if (!measured->grid && measured->threads)
      assume(extentsOf(launch), *measured->threads);
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      if (measured->block)
        assume({launch.block.extent[axis]},
               static_cast<double>((*measured->block)[axis]));
      if (measured->grid)
        assume({launch.grid.extent[axis]},
               static_cast<double>((*measured->grid)[axis]));
    }
  }

  /// Gives those extents of a block values that the input always gives them.
  void takeUsual(const std::array<Polynomial, 3> &block) {
    for (const Polynomial &extent : block)
      if (const auto symbol = extent.asSymbol();
          symbol && symbol->kind == SymbolKind::HostValue)
        if (const auto &usual = Given.values[symbol->index].usual;
            usual.size() == 1 && usual.front() >= 1)
          Known.emplace(*symbol, static_cast<double>(usual.front()));
  }

  /// Gives the numbers of all extents values, those first that are most
  /// together.
  void assume(const std::vector<ExtentList> &all, double total) {
    // How many numbers there are, and in which of all.
    std::vector<std::pair<std::size_t, std::size_t>> unknown;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (const std::size_t numbers = unknownOf(all[i]).size(); numbers != 0)
        unknown.emplace_back(numbers, i);
    std::sort(unknown.begin(), unknown.end(),
              [](const auto &lhs, const auto &rhs) {
                return lhs.first != rhs.first ? lhs.first > rhs.first
                                              : lhs.second < rhs.second;
              });
    for (const auto &[numbers, place] : unknown)
      assume(all[place], total);
  }

  std::vector<Symbol> unknownOf(const ExtentList &extents) const {
    std::vector<Symbol> found = numbersIn(extents, Given.terms);
    std::erase_if(found, [&](Symbol symbol) { return Known.contains(symbol); });
    return found;
  }

  /// Gives the numbers that have no value yet one, the same, by which the
  /// product of the extents is `total`.
  void assume(const ExtentList &extents, double total) {
    const std::vector<Symbol> numbers = unknownOf(extents);
    if (numbers.empty())
      return;
    const auto productAt = [&](double number) {
      Evaluation value(Given.terms, [&](Symbol symbol) {
        if (const auto known = Known.find(symbol); known != Known.end())
          return std::optional(known->second);
        return isNumber(symbol, Given.terms) ? std::optional(number)
                                             : std::nullopt;
      });
      double product = 1;
      for (const Polynomial &extent : extents)
        product *= std::max(1.0, value(extent).value_or(1));
      return product;
    };
    const double number = numberFor(productAt, total);
    for (const Symbol symbol : numbers)
      Known.emplace(symbol, number);
  }

  /// Returns the whole number for which a function that grows with it comes
  /// near the total: its root if that suits, or what is found between.
  static double numberFor(const std::function<double(double)> &function,
                          double total) {
    for (const double degree : {1.0, 2.0, 3.0}) {
      const double root = std::round(std::pow(total, 1 / degree));
      const double share = function(root) / total;
      if (0.9 < share && share < 1.1)
        return root;
    }
    double low = 0, high = std::log2(std::max(2.0, total));
    for (int step = 0; step < 40; ++step) {
      const double middle = (low + high) / 2;
      (function(std::round(std::exp2(middle))) < total ? low : high) = middle;
    }
    return std::round(std::exp2(high));
  }

  const Problem &TheProblem;
  const Program &Given;
  const double Threads;
  AssumedValues Known;
};

} // namespace

struct SizeMemo {
  AssumedValues numbers;
};

static const AssumedValues &numbersOf(const Problem &problem) {
  if (!problem.memos.sizes)
    problem.memos.sizes =
        std::make_shared<SizeMemo>(SizeMemo{Assumption(problem).run()});
  return problem.memos.sizes->numbers;
}

std::optional<Polynomial> strideBound(const Program &program,
                                      const Launch &launch) {
  const Kernel &kernel = program[launch.kernel];
  if (!kernel.gridStride)
    return std::nullopt;
  return substitute(kernel.gridStride->bound,
                    [&](Symbol symbol) -> std::optional<Polynomial> {
                      if (symbol.kind != SymbolKind::Parameter ||
                          symbol.index >= launch.scalars.size())
                        return std::nullopt;
                      return launch.scalars[symbol.index];
                    });
}

std::optional<double> valueOf(const Polynomial &polynomial,
                              const TermTable &terms,
                              const AssumedValues &numbers) {
  return Evaluation(terms, [&](Symbol symbol) {
    const auto known = numbers.find(symbol);
    return known == numbers.end() ? std::nullopt : std::optional(known->second);
  })(polynomial);
}

std::optional<double> assumedSize(const Problem &problem,
                                  const Polynomial &polynomial) {
  const auto value =
      valueOf(polynomial, problem.program.terms, numbersOf(problem));
  return value ? std::optional(std::max(1.0, *value)) : std::nullopt;
}

std::map<std::string, double> assumedVariables(const Problem &problem,
                                               const Launch &launch) {
  std::map<std::string, double> variables;
  for (const Symbol symbol :
       numbersIn(extentsOf(launch), problem.program.terms))
    if (symbol.kind == SymbolKind::HostValue)
      if (const auto value = assumedSize(problem, Polynomial(symbol)))
        variables.emplace(problem.program.values[symbol.index].text, *value);
  return variables;
}

} // namespace kfuse
