//===- Memo.cpp - What planning a group need not find out again -----------===//

#include "fusion/group/Memo.h"

namespace kfuse {

PlanMemo &memoOf(const Problem &problem) {
  if (!problem.memo) {
    problem.memo = std::make_shared<PlanMemo>();
    const std::size_t count = problem.program.launches.size();
    problem.memo->stages.resize(count);
    problem.memo->ownStages.resize(count);
    problem.memo->singles.resize(count);
    problem.memo->traffic.resize(count);
  }
  return *problem.memo;
}

const Stages::Shared &stageOf(const Problem &problem, LaunchId launch,
                              Frame frame) {
  PlanMemo &memo = memoOf(problem);
  auto &stages = frame == Frame::Bound ? memo.stages : memo.ownStages;
  Stages::Shared &stage = stages[indexOf(launch)];
  if (!stage)
    stage = std::make_shared<const Stage>(
        makeStage(problem.program, launch, frame));
  return stage;
}

const LaunchTraffic &knownTraffic(const Problem &problem, LaunchId launch) {
  std::optional<LaunchTraffic> &traffic =
      memoOf(problem).traffic[indexOf(launch)];
  if (!traffic)
    traffic = trafficOf(problem, launch);
  return *traffic;
}

const std::optional<ElementFunction> &knownFunction(const Problem &problem,
                                                    LaunchId launch) {
  auto &functions = memoOf(problem).functions;
  const auto known = functions.find(launch);
  return known != functions.end()
             ? known->second
             : functions.emplace(launch, asFunction(problem, launch))
                   .first->second;
}

const Readers &knownReaders(const Problem &problem, LaunchId launch,
                            ArrayId array) {
  auto &readers = memoOf(problem).readers;
  const auto known = readers.find({launch, array});
  return known != readers.end()
             ? known->second
             : readers
                   .emplace(std::pair(launch, array),
                            readersOfStores(problem.program, launch, array))
                   .first->second;
}

const ArrayReaders &knownReaders(const Problem &problem, ArrayId array) {
  auto &readers = memoOf(problem).arrayReaders;
  const auto known = readers.find(array);
  return known != readers.end()
             ? known->second
             : readers.emplace(array, readersOf(problem, array)).first->second;
}

const Projection &singleOf(const Problem &problem, LaunchId launch) {
  std::optional<Projection> &single = memoOf(problem).singles[indexOf(launch)];
  if (!single)
    single = projectSingle(problem, launch);
  return *single;
}

} // namespace kfuse
