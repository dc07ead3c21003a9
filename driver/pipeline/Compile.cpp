//===- Compile.cpp - The compiler as one function -------------------------===//

#include "driver/pipeline/Compile.h"

#include "driver/nvcc/Nvcc.h"
#include "driver/pipeline/PinContractions.h"
#include "driver/pipeline/ReadFile.h"
#include "driver/pipeline/ReadProfiles.h"
#include "driver/pipeline/Registers.h"
#include "driver/pipeline/Solve.h"
#include "driver/pipeline/Variants.h"
#include "frontend/ParseRewritten.h"
#include "frontend/parse/Flags.h"
#include "ga/Search.h"
#include "ga/problem/AbstractCost.h"
#include "ga/problem/Adapter.h"
#include "text/Lists.h"

#include <set>

namespace kfuse {
namespace {

/// Returns the remarks without those that say that a pair of a refused group
/// brings no gain: the search had chosen the group.
std::vector<Remark> withoutRefused(std::vector<Remark> remarks,
                                   const std::vector<Remark> &refusals) {
  const auto isRefused = [&refusals](LaunchId first, LaunchId second) {
    return std::any_of(
        refusals.begin(), refusals.end(), [&](const Remark &refusal) {
          const auto holds = [&refusal](LaunchId launch) {
            return std::find(refusal.launches.begin(), refusal.launches.end(),
                             launch) != refusal.launches.end();
          };
          return holds(first) && holds(second);
        });
  };
  std::erase_if(remarks, [&](const Remark &remark) {
    return !remark.fused && remark.kind == ObstacleKind::NoGain &&
           isRefused(remark.launches.front(), remark.launches.back());
  });
  return remarks;
}

/// Adds the notes on groups to the remarks by which they were fused.
void addNotes(std::vector<Remark> &remarks, const FusionPlan &plan,
              const GenerateResult::Notes &notes) {
  for (const auto &[index, note] : notes)
    for (Remark &remark : remarks)
      if (remark.fused && remark.launches == plan.kernels[index].launches)
        remark.notes.push_back(note);
}

/// Rewrites the program's memory calls as launches, which may become stages.
/// The copies that become swaps stay.
std::unique_ptr<Compilation> withMemoryCalls(std::unique_ptr<Compilation> from,
                                             const Options &options) {
  std::vector<SourceRange> kept;
  for (const HostStep &step : from->program.steps)
    if (!step.exchanges.empty())
      kept.push_back(step.range);
  auto unit = parseMemoryCalls(options.parse, *from->unit, kept);
  return unit ? analyseAs(*from, std::move(unit), options) : std::move(from);
}

std::vector<Remark> remarksOf(const Compilation &c) {
  const std::vector<Remark> &refusals = c.writer.refusals;
  std::vector<Remark> remarks =
      withoutRefused(explain(*c.problem, c.plan), refusals);
  addNotes(remarks, c.plan, c.writer.notes);
  remarks.insert(remarks.end(), refusals.begin(), refusals.end());
  return remarks;
}

/// Returns the program planned as the user asks, or as the search finds best;
/// nullptr with a message in `error` on failure.
std::unique_ptr<Compilation> optimise(std::unique_ptr<Compilation> from,
                                      const Options &options,
                                      std::string &error) {
  const bool isPlanned = !options.planToLoad.empty();
  if (isPlanned)
    from = splitAsPlanned(std::move(from), options, error);
  if (!from)
    return nullptr;
  bool isGood = solve(*from, options, error) &&
                replanWithRegisters(*from, options, error);
  const auto replaceBy = [&](std::unique_ptr<Compilation> other,
                             const auto &isBetter) {
    std::string ignored;
    if (!other || !replanWithRegisters(*other, options, ignored) ||
        (isGood && !isBetter(*other)))
      return;
    from = std::move(other);
    isGood = true;
  };
  const auto takesLess = [&](const Compilation &other) {
    return totalsOf(other.program, other.plan).seconds <
           totalsOf(from->program, from->plan).seconds;
  };
  const auto savesMore = [&](const Compilation &other) {
    return savedSeconds(*other.problem, other.plan) >
           savedSeconds(*from->problem, from->plan) + LeastGain;
  };
  replaceBy(predicate(*from, options), savesMore);
  replaceBy(intoBranches(*from, options), savesMore);
  if (isGood && !isPlanned)
    replaceBy(split(*from, options), takesLess);
  replaceBy(rename(*from, options), takesLess);
  return isGood ? std::move(from) : nullptr;
}

/// Returns whether kernels with ambiguous sums would be fused if the sums
/// weren't ambiguous, in the text as it is.
bool sumsMatterAsWritten(const Compilation &c, const Options &options) {
  const Program &program = c.program;
  if (!options.fusion.exactRounding || program.language != Language::Cuda ||
      !hasAmbiguousSums(program))
    return false;
  FusionOptions relaxed = options.fusion;
  relaxed.exactRounding = false;
  const Problem problem{c.program,         c.deps,  c.order,
                        c.problem->device, relaxed, c.problem->evidence};
  const SearchResult found = search(partitionProblem(problem), options.search);
  return llvm::any_of(
      toGroups(problem, found.partition), [&](const auto &group) {
        return group.size() > 1 && llvm::any_of(group, [&](LaunchId launch) {
                 return program.kernelOf(launch).ambiguousSums;
               });
      });
}

/// Returns the same, also with launches under conditions as plain ones, and
/// with updates that leave their arrays.
bool sumsMatter(const Compilation &c, const Options &options) {
  if (sumsMatterAsWritten(c, options))
    return true;
  const std::unique_ptr<Compilation> flagged = predicate(c, options);
  if (flagged && sumsMatterAsWritten(*flagged, options))
    return true;
  Options relaxed = options;
  relaxed.fusion.exactRounding = false;
  const std::unique_ptr<Compilation> renamed =
      hasAmbiguousSums(c.program) ? rename(c, relaxed) : nullptr;
  return renamed && sumsMatterAsWritten(*renamed, options);
}

/// Returns what is wrong with the names of arrays that nothing is to read any
/// more; empty if launches have all of them.
std::string unknownArray(const std::vector<std::string> &promised,
                         const Program &program) {
  constexpr std::size_t MostNames = 12;
  std::set<std::string> known;
  for (const Array &array : program.arrays)
    known.insert(array.name);
  for (const std::string &name : promised) {
    if (known.contains(name))
      continue;
    std::vector<std::string> told;
    for (const std::string &other : known)
      if (told.size() < MostNames)
        told.push_back("'" + other + "'");
    if (told.size() < known.size())
      told.emplace_back("others");
    return "--assume-dead: no launch has an array '" + name + "'" +
           (told.empty() ? "" : "; they have " + joined(told));
  }
  return {};
}

/// The most launches of a program that is searched again once the compiler was
/// asked about clear sums. Of 142 kernels a search takes 15 s.
constexpr std::size_t MostSearchedAgain = 48;

/// Says what the compiler is asked about sums.
struct SumQuestions {
  bool mayAsk = true;
  /// Names of kernels whose sums may be clear, but make the writer isolate
  /// values.
  std::set<std::string> isolating = {};
};

/// Returns the texts of loops whose passes stand one by one, though no group
/// has a launch of a pass and one from elsewhere.
std::set<std::string> idleLoops(const Program &program,
                                const FusionPlan &plan) {
  std::set<std::string> idle, useful;
  for (const Replacement &loop : program.replaced) {
    if (loop.passes.empty())
      continue;
    const auto passOf = [&](LaunchId launch) {
      const SourceRange &range = program[launch].range;
      if (range.file != loop.range.file || range.begin < loop.range.begin ||
          range.begin >= loop.range.end)
        return std::ptrdiff_t{-1};
      return std::upper_bound(loop.passes.begin(), loop.passes.end(),
                              range.begin) -
             loop.passes.begin();
    };
    const bool isUseful =
        llvm::any_of(plan.kernels, [&](const FusedKernel &kernel) {
          return llvm::any_of(kernel.launches, [&](LaunchId launch) {
            return passOf(launch) != passOf(kernel.launches.front());
          });
        });
    (isUseful ? useful : idle).insert(loop.original);
  }
  std::erase_if(
      idle, [&](const std::string &loop) { return useful.count(loop) != 0; });
  return idle;
}

std::unique_ptr<Compilation> compile(const Options &given,
                                     const SumQuestions &questions,
                                     std::string &error) {
  Options options = given;
  if (!options.planToLoad.empty()) {
    auto kept = readFile("plan", options.planToLoad, loadKeptLoops, error);
    if (!kept)
      return nullptr;
    options.parse.keptLoops = std::move(*kept);
  }
  DeviceResult device = loadDevice(options.device);
  if (!device.error.empty()) {
    error += errorLine(device.error);
    return nullptr;
  }
  std::string diagnostics; // of the parser, formatted
  auto unit = parseRewritten(options.parse, diagnostics);
  error += diagnostics;
  if (!unit)
    return nullptr;
  if (unit->language() == Language::OpenCL)
    options.fusion.conditions = false; // handles have no addresses
  Measurements evidence;
  if (!readProfiles(options.profiles, evidence, error))
    return nullptr;
  auto result =
      analyse(std::move(unit), device.device, std::move(evidence), options);
  if (const std::string why =
          unknownArray(options.fusion.dead, result->program);
      !why.empty()) {
    error += errorLine(why);
    return nullptr;
  }
  ProfileNames names =
      compareNames(result->problem->evidence.measured, result->program);
  if (!names.error.empty()) {
    error +=
        errorLine("profile '" + options.profiles.front() + "': " + names.error);
    return nullptr;
  }
  const bool isAuto = options.nvcc == "auto";
  const std::string compiler =
      isAuto ? programCompiler(options.parse) : options.nvcc;
  if (isAuto)
    options.nvcc = questions.mayAsk && (!questions.isolating.empty() ||
                                        sumsMatter(*result, options))
                       ? compiler
                       : "";
  std::string why;
  const auto original =
      std::async(std::launch::async, [&, asked = result.get()] {
        return compileOriginal(*asked, options, why);
      }).share();
  const SourceUnit *before = result->unit.get();
  if (questions.mayAsk)
    result = pinContractions(std::move(result), options, questions.isolating,
                             original);
  if (!original.get() && !isAuto) {
    error += why;
    return nullptr;
  }
  const bool isCleared = result->unit.get() != before;
  if (isAuto)
    options.nvcc.clear();
  result = withMemoryCalls(std::move(result), options);
  result = defer(std::move(result), options);
  const Totals apart = totalsUnfused(*result->problem);
  result = optimise(std::move(result), options, why);
  // Code that compiles by itself need not compile in the program's text.
  if (!result && isCleared)
    return compile(given, {.mayAsk = false}, error);
  if (!result) {
    error += why;
    return nullptr;
  }
  result->program.keptLoops = options.parse.keptLoops;
  if (const auto idle = idleLoops(result->program, result->plan);
      options.planToLoad.empty() && !idle.empty()) {
    Options again = given;
    again.parse.keptLoops.insert(idle.begin(), idle.end());
    return compile(again, questions, error);
  }
  // Nothing has to be isolated from explicit sums.
  if (questions.mayAsk && questions.isolating.empty() && !compiler.empty() &&
      !result->isolating.empty() &&
      result->program.launches.size() <= MostSearchedAgain) {
    std::string ignored;
    if (auto other = compile(given, {.isolating = result->isolating}, ignored))
      return other;
  }
  result->before = apart;
  result->diagnostics = std::move(diagnostics);
  const auto warn = [&](const llvm::Twine &what) {
    result->warnings.push_back(("kfuse: warning: profile '" +
                                options.profiles.front() + "': " + what + "\n")
                                   .str());
  };
  if (const std::string other =
          otherDevice(result->problem->evidence, device.device);
      !other.empty())
    warn(other);
  if (!names.foreign.empty())
    warn("the program has no kernel '" + llvm::join(names.foreign, "', '") +
         "', which may be a library's");
  result->foreignKernels = std::move(names.foreign);
  result->remarks = remarksOf(*result);
  return result;
}

} // namespace

std::unique_ptr<Compilation> compile(const Options &options,
                                     std::string &error) {
  return compile(options, SumQuestions(), error);
}

} // namespace kfuse
