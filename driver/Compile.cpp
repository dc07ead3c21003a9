//===- driver/Compile.cpp - The compiler as one function ------------------===//

#include "driver/Compile.h"

#include "driver/Nvcc.h"
#include "frontend/Flags.h"
#include "frontend/SplitKernels.h"
#include "fusion/Exchanges.h"
#include "fusion/Fissions.h"
#include "fusion/Renamings.h"
#include "ga/Adapter.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/MemoryBuffer.h"

namespace kfuse {
namespace {

std::string errorLine(const llvm::Twine &message) {
  return ("kfuse: error: " + message + "\n").str();
}

/// The obstacle in the form of a diagnostic of its own.
std::string describe(const Program &program, const Obstacle &obstacle) {
  const Launch &first = program[obstacle.first];
  const std::string place = program.files[first.range.file].path + ":" +
                            std::to_string(first.range.line) + ":" +
                            std::to_string(first.range.column);
  std::string text = place + ": error: " + obstacleName(obstacle.kind) + ": " +
                     obstacle.text + "\n";
  if (!obstacle.remedy.empty())
    text += place + ": note: " + obstacle.remedy + "\n";
  return text;
}

/// What `load` makes of the text of a file of the user's.
template <typename Load>
auto readFile(const std::string &kind, const std::string &path, Load load,
              std::string &error)
    -> std::optional<std::variant_alternative_t<
        0, std::invoke_result_t<Load, std::string_view>>> {
  const auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer) {
    error += errorLine("cannot read " + kind + " '" + path +
                       "': " + buffer.getError().message());
    return std::nullopt;
  }
  auto loaded = load(std::string_view((*buffer)->getBuffer()));
  if (const auto *message = std::get_if<std::string>(&loaded)) {
    error += errorLine(kind + " '" + path + "': " + *message);
    return std::nullopt;
  }
  return std::get<0>(std::move(loaded));
}

/// The groups to fuse: those of a saved plan, or the best that are found.
std::optional<Groups> chooseGroups(const Options &options,
                                   Compilation &compilation,
                                   std::string &error) {
  if (!options.planToLoad.empty())
    return readFile(
        "plan", options.planToLoad,
        [&](std::string_view text) {
          return loadPlan(compilation.program, text);
        },
        error);
  compilation.search =
      search(partitionProblem(*compilation.problem), options.search);
  if (!compilation.search.error.empty()) {
    error += errorLine(compilation.search.error);
    return std::nullopt;
  }
  return toGroups(*compilation.problem, compilation.search.partition);
}

/// The groups with those at `refused` taken apart.
Groups
splitRefused(const FusionPlan &plan,
             const std::vector<std::pair<std::size_t, std::string>> &refused) {
  Groups groups;
  for (std::size_t i = 0; i < plan.kernels.size(); ++i) {
    const bool isRefused =
        std::any_of(refused.begin(), refused.end(),
                    [&](const auto &entry) { return entry.first == i; });
    if (!isRefused)
      groups.push_back(plan.kernels[i].launches);
    else
      for (LaunchId launch : plan.kernels[i].launches)
        groups.push_back({launch});
  }
  std::sort(groups.begin(), groups.end());
  return groups;
}

Remark refusal(const Program &program, const FusedKernel &kernel,
               const std::string &reason) {
  Remark remark;
  remark.kind = ObstacleKind::LaunchNotEditable;
  remark.launches = kernel.launches;
  remark.range = program[kernel.launches.front()].range;
  remark.name = obstacleName(remark.kind);
  remark.text = reason;
  return remark;
}

/// The remarks but those by which a pair of a refused group brings no gain: the
/// search chose it.
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

/// What was noted about groups, with the remarks by which they were fused.
void addNotes(std::vector<Remark> &remarks, const FusionPlan &plan,
              const GenerateResult::Notes &notes) {
  for (const auto &[index, note] : notes)
    for (Remark &remark : remarks)
      if (remark.fused && remark.launches == plan.kernels[index].launches)
        remark.notes.push_back(note);
}

/// The unit as a problem.
std::unique_ptr<Compilation> analyse(std::unique_ptr<SourceUnit> unit,
                                     const Device &device, Evidence evidence,
                                     const Options &options) {
  auto result = std::make_unique<Compilation>();
  Compilation &c = *result;
  c.unit = std::move(unit);
  c.program = withExchanges(extract(*c.unit));
  c.deps = dependencies(c.program);
  c.order = executionOrder(c.program, c.deps, options.fusion.ignoreTiming);
  c.problem = std::make_unique<Problem>(Problem{
      c.program, c.deps, c.order, device, options.fusion, std::move(evidence)});
  return result;
}

/// The unit as a problem for the same machine, of which the same is known.
std::unique_ptr<Compilation> analyseAs(const Compilation &from,
                                       std::unique_ptr<SourceUnit> unit,
                                       const Options &options) {
  return analyse(std::move(unit), from.problem->device, from.problem->evidence,
                 options);
}

/// The copies that become swaps stay; other memory calls may be stages.
std::unique_ptr<Compilation> withMemoryCalls(std::unique_ptr<Compilation> from,
                                             const Options &options) {
  std::vector<SourceRange> kept;
  for (const HostStep &step : from->program.steps)
    if (!step.exchanges.empty())
      kept.push_back(step.range);
  auto unit = parseMemoryCalls(options.parse, *from->unit, kept);
  return unit ? analyseAs(*from, std::move(unit), options) : std::move(from);
}

/// Plans the groups and writes the text; false with a message.
bool finish(Compilation &c, Groups groups, std::string &error) {
  // The writer may find that a group can't be put into the user's text; what
  // is stored where depends on all groups, so the plan is made again.
  c.writer = {};
  while (true) {
    auto made = makePlan(*c.problem, groups);
    if (const auto *obstacle = std::get_if<Obstacle>(&made)) {
      error += describe(c.program, *obstacle);
      return false;
    }
    c.plan = std::get<FusionPlan>(std::move(made));
    GenerateResult generated = generate(c.program, c.order, c.plan);
    for (StepId step : generated.kept)
      c.program.steps[indexOf(step)].exchanges.clear();
    if (generated.refused.empty() && generated.kept.empty()) {
      c.text = std::move(generated.text);
      c.writer.notes = std::move(generated.notes);
      return true;
    }
    for (const auto &[index, reason] : generated.refused)
      c.writer.refusals.push_back(
          refusal(c.program, c.plan.kernels[index], reason));
    groups = splitRefused(c.plan, generated.refused);
  }
}

/// Searches, plans and writes; false with a message.
bool solve(Compilation &c, const Options &options, std::string &error) {
  std::optional<Groups> groups = chooseGroups(options, c, error);
  return groups && finish(c, std::move(*groups), error);
}

/// With more launches, a search for a variant of the program starts from what
/// was found, and has a part of the budget: it would else take as long.
constexpr std::size_t ManyLaunches = 48;
constexpr std::uint64_t VariantShare = 10;

/// Searches, plans and writes the program, of which the groups are a plan
/// already; false with a message.
bool solve(Compilation &c, Options options, const Groups &start,
           std::string &error) {
  if (c.program.launches.size() > ManyLaunches) {
    options.search.start = toPartition(*c.problem, start);
    options.search.lookUpsPerItem /= VariantShare;
  }
  return solve(c, options, error);
}

std::vector<Remark> remarksOf(const Compilation &c) {
  const std::vector<Remark> &refusals = c.writer.refusals;
  std::vector<Remark> remarks =
      withoutRefused(explain(*c.problem, c.plan), refusals);
  addNotes(remarks, c.plan, c.writer.notes);
  remarks.insert(remarks.end(), refusals.begin(), refusals.end());
  return remarks;
}

/// The partition that a plan is of.
Groups groupsOf(const FusionPlan &plan) {
  Groups groups;
  for (const FusedKernel &kernel : plan.kernels)
    groups.push_back(kernel.launches);
  return groups;
}

/// What the launches cost as kernels of their own.
std::vector<Projection> apart(const Problem &problem) {
  std::vector<Projection> all;
  for (std::uint32_t i = 0; i < problem.program.launches.size(); ++i)
    all.push_back(projectSingle(problem, LaunchId{i}));
  return all;
}

double secondsOf(const FusionPlan &plan) {
  double seconds = 0;
  for (const FusedKernel &kernel : plan.kernels)
    seconds += kernel.projection.seconds;
  return seconds;
}

/// Whether a fused kernel has the launch, and the host swaps pointers behind
/// it. Renaming changes the numbers of steps, not of launches.
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

/// The program with updates written into other arrays, those that help to fuse;
/// nullptr when there are none.
std::unique_ptr<Compilation> rename(const Compilation &from,
                                    const Options &options) {
  std::vector<Renaming> wanted = renamings(*from.problem);
  std::unique_ptr<Compilation> last;
  while (!wanted.empty()) {
    auto unit = parseRenamed(options.parse, *from.unit, from.program, wanted);
    if (!unit)
      return nullptr;
    auto result = analyseAs(from, std::move(unit), options);
    std::string ignored;
    // Those that weren't used seldom change what is best without them.
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

/// The program with the launches in pieces; nullptr where it doesn't parse.
std::unique_ptr<Compilation> inPieces(const Compilation &from,
                                      const std::vector<Separation> &known,
                                      const std::vector<Fission> &fissions,
                                      const Options &options) {
  auto unit =
      parseSplit(options.parse, *from.unit, from.program, known, fissions);
  return unit ? analyseAs(from, std::move(unit), options) : nullptr;
}

/// Leaves out the kernels whose parts don't parse, say for an attribute that
/// isn't copied.
void dropUnwritable(const Compilation &from,
                    const std::vector<Separation> &known,
                    std::vector<Fission> &fissions, const Options &options) {
  if (fissions.empty() ||
      parseSplit(options.parse, *from.unit, from.program, known, fissions))
    return;
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

/// The program with launches as several of their kernels' parts, those that
/// help to fuse; nullptr when there are none.
std::unique_ptr<Compilation> split(const Compilation &from,
                                   const Options &options) {
  const std::vector<Separation> known = separations(*from.unit, from.program);
  std::vector<Fission> wanted = fissions(*from.problem, from.plan, known);
  dropUnwritable(from, known, wanted, options);
  std::unique_ptr<Compilation> last;
  Groups groups = regrouped({}, wanted, from.program, from.plan);
  while (!wanted.empty()) {
    auto result = inPieces(from, known, wanted, options);
    if (!result)
      return nullptr;
    std::string ignored;
    // Pieces that joined seldom change what is best for the others.
    const bool isSolved = last && finish(*result, groups, ignored);
    if (!isSolved && !solve(*result, options, groups, ignored))
      return nullptr;
    if (isSolved)
      result->search = last->search;
    const std::vector<Fission> before = wanted;
    if (!joinIdle(wanted, result->program, result->plan))
      return result;
    groups = regrouped(before, wanted, result->program, result->plan);
    last = std::move(result);
  }
  return nullptr;
}

/// The program with those launches in pieces that the saved plan has so;
/// nullptr with a message.
std::unique_ptr<Compilation> splitAsPlanned(std::unique_ptr<Compilation> from,
                                            const Options &options,
                                            std::string &error) {
  const std::vector<Separation> known = separations(*from->unit, from->program);
  const auto wanted = readFile(
      "plan", options.planToLoad,
      [&](std::string_view text) {
        return loadFissions(*from->problem, known, text);
      },
      error);
  if (!wanted)
    return nullptr;
  if (wanted->empty())
    return from;
  auto result = inPieces(*from, known, *wanted, options);
  if (!result)
    error += errorLine("plan '" + options.planToLoad +
                       "': a part can't be written as a kernel of its own");
  return result;
}

/// What the program is compiled with, as far as it matters to kfuse.
std::vector<std::string> programFlags(const ParseOptions &options) {
  std::vector<std::string> flags;
  std::string ignored; // It was told when the program was parsed.
  if (!options.buildPath.empty())
    flags = databaseFlags(options.buildPath, options.input, ignored);
  for (std::string &flag : clangFlags(options.flags))
    flags.push_back(std::move(flag));
  return flags;
}

/// What the compiler gives the kernels of a text, if the user wants to know.
std::optional<std::map<std::string, CompiledKernel>>
askCompiler(const Options &options, const Program &program,
            const std::string &text, std::string &error) {
  if (options.nvcc.empty() || program.language != Language::Cuda)
    return std::map<std::string, CompiledKernel>();
  NvccJob job{
      options.nvcc, options.parse.input, programFlags(options.parse), text, {}};
  for (const SourceFile &file : program.files)
    job.included.push_back(file.text);
  auto found = compiledKernels(job);
  if (const auto *message = std::get_if<std::string>(&found)) {
    error += errorLine("--nvcc: " + *message);
    return std::nullopt;
  }
  return std::get<0>(std::move(found));
}

/// Adds what the compiler gives the plan's fused kernels, in the shapes that
/// they have there; false where all was known.
bool learnRegisters(Compilation &c,
                    const std::map<std::string, CompiledKernel> &compiled) {
  Evidence &evidence = c.problem->evidence;
  bool isNew = false;
  for (const FusedKernel &kernel : c.plan.kernels) {
    const auto found = compiled.find(kernel.name);
    if (kernel.launches.size() < 2 || found == compiled.end())
      continue;
    std::vector<LaunchId> launches = kernel.launches;
    std::sort(launches.begin(), launches.end());
    isNew |= evidence.groups
                 .try_emplace({std::move(launches), kernel.elementsPerThread},
                              found->second)
                 .second;
  }
  return isNew;
}

/// Compiles what was chosen, and chooses again by what that shows, until it
/// shows nothing new; in the end kernels that spill are taken apart.
bool settleRegisters(Compilation &c, const Options &options,
                     std::string &error) {
  if (options.nvcc.empty())
    return true;
  constexpr int MostRounds = 8;
  for (int round = 0; round < MostRounds; ++round) {
    const auto compiled = askCompiler(options, c.program, c.text, error);
    if (!compiled)
      return false;
    if (!learnRegisters(c, *compiled))
      return true;
    if (!solve(c, options, error))
      return false;
  }
  const auto compiled = askCompiler(options, c.program, c.text, error);
  if (!compiled || !learnRegisters(c, *compiled))
    return compiled.has_value();
  Groups groups;
  for (const FusedKernel &kernel : c.plan.kernels) {
    const auto planned = planGroup(*c.problem, kernel.launches);
    if (const auto *again = std::get_if<FusedKernel>(&planned);
        again && !spillsMore(*again))
      groups.push_back(kernel.launches);
    else
      for (const LaunchId launch : kernel.launches)
        groups.push_back({launch});
  }
  std::sort(groups.begin(), groups.end());
  return finish(c, std::move(groups), error);
}

/// The program planned as the user asks, or as the search finds best; nullptr
/// with a message.
std::unique_ptr<Compilation> optimise(std::unique_ptr<Compilation> from,
                                      const Options &options,
                                      std::string &error) {
  const bool isPlanned = !options.planToLoad.empty();
  if (isPlanned)
    from = splitAsPlanned(std::move(from), options, error);
  if (!from)
    return nullptr;
  bool isGood = solve(*from, options, error);
  const auto replaceBy = [&](std::unique_ptr<Compilation> other) {
    if (!other || (isGood && secondsOf(other->plan) >= secondsOf(from->plan)))
      return;
    from = std::move(other);
    isGood = true;
  };
  if (isGood && !isPlanned)
    replaceBy(split(*from, options));
  replaceBy(rename(*from, options));
  if (!isGood || !settleRegisters(*from, options, error))
    return nullptr;
  return from;
}

} // namespace

std::unique_ptr<Compilation> compile(const Options &given, std::string &error) {
  Options options = given;
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
  options.fusion.exactRounding &= mayContract(programFlags(options.parse));
  Evidence evidence;
  if (!options.profile.empty()) {
    auto profile = readFile("profile", options.profile, loadProfile, error);
    if (!profile)
      return nullptr;
    evidence.measured = *std::move(profile);
  }
  auto result =
      analyse(std::move(unit), device.device, std::move(evidence), options);
  auto compiled =
      askCompiler(options, result->program, result->unit->text(), error);
  if (!compiled)
    return nullptr;
  result->problem->evidence.kernels = *std::move(compiled);
  result = withMemoryCalls(std::move(result), options);
  std::vector<Projection> before = apart(*result->problem);
  std::string why;
  result = optimise(std::move(result), options, why);
  if (!result) {
    error += why;
    return nullptr;
  }
  result->apart = std::move(before);
  result->diagnostics = std::move(diagnostics);
  result->remarks = remarksOf(*result);
  return result;
}

} // namespace kfuse
