//===- ShapeMapping.cpp - A member in the shape of another ----------------===//

#include "fusion/shapes/ShapeMapping.h"

#include "fusion/dependence/Division.h"
#include "fusion/dependence/Guards.h"

#include <algorithm>

namespace kfuse {

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

Polynomial threadsOn(std::uint32_t axis) {
  return *multiply(Polynomial(Symbol{SymbolKind::GridDim, axis}),
                   Polynomial(Symbol{SymbolKind::BlockDim, axis}));
}

std::optional<Constraint> below(std::uint32_t axis, const Polynomial &extent) {
  const auto last = subtract(extent, Polynomial(1));
  auto room =
      last ? subtract(*last, Polynomial(Symbol{SymbolKind::GlobalIdx, axis}))
           : std::nullopt;
  return room ? std::optional(
                    Constraint{Relation::NonNegative, std::move(*room)})
              : std::nullopt;
}

Polynomial neededThreads(const Program &program, const Stage &member,
                         std::uint32_t axis) {
  if (member.strideAxis == axis)
    return member.kernel->gridStride->bound;
  const Stage own = makeStage(program, member.launch, SymbolSpace::Kernel);
  const Symbol thread{SymbolKind::GlobalIdx, axis};
  std::optional<Polynomial> bound;
  bool isBounded = !own.accesses.empty();
  for (const StageAccess &access : own.accesses) {
    const Range range = rangeOf(thread, own, access.guard, program.terms);
    // A bound from a guard comes before the shape.
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

bool isOneWide(const Stage &stage, std::uint32_t axis) {
  return stage.grid[axis] == Polynomial(1) &&
         stage.block[axis] == Polynomial(1);
}

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

/// Writes `all` for `own`, an equal value, in the stage's accesses. Returns
/// false on overflow.
static bool replaceCount(Stage &stage, const Polynomial &own,
                         const Polynomial &all) {
  if (own.asConstant())
    return true;
  const auto replaced = [&](Polynomial &value) {
    const auto parts = divideBySum(value, own);
    const auto counted = parts ? multiply(parts->quotient, all) : std::nullopt;
    auto sum = counted ? add(*counted, parts->rest) : std::nullopt;
    if (!sum)
      return false;
    value = *std::move(sum);
    return true;
  };
  for (StageAccess &access : stage.accesses) {
    if (auto *index = std::get_if<Polynomial>(&access.index);
        index && !replaced(*index))
      return false;
    for (Guard *guard : {&access.guard, &access.cover, &access.bare})
      for (Constraint &constraint : *guard)
        if (!replaced(constraint.expression))
          return false;
  }
  return true;
}

std::optional<MappedShape> mapOnto(const Group &group, const Stage &member,
                                   const Stage &leader) {
  const Kernel &kernel = *member.kernel;
  const bool countsThreads = has(kernel, KernelFeature::GridShape);
  MappedShape result{member, {}, {}};
  result.fit.hasBlocks =
      member.block == leader.block && !member.strideAxis.has_value();
  result.fit.isIteration = member.strideAxis.has_value();
  if (has(kernel, KernelFeature::CoordinatesInCallee) ||
      has(kernel, KernelFeature::GridFactor) ||
      (countsThreads && member.strideAxis) ||
      (!result.fit.hasBlocks && !isFreeOfBlocks(member)) ||
      !allowsBlock(kernel, leader.block))
    return std::nullopt;
  if (member.strideAxis && !unrollLoop(result.stage))
    return std::nullopt;
  result.stage.grid = leader.grid;
  result.stage.block = leader.block;
  result.stage.hasOwnTerms = result.fit.hasBlocks;
  const KnownFacts facts = factsOf(group);
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
    if (countsThreads) {
      if (more->asConstant() || !replaceCount(result.stage, *own, *all))
        return std::nullopt;
      const Polynomial threads = threadsOn(axis);
      result.conditions.push_back(atLeast(leader, threads, member, threads));
      result.conditions.push_back(atLeast(member, threads, leader, threads));
      continue;
    }
    // In the only block of an axis the place in the block is the index.
    const bool isByPlace = has(kernel, KernelFeature::BlockPlace) &&
                           member.grid[axis] == Polynomial(1);
    bool isBounded = false, isCovered = true;
    for (const StageAccess &access : result.stage.accesses) {
      Guard guard = access.guard;
      isBounded |= !isLoop && !provesNonNegative(facts, *more) &&
                   (isByPlace || !staysBelow(access.bare, axis, *own, facts));
      if (!isLoop)
        guard.push_back(*exists);
      isCovered &= staysBelow(guard, axis, *all, facts);
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

} // namespace kfuse
