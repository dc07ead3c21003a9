//===- GroupList.cpp - All groups that a problem allows -------------------===//
//
// Like in Exact.cpp, a connected set is made from its lowest item by adding
// neighbours that no earlier branch had; but there may be thousands of items.
//
//===----------------------------------------------------------------------===//

#include "ga/groups/GroupList.h"

#include "ga/groups/CostMemo.h"

#include <algorithm>
#include <deque>
#include <numeric>

namespace kfuse {
namespace {

using Bits = boost::dynamic_bitset<>;

class GroupLister {
public:
  GroupLister(const Relations &relations, std::uint64_t most)
      : All(relations), Problem(relations.problem), Left(most),
        IsSeen(Problem.size), IsOpen(Problem.size) {
    List.isComplete = !Problem.horizontal;
    Apart = Problem.separated;
    for (std::size_t item = 0; item < Problem.size; ++item)
      for (auto other = Problem.separated[item].find_first();
           other != Bits::npos;
           other = Problem.separated[item].find_next(other))
        Apart[other].set(item);
  }

  GroupList run() {
    for (std::uint32_t item = 0; item < Problem.size; ++item) {
      Members = {item};
      const std::optional<double> cost = Problem.cost(Members);
      // Items below have had their turn.
      IsSeen[item] = true;
      if (!cost)
        continue;
      list(*cost);
      Branch &root = branch(0);
      open(root, item);
      root.candidates = root.opened;
      root.after = Problem.reach[item];
      root.before = All.before[item];
      root.apart = Apart[item];
      extend(0);
      mark(root.opened, false);
    }
    return std::move(List);
  }

private:
  /// A set's extension by one item.
  struct Choice {
    std::uint32_t item = 0;
    double cost = 0;
    bool isConvex = false;
  };

  /// A legal set, as far as it has grown. There are millions: those of one
  /// depth have one place.
  struct Branch {
    std::vector<std::uint32_t> candidates; ///< may join the set
    std::vector<std::uint32_t> opened;     ///< of these, the last member's
    std::vector<std::uint32_t> closed;     ///< had their turn, or can't join
    std::vector<Choice> choices;           ///< candidates that have yet to join
    Bits after, before; ///< what some member reaches, and is reached by
    Bits apart;         ///< what some member never meets
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

  /// Opens the items that only the last member is kin of.
  void open(Branch &set, std::uint32_t last) {
    set.opened.clear();
    for (std::uint32_t kin : All.kin[last])
      if (!IsSeen[kin])
        set.opened.push_back(kin);
    mark(set.opened, true);
  }

  /// Lists all sets that grow out of one with its candidates and with what its
  /// new members open. An item that can't join now never can: what is legal
  /// stays so when items leave.
  void extend(std::size_t depth) {
    Branch &set = branch(depth);
    set.closed.clear();
    set.choices.clear();
    for (std::uint32_t item : set.candidates)
      if (const std::optional<Choice> choice = join(set, item)) {
        set.choices.push_back(*choice);
      } else {
        IsOpen[item] = false;
        set.closed.push_back(item);
      }
    while (!set.choices.empty()) {
      const Choice next = set.choices.back();
      set.choices.pop_back();
      IsOpen[next.item] = false;
      set.closed.push_back(next.item);
      // The items between may have been closed meanwhile.
      if (next.isConvex || join(set, next.item))
        extend(set, next, depth + 1);
    }
    for (std::uint32_t item : set.closed)
      IsOpen[item] = true;
  }

  void extend(const Branch &set, const Choice &next, std::size_t depth) {
    Branch &larger = branch(depth);
    open(larger, next.item);
    larger.candidates.clear();
    for (const Choice &choice : set.choices)
      larger.candidates.push_back(choice.item);
    larger.candidates.insert(larger.candidates.end(), larger.opened.begin(),
                             larger.opened.end());
    larger.after = set.after;
    larger.after |= Problem.reach[next.item];
    larger.before = set.before;
    larger.before |= All.before[next.item];
    larger.apart = set.apart;
    larger.apart |= Apart[next.item];
    const auto place =
        std::lower_bound(Members.begin(), Members.end(), next.item) -
        Members.begin();
    Members.insert(Members.begin() + place, next.item);
    if (next.isConvex)
      list(next.cost);
    extend(depth);
    Members.erase(Members.begin() + place);
    mark(larger.opened, false);
  }

  /// Returns the extension of the set by the item; nullopt when no group can
  /// grow out of it, or when enough sets were looked at.
  std::optional<Choice> join(const Branch &set, std::uint32_t item) {
    if (Left == 0) {
      List.isComplete = false;
      return std::nullopt;
    }
    --Left;
    if (set.apart[item])
      return std::nullopt;
    Hull = Members;
    Hull.insert(std::lower_bound(Hull.begin(), Hull.end(), item), item);
    std::optional<double> cost = Problem.cost(Hull);
    if (!cost)
      return std::nullopt;
    Between = set.after;
    Between |= Problem.reach[item];
    Other = set.before;
    Other |= All.before[item];
    Between &= Other;
    for (std::uint32_t member : Hull)
      Between.reset(member);
    if (Between.none())
      return Choice{item, *cost, true};
    // A set that isn't convex becomes so only with all that is between.
    for (auto between = Between.find_first(); between != Bits::npos;
         between = Between.find_next(between)) {
      if (IsSeen[between] && !IsOpen[between])
        return std::nullopt;
      Hull.push_back(static_cast<std::uint32_t>(between));
    }
    std::sort(Hull.begin(), Hull.end());
    cost = Problem.cost(Hull);
    if (!cost)
      return std::nullopt;
    return Choice{item, *cost, false};
  }

  /// Lists the members as a group of this cost.
  void list(double cost) {
    List.items.insert(List.items.end(), Members.begin(), Members.end());
    List.ends.push_back(List.items.size());
    List.costs.push_back(cost);
  }

  const Relations &All;
  const PartitionProblem &Problem;
  std::uint64_t Left;
  GroupList List;
  ItemSet Members, Hull;   ///< and with all that is between
  std::vector<Bits> Apart; ///< by item: what it never meets
  Bits Between, Other;
  std::deque<Branch> Branches; ///< by depth
  std::vector<bool> IsSeen; ///< in an earlier branch's reach, or in this one's
  std::vector<bool> IsOpen; ///< may still join
};

} // namespace

GroupList listGroups(const Relations &relations, std::uint64_t most) {
  return GroupLister(relations, most).run();
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
