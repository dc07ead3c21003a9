//===- Quotients.h - Quotients and remainders of coordinates --------------===//
//
// Kernels take a number apart, `row = i / n`, `column = i % n`, and put it
// together again. C++ truncates, and guarantees n * (i / n) + i % n == i for
// whatever signs.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_DEPENDENCE_QUOTIENTS_H
#define KFUSE_FUSION_DEPENDENCE_QUOTIENTS_H

#include "fusion/dependence/Stage.h"

#include <optional>

namespace kfuse {

/// A quotient or remainder that differs between threads, by a divisor that
/// doesn't.
struct Digit {
  bool isRemainder = false;
  Polynomial dividend; ///< in the stage's coordinates
  Polynomial divisor;
  /// The whole quotient that belongs to it: nested ones are multiplied out,
  /// (a/b)/c is a/(b*c).
  Polynomial wholeDividend, wholeDivisor;
  bool operator==(const Digit &) const = default;
};
/// Returns the digit that `symbol` is, if any; none for terms of a counter,
/// whose number within a term is that of its own kernel.
std::optional<Digit> digitOf(Symbol symbol, const Stage &stage,
                             const AxisSplit &split, const TermTable &terms);

/// Splits quotients and remainders of the first axis' index, by a divisor of
/// the block's extent, into the block's part and the thread's. (128*b + t) / 32
/// is 4*b + t/32. The value is in the stage's coordinates; new terms are added.
std::optional<Polynomial> apartFromBlocks(const Polynomial &value,
                                          const Stage &stage, TermTable &terms);

} // namespace kfuse

#endif
