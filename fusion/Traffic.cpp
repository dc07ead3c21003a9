//===- fusion/Traffic.cpp - What one launch moves to and from memory ------===//

#include "fusion/Traffic.h"

#include "graphs/Storages.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

namespace kfuse {
namespace {

/// Trips of a loop whose length isn't known, as for Kernel::flopsPerThread.
constexpr double AssumedTrips = 16;
/// Threads of a block whose extents aren't known: the size most programs use.
constexpr double AssumedBlock = 256;

constexpr std::array<SymbolKind, 4> Coordinates = {
    SymbolKind::ThreadIdx, SymbolKind::BlockIdx, SymbolKind::GlobalIdx,
    SymbolKind::StrideIdx};

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

//===----------------------------------------------------------------------===//
// The launch's domain
//===----------------------------------------------------------------------===//

/// How many values each coordinate takes.
struct Domain {
  std::array<double, 3> block = {1, 1, 1}, grid = {1, 1, 1};
  std::array<double, 3> stride = {1, 1, 1}; ///< of StrideIdx

  double extent(Symbol symbol) const {
    switch (symbol.kind) {
    case SymbolKind::ThreadIdx:
      return block[symbol.index];
    case SymbolKind::BlockIdx:
      return grid[symbol.index];
    case SymbolKind::StrideIdx:
      return stride[symbol.index];
    default:
      return block[symbol.index] * grid[symbol.index];
    }
  }
  static double product(const std::array<double, 3> &extents) {
    return extents[0] * extents[1] * extents[2];
  }
  double threads() const { return product(block) * product(grid); }
};

/// Fills unknown extents so that their product is about `total`, shared evenly
/// among them.
void assumeExtents(std::array<double, 3> &extents,
                   const std::array<Polynomial, 3> &values, double total) {
  std::vector<std::size_t> unknown;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (std::optional<double> value = constantOf(values[axis])) {
      extents[axis] = std::max(1.0, *value);
      total /= extents[axis];
    } else {
      unknown.push_back(axis);
    }
  }
  if (unknown.empty())
    return;
  double share =
      std::pow(std::max(1.0, total), 1.0 / static_cast<double>(unknown.size()));
  for (std::size_t axis : unknown)
    extents[axis] = share;
}

std::optional<std::int64_t> valueAtLaunch(const Launch &launch, Symbol symbol) {
  if (symbol.kind == SymbolKind::Parameter &&
      symbol.index < launch.scalars.size())
    return launch.scalars[symbol.index].asConstant();
  if (symbol.kind == SymbolKind::BlockDim && symbol.index < 3)
    return launch.block.extent[symbol.index].asConstant();
  if (symbol.kind == SymbolKind::GridDim && symbol.index < 3)
    return launch.grid.extent[symbol.index].asConstant();
  return std::nullopt;
}

/// The value of an expression in the kernel's symbols, when the launch fixes
/// it.
std::optional<double> valueAtLaunch(const Launch &launch,
                                    const Polynomial &polynomial) {
  std::optional<std::int64_t> value = evaluate(
      polynomial, [&](Symbol symbol) { return valueAtLaunch(launch, symbol); });
  if (!value)
    return std::nullopt;
  return std::max(0.0, static_cast<double>(*value));
}

/// Threads of a launch whose grid isn't a constant.
double threadsAssumed(const Problem &problem, LaunchId id) {
  const MeasuredKernel *measured =
      measuredAs(problem.evidence.measured, problem.program.kernelOf(id).name,
                 std::nullopt);
  return measured ? measured->threads.value_or(problem.options.assumedThreads)
                  : problem.options.assumedThreads;
}

Domain domainOf(const Problem &problem, LaunchId id) {
  const Launch &launch = problem.program[id];
  Domain domain;
  assumeExtents(domain.block, launch.block.extent, AssumedBlock);
  const double assumed = threadsAssumed(problem, id);
  assumeExtents(domain.grid, launch.grid.extent,
                assumed / Domain::product(domain.block));
  const Kernel &kernel = problem.program.kernelOf(id);
  if (kernel.gridStride && kernel.gridStride->axis < 3)
    domain.stride[kernel.gridStride->axis] =
        valueAtLaunch(launch, kernel.gridStride->bound).value_or(assumed);
  return domain;
}

//===----------------------------------------------------------------------===//
// The footprint of an index
//===----------------------------------------------------------------------===//

bool isTermOfCoordinates(Symbol symbol, const TermTable &terms) {
  return symbol.kind == SymbolKind::Opaque &&
         std::any_of(Coordinates.begin(), Coordinates.end(),
                     [&](SymbolKind kind) {
                       return terms.dependsOn(symbol, kind);
                     });
}

/// How many values a coordinate takes, or a quotient or remainder of some.
double extentOf(Symbol symbol, const Domain &domain, const TermTable &terms) {
  if (symbol.kind != SymbolKind::Opaque)
    return domain.extent(symbol);
  const Term &term = terms[symbol];
  double values = 1;
  for (const Symbol inner : symbolsDeep(Polynomial(symbol), terms))
    if (isCoordinate(inner))
      values *= domain.extent(inner);
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

/// An index as a sum over coordinates and loop counters, and the rest.
struct LinearIndex {
  std::map<Symbol, Polynomial> coordinates; ///< or terms of these
  std::map<Symbol, Polynomial> counters;
  Polynomial offset;
  bool isLinear = true;
};

/// The index without remainders that only lead around an edge, where another
/// thread's element is.
Polynomial unwrapped(Polynomial index, const Domain &domain,
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
        values *= domain.extent(inner);
    const auto split = index.splitLinear(symbol);
    if (!split || (length && *length < values / 2))
      continue;
    const auto moved = multiply(split->coefficient, whole);
    if (auto sum = moved ? add(*moved, split->rest) : std::nullopt)
      index = *std::move(sum);
  }
  return index;
}

LinearIndex splitIndex(const Polynomial &index, const TermTable &terms) {
  LinearIndex linear;
  linear.offset = index;
  for (Symbol symbol : index.symbols()) {
    bool isCounter = symbol.kind == SymbolKind::LoopCounter;
    if (!isCounter && !isCoordinate(symbol) &&
        !isTermOfCoordinates(symbol, terms))
      continue;
    auto split = linear.offset.splitLinear(symbol);
    if (!split || std::any_of(Coordinates.begin(), Coordinates.end(),
                              [&](SymbolKind kind) {
                                return split->coefficient.mentions(kind);
                              })) {
      linear.isLinear = false;
      continue;
    }
    (isCounter ? linear.counters : linear.coordinates)[symbol] =
        split->coefficient;
    linear.offset = split->rest;
  }
  return linear;
}

/// The elements from one thread to the next: what divides every coefficient.
double strideOf(const LinearIndex &index) {
  std::int64_t stride = 0;
  for (const auto *part : {&index.coordinates, &index.counters})
    for (const auto &[symbol, coefficient] : *part)
      for (const auto &[monomial, factor] : coefficient.terms())
        stride = std::gcd(stride, factor);
  return std::max(1.0, std::abs(static_cast<double>(stride)));
}

/// Whether a loop only moves the index to where another thread's index is, as
/// in A[i + k]: then the threads of the grid share what it touches.
bool movesToNeighbours(const LinearIndex &index, const Polynomial &step,
                       const Domain &domain, const TermTable &terms) {
  return std::any_of(
      index.coordinates.begin(), index.coordinates.end(),
      [&](const auto &coordinate) {
        const auto &[symbol, coefficient] = coordinate;
        if (coefficient == step)
          return true;
        std::optional<std::int64_t> own = coefficient.asConstant();
        std::optional<std::int64_t> moved = step.asConstant();
        if (!own || !moved || *own == 0 || *moved % *own != 0)
          return false;
        std::int64_t places = *moved / *own;
        return std::abs(static_cast<double>(places)) <
               extentOf(symbol, domain, terms);
      });
}

/// Coordinates that a guard such as `x == 0` leaves only one value: all of its
/// expression, when that is about one axis.
std::set<Symbol> fixedCoordinates(const Guard &guard) {
  std::set<Symbol> fixed;
  for (const Constraint &constraint : guard) {
    if (constraint.relation != Relation::Zero)
      continue;
    std::set<Symbol> found;
    std::set<std::uint32_t> axes;
    for (Symbol symbol : constraint.expression.symbols())
      if (isCoordinate(symbol)) {
        found.insert(symbol);
        axes.insert(symbol.index);
      }
    if (axes.size() == 1)
      fixed.insert(found.begin(), found.end());
  }
  return fixed;
}

double tripsOf(const Problem &problem, LaunchId id, std::uint32_t loop) {
  const Kernel &kernel = problem.program.kernelOf(id);
  const auto *count =
      loop < kernel.loops.size()
          ? std::get_if<Polynomial>(&kernel.loops[loop].tripCount)
          : nullptr;
  return (count ? valueAtLaunch(problem.program[id], *count) : std::nullopt)
      .value_or(AssumedTrips);
}

/// Distinct elements that an access touches in the whole launch.
double elementsOf(const Problem &problem, LaunchId id, const Access &access,
                  const LinearIndex &index, const Domain &domain) {
  std::set<Symbol> fixed = fixedCoordinates(access.guard);
  double elements = 1, most = std::max(domain.threads(),
                                       Domain::product(domain.stride));
  bool hasTerms = false;
  for (const auto &[symbol, coefficient] : index.coordinates) {
    hasTerms |= symbol.kind == SymbolKind::Opaque;
    if (!fixed.contains(symbol))
      elements *= extentOf(symbol, domain, problem.program.terms);
  }
  for (std::uint32_t loop : access.loops) {
    most *= tripsOf(problem, id, loop);
    auto found = index.counters.find({SymbolKind::LoopCounter, loop});
    if (found == index.counters.end() ||
        movesToNeighbours(index, found->second, domain, problem.program.terms))
      continue;
    elements *= tripsOf(problem, id, loop);
  }
  return hasTerms ? std::min(elements, most) : elements;
}

/// Accesses of one kind to one array whose indices differ by so little that
/// they touch the same elements, or neighbours that another thread touches.
struct Stream {
  LinearIndex index;
  double elements = 0;
  double stride = 1;
  double elementBytes = 0;
  std::set<std::tuple<std::int64_t, std::uint32_t, std::uint32_t>> pieces;
};

/// The constant distance of two offsets; 0 when it isn't constant, since a row
/// or a plane away is where another thread is.
std::int64_t distanceOf(const Polynomial &lhs, const Polynomial &rhs) {
  std::optional<Polynomial> difference = subtract(lhs, rhs);
  return difference ? difference->asConstant().value_or(0) : 0;
}

bool joins(const Stream &stream, const LinearIndex &index) {
  if (!stream.index.isLinear || !index.isLinear ||
      stream.index.coordinates != index.coordinates ||
      stream.index.counters != index.counters)
    return false;
  double distance = std::abs(
      static_cast<double>(distanceOf(stream.index.offset, index.offset)));
  return distance < stream.stride * std::max(1.0, stream.elements);
}

/// Memory moves whole transactions: of a strided or partly used element all of
/// it, when it is no larger than one.
double bytesOf(const Stream &stream, const Device &device) {
  double pieces = 0;
  for (const auto &piece : stream.pieces)
    pieces += std::max<double>(std::get<2>(piece), device.transactionBytes);
  return stream.elements *
         std::min(stream.stride * stream.elementBytes, pieces);
}

class StreamSet {
public:
  void add(const Problem &problem, LaunchId launch, const Access &access,
           const Domain &domain) {
    const auto *polynomial = std::get_if<Polynomial>(&access.index);
    LinearIndex index;
    if (polynomial)
      index = splitIndex(
          unwrapped(*polynomial, domain, problem.program.terms),
          problem.program.terms);
    index.isLinear &= polynomial != nullptr;
    double elements = index.isLinear
                          ? elementsOf(problem, launch, access, index, domain)
                          : domain.threads();
    auto place =
        std::find_if(Streams.begin(), Streams.end(), [&](const Stream &stream) {
          return joins(stream, index);
        });
    if (place == Streams.end()) {
      double stride = index.isLinear ? strideOf(index) : 1;
      Streams.push_back({std::move(index),
                         elements,
                         stride,
                         static_cast<double>(access.elementBytes),
                         {}});
      Streams.back().pieces.insert({0, access.offset, access.width});
      return;
    }
    place->elements = std::max(place->elements, elements);
    auto stride = static_cast<std::int64_t>(place->stride);
    std::int64_t residue =
        distanceOf(index.offset, place->index.offset) % stride;
    place->pieces.insert({residue < 0 ? residue + stride : residue,
                          access.offset, access.width});
  }

