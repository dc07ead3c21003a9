//===- ga/GroupList.cpp - All groups that a problem allows ----------------===//
//
// As in Exact.cpp a connected set is made from its lowest item by adding
// neighbours that no earlier branch had; but there may be thousands of items.
//
//===----------------------------------------------------------------------===//

#include "ga/GroupList.h"

#include "ga/CostMemo.h"

#include <algorithm>
#include <deque>
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
      Branch &root = branch(0);
      root.opened.clear();
      for (std::uint32_t kin : All.kin[item])
        if (!IsSeen[kin])
          root.opened.push_back(kin);
      root.open = root.opened;
      root.after = Problem.reach[item];
      root.before = All.before[item];
      mark(root.opened, true);
      extend(0);
      mark(root.opened, false);
    }
    return std::move(List);
  }

private:
  /// A set, as far as it has grown. There are millions: those of one depth have
  /// one place.
  struct Branch {
    std::vector<std::uint32_t> open;   ///< may join the set
    std::vector<std::uint32_t> opened; ///< of these, the last member's
    std::vector<std::uint32_t> closed; ///< had their turn
    Bits after, before; ///< what some member reaches, and is reached by
  };

  Branch &branch(std::size_t depth) {
    if (depth == Branches.size())
      Branches.emplace_back();
    return Branches[depth];
  }

  void mark(const std::vector<std::uint32_t> &items, bool value) {
    for (std::uint32_t item : items)
      IsSeen[item] = IsOpen[item] = value;
  }

  /// The set, and those that grow out of it with what is open and what its
  /// members' neighbours open.
  void extend(std::size_t depth) {
    if (Left == 0) {
      List.isComplete = false;
      return;
    }
    --Left;
    Branch &set = branch(depth);
    if (!add(set.after, set.before))
      return;
    set.closed.clear();
    while (!set.open.empty()) {
      const std::uint32_t next = set.open.back();
      set.open.pop_back();
      IsOpen[next] = false;
      set.closed.push_back(next);
      if (!isSeparated(next))
        extend(set, next, depth + 1);
    }
    for (std::uint32_t item : set.closed)
      IsOpen[item] = true;
  }

  void extend(const Branch &set, std::uint32_t next, std::size_t depth) {
    Branch &larger = branch(depth);
    larger.opened.clear();
    for (std::uint32_t kin : All.kin[next])
      if (!IsSeen[kin])
        larger.opened.push_back(kin);
    mark(larger.opened, true);
    larger.open = set.open;
    larger.open.insert(larger.open.end(), larger.opened.begin(),
                       larger.opened.end());
    larger.after = set.after;
    larger.after |= Problem.reach[next];
    larger.before = set.before;
    larger.before |= All.before[next];
    const auto place = std::lower_bound(Members.begin(), Members.end(), next) -
                       Members.begin();
    Members.insert(Members.begin() + place, next);
    extend(depth);
    Members.erase(Members.begin() + place);
    mark(larger.opened, false);
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
    Between = after;
    Between &= before;
    for (std::uint32_t member : Members)
      Between.reset(member);
    Hull = Members;
    for (auto item = Between.find_first(); item != Bits::npos;
         item = Between.find_next(item)) {
      // What is not convex becomes so only with all that is between.
      if (IsSeen[item] && !IsOpen[item])
        return false;
      Hull.push_back(static_cast<std::uint32_t>(item));
    }
    const bool isConvex = Hull.size() == Members.size();
    if (!isConvex)
      std::sort(Hull.begin(), Hull.end());
    const std::optional<double> cost = Problem.cost(Hull);
    if (cost && isConvex) {
      List.items.insert(List.items.end(), Hull.begin(), Hull.end());
      List.ends.push_back(List.items.size());
      List.costs.push_back(*cost);
    }
    return cost.has_value();
  }

  const Relations &All;
  const PartitionProblem &Problem;
  std::uint64_t Left;
  GroupList List;
  ItemSet Members, Hull; ///< and with all that is between
  Bits Between;
  std::deque<Branch> Branches; ///< by depth
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
