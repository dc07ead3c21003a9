//===- Variants.cpp - The program written otherwise -----------------------===//

#include "driver/pipeline/Variants.h"

#include "driver/pipeline/ReadFile.h"
#include "driver/pipeline/Solve.h"
#include "frontend/ParseRewritten.h"
#include "frontend/rewrite/SplitKernels.h"
#include "fusion/report/PlanJson.h"
#include "fusion/rewrites/Fissions.h"
#include "fusion/rewrites/Renamings.h"

namespace kfuse {
namespace {

/// Launches and checks that would need more rounds than this stay in their
/// place.
constexpr std::size_t MostRounds = 4;

/// Checks whether a fused kernel has the launch, and the host swaps pointers
/// after it. Renaming changes the numbers of steps, not of launches.
bool isUsed(const Compilation &c, const Renaming &renaming) {
  const bool isFused = std::any_of(
      c.plan.kernels.begin(), c.plan.kernels.end(),
      [&](const FusedKernel &kernel) {
        return kernel.launches.size() > 1 &&
               std::find(kernel.launches.begin(), kernel.launches.end(),
                         renaming.launch) != kernel.launches.end();
      });
  const StepId step = c.program[renaming.launch].step;
  const std::vector<StepId> &steps = c.program[c.program[step].region].steps;
  const auto next = std::find(steps.begin(), steps.end(), step) + 1;
  return isFused && next != steps.end() &&
         std::find(c.plan.swaps.begin(), c.plan.swaps.end(), *next) !=
             c.plan.swaps.end();
}

/// Removes the fissions of kernels whose parts don't parse.
void dropUnwritable(const Compilation &from,
                    const std::vector<FissionCandidate> &known,
                    std::vector<Fission> &fissions, const Options &options) {
  for (std::uint32_t number = 0; number < known.size(); ++number) {
    std::vector<Fission> own;
    for (const Fission &fission : fissions)
      if (fission.separation == number)
        own.push_back(fission);
    if (!own.empty() &&
        !parseSplit(options.parse, *from.unit, from.program, known, own))
      std::erase_if(fissions, [&](const Fission &fission) {
        return fission.separation == number;
      });
  }
}

/// Returns the program with the launches in pieces; nullptr if none can be. A
/// launch with a part that doesn't parse, say for an attribute that isn't
/// copied, leaves `fissions`.
std::unique_ptr<Compilation>
inPieces(const Compilation &from, const std::vector<FissionCandidate> &known,
         std::vector<Fission> &fissions, const Options &options) {
  auto unit =
      parseSplit(options.parse, *from.unit, from.program, known, fissions);
  if (!unit) {
    dropUnwritable(from, known, fissions, options);
    if (!fissions.empty())
      unit =
          parseSplit(options.parse, *from.unit, from.program, known, fissions);
  }
  return unit ? analyseAs(from, std::move(unit), options) : nullptr;
}

} // namespace

std::unique_ptr<Compilation> split(const Compilation &from,
                                   const Options &options) {
  const std::vector<FissionCandidate> known =
      fissionCandidates(*from.unit, from.program);
  std::vector<Fission> before,
      wanted = fissions(*from.problem, from.plan, known);
  std::unique_ptr<Compilation> last;
  while (!wanted.empty()) {
    auto result = inPieces(from, known, wanted, options);
    if (!result)
      return nullptr;
    const Compilation &planned = last ? *last : from;
    const Groups groups =
        regrouped(before, wanted, planned.program, planned.plan);
    std::string ignored;
    // Pieces that joined seldom change what is best for the others.
    const bool isSolved = last && finish(*result, groups, ignored);
    if (!isSolved && !solve(*result, options, groups, ignored))
      return nullptr;
    if (isSolved)
      result->search = last->search;
    before = wanted;
    if (!joinIdle(wanted, result->program, result->plan))
      return result;
    last = std::move(result);
  }
  return nullptr;
}

std::unique_ptr<Compilation> splitAsPlanned(std::unique_ptr<Compilation> from,
                                            const Options &options,
                                            std::string &error) {
  const std::vector<FissionCandidate> known =
      fissionCandidates(*from->unit, from->program);
  auto wanted = readFile(
      "plan", options.planToLoad,
      [&](std::string_view text) {
        return loadFissions(*from->problem, known, text);
      },
      error);
  if (!wanted)
    return nullptr;
  if (wanted->empty())
    return from;
  const std::size_t count = wanted->size();
  auto result = inPieces(*from, known, *wanted, options);
  if (!result || wanted->size() != count) {
    error += errorLine("plan '" + options.planToLoad +
                       "': a part can't be written as a kernel of its own");
    return nullptr;
  }
  return result;
}

std::unique_ptr<Compilation> rename(const Compilation &from,
                                    const Options &options) {
  const Problem problem{from.program,   from.deps,
                        from.order,     from.problem->device,
                        options.fusion, from.problem->evidence};
  std::vector<Renaming> wanted = renamings(problem);
  std::unique_ptr<Compilation> last;
  while (!wanted.empty()) {
    auto unit = parseRenamed(options.parse, *from.unit, from.program, wanted);
    if (!unit)
      return nullptr;
    auto result = analyseAs(from, std::move(unit), options);
    std::string ignored;
    // Renamings that weren't used seldom change what is best without them.
    const Groups start = groupsOf(last ? last->plan : from.plan);
    const bool isSolved = last && finish(*result, start, ignored);
    if (!isSolved && !solve(*result, options, start, ignored))
      return nullptr;
    if (isSolved)
      result->search = last->search;
    const auto unused = std::erase_if(wanted, [&](const Renaming &renaming) {
      return !isUsed(*result, renaming);
    });
    if (unused == 0)
      return result;
    last = std::move(result);
  }
  return nullptr;
}

std::unique_ptr<Compilation> predicate(const Compilation &from,
                                       const Options &options) {
  auto unit = parsePredicated(options.parse, *from.unit, from.program);
  if (!unit)
    return nullptr;
  auto result = analyseAs(from, std::move(unit), options);
  result = defer(std::move(result), options);
  std::string ignored;
  return solve(*result, options, ignored) ? std::move(result) : nullptr;
}

std::unique_ptr<Compilation> intoBranches(const Compilation &from,
                                          const Options &options) {
  std::vector<std::unique_ptr<Compilation>> rounds;
  const Compilation *last = &from;
  // A round brings one launch into each arm, the next round the one before it.
  while (rounds.size() < MostRounds) {
    auto unit = parseSunkIntoBranches(options.parse, *last->unit);
    if (!unit)
      break;
    auto result = analyseAs(from, std::move(unit), options);
    result = defer(std::move(result), options);
    std::string ignored;
    if (!solve(*result, options, ignored))
      break;
    rounds.push_back(std::move(result));
    last = rounds.back().get();
  }
  const auto best = std::max_element(
      rounds.begin(), rounds.end(), [](const auto &lhs, const auto &rhs) {
        return savedSeconds(*lhs->problem, lhs->plan) + LeastGain <
               savedSeconds(*rhs->problem, rhs->plan);
      });
  return best == rounds.end() ? nullptr : std::move(*best);
}

std::unique_ptr<Compilation> defer(std::unique_ptr<Compilation> from,
                                   const Options &options) {
  // A round brings checks after the launches next to them.
  for (std::size_t round = 0; round < MostRounds; ++round) {
    auto unit = parseDeferred(options.parse, *from->unit, from->program,
                              options.fusion.deferChecks);
    if (!unit)
      break;
    from = analyseAs(*from, std::move(unit), options);
  }
  return from;
}

} // namespace kfuse
