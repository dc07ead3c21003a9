//===- Annealing.cpp - Simulated annealing --------------------------------===//

#include "ga/genetic/Annealing.h"

#include <cmath>

namespace kfuse {
namespace {

/// A change that may be taken.
struct Change {
  std::vector<std::uint32_t> old;
  std::vector<ItemGroup> fresh;
  double delta = Illegal;
};

class Annealer {
public:
  Annealer(Grouping &grouping, Costs &costs, Random &random)
      : State(grouping), Ask(costs), Rng(random) {}

  /// Proposes a random move of an item or its group.
  Change propose(std::uint32_t item) {
    const std::uint32_t number = State.groupOf(item);
    const ItemGroup &own = State.group(number);
    const std::vector<std::uint32_t> &kin = Ask.relations().kin[item];
    std::uint32_t partner = number;
    if (!kin.empty())
      partner = State.groupOf(kin[Rng.below(kin.size())]);
    if (Ask.problem().horizontal && Rng.below(4) == 0)
      partner = State.order()[Rng.below(State.order().size())];
    const std::uint32_t draw = Rng.below(10);
    if (partner == number || draw < 2)
      return own.items.size() < 2 ? Change()
             : draw % 2 == 0      ? eject(number, item)
                                  : split(number);
    if (own.items.size() < 2 || draw < 4)
      return merge(number, partner);
    return relocate(number, item, partner);
  }

private:
  Change change(std::vector<std::uint32_t> old, std::vector<ItemSet> sets) {
    Change result;
    double delta = 0;
    for (std::uint32_t number : old)
      delta -= State.group(number).cost;
    for (ItemSet &set : sets) {
      result.fresh.push_back(makeItemGroup(std::move(set), Ask));
      delta += result.fresh.back().cost;
    }
    result.old = std::move(old);
    result.delta = delta;
    return result;
  }

  Change eject(std::uint32_t number, std::uint32_t item) {
    return change({number}, {without(State.group(number).items, item), {item}});
  }
  Change split(std::uint32_t number) {
    const ItemSet &items = State.group(number).items;
    const auto middle =
        items.begin() + 1 + std::ptrdiff_t{Rng.below(items.size() - 1)};
    return change({number}, {{items.begin(), middle}, {middle, items.end()}});
  }
  Change merge(std::uint32_t number, std::uint32_t partner) {
    return change({number, partner}, {unite(State.group(number).items,
                                            State.group(partner).items)});
  }
  Change relocate(std::uint32_t number, std::uint32_t item,
                  std::uint32_t partner) {
    return change({number, partner},
                  {without(State.group(number).items, item),
                   unite(State.group(partner).items, {item})});
  }

  Grouping &State;
  Costs &Ask;
  Random &Rng;
};

} // namespace

void anneal(Grouping &grouping, Costs &costs, const ItemSet &items,
            const AnnealingPlan &plan, Random &random) {
  const double mean = costs.singles(items) / static_cast<double>(items.size());
  const double cooling =
      std::pow(plan.cold / plan.hot, 1 / static_cast<double>(plan.steps));
  double temperature = plan.hot * mean;
  const Grouping start = grouping;
  Annealer annealer(grouping, costs, random);
  for (std::uint64_t step = 0; step < plan.steps && !costs.isSpent(); ++step) {
    temperature *= cooling;
    const Change change = annealer.propose(items[random.below(items.size())]);
    if (change.delta <= 0 ||
        (change.delta < Illegal &&
         random.unit() < std::exp(-change.delta / temperature)))
      grouping.replace(change.old, change.fresh);
  }
  if (start.cost() < grouping.cost())
    grouping = start;
}

} // namespace kfuse
