//===- Comparison.cpp - Two programs, run in turns ------------------------===//

#include "bench/Comparison.h"

#include "bench/Statistics.h"
#include "system/Child.h"
#include "system/Scratch.h"

#include <algorithm>
#include <chrono>

namespace kfuse {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

struct TimedRun {
  double seconds = 0;
  ChildResult ended;
  std::string output;
};

TimedRun runOnce(const std::string &program,
                 const std::vector<std::string> &arguments,
                 const ScratchFolder &scratch) {
  ChildProgram child;
  child.words = {program};
  child.words.insert(child.words.end(), arguments.begin(), arguments.end());
  child.output = scratch.file("output");
  child.errors = scratch.file("errors");
  TimedRun run;
  const Clock::time_point begin = Clock::now();
  run.ended = runChild(child);
  run.seconds = secondsSince(begin);
  run.output = contentOf(child.output);
  return run;
}

/// Returns how the second run differs from the first; empty if it doesn't.
std::string differenceOf(const TimedRun &one, const TimedRun &other) {
  if (one.ended.status != other.ended.status)
    return "the original ends with " + std::to_string(one.ended.status) +
           ", the fused program with " + std::to_string(other.ended.status);
  if (one.output == other.output)
    return {};
  const auto [first, second] =
      std::mismatch(one.output.begin(), one.output.end(), other.output.begin(),
                    other.output.end());
  return "what they print differs in line " +
         std::to_string(1 + std::count(one.output.begin(), first, '\n'));
}

} // namespace

Comparison compare(const ComparisonPlan &plan,
                   const std::function<bool()> &isStopped,
                   const std::function<void(const Comparison &)> &progress) {
  Comparison result;
  const ScratchFolder scratch("kfuse-bench");
  if (!scratch.good()) {
    result.error = "cannot make a folder for temporary files";
    return result;
  }
  const auto run = [&](const std::string &program) {
    TimedRun timed = runOnce(program, plan.arguments, scratch);
    if (timed.ended.status < 0)
      result.error = "'" + program + "': " + timed.ended.message;
    return timed;
  };
  const TimedRun expected = run(plan.original);
  if (!result.error.empty() || isStopped())
    return result;
  const TimedRun found = run(plan.fused);
  if (!result.error.empty() || isStopped())
    return result;
  result.difference = differenceOf(expected, found);
  const Clock::time_point begin = Clock::now();
  while (result.difference.empty() && result.original.size() < plan.mostPairs) {
    // Which one goes first changes: the second finds the caches of the other.
    const bool isReversed = result.original.size() % 2 == 1;
    const TimedRun first = run(isReversed ? plan.fused : plan.original);
    if (!result.error.empty() || isStopped())
      break;
    const TimedRun second = run(isReversed ? plan.original : plan.fused);
    if (!result.error.empty() || isStopped())
      break;
    const TimedRun &original = isReversed ? second : first;
    const TimedRun &fused = isReversed ? first : second;
    result.original.push_back(original.seconds);
    result.fused.push_back(fused.seconds);
    progress(result);
    if (result.original.size() < plan.leastPairs)
      continue;
    const Ratio ratio = pairedRatio(result.original, result.fused);
    if (ratio.halfWidth <= plan.precision * ratio.value ||
        secondsSince(begin) >= plan.seconds)
      break;
  }
  return result;
}

} // namespace kfuse
