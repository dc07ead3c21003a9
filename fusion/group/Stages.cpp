//===- Stages.cpp - The members of a group as stages ----------------------===//

#include "fusion/group/Stages.h"

namespace kfuse {

struct StageMemo {
  explicit StageMemo(std::size_t launches) : bound(launches), own(launches) {}
  /// By LaunchId, in Frame::Bound and in Frame::Own.
  std::vector<Stages::Shared> bound, own;
};

const Stages::Shared &stageOf(const Problem &problem, LaunchId launch,
                              Frame frame) {
  StageMemo &memo =
      madeOn(problem.memos.stages, problem.program.launches.size());
  auto &stages = frame == Frame::Bound ? memo.bound : memo.own;
  Stages::Shared &stage = stages[indexOf(launch)];
  if (!stage)
    stage = std::make_shared<const Stage>(
        makeStage(problem.program, launch, frame));
  return stage;
}

} // namespace kfuse
