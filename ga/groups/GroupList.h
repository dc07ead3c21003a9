//===- GroupList.h - All groups that a problem allows ---------------------===//
#ifndef KFUSE_GA_GROUPS_GROUPLIST_H
#define KFUSE_GA_GROUPS_GROUPLIST_H

#include "ga/groups/Relations.h"

#include <span>

namespace kfuse {

/// Groups with their costs, one after the other.
struct GroupList {
  std::vector<std::uint32_t> items; ///< of all groups
  std::vector<std::size_t> ends;    ///< by group: where its items end
  std::vector<double> costs;        ///< by group
  bool isComplete = true; ///< false when there were more than asked for

  std::size_t size() const { return ends.size(); }
  std::span<const std::uint32_t> operator[](std::size_t group) const {
    const std::size_t start = group == 0 ? 0 : ends[group - 1];
    return {items.data() + start, ends[group] - start};
  }
};

/// Lists every legal, convex and connected group of a hereditary problem; stops
/// when more than `most` sets were looked at. Unrelated items never share a
/// listed group: if they may, the list isn't complete.
GroupList listGroups(const Relations &relations, std::uint64_t most);

/// Returns what the prices of a group's items leave of its cost.
double reducedCost(const GroupList &groups, std::size_t group,
                   const std::vector<double> &prices);

/// Returns prices by which no `live` group is worth more than it costs. Each
/// item's price changes by the least share that a group of it has left, or
/// lacks. Summed over a group, that is at most what the group has left.
std::vector<double> repairPrices(const GroupList &groups,
                                 const std::vector<std::size_t> &live,
                                 std::vector<double> prices);

/// Returns a hundredth of the mean cost of the groups.
double unitOf(const GroupList &groups);

} // namespace kfuse

#endif
