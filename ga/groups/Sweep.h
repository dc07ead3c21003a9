//===- Sweep.h - Set partitions by a sweep over the items -----------------===//
//
// Dynamic programming from the first item to the last. The first item that is
// in no group yet says which groups may be next. All that matters of the groups
// so far is which later items they have. That is little if groups are of items
// close to each other. Prices come off the costs beforehand, so that a choice
// whose sum is too large is given up early.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_GA_GROUPS_SWEEP_H
#define KFUSE_GA_GROUPS_SWEEP_H

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace kfuse {

struct SweepLimits {
  /// Choices that cost more are of no interest.
  double cost = std::numeric_limits<double>::max();
  /// Sets of later items, of all steps together.
  std::size_t states = std::numeric_limits<std::size_t>::max();
  /// The cheapest of each step that go on.
  std::size_t width = std::numeric_limits<std::size_t>::max();
};

/// A choice of groups.
struct SweepResult {
  /// Their numbers, as added; none if every choice costs too much.
  std::vector<std::size_t> groups;
  double cost = 0;
  std::size_t tries = 0; ///< of a group after others
};

class Sweep {
public:
  explicit Sweep(std::uint32_t items) : ByFirst(items) {}

  /// Adds a group of `items` in ascending order; `cost` isn't negative. Returns
  /// false if the items are too far apart for a sweep.
  bool add(std::span<const std::uint32_t> items, double cost);
  /// Returns the cheapest choice of groups that has each item once, whether
  /// these can be ordered or not; nullopt if there are too many states.
  std::optional<SweepResult> run(const SweepLimits &limits);

private:
  /// Which of the next items are taken; the first bit is the next item's.
  struct Taken {
    std::uint64_t low = 0, high = 0;
    bool operator==(const Taken &) const = default;
  };
  struct Hash {
    std::size_t operator()(Taken taken) const {
      const std::uint64_t mixed =
          taken.low * 0x9e3779b97f4a7c15U ^ taken.high * 0xc2b2ae3d27d4eb4fU;
      return mixed ^ (mixed >> 32U);
    }
  };
  struct Group {
    double cost = 0;
    Taken items;
    std::size_t number = 0;
  };
  /// The cheapest choice that is known for what it has taken.
  struct State {
    Taken taken;
    double cost = 0;
    std::size_t previous = 0; ///< state
    std::size_t group = 0;    ///< that led here
  };
  /// The states with the same first item that isn't taken.
  struct Step {
    std::vector<std::size_t> states;
    std::unordered_map<Taken, std::size_t, Hash> known;
  };
  static void narrow(std::vector<std::size_t> &kept,
                     const std::vector<State> &states, std::size_t width);
  static void skip(Taken &taken, std::uint32_t &item);

  std::vector<std::vector<Group>> ByFirst; ///< by the first of their items
  std::size_t Count = 0;
};

} // namespace kfuse

#endif
