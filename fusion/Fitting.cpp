//===- fusion/Fitting.cpp - A member in the shape of another --------------===//

#include "fusion/Fitting.h"

#include "fusion/Guards.h"

#include <algorithm>

namespace kfuse {
namespace {

/// As many as an unsigned coordinate can number.
constexpr std::int64_t MostThreads = std::int64_t{1} << 32;

/// Whether the threads know no more of themselves than their global indices.
bool isFreeOfBlocks(const Stage &stage) {
  const Kernel &kernel = *stage.kernel;
  const bool isFree = kernel.barriers == 0 && kernel.staticSharedBytes == 0 &&
                      !kernel.usesDynamicShared &&
                      !has(kernel, KernelFeature::BlockPlace) &&
                      !has(kernel, KernelFeature::SharedAddress) &&
                      !has(kernel, KernelFeature::WarpOperation);
  const auto isGlobal = [](const Polynomial &polynomial) {
    return !polynomial.mentions(SymbolKind::ThreadIdx) &&
           !polynomial.mentions(SymbolKind::BlockIdx);
  };
  return isFree &&
         std::all_of(
             stage.accesses.begin(), stage.accesses.end(),
             [&](const StageAccess &access) {
               const auto *index = std::get_if<Polynomial>(&access.index);
               return (!index || isGlobal(*index)) &&
                      std::all_of(access.guard.begin(), access.guard.end(),
                                  [&](const Constraint &constraint) {
                                    return isGlobal(constraint.expression);
                                  });
             });
}

/// A grid-stride loop's iterations as threads of the global index.
bool unrollLoop(Stage &stage) {
  const Symbol loop{SymbolKind::StrideIdx, *stage.strideAxis};
  const Polynomial thread(Symbol{SymbolKind::GlobalIdx, *stage.strideAxis});
  const auto replaced = [&](Polynomial &polynomial) {
    auto value =
        substitute(polynomial, [&](Symbol symbol) -> std::optional<Polynomial> {
          return symbol == loop ? std::optional(thread) : std::nullopt;
        });
    if (value)
      polynomial = std::move(*value);
    return value.has_value();
  };
  for (StageAccess &access : stage.accesses) {
    if (auto *index = std::get_if<Polynomial>(&access.index);
        index && !replaced(*index))
      return false;
    for (Guard *guard : {&access.guard, &access.cover})
      for (Constraint &constraint : *guard)
        if (!replaced(constraint.expression))
          return false;
  }
  stage.strideAxis.reset();
  return true;
}

/// The threads of the grid on an axis.
Polynomial threadsOn(std::uint32_t axis) {
  return *multiply(Polynomial(Symbol{SymbolKind::GridDim, axis}),
                   Polynomial(Symbol{SymbolKind::BlockDim, axis}));
}

/// What keeps the global index on the axis below `extent`.
std::optional<Constraint> below(std::uint32_t axis, const Polynomial &extent) {
  const auto last = subtract(extent, Polynomial(1));
  auto room =
      last ? subtract(*last, Polynomial(Symbol{SymbolKind::GlobalIdx, axis}))
           : std::nullopt;
  return room ? std::optional(
                    Constraint{Relation::NonNegative, std::move(*room)})
              : std::nullopt;
}

/// The member's threads on the axis are all at or below this, less one, as a
/// polynomial in its kernel's symbols.
Polynomial neededThreads(const Program &program, const Stage &member,
                         std::uint32_t axis) {
  if (member.strideAxis == axis)
    return member.kernel->gridStride->bound;
  const Stage own = makeStage(program, member.launch, Frame::Own);
  const Symbol thread{SymbolKind::GlobalIdx, axis};
  std::optional<Polynomial> bound;
  bool isBounded = !own.accesses.empty();
  for (const StageAccess &access : own.accesses) {
    const Range range = rangeOf(thread, own, access.guard, program.terms);
    // What a guard gives comes before the shape.
    const bool isFromGuard = range.high.size() > 1;
    const auto next =
        isFromGuard ? add(range.high.front(), Polynomial(1)) : std::nullopt;
    isBounded &= next && (!bound || *bound == *next);
    bound = next;
  }
  if (isBounded)
    return *bound;
  return threadsOn(axis);
}

Condition atLeast(const Stage &leader, Polynomial value, const Stage &other,
                  Polynomial least) {
  Condition condition;
  condition.kind = ConditionKind::AtLeast;
  condition.first = leader.launch;
  condition.second = other.launch;
  condition.polynomial = std::move(value);
  condition.other = std::move(least);
  return condition;
}

/// A length of rows, in the symbols of the kernel and as a host value.
struct Row {
  Polynomial own, bound;
};

/// The leader's accesses step by a row from a thread to the next on axis 1.
std::vector<Row> rowsOf(const Program &program, const Stage &leader) {
  const Symbol thread{SymbolKind::GlobalIdx, 1};
  const auto step = [&](const StageAccess &access) -> Polynomial {
    const auto *index = std::get_if<Polynomial>(&access.index);
    const auto split = index ? index->splitLinear(thread) : std::nullopt;
    return split && !varies(split->coefficient, program.terms)
               ? split->coefficient
               : Polynomial{};
  };
  const Stage own = makeStage(program, leader.launch, Frame::Own);
  std::vector<Row> rows;
  for (std::size_t i = 0; i < leader.accesses.size(); ++i) {
    Row row{step(own.accesses[i]), step(leader.accesses[i])};
    if (!row.own.isZero() && !row.bound.isZero() &&
        std::none_of(rows.begin(), rows.end(),
                     [&](const Row &known) { return known.own == row.own; }))
      rows.push_back(std::move(row));
  }
  return rows;
}

/// `product` as a number of rows.
std::optional<Polynomial> numberOfRows(const Polynomial &product,
                                       const Polynomial &row) {
  if (const auto symbol = row.asSymbol()) {
    auto split = product.splitLinear(*symbol);
    return split && split->rest.isZero() ? std::optional(split->coefficient)
                                         : std::nullopt;
  }
  const auto length = row.asConstant();
  const auto whole = product.asConstant();
  if (!length || !whole || *length <= 0 || *whole % *length != 0)
    return std::nullopt;
  return Polynomial(*whole / *length);
}

/// The polynomial of the thread on axis 0 as one of those on axes 0 and 1.
std::optional<Polynomial> inRows(const Polynomial &polynomial,
                                 const Polynomial &row) {
  const Symbol thread{SymbolKind::GlobalIdx, 0};
  const auto before =
      multiply(row, Polynomial(Symbol{SymbolKind::GlobalIdx, 1}));
  return substitute(polynomial,
                    [&](Symbol symbol) -> std::optional<Polynomial> {
                      if (symbol != thread || !before)
                        return std::nullopt;
                      return add(*before, Polynomial(thread));
                    });
}

/// A constraint of the thread on axis 0 on whole rows is one of axis 1.
std::optional<Constraint> inRows(const Constraint &constraint,
                                 const Polynomial &row) {
  const auto split =
      constraint.expression.splitLinear({SymbolKind::GlobalIdx, 0});
  if (constraint.relation == Relation::NonNegative && split &&
      split->coefficient == Polynomial(-1)) {
    const auto threads = add(split->rest, Polynomial(1));
    const auto rows = threads ? numberOfRows(*threads, row) : std::nullopt;
    const auto last = rows ? subtract(*rows, Polynomial(1)) : std::nullopt;
    if (auto room =
            last ? subtract(*last, Polynomial(Symbol{SymbolKind::GlobalIdx, 1}))
                 : std::nullopt)
      return Constraint{Relation::NonNegative, std::move(*room)};
  }
  auto expression = inRows(constraint.expression, row);
  if (!expression)
    return std::nullopt;
  return Constraint{constraint.relation, std::move(*expression)};
}

/// The stage's threads as those of rows. `ends` are constraints that every
/// access gets besides.
bool turnIntoRows(Stage &stage, const Polynomial &row, const Guard &ends) {
  const auto last = subtract(row, Polynomial(1));
  const auto room =
      last ? subtract(*last, Polynomial(Symbol{SymbolKind::GlobalIdx, 0}))
           : std::nullopt;
  if (!room)
    return false;
  for (StageAccess &access : stage.accesses) {
    if (auto *index = std::get_if<Polynomial>(&access.index)) {
      auto turned = inRows(*index, row);
      if (!turned)
        return false;
      *index = std::move(*turned);
    }
    for (Guard *guard : {&access.guard, &access.cover}) {
      guard->insert(guard->end(), ends.begin(), ends.end());
      for (Constraint &constraint : *guard) {
        auto turned = inRows(constraint, row);
        if (!turned)
          return false;
        constraint = std::move(*turned);
      }
      guard->push_back({Relation::NonNegative, *room});
    }
  }
  return true;
}

bool isOneWide(const Stage &stage, std::uint32_t axis) {
  return stage.grid[axis] == Polynomial(1) &&
         stage.block[axis] == Polynomial(1);
}

} // namespace

bool allowsBlock(const Kernel &kernel, const std::array<Polynomial, 3> &block) {
  if (!kernel.maxThreads)
    return true;
  std::uint64_t threads = 1;
  for (const Polynomial &extent : block) {
    const auto constant = extent.asConstant();
    if (!constant || *constant < 1 || *constant > *kernel.maxThreads)
      return false;
    threads *= static_cast<std::uint64_t>(*constant);
  }
  return threads <= *kernel.maxThreads;
}

std::optional<Fitted> fitInto(const Group &group, const Stage &member,
                              const Stage &leader) {
  const Kernel &kernel = *member.kernel;
  Fitted result{member, {}, {}};
  result.fit.hasBlocks =
      member.block == leader.block && !member.strideAxis.has_value();
  result.fit.isIteration = member.strideAxis.has_value();
  if (has(kernel, KernelFeature::CoordinatesInCallee) ||
      has(kernel, KernelFeature::GridShape) ||
      (!result.fit.hasBlocks && !isFreeOfBlocks(member)) ||
      !allowsBlock(kernel, leader.block))
    return std::nullopt;
  if (member.strideAxis && !unrollLoop(result.stage))
    return std::nullopt;
  result.stage.grid = leader.grid;
  result.stage.block = leader.block;
  const Facts facts = factsOf(group);
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const bool isLoop = member.strideAxis == axis;
    const auto own = multiply(member.grid[axis], member.block[axis]);
    const auto all = multiply(leader.grid[axis], leader.block[axis]);
    const auto exists = own ? below(axis, *own) : std::nullopt;
    const auto more = own && all ? subtract(*own, *all) : std::nullopt;
    if (!exists || !more)
      return std::nullopt;
    if (!isLoop && more->isZero())
      continue;
    bool isBounded = false, isCovered = true;
    for (const StageAccess &access : result.stage.accesses) {
      Guard guard = access.guard;
      isBounded |= !isLoop && !provesNonNegative(facts, *more) &&
                   !staysBelow(guard, axis, *own, {member}, facts);
      if (!isLoop)
        guard.push_back(*exists);
      isCovered &= staysBelow(guard, axis, *all, {member, leader}, facts);
    }
    if (isBounded)
      for (StageAccess &access : result.stage.accesses) {
        access.guard.push_back(*exists);
        access.cover.push_back(*exists);
      }
    result.fit.bounds[axis] = isBounded;
    if (isCovered)
      continue;
    // Tests that are known to fail, or as good as known.
    if ((more->asConstant() && !isLoop) || isOneWide(leader, axis))
      return std::nullopt;
    result.conditions.push_back(
        atLeast(leader, threadsOn(axis), member,
                neededThreads(group.problem->program, member, axis)));
  }
  return result;
}

