//===- LaunchRanges.h - A kernel's numbers in a launch --------------------===//
//
// Values of the kernel written with those of a launch, and the ranges of what
// results. The launch's shape tells how many threads and blocks there are on
// each axis, and so how large their indices become.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_GRAPHS_PROGRAM_LAUNCHRANGES_H
#define KFUSE_GRAPHS_PROGRAM_LAUNCHRANGES_H

#include "graphs/program/Program.h"
#include "graphs/program/Ranges.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace kfuse {

/// Returns the range that the type of a host's variable has; of other symbols
/// nothing is known.
NumberRange rangeOfHostValue(const std::vector<HostValue> &values,
                             Symbol symbol);

class LaunchRanges {
public:
  LaunchRanges(Program &program, const Launch &launch);
  LaunchRanges(const LaunchRanges &) = delete; // its ranges point to it

  /// Returns the kernel's value in the launch's values; nullopt if it depends
  /// on a parameter without one.
  std::optional<Polynomial> bind(const Polynomial &own);
  /// Returns the constraints of the guard that can be bound.
  Guard bind(const Guard &own);

  /// Returns the range of a bound value wherever `guard`, bound too, holds.
  NumberRange of(const Polynomial &value, const Guard &guard = {}) {
    return Bound.of(value, guard);
  }
  /// Returns the most threads that there are along an axis of the grid.
  WideInteger threadsOn(std::uint32_t axis) const { return Threads[axis]; }

private:
  std::optional<Polynomial> valueOf(Symbol symbol, bool &isKnown) const;
  NumberRange rangeOfSize(Symbol symbol) const;
  Polynomial asSize(const Polynomial &given);
  bool isMadeOfInts(const Polynomial &value) const;
  WideInteger threadsOf(const Polynomial &grid, const Polynomial &block);
  void findExtents();
  NumberRange rangeOfBound(Symbol symbol) const;

  const Program &Code;
  const Launch &Given;
  TermTable &Terms;
  bool HasExtents = false;
  std::array<WideInteger, 3> Block{}, Grid{}, Threads{};
  Ranges Bound, Sizes;
};

} // namespace kfuse

#endif
