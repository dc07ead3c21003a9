//===- Sweep.cpp - Set partitions by a sweep over the items ---------------===//

#include "ga/groups/Sweep.h"

#include <algorithm>
#include <bit>
#include <tuple>

namespace kfuse {
namespace {

constexpr std::uint32_t WordBits = 64;

} // namespace

bool Sweep::add(std::span<const std::uint32_t> items, double cost) {
  if (items.back() - items.front() >= 2 * WordBits)
    return false;
  Group group{cost, {}, Count++};
  for (std::uint32_t item : items) {
    const std::uint32_t place = item - items.front();
    (place < WordBits ? group.items.low : group.items.high) |=
        std::uint64_t{1} << (place % WordBits);
  }
  ByFirst[items.front()].push_back(group);
  return true;
}

/// Skips to the next item that is not taken.
void Sweep::skip(Taken &taken, std::uint32_t &item) {
  while (true) {
    const auto places = static_cast<std::uint32_t>(std::countr_one(taken.low));
    item += places;
    if (places == WordBits) {
      taken = {taken.high, 0};
    } else {
      if (places > 0)
        taken = {taken.low >> places | taken.high << (WordBits - places),
                 taken.high >> places};
      return;
    }
  }
}

/// Keeps the cheapest `width` states.
void Sweep::narrow(std::vector<std::size_t> &kept,
                   const std::vector<State> &states, std::size_t width) {
  std::nth_element(kept.begin(),
                   kept.begin() + static_cast<std::ptrdiff_t>(width),
                   kept.end(), [&](std::size_t lhs, std::size_t rhs) {
                     return std::tie(states[lhs].cost, lhs) <
                            std::tie(states[rhs].cost, rhs);
                   });
  kept.resize(width);
}

std::optional<SweepResult> Sweep::run(const SweepLimits &limits) {
  for (std::vector<Group> &groups : ByFirst)
    std::sort(groups.begin(), groups.end(),
              [](const Group &lhs, const Group &rhs) {
                return lhs.cost != rhs.cost ? lhs.cost < rhs.cost
                                            : lhs.number < rhs.number;
              });
  SweepResult result;
  std::vector<State> states = {{}};
  std::vector<Step> steps(ByFirst.size() + 1);
  steps[0].states = {0};
  for (std::uint32_t item = 0; item < ByFirst.size(); ++item) {
    Step &step = steps[item];
    if (step.states.size() > limits.width)
      narrow(step.states, states, limits.width);
    for (const std::size_t from : step.states) {
      if (states.size() > limits.states)
        return std::nullopt;
      for (const Group &group : ByFirst[item]) {
        const double cost = states[from].cost + group.cost;
        if (cost > limits.cost)
          break;
        ++result.tries;
        Taken taken = states[from].taken;
        if ((taken.low & group.items.low) != 0 ||
            (taken.high & group.items.high) != 0)
          continue;
        taken.low |= group.items.low;
        taken.high |= group.items.high;
        std::uint32_t next = item;
        skip(taken, next);
        const auto [known, isNew] =
            steps[next].known.try_emplace(taken, states.size());
        if (isNew) {
          steps[next].states.push_back(states.size());
          states.push_back({taken, cost, from, group.number});
        } else if (cost < states[known->second].cost) {
          states[known->second] = {taken, cost, from, group.number};
        }
      }
    }
    step = {};
  }
  if (!steps.back().states.empty()) {
    std::size_t at = steps.back().states.front();
    result.cost = states[at].cost;
    for (; at != 0; at = states[at].previous)
      result.groups.push_back(states[at].group);
  }
  return result;
}

} // namespace kfuse
