//===- ga/LocalSearch.cpp - Moves that lower the cost of a partition ------===//

#include "ga/Grouping.h"

#include <algorithm>
#include <deque>
#include <tuple>

namespace kfuse {
namespace {

/// More partners than this are not tried for merges of three: the pairs of
/// partners would outnumber everything else.
constexpr std::size_t MostPartnersForTriples = 8;
/// Unrelated groups that a group is tried with.
constexpr std::size_t MostStrangers = 16;

/// Gains below this share of the cost are rounding.
constexpr double Negligible = 1e-9;

/// A change: the sets that become groups, and the cost after minus before.
struct Move {
  std::vector<ItemSet> form;
  double delta = 0;
};

/// All moves that start at one group.
class Neighbourhood {
public:
  Neighbourhood(const Grouping &grouping, CostMemo &memo, std::uint32_t number)
      : State(grouping), Memo(memo), Own(grouping.group(number)),
        OwnCost(Memo(Own)) {
    if (!OwnCost)
      return;
    std::vector<std::uint32_t> partners = partnersOf(number);
    addMerges(partners);
    addRelocations(partners);
    addSplits();
    std::sort(Moves.begin(), Moves.end(), [](const Move &lhs, const Move &rhs) {
      return std::tie(lhs.delta, lhs.form) < std::tie(rhs.delta, rhs.form);
    });
  }

  /// The best gain that closes no circle.
  const Move *best() const {
    for (const Move &move : Moves)
      if (std::all_of(move.form.begin(), move.form.end(),
                      [&](const ItemSet &set) { return State.canForm(set); }))
        return &move;
    return nullptr;
  }

private:
  std::vector<std::uint32_t> partnersOf(std::uint32_t number) const {
    std::vector<std::uint32_t> partners = State.kinGroups(number);
    if (!Memo.problem().horizontal)
      return partners;
    std::size_t strangers = 0;
    for (std::uint32_t other : State.groups())
      if (other != number && strangers < MostStrangers &&
          std::find(partners.begin(), partners.end(), other) ==
              partners.end()) {
        partners.push_back(other);
        ++strangers;
      }
    return partners;
  }

  /// `before` is the cost of the groups that the move takes apart.
  void add(std::vector<ItemSet> form, std::optional<double> before) {
    if (!before)
      return;
    double after = 0;
    for (const ItemSet &set : form) {
      std::optional<double> cost = set.empty() ? std::optional(0.0) : Memo(set);
      if (!cost)
        return;
      after += *cost;
    }
    if (after - *before >= -Negligible * *before)
      return;
    std::erase_if(form, [](const ItemSet &set) { return set.empty(); });
    Moves.push_back({std::move(form), after - *before});
  }

  std::optional<double> costWith(std::optional<double> cost,
                                 const ItemSet &other) const {
    std::optional<double> added = Memo(other);
    if (!cost || !added)
      return std::nullopt;
    return *cost + *added;
  }

  void addMerges(const std::vector<std::uint32_t> &partners) {
    bool triples = partners.size() <= MostPartnersForTriples;
    for (std::size_t i = 0; i < partners.size(); ++i) {
      const ItemSet &first = State.group(partners[i]);
      ItemSet pair = unite(Own, first);
      std::optional<double> before = costWith(OwnCost, first);
      add({pair}, before);
      // Three may gain where two of them lose.
      for (std::size_t j = i + 1; triples && j < partners.size(); ++j) {
        const ItemSet &second = State.group(partners[j]);
        add({unite(pair, second)}, costWith(before, second));
      }
    }
  }

  void addRelocations(const std::vector<std::uint32_t> &partners) {
    if (Own.size() < 2)
      return;
    for (std::uint32_t item : Own) {
      ItemSet rest = without(Own, item);
      add({rest, {item}}, OwnCost);
      for (std::uint32_t partner : partners) {
        const ItemSet &other = State.group(partner);
        add({rest, unite(other, {item})}, costWith(OwnCost, other));
      }
    }
  }

  /// Cuts in the order of the items, which is topological.
  void addSplits() {
    for (std::size_t cut = 2; cut + 2 <= Own.size(); ++cut) {
      auto middle = Own.begin() + static_cast<std::ptrdiff_t>(cut);
      add({ItemSet(Own.begin(), middle), ItemSet(middle, Own.end())}, OwnCost);
    }
  }

  const Grouping &State;
  CostMemo &Memo;
  const ItemSet &Own;
  std::optional<double> OwnCost;
  std::vector<Move> Moves;
};

} // namespace

void improve(Grouping &grouping, CostMemo &memo) {
  // Groups to look at, each named by one of its items.
  std::deque<std::uint32_t> queue;
  std::vector<bool> waits(memo.problem().size);
  auto push = [&](std::uint32_t item) {
    if (!waits[item])
      queue.push_back(item);
    waits[item] = true;
  };
  for (std::uint32_t number : grouping.groups())
    push(grouping.group(number).front());
  while (!queue.empty() && !memo.isSpent()) {
    std::uint32_t item = queue.front();
    queue.pop_front();
    waits[item] = false;
    Neighbourhood around(grouping, memo, grouping.groupOf(item));
    const Move *found = around.best();
    if (!found)
      continue;
    Move move = *found;
    for (const ItemSet &set : move.form)
      grouping.form(set);
    for (const ItemSet &set : move.form) {
      push(set.front());
      for (std::uint32_t other :
           grouping.kinGroups(grouping.groupOf(set.front())))
        push(grouping.group(other).front());
    }
  }
}

} // namespace kfuse
