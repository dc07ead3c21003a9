//===- ga/GroupList.cpp - All groups that a problem allows ----------------===//
//
// As in Exact.cpp a connected set is made from its lowest item by adding
// neighbours that no earlier branch had; but there may be thousands of items.
//
//===----------------------------------------------------------------------===//

#include "ga/GroupList.h"

#include "ga/CostMemo.h"

#include <algorithm>
#include <numeric>

namespace kfuse {
namespace {

using Bits = boost::dynamic_bitset<>;

class Lister {
public:
  Lister(const Relations &relations, std::uint64_t most)
      : All(relations), Problem(relations.problem), Left(most),
        IsSeen(Problem.size), IsOpen(Problem.size) {
    List.isComplete = !Problem.horizontal;
  }

  GroupList run() {
    for (std::uint32_t item = 0; item < Problem.size; ++item) {
      Members = {item};
      // Items below have had their turn.
      IsSeen[item] = true;
      std::vector<std::uint32_t> open;
      for (std::uint32_t kin : All.kin[item])
        if (!IsSeen[kin])
          open.push_back(kin);
      const std::vector<std::uint32_t> opened = open;
      mark(opened, true);
      extend(std::move(open), Problem.reach[item], All.before[item]);
      mark(opened, false);
    }
    return std::move(List);
  }

private:
  void mark(const std::vector<std::uint32_t> &items, bool value) {
    for (std::uint32_t item : items)
      IsSeen[item] = IsOpen[item] = value;
  }

  /// The set, and those that grow out of it with what is open and what its
  /// members' neighbours open.
  void extend(std::vector<std::uint32_t> open, const Bits &after,
              const Bits &before) {
    if (Left == 0) {
      List.isComplete = false;
      return;
    }
    --Left;
    if (!add(after, before))
      return;
    std::vector<std::uint32_t> closed;
    while (!open.empty()) {
      const std::uint32_t next = open.back();
      open.pop_back();
      IsOpen[next] = false;
      closed.push_back(next);
      if (isSeparated(next))
        continue;
      std::vector<std::uint32_t> opened;
      for (std::uint32_t kin : All.kin[next])
        if (!IsSeen[kin])
          opened.push_back(kin);
      mark(opened, true);
      std::vector<std::uint32_t> both = open;
      both.insert(both.end(), opened.begin(), opened.end());
      const auto place =
          std::lower_bound(Members.begin(), Members.end(), next) -
          Members.begin();
      Members.insert(Members.begin() + place, next);
      extend(std::move(both), after | Problem.reach[next],
             before | All.before[next]);
      Members.erase(Members.begin() + place);
      mark(opened, false);
    }
    for (std::uint32_t item : closed)
      IsOpen[item] = true;
  }

  bool isSeparated(std::uint32_t item) const {
    return std::any_of(Members.begin(), Members.end(),
                       [&](std::uint32_t member) {
                         return Problem.separated[item][member] ||
                                Problem.separated[member][item];
                       });
  }

  /// False when nothing can grow out of the set.
  bool add(const Bits &after, const Bits &before) {
    Bits between = after & before;
    for (std::uint32_t member : Members)
      between.reset(member);
    ItemSet hull = Members;
    for (auto item = between.find_first(); item != Bits::npos;
         item = between.find_next(item)) {
      // What is not convex becomes so only with all that is between.
      if (IsSeen[item] && !IsOpen[item])
        return false;
      hull.push_back(static_cast<std::uint32_t>(item));
    }
    const bool isConvex = hull.size() == Members.size();
    if (!isConvex)
      std::sort(hull.begin(), hull.end());
    const std::optional<double> cost = Problem.cost(hull);
    if (cost && isConvex) {
      List.items.insert(List.items.end(), hull.begin(), hull.end());
      List.ends.push_back(List.items.size());
      List.costs.push_back(*cost);
    }
    return cost.has_value();
  }

  const Relations &All;
  const PartitionProblem &Problem;
  std::uint64_t Left;
  GroupList List;
  ItemSet Members;
  std::vector<bool> IsSeen; ///< in an earlier branch's reach, or in this one's
  std::vector<bool> IsOpen; ///< may still join
};

} // namespace

GroupList listGroups(const Relations &relations, std::uint64_t most) {
  return Lister(relations, most).run();
}

double reducedCost(const GroupList &groups, std::size_t group,
                   const std::vector<double> &prices) {
  double rest = groups.costs[group];
  for (std::uint32_t item : groups[group])
    rest -= prices[item];
  return rest;
}

std::vector<double> repairPrices(const GroupList &groups,
                                 const std::vector<std::size_t> &live,
                                 std::vector<double> prices) {
  std::vector<double> change(prices.size(), Illegal);
  for (std::size_t group : live) {
    const double share = reducedCost(groups, group, prices) /
                         static_cast<double>(groups[group].size());
    for (std::uint32_t item : groups[group])
      change[item] = std::min(change[item], share);
  }
  for (std::size_t item = 0; item < prices.size(); ++item)
    prices[item] += change[item];
  return prices;
}

double unitOf(const GroupList &groups) {
  return 0.01 * std::accumulate(groups.costs.begin(), groups.costs.end(), 0.0) /
         static_cast<double>(groups.size());
}

} // namespace kfuse
