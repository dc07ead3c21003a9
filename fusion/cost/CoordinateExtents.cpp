//===- CoordinateExtents.cpp - How many values coordinates take -----------===//

#include "fusion/cost/CoordinateExtents.h"

#include "fusion/cost/AssumedSizes.h"
#include "fusion/cost/MeasuredLaunches.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace kfuse {
namespace {

/// Trips of a loop whose length isn't known, as for Kernel::operations.
constexpr double AssumedTrips = 16;

constexpr std::array<SymbolKind, 4> Coordinates = {
    SymbolKind::ThreadIdx, SymbolKind::BlockIdx, SymbolKind::GlobalIdx,
    SymbolKind::StrideIdx};

/// Returns an extent of the launch: as the source has it, or as it was
/// measured.
std::optional<std::int64_t>
extentAt(const Polynomial &value, const std::optional<LaunchExtents> &measured,
         std::uint32_t axis) {
  if (const auto constant = value.asConstant(); constant || !measured)
    return constant;
  return static_cast<std::int64_t>((*measured)[axis]);
}

std::optional<std::int64_t> valueAtLaunch(const Problem &problem, LaunchId id,
                                          Symbol symbol) {
  const Launch &launch = problem.program[id];
  if (symbol.kind == SymbolKind::Parameter &&
      symbol.index < launch.scalars.size()) {
    const auto constant = launch.scalars[symbol.index].asConstant();
    return constant ? constant : measuredScalar(problem, id, symbol.index);
  }
  const MeasuredLaunch *measured = measuredLaunch(problem, id);
  if (symbol.kind == SymbolKind::BlockDim && symbol.index < 3)
    return extentAt(launch.block.extent[symbol.index],
                    measured ? measured->block : std::nullopt, symbol.index);
  if (symbol.kind == SymbolKind::GridDim && symbol.index < 3)
    return extentAt(launch.grid.extent[symbol.index],
                    measured ? measured->grid : std::nullopt, symbol.index);
  return std::nullopt;
}

/// Returns the value of an expression in the kernel's symbols, or 0 if it is
/// negative; nullopt unless the launch, or its measurement, fixes it.
std::optional<double> valueAtLaunch(const Problem &problem, LaunchId id,
                                    const Polynomial &polynomial) {
  std::optional<std::int64_t> value = evaluate(polynomial, [&](Symbol symbol) {
    return valueAtLaunch(problem, id, symbol);
  });
  if (!value)
    return std::nullopt;
  return std::max(0.0, static_cast<double>(*value));
}

/// Returns the extents as the source has them, or as they were measured or are
/// assumed. Those of which nothing is known share the rest of `total` evenly;
/// with `isTotalKnown`, these are all that the source doesn't tell.
std::array<double, 3> sizesOf(const Problem &problem,
                              const LaunchConfig &config,
                              const std::optional<LaunchExtents> &measured,
                              double total, bool isTotalKnown) {
  std::array<double, 3> sizes = {1, 1, 1};
  std::vector<std::size_t> unknown;
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    std::optional<double> size;
    if (const auto value = extentAt(config.extent[axis], measured, axis))
      size = std::max(1.0, static_cast<double>(*value));
    else if (!isTotalKnown)
      size = assumedSize(problem, config.extent[axis]);
    if (!size)
      unknown.push_back(axis);
    sizes[axis] = size.value_or(1);
    total /= sizes[axis];
  }
  for (const std::size_t axis : unknown)
    sizes[axis] = std::pow(std::max(1.0, total),
                           1.0 / static_cast<double>(unknown.size()));
  return sizes;
}

} // namespace

bool isCoordinate(Symbol symbol) {
  return std::find(Coordinates.begin(), Coordinates.end(), symbol.kind) !=
             Coordinates.end() &&
         symbol.index < 3;
}

std::optional<double> constantOf(const Polynomial &polynomial) {
  std::optional<std::int64_t> value = polynomial.asConstant();
  if (!value || *value < 0)
    return std::nullopt;
  return static_cast<double>(*value);
}

