//===- ga/Greedy.cpp - Merges by the largest gain -------------------------===//

#include "ga/Grouping.h"

#include <algorithm>
#include <queue>
#include <tuple>

namespace kfuse {
namespace {

/// Beyond this size unrelated pairs are not tried: there are too many, and
/// what they save is a launch at most.
constexpr std::uint32_t MostForStrangers = 64;

/// A merge of two groups as they were when the gain was computed.
struct Merge {
  double gain = 0;
  ItemSet first, second;
  bool operator<(const Merge &other) const {
    // The earlier groups first where gains are equal.
    return std::tie(gain, other.first, other.second) <
           std::tie(other.gain, first, second);
  }
};

class GreedyMerger {
public:
  explicit GreedyMerger(CostMemo &memo)
      : Memo(memo), State(memo.problem()),
        Strangers(memo.problem().horizontal &&
                  memo.problem().size <= MostForStrangers) {}

  Grouping run() {
    for (std::uint32_t number : State.groups())
      propose(number, true);
    while (!Queue.empty() && !Memo.isSpent()) {
      Merge merge = Queue.top();
      Queue.pop();
      if (!isCurrent(merge.first) || !isCurrent(merge.second))
        continue;
      ItemSet both = unite(merge.first, merge.second);
      if (!State.canForm(both))
        continue;
      State.form(both);
      propose(State.groupOf(both.front()), false);
    }
    return std::move(State);
  }

private:
  bool isCurrent(const ItemSet &set) const {
    return State.group(State.groupOf(set.front())) == set;
  }

  void propose(std::uint32_t number, bool onlyLater) {
    for (std::uint32_t other :
         Strangers ? State.groups() : State.kinGroups(number))
      if (other > number || (!onlyLater && other != number))
        propose(State.group(number), State.group(other));
  }

  void propose(const ItemSet &first, const ItemSet &second) {
    std::optional<double> before = Memo(first), other = Memo(second);
    std::optional<double> after = Memo(unite(first, second));
    if (before && other && after && *before + *other > *after)
      Queue.push({*before + *other - *after, std::min(first, second),
                  std::max(first, second)});
  }

  CostMemo &Memo;
  Grouping State;
  bool Strangers;
  std::priority_queue<Merge> Queue;
};

} // namespace

Grouping greedy(CostMemo &memo) { return GreedyMerger(memo).run(); }

} // namespace kfuse
