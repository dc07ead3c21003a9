//===- Comparison.cpp - Two programs, run in turns ------------------------===//

#include "bench/compare/Comparison.h"

#include "bench/Statistics.h"
#include "system/Scratch.h"

#include <chrono>

namespace kfuse {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Runs the programs of a plan, until one can't be run.
class PlanRunner {
public:
  PlanRunner(const ComparisonPlan &plan, const ScratchFolder &scratch,
             const std::function<bool()> &isStopped)
      : Plan(plan), Scratch(scratch), IsStopped(isStopped) {}

  const std::string &error() const { return Error; }
  /// Checks whether a program couldn't be run, or nobody waits any more.
  bool isOver() const { return !Error.empty() || IsStopped(); }

  double secondsOf(const BuiltProgram &program) {
    return run(program.path, "", true).seconds;
  }

  /// Compares a run of each.
  Agreement agreement() {
    const auto traced = [&](const BuiltProgram &program) {
      return run(program.tracing, program.traceVariable, false);
    };
    const ProgramRun original = traced(Plan.original);
    if (isOver())
      return {};
    const ProgramRun fused = traced(Plan.fused);
    if (isOver())
      return {};
    return agreementOf(original, fused, Plan.rules,
                       [&] { return traced(Plan.original); });
  }

private:
  ProgramRun run(const std::string &program, const std::string &variable,
                 bool isTimed) {
    ProgramRun done = runProgram(
        {program, Plan.arguments, Plan.devices, variable}, Scratch, isTimed);
    if (done.status < 0 && Error.empty())
      Error = "'" + program + "': " + done.message;
    return done;
  }

  const ComparisonPlan &Plan;
  const ScratchFolder &Scratch;
  const std::function<bool()> &IsStopped;
  std::string Error;
};

} // namespace

Comparison compare(const ComparisonPlan &plan,
                   const std::function<bool()> &isStopped,
                   const std::function<void()> &beforePairs,
                   const std::function<void(const Comparison &)> &progress) {
  Comparison result;
  const ScratchFolder scratch("kfuse-bench");
  if (!scratch.good()) {
    result.error = "cannot make a folder for temporary files";
    return result;
  }
  PlanRunner runner(plan, scratch, isStopped);
  result.agreement = runner.agreement();
  // The programs that are measured are others than those that left traces.
  if (plan.original.path != plan.original.tracing && !runner.isOver())
    for (const BuiltProgram *program : {&plan.original, &plan.fused})
      runner.secondsOf(*program);
  if (result.agreement.difference.empty() && !runner.isOver())
    beforePairs();
  const Clock::time_point begin = Clock::now();
  while (result.agreement.difference.empty() && !runner.isOver() &&
         result.original.size() < plan.mostPairs) {
    // Which one goes first changes: the second finds the caches of the other.
    const bool isReversed = result.original.size() % 2 == 1;
    const double first =
        runner.secondsOf(isReversed ? plan.fused : plan.original);
    if (runner.isOver())
      break;
    const double second =
        runner.secondsOf(isReversed ? plan.original : plan.fused);
    if (runner.isOver())
      break;
    result.original.push_back(isReversed ? second : first);
    result.fused.push_back(isReversed ? first : second);
    progress(result);
    if (result.original.size() < plan.leastPairs)
      continue;
    const Ratio ratio = pairedRatio(result.original, result.fused);
    if (ratio.halfWidth <= plan.precision * ratio.value ||
        secondsSince(begin) >= plan.seconds)
      break;
  }
  result.error = runner.error();
  return result;
}

} // namespace kfuse
