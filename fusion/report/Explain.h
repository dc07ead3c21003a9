//===- Explain.h - Why launches were fused, or were not -------------------===//
//
// A plan's decisions as remarks. Each group that became a kernel has one, and
// so has each kin pair of launches that stayed apart. A function that launches
// and is called beside other launches has one too.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_REPORT_EXPLAIN_H
#define KFUSE_FUSION_REPORT_EXPLAIN_H

#include "fusion/plan/Plan.h"
#include "fusion/plan/Problem.h"

#include <string>
#include <vector>

namespace kfuse {

struct Remark {
  bool fused = false;
  ObstacleKind kind{}; ///< of a pair that stayed apart
  /// The members of the group, the two launches of the pair, the function's
  /// first launch, or the launch that copies; none for a copy of the runtime.
  std::vector<LaunchId> launches;
  SourceRange range; ///< of the first launch
  std::string name;  ///< `Fused`, `Swapped`, or obstacleName(kind)
  std::string text;  ///< one sentence, in the user's names
  std::string remedy;
  std::vector<ObstacleNote> notes;
  std::string cause; ///< Obstacle::cause, of a pair that stayed apart
  /// The obstacle lies between other launches, which would be members too.
  bool isOfOthers = false;
};

/// Returns the remarks: groups first, then copies, pairs and functions, each in
/// program order.
std::vector<Remark> explain(const Problem &problem, const FusionPlan &plan);

} // namespace kfuse

#endif