Extents extentsOf(const Problem &problem, LaunchId id) {
  const Launch &launch = problem.program[id];
  const MeasuredLaunch *measured = measuredLaunch(problem, id);
  Extents extents;
  extents.block =
      sizesOf(problem, launch.block, measured ? measured->block : std::nullopt,
              AssumedBlock, false);
  const auto threads = measured ? measured->threads : std::nullopt;
  const double assumed = threads.value_or(problem.options.assumedThreads);
  extents.grid =
      sizesOf(problem, launch.grid, measured ? measured->grid : std::nullopt,
              assumed / Extents::product(extents.block), threads.has_value());
  if (launch.enqueue && launch.enqueue->choosesBlocks) {
    extents.block[0] = std::min(AssumedBlock, std::max(1.0, extents.grid[0]));
    extents.grid[0] = std::max(1.0, extents.grid[0] / extents.block[0]);
  }
  const Kernel &kernel = problem.program.kernelOf(id);
  if (kernel.gridStride && kernel.gridStride->axis < 3) {
    auto stride = valueAtLaunch(problem, id, kernel.gridStride->bound);
    if (const auto bound = strideBound(problem.program, launch);
        bound && !stride && !threads)
      stride = assumedSize(problem, *bound);
    extents.stride[kernel.gridStride->axis] = stride.value_or(assumed);
  }
  return extents;
}

bool isTermOfCoordinates(Symbol symbol, const TermTable &terms) {
  return symbol.kind == SymbolKind::Opaque &&
         std::any_of(
             Coordinates.begin(), Coordinates.end(),
             [&](SymbolKind kind) { return terms.dependsOn(symbol, kind); });
}

double extentOf(Symbol symbol, const Extents &extents, const TermTable &terms) {
  if (symbol.kind != SymbolKind::Opaque)
    return extents.extent(symbol);
  const Term &term = terms[symbol];
  double values = 1;
  for (const Symbol inner : symbolsDeep(Polynomial(symbol), terms))
    if (isCoordinate(inner))
      values *= extents.extent(inner);
    else if (inner.kind == SymbolKind::LoopCounter)
      values *= AssumedTrips;
  if (term.kind != TermKind::Divide && term.kind != TermKind::Remainder)
    return values;
  const std::optional<double> divisor = constantOf(term.operands[1]);
  if (term.kind == TermKind::Remainder)
    return std::min(values, divisor.value_or(values));
  return divisor ? std::max(1.0, values / std::max(1.0, *divisor))
                 : std::sqrt(values);
}

Polynomial unwrapped(Polynomial index, const Extents &extents,
                     const TermTable &terms) {
  for (const Symbol symbol : index.symbols()) {
    if (symbol.kind != SymbolKind::Opaque ||
        terms[symbol].kind != TermKind::Remainder)
      continue;
    const Polynomial &whole = terms[symbol].operands[0];
    const auto length = constantOf(terms[symbol].operands[1]);
    double values = 1;
    for (const Symbol inner : whole.symbols())
      if (isCoordinate(inner))
        values *= extents.extent(inner);
    const auto split = index.splitLinear(symbol);
    if (!split || (length && *length < values / 2))
      continue;
    const auto moved = multiply(split->coefficient, whole);
    if (auto sum = moved ? add(*moved, split->rest) : std::nullopt)
      index = *std::move(sum);
  }
  return index;
}

double tripsOf(const Problem &problem, LaunchId id, std::uint32_t loop) {
  const Kernel &kernel = problem.program.kernelOf(id);
  const auto *count =
      loop < kernel.loops.size()
          ? std::get_if<Polynomial>(&kernel.loops[loop].tripCount)
          : nullptr;
  return (count ? valueAtLaunch(problem, id, *count) : std::nullopt)
      .value_or(AssumedTrips);
}

double threadsShared(const Problem &problem, LaunchId leader,
                     const Polynomial &chunk) {
  const auto value = evaluate(chunk, [&](Symbol symbol) {
    if (const auto known = valueAtLaunch(problem, leader, symbol))
      return known;
    return std::optional(static_cast<std::int64_t>(
        symbol.kind == SymbolKind::BlockDim ? AssumedBlock : AssumedTrips));
  });
  return std::max(0.0, static_cast<double>(value.value_or(0)));
}

} // namespace kfuse
