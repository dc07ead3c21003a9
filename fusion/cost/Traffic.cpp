//===- Traffic.cpp - What one launch moves to and from memory -------------===//

#include "fusion/cost/Traffic.h"

#include "fusion/cost/CoordinateExtents.h"
#include "fusion/cost/MeasuredLaunches.h"
#include "graphs/program/Storages.h"

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

//===----------------------------------------------------------------------===//
// The footprint of an index
//===----------------------------------------------------------------------===//

/// An index as a sum over coordinates and loop counters, and the rest.
struct LinearIndex {
  std::map<Symbol, Polynomial> coordinates; ///< or terms of these
  std::map<Symbol, Polynomial> counters;
  Polynomial offset;
  bool isLinear = true;
};

LinearIndex splitIndex(const Polynomial &index, const TermTable &terms) {
  LinearIndex linear;
  linear.offset = index;
  for (Symbol symbol : index.symbols()) {
    bool isCounter = symbol.kind == SymbolKind::LoopCounter;
    if (!isCounter && !isCoordinate(symbol) &&
        !isTermOfCoordinates(symbol, terms))
      continue;
    auto split = linear.offset.splitLinear(symbol);
    const std::vector<Symbol> rest =
        split ? split->coefficient.symbols() : std::vector<Symbol>();
    if (!split || std::any_of(rest.begin(), rest.end(), isCoordinate)) {
      linear.isLinear = false;
      continue;
    }
    (isCounter ? linear.counters : linear.coordinates)[symbol] =
        split->coefficient;
    linear.offset = split->rest;
  }
  return linear;
}

/// Returns the distance in elements from one thread to the next, as the common
/// divisor of all coefficients.
double strideOf(const LinearIndex &index) {
  std::int64_t stride = 0;
  for (const auto *part : {&index.coordinates, &index.counters})
    for (const auto &[symbol, coefficient] : *part)
      for (const auto &[monomial, factor] : coefficient.terms())
        stride = std::gcd(stride, factor);
  return std::max(1.0, std::abs(static_cast<double>(stride)));
}

/// Checks whether a loop that adds `step` to the index only moves it to another
/// thread's index, as in A[i + k]. The threads of the grid then share the
/// elements that the loop touches.
bool movesToNeighbours(const LinearIndex &index, const Polynomial &step,
                       const Extents &extents, const TermTable &terms) {
  return std::any_of(index.coordinates.begin(), index.coordinates.end(),
                     [&](const auto &coordinate) {
                       const auto &[symbol, coefficient] = coordinate;
                       if (coefficient == step)
                         return true;
                       std::optional<std::int64_t> own =
                           coefficient.asConstant();
                       std::optional<std::int64_t> moved = step.asConstant();
                       if (!own || !moved || *own == 0 || *moved % *own != 0)
                         return false;
                       std::int64_t places = *moved / *own;
                       return std::abs(static_cast<double>(places)) <
                              extentOf(symbol, extents, terms);
                     });
}

/// Returns the coordinates that a guard such as `x == 0` fixes to one value:
/// all in its expression, if that is about one axis.
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

