//===- kfuse_cpu/Order.h - The order of blocks and threads ----------------===//
//
// A program with a race or a missing barrier may well give the right result in
// one particular order. KFUSE_CPU_ORDER selects it: `forward` (the default),
// `reverse`, or `shuffle:SEED`, a permutation that depends only on the seed and
// the count.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_CPU_ORDER_H
#define KFUSE_CPU_ORDER_H

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string_view>
#include <vector>

namespace kfuse_cpu {

struct OrderChoice {
  enum Kind { Forward, Reverse, Shuffle } kind = Forward;
  std::uint64_t seed = 0;
};

inline OrderChoice readOrderChoice() {
  const char *value = std::getenv("KFUSE_CPU_ORDER");
  std::string_view text = value ? value : "";
  constexpr std::string_view Shuffle = "shuffle:";
  if (text.empty() || text == "forward")
    return {};
  if (text == "reverse")
    return {OrderChoice::Reverse, 0};
  if (text.substr(0, Shuffle.size()) == Shuffle)
    return {OrderChoice::Shuffle,
            std::strtoull(value + Shuffle.size(), nullptr, 10)};
  std::fprintf(stderr,
               "kfuse-cpu: KFUSE_CPU_ORDER is '%s'; it must be forward, "
               "reverse or shuffle:SEED\n",
               value);
  std::exit(2);
}

inline const OrderChoice &orderChoice() {
  static const OrderChoice choice = readOrderChoice();
  return choice;
}

/// Returns the next number of the splitmix64 generator, which is small and the
/// same on every platform.
inline std::uint64_t nextRandom(std::uint64_t &state) {
  std::uint64_t z = (state += 0x9E3779B97F4A7C15);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

/// Returns 0 to count - 1 in the selected order.
inline std::vector<unsigned> orderOf(std::uint64_t count) {
  std::vector<unsigned> order(count);
  std::iota(order.begin(), order.end(), 0u);
  const OrderChoice &choice = orderChoice();
  if (choice.kind == OrderChoice::Reverse)
    std::reverse(order.begin(), order.end());
  if (choice.kind == OrderChoice::Shuffle) {
    std::uint64_t state = choice.seed * 0x9E3779B97F4A7C15 + count;
    for (std::uint64_t i = count; i > 1; --i)
      std::swap(order[i - 1], order[nextRandom(state) % i]);
  }
  return order;
}

/// Gives the order of a grid's blocks. It keeps a table only for a shuffle,
/// because there can be very many blocks.
class BlockOrder {
public:
  explicit BlockOrder(std::uint64_t count) : Count(count) {
    if (orderChoice().kind == OrderChoice::Shuffle)
      Shuffled = orderOf(count);
  }
  std::uint64_t operator()(std::uint64_t i) const {
    switch (orderChoice().kind) {
    case OrderChoice::Forward:
      break;
    case OrderChoice::Reverse:
      return Count - 1 - i;
    case OrderChoice::Shuffle:
      return Shuffled[i];
    }
    return i;
  }

private:
  std::uint64_t Count;
  std::vector<unsigned> Shuffled;
};

} // namespace kfuse_cpu

#endif
