//===- Ranges.h - Between which numbers a value lies ----------------------===//
//
// Intervals of polynomials, from the types of their symbols, what a device can
// launch, and the guard where they are evaluated. They say whether a value fits
// into an integer type, whose arithmetic otherwise wraps.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_GRAPHS_PROGRAM_RANGES_H
#define KFUSE_GRAPHS_PROGRAM_RANGES_H

#include "graphs/program/Kernel.h"
#include "graphs/program/Polynomial.h"
#include "graphs/program/Terms.h"

#include <functional>
#include <map>
#include <optional>

namespace kfuse {

__extension__ using WideInteger = __int128;

/// least <= value <= most. Each end is infinite from 2^120 on.
struct NumberRange {
  WideInteger least, most;
  bool operator==(const NumberRange &) const = default;
};

/// Returns the range of a value of which nothing is known.
NumberRange anyNumber();
/// Returns the range of the values of an integer type.
NumberRange rangeOf(IntegerType type);
/// Returns the numbers of the type that a Narrow term converts to.
NumberRange rangeOfNarrow(const Term &narrow);
bool contains(const NumberRange &outer, const NumberRange &inner);

/// Limits that kfuse assumes for every launch: a device refuses larger ones. On
/// an axis on which a kernel has indices, the threads of the whole grid fit
/// into an int. That is proved or tested when the launch is fused.
namespace launchLimits {
inline constexpr std::int64_t Threads = INT32_MAX; ///< along an axis
inline constexpr std::int64_t BlockThreads = 1024;
inline constexpr std::int64_t GroupItems = 1 << 16; ///< in OpenCL
inline constexpr std::int64_t BlocksX = INT32_MAX;
inline constexpr std::int64_t BlocksYZ = 65535;
/// No loop runs longer: that takes days.
inline constexpr std::int64_t Iterations = std::int64_t{1} << 56;
} // namespace launchLimits

/// Returns the range of a coordinate, an extent of a launch shape or a loop's
/// counter; nullopt for other symbols.
std::optional<NumberRange> rangeOfCoordinate(Symbol symbol, bool isOpenCl);

/// Writes `BlockIdx*BlockDim + ThreadIdx` as GlobalIdx on each axis on which
/// `value` has it: the launch limits bound the sum, not its parts.
Polynomial withGlobalIndices(Polynomial value);

class Ranges {
public:
  /// The range of a symbol that is no opaque term.
  using OfSymbol = std::function<NumberRange(Symbol)>;
  Ranges(const TermTable &terms, OfSymbol ofSymbol)
      : Terms(terms), Given(std::move(ofSymbol)) {}

  /// Returns the range of the value under `guard`.
  NumberRange of(const Polynomial &value, const Guard &guard = {});

private:
  NumberRange ofSum(const Polynomial &value, const Guard &guard);
  NumberRange ofProduct(const Monomial &product, const Guard &guard);
  NumberRange ofSymbol(Symbol symbol, const Guard &guard);
  NumberRange ofTerm(Symbol symbol);
  NumberRange computed(const Term &term);

  const TermTable &Terms;
  OfSymbol Given;
  /// Terms share subterms: each is looked into once.
  std::map<std::uint32_t, NumberRange> OfTerms;
};

} // namespace kfuse

#endif