std::optional<Fitted> fitRows(const Group &group, const Stage &member,
                              const Stage &leader) {
  const Kernel &kernel = *member.kernel;
  const Program &program = group.problem->program;
  const bool isLoop = member.strideAxis.has_value();
  const bool areRows = isOneWide(member, 1) && isOneWide(member, 2) &&
                       isOneWide(leader, 2) && !isOneWide(leader, 1);
  Stage line = member;
  if (!areRows || member.strideAxis.value_or(0) != 0 ||
      !isFreeOfBlocks(member) ||
      has(kernel, KernelFeature::CoordinatesInCallee) ||
      has(kernel, KernelFeature::GridShape) ||
      !allowsBlock(kernel, leader.block) || (isLoop && !unrollLoop(line)))
    return std::nullopt;
  const auto own = multiply(member.grid[0], member.block[0]);
  const auto exists = own ? below(0, *own) : std::nullopt;
  const auto width = multiply(leader.grid[0], leader.block[0]);
  const auto height = multiply(leader.grid[1], leader.block[1]);
  if (!exists || !width || !height)
    return std::nullopt;
  const Facts facts = factsOf(group);
  const bool isBounded =
      !isLoop &&
      !std::all_of(line.accesses.begin(), line.accesses.end(),
                   [&](const StageAccess &access) {
                     return staysBelow(access.guard, 0, *own, {member}, facts);
                   });
  std::optional<Fitted> best;
  for (const Row &row : rowsOf(program, leader)) {
    Fitted result{line, {}, {}};
    result.fit.hasBlocks = false;
    result.fit.isIteration = isLoop;
    result.fit.bounds[0] = isBounded;
    result.fit.row = row.own;
    if (!turnIntoRows(result.stage, row.bound,
                      isBounded ? Guard{*exists} : Guard{}))
      continue;
    result.stage.grid = leader.grid;
    result.stage.block = leader.block;
    const auto rest = below(0, row.bound);
    const auto cells = multiply(row.own, threadsOn(1));
    if (!rest || !cells)
      continue;
    if (!staysBelow({*rest}, 0, *width, {leader}, facts))
      result.conditions.push_back(
          atLeast(leader, threadsOn(0), leader, row.own));
    if (!std::all_of(result.stage.accesses.begin(), result.stage.accesses.end(),
                     [&](const StageAccess &access) {
                       return staysBelow(access.guard, 1, *height,
                                         {member, leader}, facts);
                     }))
      result.conditions.push_back(
          atLeast(leader, *cells, member, neededThreads(program, member, 0)));
    // The member's index has 32 bits, as a coordinate.
    if (!isLoop)
      result.conditions.push_back(
          atLeast(leader, Polynomial(MostThreads), leader, *cells));
    if (!best || result.conditions.size() < best->conditions.size())
      best = std::move(result);
  }
  return best;
}

} // namespace kfuse