  double bytes(const Device &device, double most) const {
    double sum = 0;
    for (const Stream &stream : Streams)
      sum += bytesOf(stream, device);
    return std::min(sum, most);
  }

private:
  std::vector<Stream> Streams;
};

/// The most bytes the array can have; of one of several, those of the largest.
double mostBytes(const Program &program, ArrayId array) {
  constexpr double Unknown = std::numeric_limits<double>::infinity();
  if (indexOf(array) >= program.arrays.size())
    return Unknown;
  const std::set<ArrayId> storages = storagesOf(program, array);
  double most = storages.empty() ? Unknown : 0;
  for (const ArrayId storage : storages) {
    const auto &bytes = program[storage].bytes;
    const auto known = bytes ? constantOf(*bytes) : std::nullopt;
    most = std::max(most, known.value_or(Unknown));
  }
  return most;
}

} // namespace

double threadsShared(const Launch &leader, const Polynomial &share) {
  const auto value = evaluate(share, [&](Symbol symbol) {
    if (const auto known = valueAtLaunch(leader, symbol))
      return known;
    return std::optional(static_cast<std::int64_t>(
        symbol.kind == SymbolKind::BlockDim ? AssumedBlock : AssumedTrips));
  });
  return std::max(0.0, static_cast<double>(value.value_or(0)));
}

