//===- LocalSearch.cpp - Moves of one or two groups -----------------------===//

#include "ga/genetic/LocalSearch.h"

#include <algorithm>
#include <tuple>

namespace kfuse {
namespace {

/// A change to a group, for some kinds with a partner.
struct Move {
  enum Kind : std::uint8_t { Merge, Relocate, Eject, Split };
  double delta = 0; ///< of the cost
  Kind kind = Merge;
  std::uint32_t partner = 0; ///< Merge, Relocate
  std::uint32_t item = 0;    ///< Relocate, Eject; Split: where to cut
  bool operator<(const Move &other) const {
    return std::tie(delta, kind, partner, item) <
           std::tie(other.delta, other.kind, other.partner, other.item);
  }
};

/// All moves that start at one group, the best first.
class Neighbourhood {
public:
  Neighbourhood(const Grouping &grouping, Costs &costs, std::uint32_t number)
      : State(grouping), Ask(costs), Number(number),
        Own(grouping.group(number)), Partners(grouping.partners(number)) {
    addMerges();
    if (Own.items.size() > 1) {
      addRelocations();
      addSplits();
    }
    std::sort(Moves.begin(), Moves.end());
  }

  const std::vector<Move> &moves() const { return Moves; }

  /// Returns the numbers of the groups that a move takes apart, and the groups
  /// that it makes.
  std::pair<std::vector<std::uint32_t>, std::vector<ItemGroup>>
  changes(const Move &move) const {
    switch (move.kind) {
    case Move::Merge:
      return {{Number, move.partner},
              {makeItemGroup(unite(Own.items, State.group(move.partner).items),
                             Ask)}};
    case Move::Relocate:
      return {{Number, move.partner},
              {makeItemGroup(without(Own.items, move.item), Ask),
               makeItemGroup(
                   unite(State.group(move.partner).items, {move.item}), Ask)}};
    case Move::Eject:
      return {{Number},
              {makeItemGroup(without(Own.items, move.item), Ask),
               makeItemGroup({move.item}, Ask)}};
    case Move::Split:
      return {{Number},
              {makeItemGroup(head(move.item), Ask),
               makeItemGroup(tail(move.item), Ask)}};
    }
    return {};
  }

private:
  void add(Move move) {
    if (move.delta < -Negligible * Own.cost)
      Moves.push_back(move);
  }

  void addMerges() {
    for (std::uint32_t partner : Partners) {
      const ItemGroup &other = State.group(partner);
      const double both = Ask(Own.key ^ other.key,
                              [&] { return unite(Own.items, other.items); });
      add({both - Own.cost - other.cost, Move::Merge, partner, 0});
    }
  }

  void addRelocations() {
    for (std::uint32_t item : Own.items) {
      const SetKey key = Ask.relations().keys[item];
      const double rest =
          Ask(Own.key ^ key, [&] { return without(Own.items, item); });
      if (rest == Illegal)
        continue;
      add({rest + Ask.single(item) - Own.cost, Move::Eject, 0, item});
      for (std::uint32_t partner : Partners) {
        const ItemGroup &other = State.group(partner);
        const double grown =
            Ask(other.key ^ key, [&] { return unite(other.items, {item}); });
        add({rest + grown - Own.cost - other.cost, Move::Relocate, partner,
             item});
      }
    }
  }

  /// Adds splits of the group, each a cut in the order of its items, which is
  /// topological.
  void addSplits() {
    SetKey key;
    for (std::uint32_t cut = 1; cut + 1 < Own.items.size(); ++cut) {
      key = key ^ Ask.relations().keys[Own.items[cut - 1]];
      if (cut == 1)
        continue;
      const double first = Ask(key, [&] { return head(cut); });
      if (first < Own.cost)
        add({first + Ask(Own.key ^ key, [&] { return tail(cut); }) - Own.cost,
             Move::Split, 0, cut});
    }
  }

  ItemSet head(std::uint32_t cut) const {
    return {Own.items.begin(), Own.items.begin() + cut};
  }
  ItemSet tail(std::uint32_t cut) const {
    return {Own.items.begin() + cut, Own.items.end()};
  }

  const Grouping &State;
  Costs &Ask;
  std::uint32_t Number;
  const ItemGroup &Own;
  std::vector<std::uint32_t> Partners;
  std::vector<Move> Moves;
};

} // namespace

void improve(Grouping &grouping, Costs &costs, ItemQueue &queue) {
  while (!queue.isEmpty() && !costs.isSpent()) {
    const Neighbourhood around(grouping, costs, grouping.groupOf(queue.pop()));
    for (const Move &move : around.moves()) {
      const auto [old, fresh] = around.changes(move);
      if (!grouping.replace(old, fresh))
        continue;
      for (const ItemGroup &group : fresh) {
        queue.push(group.items.front());
        for (std::uint32_t other :
             grouping.partners(grouping.groupOf(group.items.front())))
          queue.push(grouping.group(other).items.front());
      }
      break;
    }
  }
}

} // namespace kfuse
