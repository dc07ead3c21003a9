//===- fusion/Memo.cpp - What planning a group need not find out again ----===//

#include "fusion/Memo.h"

namespace kfuse {

PlanMemo &memoOf(const Problem &problem) {
  if (!problem.memo) {
    problem.memo = std::make_shared<PlanMemo>();
    problem.memo->stages.resize(problem.program.launches.size());
    problem.memo->singles.resize(problem.program.launches.size());
  }
  return *problem.memo;
}

const Stage &stageOf(const Problem &problem, LaunchId launch) {
  std::optional<Stage> &stage = memoOf(problem).stages[indexOf(launch)];
  if (!stage)
    stage = makeStage(problem.program, launch, Frame::Bound);
  return *stage;
}

const Projection &singleOf(const Problem &problem, LaunchId launch) {
  std::optional<Projection> &single = memoOf(problem).singles[indexOf(launch)];
  if (!single)
    single = projectSingle(problem, launch);
  return *single;
}

} // namespace kfuse