double loadsOf(const Problem &problem, LaunchId launch, ArrayId array,
               double elements) {
  const Launch &member = problem.program[launch];
  const Kernel &kernel = problem.program.kernelOf(launch);
  const auto runsOverAll = [&](std::uint32_t loop, const Access &access) {
    const auto &bytes = problem.program[array].bytes;
    const auto *own =
        loop < kernel.loops.size()
            ? std::get_if<Polynomial>(&kernel.loops[loop].tripCount)
            : nullptr;
    const auto trips =
        own ? substitute(*own,
                         [&](Symbol symbol) -> std::optional<Polynomial> {
                           if (symbol.kind != SymbolKind::Parameter)
                             return std::nullopt;
                           return member.scalars[symbol.index];
                         })
            : std::nullopt;
    return bytes && trips &&
           multiply(*trips, Polynomial(access.elementBytes)) == bytes;
  };
  double loads = 0;
  for (const Access &access : member.accesses) {
    if (access.kind != AccessKind::Read ||
        access.pointer >= member.pointers.size() ||
        member.pointers[access.pointer].array != array)
      continue;
    double each = 1;
    for (const std::uint32_t loop : access.loops)
      each *= runsOverAll(loop, access) ? elements
                                        : tripsOf(problem, launch, loop);
    loads += each;
  }
  return loads;
}

LaunchTraffic trafficOf(const Problem &problem, LaunchId launch) {
  const Launch &member = problem.program[launch];
  Domain domain = domainOf(problem, launch);
  LaunchTraffic traffic;
  traffic.threads = domain.threads();
  traffic.threadsPerBlock = Domain::product(domain.block);
  traffic.elements = problem.program.kernelOf(launch).gridStride
                         ? Domain::product(domain.stride)
                         : traffic.threads;
  std::map<ArrayId, std::pair<StreamSet, StreamSet>> streams;
  for (const Access &access : member.accesses) {
    if (access.pointer >= member.pointers.size())
      continue;
    auto &[reads, writes] = streams[member.pointers[access.pointer].array];
    if (access.kind != AccessKind::Write)
      reads.add(problem, launch, access, domain);
    if (access.kind != AccessKind::Read)
      writes.add(problem, launch, access, domain);
  }
  for (const auto &[array, set] : streams) {
    const double most = mostBytes(problem.program, array);
    traffic.arrays.push_back({array, set.first.bytes(problem.device, most),
                              set.second.bytes(problem.device, most)});
  }
  return traffic;
}

} // namespace kfuse
