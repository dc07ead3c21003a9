//===- LocalSearch.h - Changes that lower the cost of a partition ---------===//
#ifndef KFUSE_GA_GENETIC_LOCALSEARCH_H
#define KFUSE_GA_GENETIC_LOCALSEARCH_H

#include "ga/groups/Grouping.h"
#include "ga/problem/Random.h"

#include <deque>

namespace kfuse {

/// Gains below this share of the cost are rounding.
inline constexpr double Negligible = 1e-9;

/// Items whose groups are to be looked at, each once at a time.
class ItemQueue {
public:
  explicit ItemQueue(std::size_t items) : Waits(items) {}
  void push(std::uint32_t item) {
    if (Waits[item])
      return;
    Waits[item] = true;
    Items.push_back(item);
  }
  std::uint32_t pop() {
    const std::uint32_t item = Items.front();
    Items.pop_front();
    Waits[item] = false;
    return item;
  }
  bool isEmpty() const { return Items.empty(); }

private:
  std::deque<std::uint32_t> Items;
  std::vector<bool> Waits;
};

/// Improves around the groups of the queued items until no merge, relocation of
/// an item, ejection or split lowers the cost, or the budget is spent.
void improve(Grouping &grouping, Costs &costs, ItemQueue &queue);

} // namespace kfuse

#endif