/// Returns the number of distinct elements that an access touches in the whole
/// launch.
double elementsOf(const Problem &problem, LaunchId id, const Access &access,
                  const LinearIndex &index, const Extents &extents) {
  std::set<Symbol> fixed = fixedCoordinates(access.guard);
  double elements = 1,
         most = std::max(extents.threads(), Extents::product(extents.stride));
  bool hasTerms = false;
  for (const auto &[symbol, coefficient] : index.coordinates) {
    hasTerms |= symbol.kind == SymbolKind::Opaque;
    if (!fixed.contains(symbol))
      elements *= extentOf(symbol, extents, problem.program.terms);
  }
  for (std::uint32_t loop : access.loops) {
    most *= tripsOf(problem, id, loop);
    auto found = index.counters.find({SymbolKind::LoopCounter, loop});
    if (found == index.counters.end() ||
        movesToNeighbours(index, found->second, extents, problem.program.terms))
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

/// Returns the constant distance between two offsets, or 0 when it isn't
/// constant, since another thread is a row or a plane away.
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

/// Returns the bytes that memory moves for the stream. It moves whole
/// transactions, so a strided or partly used element counts in full when it is
/// no larger than one transaction.
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
           const Extents &extents) {
    const auto *polynomial = std::get_if<Polynomial>(&access.index);
    LinearIndex index;
    if (polynomial)
      index = splitIndex(unwrapped(*polynomial, extents, problem.program.terms),
                         problem.program.terms);
    index.isLinear &= polynomial != nullptr;
    double elements = index.isLinear
                          ? elementsOf(problem, launch, access, index, extents)
                          : extents.threads();
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

/// Returns how often a thread does `access`, for each element of its own.
double timesOf(const Problem &problem, LaunchId launch, const Access &access) {
  double times = 1;
  for (const std::uint32_t loop : access.loops)
    times *= tripsOf(problem, launch, loop);
  return times;
}

/// The loads of an array by the threads of a launch.
struct ArrayLoads {
  double bytes = 0; ///< by all threads, elements again and again
  double times = 0; ///< that a thread does the access in the most loops
  std::vector<std::pair<Polynomial, std::uint32_t>> places; ///< in `bytes`

  /// Adds an access that each of `threads` threads does `each` times. Compilers
  /// merge loads of the same element.
  void add(const Access &access, double each, double threads) {
    if (const auto *index = std::get_if<Polynomial>(&access.index)) {
      std::pair place(*index, access.offset);
      if (std::find(places.begin(), places.end(), place) != places.end())
        return;
      places.push_back(std::move(place));
    }
    bytes += each * threads * access.width;
    times = std::max(times, each);
  }
};

/// Returns how often a thread waits for memory in its loops, which move `moved`
/// bytes in all. A thread has several rounds of a loop in flight, since
/// compilers unroll it. Loads of what other threads load find it in the L1.
double waitsOf(const ArrayLoads &loads, double moved) {
  // Measured on an H200, for sums of rows and of columns.
  constexpr double RoundsInFlight = 6;
  return std::max(1.0, loads.times * std::min(1.0, moved / loads.bytes) /
                           RoundsInFlight);
}

/// Returns the most bytes that the array can have, infinity if unknown. If the
/// array may be one of several storages, the largest of these counts.
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

LaunchTraffic trafficOf(const Problem &problem, LaunchId launch) {
  const Launch &member = problem.program[launch];
  Extents extents = extentsOf(problem, launch);
  LaunchTraffic traffic;
  traffic.threads = extents.threads();
  traffic.threadsPerBlock = Extents::product(extents.block);
  traffic.elements = problem.program.kernelOf(launch).gridStride
                         ? Extents::product(extents.stride)
                         : traffic.threads;
  std::map<ArrayId, std::pair<StreamSet, StreamSet>> streams;
  std::map<ArrayId, ArrayLoads> loads;
  for (const Access &access : member.accesses) {
    if (access.pointer >= member.pointers.size())
      continue;
    const ArrayId array = member.pointers[access.pointer].array;
    auto &[reads, writes] = streams[array];
    if (access.kind != AccessKind::Write) {
      reads.add(problem, launch, access, extents);
      loads[array].add(access, timesOf(problem, launch, access),
                       traffic.elements);
    }
    if (access.kind != AccessKind::Read)
      writes.add(problem, launch, access, extents);
  }
  for (const auto &[array, set] : streams) {
    double most = mostBytes(problem.program, array);
    if (const auto bytes = measuredBytes(problem, launch, array))
      most = std::min(most, *bytes);
    const ArrayTraffic moved{array, set.first.bytes(problem.device, most),
                             set.second.bytes(problem.device, most),
                             loads[array].bytes};
    traffic.arrays.push_back(moved);
    if (moved.bytesLoaded > 0)
      traffic.waits =
          std::max(traffic.waits, waitsOf(loads[array], moved.bytesRead));
  }
  return traffic;
}

struct TrafficMemo {
  explicit TrafficMemo(std::size_t launches) : known(launches) {}
  std::vector<std::optional<LaunchTraffic>> known; ///< by LaunchId
};

const LaunchTraffic &knownTraffic(const Problem &problem, LaunchId launch) {
  TrafficMemo &memo =
      madeOn(problem.memos.traffic, problem.program.launches.size());
  std::optional<LaunchTraffic> &traffic = memo.known[indexOf(launch)];
  if (!traffic)
    traffic = trafficOf(problem, launch);
  return *traffic;
}

} // namespace kfuse
