//===- Enumeration.cpp - Accesses, thread by thread -----------------------===//

#include "Enumeration.h"

#include <algorithm>

namespace kfuse::test {
namespace {

std::optional<std::int64_t> compute(const Term &term,
                                    const std::vector<std::int64_t> &of) {
  switch (term.kind) {
  case TermKind::Divide:
    return of[1] == 0 ? std::nullopt : std::optional(of[0] / of[1]);
  case TermKind::Remainder:
    return of[1] == 0 ? std::nullopt : std::optional(of[0] % of[1]);
  case TermKind::Minimum:
    return *std::min_element(of.begin(), of.end());
  case TermKind::Maximum:
    return *std::max_element(of.begin(), of.end());
  case TermKind::ShiftRight:
    return of[1] < 0 || of[1] > 31 ? std::nullopt
                                   : std::optional(of[0] >> of[1]);
  case TermKind::ShiftLeft:
    return of[0] < 0 || of[1] < 0 || of[1] > 20 ? std::nullopt
                                                : std::optional(of[0] << of[1]);
  case TermKind::BitAnd:
    return of[0] & of[1];
  case TermKind::BitOr:
    return of[0] | of[1];
  case TermKind::BitXor:
    return of[0] ^ of[1];
  case TermKind::Compare:
    switch (term.detail) {
    case 0:
      return of[0] == of[1];
    case 1:
      return of[0] != of[1];
    case 2:
      return of[0] < of[1];
    default:
      return of[0] <= of[1];
    }
  case TermKind::Select:
    return of[0] != 0 ? of[1] : of[2];
  case TermKind::Narrow:
  case TermKind::Unique:
    return std::nullopt;
  }
  return std::nullopt;
}

/// Returns the threads of one launch; x varies fastest.
std::vector<Instance> threadsOf(const Triple &grid, const Triple &block) {
  std::vector<Instance> threads;
  Instance at;
  at.grid = grid;
  at.block = block;
  for (std::int64_t number = 0;; ++number) {
    std::int64_t rest = number;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::int64_t place = rest % (grid[axis] * block[axis]);
      rest /= grid[axis] * block[axis];
      at.blockIdx[axis] = place / block[axis];
      at.threadIdx[axis] = place % block[axis];
    }
    if (rest != 0)
      return threads;
    threads.push_back(at);
  }
}

} // namespace

std::optional<std::int64_t> valueOf(const Polynomial &polynomial,
                                    const TermTable &terms,
                                    const Valuation &symbols) {
  return evaluate(polynomial,
                  [&](Symbol symbol) -> std::optional<std::int64_t> {
                    if (symbol.kind != SymbolKind::Opaque)
                      return symbols(symbol);
                    std::vector<std::int64_t> operands;
                    for (const Polynomial &operand : terms[symbol].operands) {
                      const auto value = valueOf(operand, terms, symbols);
                      if (!value)
                        return std::nullopt;
                      operands.push_back(*value);
                    }
                    return compute(terms[symbol], operands);
                  });
}

Valuation valuation(const Instance &instance, const Numbers &numbers,
                    const Launch &launch, const TermTable &terms) {
  return [&](Symbol symbol) -> std::optional<std::int64_t> {
    switch (symbol.kind) {
    case SymbolKind::ThreadIdx:
      return instance.threadIdx[symbol.index];
    case SymbolKind::BlockIdx:
      return instance.blockIdx[symbol.index];
    case SymbolKind::BlockDim:
      return instance.block[symbol.index];
    case SymbolKind::GridDim:
      return instance.grid[symbol.index];
    case SymbolKind::GlobalIdx:
      return instance.globalIdx(symbol.index);
    case SymbolKind::LoopCounter: {
      const auto found = instance.counters.find(symbol.index);
      return found == instance.counters.end() ? std::nullopt
                                              : std::optional(found->second);
    }
    case SymbolKind::HostValue:
      return numbers[symbol.index];
    case SymbolKind::Parameter:
      return valueOf(launch.scalars[symbol.index], terms,
                     valuation(instance, numbers, launch, terms));
    case SymbolKind::StrideIdx:
    case SymbolKind::Opaque:
      return std::nullopt;
    }
    return std::nullopt;
  };
}

bool holds(const Guard &guard, const TermTable &terms,
           const Valuation &symbols) {
  return std::all_of(
      guard.begin(), guard.end(), [&](const Constraint &constraint) {
        const auto value = valueOf(constraint.expression, terms, symbols);
        switch (constraint.relation) {
        case Relation::NonNegative:
          return value && *value >= 0;
        case Relation::Zero:
          return value && *value == 0;
        case Relation::NonZero:
          return value && *value != 0;
        case Relation::Unknown:
          return true;
        }
        return false;
      });
}

std::optional<Instance> firstThread(const Program &program, LaunchId launch,
                                    const Numbers &numbers) {
  const Launch &launched = program[launch];
  Instance first;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto number = [&](const Polynomial &extent) {
      return valueOf(extent, program.terms,
                     valuation({}, numbers, launched, program.terms))
          .value_or(0);
    };
    first.grid[axis] = number(launched.grid.extent[axis]);
    first.block[axis] = number(launched.block.extent[axis]);
    if (first.grid[axis] < 1 || first.block[axis] < 1)
      return std::nullopt;
  }
  return first;
}

std::optional<std::vector<Touch>>
touchesOf(const Program &program, LaunchId launch, const Access &access,
          const Numbers &numbers, std::int64_t rounds) {
  const Launch &launched = program[launch];
  const auto first = firstThread(program, launch, numbers);
  if (!first)
    return std::nullopt;
  std::vector<Touch> touches;
  for (Instance instance : threadsOf(first->grid, first->block)) {
    std::int64_t most = 1;
    for (std::size_t i = 0; i < access.loops.size(); ++i)
      most *= rounds;
    for (std::int64_t round = 0; round < most; ++round) {
      std::int64_t rest = round;
      for (const std::uint32_t loop : access.loops) {
        instance.counters[loop] = rest % rounds;
        rest /= rounds;
      }
      const auto symbols =
          valuation(instance, numbers, launched, program.terms);
      if (!holds(access.guard, program.terms, symbols))
        continue;
      const auto element =
          valueOf(std::get<Polynomial>(access.index), program.terms, symbols);
      if (!element)
        return std::nullopt;
      touches.push_back({instance, *element});
    }
  }
  return touches;
}

} // namespace kfuse::test
