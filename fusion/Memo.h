//===- fusion/Memo.h - What planning a group need not find out again ------===//
//
// A search plans thousands of groups of the same launches. What depends on one
// launch or on one pair alone is kept with the problem.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_MEMO_H
#define KFUSE_FUSION_MEMO_H

#include "fusion/Coordinates.h"
#include "fusion/Fitting.h"
#include "fusion/Legality.h"
#include "fusion/Problem.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace kfuse {

/// What settleAccesses finds of two launches.
struct PairVerdict {
  std::vector<Flow> flows;
  std::optional<Obstacle> obstacle;
  /// The obstacle comes from what the user allows.
  bool dependsOnOptions = false;
};

struct PlanMemo {
  std::vector<std::optional<Stage>> stages;       ///< by LaunchId, Frame::Bound
  std::vector<std::optional<Projection>> singles; ///< by LaunchId
  std::map<std::pair<LaunchId, LaunchId>, PairVerdict> pairs;
  /// The first launch in the shape of the second.
  std::map<std::pair<LaunchId, LaunchId>, std::optional<Fitted>> fits;
};

/// The problem's memo, made on first use.
PlanMemo &memoOf(const Problem &problem);
const Stage &stageOf(const Problem &problem, LaunchId launch);
const Projection &singleOf(const Problem &problem, LaunchId launch);

} // namespace kfuse

#endif
