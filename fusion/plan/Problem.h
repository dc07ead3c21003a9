//===- Problem.h - The partition problem: legality and cost ---------------===//
//
//   Program, graphs, Device ──▶ Problem ──▶ planGroup() = Obstacle |
//   FusedKernel
//
// The only door through which the search sees a program. A group's verdict is
// a pure function of the set of its members.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_PLAN_PROBLEM_H
#define KFUSE_FUSION_PLAN_PROBLEM_H

#include "fusion/device/Device.h"
#include "fusion/plan/Measurements.h"
#include "fusion/plan/Plan.h"
#include "graphs/DependencyGraph.h"
#include "graphs/ExecutionGraph.h"
#include "graphs/program/Program.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace kfuse {

/// The user's permissions and promises.
struct FusionOptions {
  bool conditions = true;           ///< run-time tests may guard a fused kernel
  std::set<ConditionKind> promised; ///< these hold, and aren't tested
  bool ignoreTiming = false;        ///< fuse across timing code
  bool deferChecks = false; ///< those that end the program may come later
  bool horizontal = true;   ///< groups of unrelated kernels
  /// Fuse nothing whose sums a compiler may contract in more than one way.
  bool exactRounding = true;
  /// Names of arrays that nothing reads after the program's launches.
  std::vector<std::string> dead;
  std::uint32_t maxElementsPerThread = 8;
  /// The elements of groups for which a plan asks, by their launches,
  /// ascending, as far as a thread can have them.
  std::map<std::vector<LaunchId>, std::uint32_t> plannedElements = {};
  /// The limit for the members of a kernel together, if these are more than
  /// two.
  std::uint32_t maxStatements = 300;
  /// Threads of the largest launch whose grid isn't a constant.
  double assumedThreads = 16.0 * 1024 * 1024;
  std::set<CostTerm> withoutTerms; ///< of the cost model

  bool mayNeed(ConditionKind kind) const {
    return conditions || promised.count(kind) != 0;
  }
};

/// Launches that one kernel does the work of, at most: nobody could read more,
/// and the next ones save next to nothing.
inline constexpr std::uint32_t MostMembers = 64;

/// Results of planning that need not be found again: a search plans thousands
/// of groups of the same launches. Each table belongs to the file that looks
/// things up in it.
struct StageMemo;      // group/Stages.cpp
struct ReaderMemo;     // group/Liveness.cpp
struct ConditionMemo;  // group/Conditions.cpp
struct TrafficMemo;    // cost/Traffic.cpp
struct ProjectionMemo; // cost/Project.cpp
struct FitMemo;        // shapes/Shapes.cpp
struct PairMemo;       // legality/Legality.cpp
struct FunctionMemo;   // forwarding/Computed.cpp
struct MeasuredMemo;   // cost/MeasuredLaunches.cpp
struct SizeMemo;       // cost/AssumedSizes.cpp
struct PlanMemos {
  std::shared_ptr<StageMemo> stages;
  std::shared_ptr<ReaderMemo> readers;
  std::shared_ptr<ConditionMemo> conditions;
  std::shared_ptr<TrafficMemo> traffic;
  std::shared_ptr<ProjectionMemo> projections;
  std::shared_ptr<FitMemo> fits;
  std::shared_ptr<PairMemo> pairs;
  std::shared_ptr<FunctionMemo> functions;
  std::shared_ptr<MeasuredMemo> measured;
  std::shared_ptr<SizeMemo> sizes;
};

/// Returns the table that `memo` holds, made from `arguments` on first use.
template <typename Memo, typename... Arguments>
Memo &madeOn(std::shared_ptr<Memo> &memo, Arguments... arguments) {
  if (!memo)
    memo = std::make_shared<Memo>(arguments...);
  return *memo;
}

struct Problem {
  const Program &program;
  const DependencyGraph &deps;
  const ExecutionGraph &order;
  Device device;
  FusionOptions options;
  Measurements evidence = {};
  /// Groups, in program order, for which no text could be written, and why.
  std::map<std::vector<LaunchId>, Obstacle> unwritable = {};
  /// Not for use from several threads at once.
  mutable PlanMemos memos = {};
};

} // namespace kfuse

#endif
