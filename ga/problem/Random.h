//===- Random.h - The same numbers on every machine -----------------------===//
//
// std::mt19937_64 is specified to the bit, the standard distributions are not.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_GA_PROBLEM_RANDOM_H
#define KFUSE_GA_PROBLEM_RANDOM_H

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace kfuse {

class Random {
public:
  explicit Random(std::uint64_t seed) : Engine(seed) {}

  /// Returns a number below `bound`, which is at least 1. The bias of the
  /// remainder is below bound / 2^64.
  std::uint32_t below(std::size_t bound) {
    return static_cast<std::uint32_t>(Engine() % bound);
  }

  /// Returns a number from 0 to below 1.
  double unit() { return static_cast<double>(Engine() >> 11U) * 0x1p-53; }

  template <typename T> void shuffle(std::vector<T> &items) {
    for (std::size_t i = items.size(); i > 1; --i)
      std::swap(items[i - 1], items[below(i)]);
  }

private:
  std::mt19937_64 Engine;
};

} // namespace kfuse

#endif
