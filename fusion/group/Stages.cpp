//===- Stages.cpp - The members of a group as stages ----------------------===//

#include "fusion/group/Stages.h"

namespace kfuse {

struct StageMemo {
  explicit StageMemo(std::size_t launches) : bound(launches), own(launches) {}
  /// The stages by LaunchId, in SymbolSpace::Launch and in SymbolSpace::Kernel.
  std::vector<Stages::Shared> bound, own;
};

const Stages::Shared &stageOf(const Problem &problem, LaunchId launch,
                              SymbolSpace space) {
  StageMemo &memo =
      madeOn(problem.memos.stages, problem.program.launches.size());
  auto &stages = space == SymbolSpace::Launch ? memo.bound : memo.own;
  Stages::Shared &stage = stages[indexOf(launch)];
  if (!stage)
    stage = std::make_shared<const Stage>(
        makeStage(problem.program, launch, space));
  return stage;
}

} // namespace kfuse
