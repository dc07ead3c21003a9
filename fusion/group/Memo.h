//===- Memo.h - What planning a group need not find out again -------------===//
//
// A search plans thousands of groups of the same launches. What depends on one
// launch or on one pair alone is kept with the problem.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_GROUP_MEMO_H
#define KFUSE_FUSION_GROUP_MEMO_H

#include "fusion/cost/Traffic.h"
#include "fusion/dependence/Afterlife.h"
#include "fusion/dependence/Coordinates.h"
#include "fusion/forwarding/Computed.h"
#include "fusion/group/Liveness.h"
#include "fusion/legality/Legality.h"
#include "fusion/plan/Problem.h"
#include "fusion/shapes/Fitting.h"

#include <array>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
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
  /// By LaunchId, in Frame::Bound and in Frame::Own.
  std::vector<Stages::Shared> stages, ownStages;
  std::vector<std::optional<Projection>> singles;    ///< by LaunchId
  std::vector<std::optional<LaunchTraffic>> traffic; ///< by LaunchId
  std::map<LaunchId, std::optional<ElementFunction>> functions;
  std::map<std::pair<LaunchId, ArrayId>, Readers> readers;
  std::map<ArrayId, ArrayReaders> arrayReaders;
  /// Facts::positive of a group: what its launches, which are valid, tell of
  /// each other.
  using Positive = std::set<Symbol>;
  /// By two launches, each with the one whose shape it is in.
  using Pair = std::array<LaunchId, 4>;
  struct PairHash {
    std::size_t operator()(const Pair &pair) const {
      std::size_t hash = 0;
      for (const LaunchId launch : pair)
        hash = (hash ^ indexOf(launch)) * 0x9e3779b97f4a7c15U;
      return hash ^ (hash >> 32U);
    }
  };
  std::map<Positive, std::unordered_map<Pair, PairVerdict, PairHash>> pairs;
  /// Conditions, by kind, launches, indices and bounds: why they can't hold
  /// together, and which of them don't always hold.
  using Tests =
      std::vector<std::tuple<ConditionKind, std::array<std::uint32_t, 4>,
                             std::vector<Polynomial>>>;
  std::map<Tests, std::optional<Obstacle>> never;
  std::map<Tests, std::vector<bool>> needed;
  /// The first launch in the shape of the second.
  std::map<std::tuple<LaunchId, LaunchId, Positive>, std::optional<Fitted>>
      fits;
};

/// The problem's memo, made on first use.
PlanMemo &memoOf(const Problem &problem);
/// makeStage(), once for each launch.
const Stages::Shared &stageOf(const Problem &problem, LaunchId launch,
                              Frame frame);
/// trafficOf(), once for each launch.
const LaunchTraffic &knownTraffic(const Problem &problem, LaunchId launch);
/// asFunction(), once for each launch.
const std::optional<ElementFunction> &knownFunction(const Problem &problem,
                                                    LaunchId launch);
/// readersOfStores(), once for each launch and array.
const Readers &knownReaders(const Problem &problem, LaunchId launch,
                            ArrayId array);
/// readersOf(), once for each array.
const ArrayReaders &knownReaders(const Problem &problem, ArrayId array);
const Projection &singleOf(const Problem &problem, LaunchId launch);

} // namespace kfuse

#endif
