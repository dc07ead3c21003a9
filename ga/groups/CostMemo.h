//===- CostMemo.h - Each group is costed once -----------------------------===//
#ifndef KFUSE_GA_GROUPS_COSTMEMO_H
#define KFUSE_GA_GROUPS_COSTMEMO_H

#include "ga/groups/Relations.h"

#include <array>
#include <atomic>
#include <limits>
#include <mutex>

namespace kfuse {

/// The cost of what can't be a group.
inline constexpr double Illegal = std::numeric_limits<double>::infinity();

/// More than anything costs, and far from overflow.
inline constexpr double Unaffordable = 1e15;

/// The cost of a set is pure, so it is asked for at most once. What the problem
/// itself rules out (separated pairs, no kinship, a non-convex set) isn't asked
/// for at all. Usable by several threads at once if the problem is; parts of
/// the table have locks of their own.
class CostMemo {
public:
  /// Creates an empty memo. `mostWork` bounds the work of asking for costs, in
  /// pairs of members of the sets that were asked for.
  explicit CostMemo(
      const Relations &relations,
      std::uint64_t mostWork = std::numeric_limits<std::uint64_t>::max())
      : All(relations), MostWork(mostWork) {}

  const Relations &relations() const { return All; }
  /// Returns the set's cost, if it was asked for before.
  std::optional<double> find(SetKey key);
  /// Asks the problem for the set's cost, unless the set can't be a group.
  /// Returns the cost, or Illegal.
  double ask(SetKey key, const ItemSet &set);
  /// Returns the number of distinct sets that the problem was asked for.
  std::uint64_t evaluations();
  bool isSpent() const {
    return Work.load(std::memory_order_relaxed) >= MostWork;
  }

private:
  struct Entry {
    SetKey key; ///< all zero if there is none
    double cost = 0;
  };
  /// Open addressing with linear probes, at most half full.
  struct Shard {
    std::mutex mutex;
    std::vector<Entry> entries = std::vector<Entry>(64);
    std::size_t used = 0;
    std::uint64_t evaluations = 0;

    Entry &place(SetKey key);
    void grow();
  };
  static constexpr std::size_t ShardBits = 6;

  Shard &shardOf(SetKey key) { return Shards[key.high >> (64 - ShardBits)]; }

  const Relations &All;
  std::uint64_t MostWork;
  std::atomic<std::uint64_t> Work = 0;
  std::array<Shard, std::size_t{1} << ShardBits> Shards;
};

/// One searcher's way to the costs, with its own budget of look-ups.
class Costs {
public:
  Costs(CostMemo &memo, std::uint64_t budget) : Memo(memo), Budget(budget) {}

  const Relations &relations() const { return Memo.relations(); }
  const PartitionProblem &problem() const { return relations().problem; }

  /// Returns the cost of the set with this key. Calls `makeSet` if the set
  /// wasn't asked for yet.
  template <typename MakeSet> double operator()(SetKey key, MakeSet makeSet) {
    ++LookUps;
    std::optional<double> known = Memo.find(key);
    return known ? *known : Memo.ask(key, makeSet());
  }
  double operator()(const ItemSet &set) {
    return (*this)(keyOf(relations(), set), [&set] { return set; });
  }
  /// Returns the cost of a single item, which is always legal. A problem that
  /// says otherwise can only make every partition as bad.
  double single(std::uint32_t item) {
    const double cost =
        (*this)(relations().keys[item], [item] { return ItemSet{item}; });
    return cost == Illegal ? Unaffordable : cost;
  }
  /// Returns Σ of the costs of the set's items alone.
  double singles(const ItemSet &set) {
    double sum = 0;
    for (std::uint32_t item : set)
      sum += single(item);
    return sum;
  }
  /// Charges other work that takes as long as so many look-ups.
  void charge(std::uint64_t lookUps) { LookUps += lookUps; }

  bool isSpent() const { return LookUps >= Budget || Memo.isSpent(); }

private:
  CostMemo &Memo;
  std::uint64_t Budget, LookUps = 0;
};

} // namespace kfuse

#endif
