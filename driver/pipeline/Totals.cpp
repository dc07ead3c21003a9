//===- Totals.cpp - What all launches take together -----------------------===//

#include "driver/pipeline/Totals.h"

#include "fusion/cost/Project.h"
#include "graphs/program/Effects.h"

#include <algorithm>
#include <map>

namespace kfuse {
namespace {

/// Returns how often the launches, which are one, run for each time that their
/// function and the loops around it do. That is half as often for each arm of a
/// branch, and where flags say whether they run.
double chunkOf(const Program &program, const std::vector<LaunchId> &launches) {
  const bool haveFlags =
      std::all_of(launches.begin(), launches.end(), [&](LaunchId launch) {
        return program.kernelOf(launch).part.hasFlag;
      });
  double chunk = haveFlags ? 0.5 : 1;
  for (std::optional<RegionId> each = program[launches.front()].region; each;
       each = program[*each].parent)
    if (program[*each].kind == RegionKind::BranchArm)
      chunk /= 2;
  return chunk;
}

class Counter {
public:
  explicit Counter(const Program &program) : Code(program) {}

  void add(const std::vector<LaunchId> &launches,
           const Projection &projection) {
    if (isReplaced(Code, launches.front()))
      return;
    const double chunk = chunkOf(Code, launches);
    ++Launches[Code[launches.front()].region];
    Sum.bytes += chunk * (projection.distinctRead() + projection.bytesWritten);
    Sum.seconds += chunk * projection.seconds;
  }

  Totals total() {
    Sum.launches = 0;
    for (std::uint32_t i = 0; i < Code.regions.size(); ++i)
      if (!Code.regions[i].parent)
        Sum.launches += longestWay(RegionId{i});
    return Sum;
  }

private:
  std::size_t longestWay(RegionId region) {
    std::size_t count = Launches[region];
    for (const StepId step : Code[region].steps) {
      std::size_t most = 0;
      for (const RegionId nested : Code[step].nested) {
        const std::size_t inside = longestWay(nested);
        if (Code[nested].kind == RegionKind::BranchArm)
          most = std::max(most, inside);
        else
          count += inside;
      }
      count += most;
    }
    return count;
  }

  const Program &Code;
  std::map<RegionId, std::size_t> Launches;
  Totals Sum;
};

} // namespace

Totals totalsUnfused(const Problem &problem) {
  const Program &program = problem.program;
  Counter counter(program);
  for (std::uint32_t i = 0; i < program.launches.size(); ++i)
    counter.add({LaunchId{i}}, projectSingle(problem, LaunchId{i}));
  return counter.total();
}

Totals totalsOf(const Program &program, const FusionPlan &plan) {
  Counter counter(program);
  for (const FusedKernel &kernel : plan.kernels)
    if (kernel.schedule != Schedule::Swap)
      counter.add(kernel.launches, kernel.projection);
  return counter.total();
}

double savedSeconds(const Problem &problem, const FusionPlan &plan) {
  return totalsUnfused(problem).seconds -
         totalsOf(problem.program, plan).seconds;
}

} // namespace kfuse
