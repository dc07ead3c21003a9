//===- Group.h - A group while its legality is being decided --------------===//
//
// The members as stages in one set of coordinates, together with the equalities
// that were assumed so far and that the host code will have to test.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_GROUP_GROUP_H
#define KFUSE_FUSION_GROUP_GROUP_H

#include "fusion/dependence/KnownFacts.h"
#include "fusion/group/Stages.h"
#include "fusion/plan/Plan.h"
#include "fusion/plan/Problem.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace kfuse {

struct Group {
  const Problem *problem = nullptr;
  Stages stages;
  std::vector<Condition> conditions;
  std::uint32_t leader = 0;        ///< the stage whose shape all have
  std::vector<ConfigMapping> fits; ///< by stage
  /// For each stage, the launch whose shape it was given, or its own.
  std::vector<LaunchId> shapedAs;
  bool isMoved(std::size_t stage) const {
    return shapedAs[stage] != stages[stage].launch;
  }
  /// For each stage, whether iterations of its grid-stride loop that one thread
  /// ran in turn become other threads'.
  std::vector<bool> isReordered;
  /// The threads for each of the leader's blocks, in host values, of stages
  /// that are distributed among them.
  Polynomial chunk;
  bool hasChunks() const {
    return std::any_of(fits.begin(), fits.end(), [](const ConfigMapping &fit) {
      return fit.chunk.has_value();
    });
  }
  /// Stages before which the threads of a block must wait for each other, and
  /// the arrays that these threads share.
  std::set<std::uint32_t> waits;
  std::set<ArrayId> sharedInBlock;
  /// Assumed symbol values, in the order in which they apply.
  std::vector<std::pair<Symbol, Polynomial>> assumed;
  /// Assumed not to be negative, in the launches' values.
  std::vector<Polynomial> notNegative;
  /// The program's terms and those that the assumptions made; absent while
  /// there are none. Copies of a group share them: terms are only ever added.
  std::shared_ptr<TermTable> ownTerms;
};

const TermTable &termsOf(const Group &group);
/// Returns what is known of the group's host values.
KnownFacts factsOf(const Group &group);

/// Makes the group's terms its own, so that copies share what is added.
void useOwnTerms(Group &group);

/// Returns the host value under the group's assumptions.
std::optional<Polynomial> assumedValue(Group &group,
                                       const Polynomial &polynomial);
/// Checks whether nothing was assumed yet.
inline bool isAsGiven(const Group &group) {
  return group.assumed.empty() && group.notNegative.empty();
}
/// Rewrites the group as if the two host values were equal. Returns false if
/// they can't be, or seldom are, or if neither can be expressed by the other.
bool assumeEqual(Group &group, const Polynomial &lhs, const Polynomial &rhs);

} // namespace kfuse

#endif
