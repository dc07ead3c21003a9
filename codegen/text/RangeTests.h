//===- RangeTests.h - Tests that ranges have no byte in common ------------===//
#ifndef KFUSE_CODEGEN_TEXT_RANGETESTS_H
#define KFUSE_CODEGEN_TEXT_RANGETESTS_H

#include "codegen/text/Helpers.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kfuse {

/// A range of bytes from a pointer, or all of the allocation that the pointer
/// leads into.
struct ByteRange {
  std::string pointer;
  std::string span; ///< `begin, end`; empty for the allocation
  /// The same, if both ends are numbers.
  std::optional<std::pair<std::int64_t, std::int64_t>> bytes;
};

/// Two ranges that must have no byte in common. Both are allocations, or none
/// is.
struct RangePair {
  ByteRange first, second;
};

/// Writes tests of exactly these pairs as few calls, such as
/// `disjoint({c, d}, {a, b}, 0, n)`. A pair that follows from another one isn't
/// tested.
std::vector<std::string> rangeTests(const std::vector<RangePair> &pairs,
                                    Helpers &helpers);

} // namespace kfuse

#endif
