//===- Generate.cpp - The fused program as text ---------------------------===//
#include "codegen/Generate.h"
#include "codegen/KeptCalls.h"

#include "codegen/InsertDefinitions.h"
#include "codegen/KernelInsertion.h"
#include "codegen/Originals.h"
#include "codegen/UnusedFunctions.h"
#include "codegen/UnusedKernels.h"
#include "codegen/host/HostWriter.h"
#include "codegen/host/OpenClLaunchers.h"
#include "codegen/text/IdleVariables.h"
#include "codegen/text/OpenClText.h"
#include "codegen/text/ParameterText.h"
#include "codegen/text/RedefinedWords.h"
#include "codegen/text/TemplateNames.h"
#include "text/Layout.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace kfuse {
namespace {

/// One try to write all groups of the plan, except those refused so far.
class ProgramWriter {
public:
  ProgramWriter(const Sources &sources, const Program &program,
                const ExecutionGraph &order, const FusionPlan &plan,
                const GenerateOptions &options,
                const RefusedGroups &refusedBefore,
                const std::set<StepId> &rejectedBefore,
                const std::set<std::size_t> &changedBefore,
                const std::set<std::size_t> &idleBefore)
      : Texts(sources), Source(sources.input()), Code(program), Order(order),
        Plan(plan), Options(options), Before(refusedBefore),
        RejectedBefore(rejectedBefore), Idle(idleBefore),
        Kept(keptCalls(program, plan, refusedBefore, changedBefore)),
        Unique(sources, program.macros), Tools(Unique),
        Stages(sources, program, Unique, Tools) {}

  RefusedGroups refused;
  GenerateResult::Notes notes;
  std::map<std::size_t, std::string> names;
  std::set<StepId> rejectedSwaps; ///< swaps that can't be written
  std::set<LaunchId> isolating;
  std::set<std::size_t> inCalls;
  std::set<std::size_t> changedCalls; ///< something else changes these
  std::set<std::size_t> idle; ///< groups in functions that nothing calls

  std::optional<std::string> run() {
    writeKernels();
    if (!refused.empty())
      return std::nullopt;
    writeHost();
    writeCopies();
    if (!refused.empty() || !rejectedSwaps.empty())
      return std::nullopt;
    removeLifetimeStatements();
    for (const std::size_t call : Kept.replacements)
      if (All.touch(Code.replaced[call].range.begin,
                    Code.replaced[call].range.end))
        changedCalls.insert(call);
    if (!changedCalls.empty())
      return std::nullopt;
    for (const auto &[copy, own] : Kept.groups) {
      names[copy] = names[own];
      inCalls.insert(copy);
    }
    if (!removeUnused())
      return std::nullopt;
    inCalls.insert(Idle.begin(), Idle.end());
    insertDefinitions({Texts, Code, Groups, Places, Stages.definitions(),
                       Options.contracted, FirstSwap},
                      Unique, Tools, All);
    restoreOriginals(Code, fusedKernels(), All);
    SourceRange input;
    input.end = static_cast<std::uint32_t>(Source.text.size());
    removeIdleVariables(Source, Code, input, All);
    auto text = All.apply(Source.text, 0,
                          static_cast<std::uint32_t>(Source.text.size()));
    return text ? std::optional(withoutUnused(Code, std::move(*text)))
                : std::nullopt;
  }

private:
  bool isFused(std::size_t index) const {
    return Plan.kernels[index].launches.size() > 1 &&
           Before.count(index) == 0 && Kept.groups.count(index) == 0 &&
           Idle.count(index) == 0;
  }

  /// Returns the kernels of the launches that fused kernels replace.
  std::vector<const Kernel *> fusedKernels() const {
    std::vector<const Kernel *> all;
    for (std::size_t i = 0; i < Plan.kernels.size(); ++i)
      for (const LaunchId launch : Plan.kernels[i].launches)
        if (isFused(i))
          all.push_back(&Code.kernelOf(launch));
    return all;
  }

  void writeKernels() {
    for (std::size_t i = 0; i < Plan.kernels.size(); ++i) {
      const FusedKernel &kernel = Plan.kernels[i];
      if (!isFused(i)) {
        for (const LaunchId launch : kernel.launches) {
          Groups.push_back({{launch}, nullptr, std::nullopt, {}});
          if (kernel.schedule == Schedule::Swap)
            Groups.back().swap = swapText(Code[launch].step);
          PlanIndex.push_back(i);
        }
        continue;
      }
      auto place = placeFor(Texts, Code, kernel);
      if (const Refusal *refusal = refusalOf(place)) {
        refused[i] = refusal->reason;
        continue;
      }
      const auto merged =
          placeBehindMembers(Texts, Code, kernel, UsedText::Statements);
      auto code =
          writeKernel(Code, kernel, Stages, Unique, Tools, merged.has_value());
      if (const Refusal *refusal = refusalOf(code)) {
        refused[i] = refusal->reason;
        continue;
      }
      if (const std::string why =
              settlePlace(kernel, merged, std::get<FusedCode>(code),
                          std::get<KernelInsertion>(place));
          !why.empty()) {
        refused[i] = why;
        continue;
      }
      define(std::get<KernelInsertion>(place), std::get<FusedCode>(code),
             kernel);
      Groups.push_back(
          {kernel.launches, &kernel, std::get<FusedCode>(std::move(code)), {}});
      names[i] = Groups.back().code->name;
      isolating.merge(Groups.back().code->isolating);
      PlanIndex.push_back(i);
    }
  }

  /// Moves the place behind the members, if the code means the same there, and
  /// names its types as they are named at the place. Returns why the code has
  /// no place, or an empty string.
  std::string settlePlace(const FusedKernel &kernel,
                          const std::optional<KernelInsertion> &merged,
                          FusedCode &code, KernelInsertion &place) const {
    if (Code.kernelString)
      return {};
    const auto behind = code.isMerged ? merged
                                      : placeBehindMembers(Texts, Code, kernel,
                                                           UsedText::Types);
    if (behind) {
      place = *behind;
      shorten(Code.kernelOf(kernel.launches.front()), code.text);
      return {};
    }
    if (!namespacesAt(Source, place.first()).value_or(std::vector{0u}).empty())
      for (const LaunchId member : kernel.launches)
        qualify(Code.kernelOf(member).text.typeNames, code.text);
    return typesObstacle(Code, kernel, place);
  }

  /// Names the types of the kernel's namespace without it, except those that
  /// may be variables' names, too.
  static void shorten(const Kernel &kernel, FusedText &text) {
    std::set<std::string> hidden = plainIdentifiers(text.body);
    for (const std::string &parameter : text.parameters)
      hidden.merge(plainIdentifiers(parameter));
    const std::string scope = scopeOf(kernel);
    for (std::string &parameter : text.parameters)
      parameter = withinScope(parameter, scope, hidden);
    text.body = rewrapped(text.body, [&](const std::string &part) {
      return withinScope(part, scope, hidden);
    });
  }

  /// Names the types from the global scope.
  static void qualify(const std::set<std::string> &types, FusedText &text) {
    for (std::string &parameter : text.parameters)
      parameter = fromGlobalScope(parameter, types);
    text.body = fromGlobalScope(text.body, types);
  }

  /// Gives the next group's kernel the name of one with the same text that can
  /// be called there, or a place and a name of its own.
  void define(const KernelInsertion &place, FusedCode &code,
              const FusedKernel &kernel) {
    code.scope = place.scope;
    for (const auto &[index, known] : Places)
      if (Groups[index].code->text == code.text &&
          serves(Texts, known, place) &&
          typesOf(*Groups[index].kernel, *Groups[index].code) ==
              typesOf(kernel, code)) {
        code.name = Groups[index].code->name;
        code.launcher = Groups[index].code->launcher;
        return;
      }
    code.name = Unique.fresh(kernel.name);
    if (Code.kernelString)
      code.launcher = Unique.fresh("launch_" + code.name);
    Places[Groups.size()] = place;
  }

  /// Returns the OpenCL types of the host variables that the code receives.
  std::vector<std::string> typesOf(const FusedKernel &kernel,
                                   const FusedCode &code) const {
    std::vector<std::string> types;
    for (const ParameterSource &source : code.arguments)
      types.push_back(Code[kernel.launches[source.member]]
                          .arguments[source.parameter]
                          .type);
    return types;
  }

  void writeHost() {
    kfuse::Groups launches;
    for (const HostGroup &group : Groups)
      launches.push_back(group.launches);
    auto arranged = arrange(Code, Order, launches);
    if (const Refusal *refusal = refusalOf(arranged)) {
      refuseAll(refusal->reason);
      return;
    }
    const auto &arrangement = std::get<LaunchPlacement>(arranged);
    const std::vector<DeferredCheck> checks =
        deferrals(Source, Code, Order, launches, arrangement, Unique);
    HostEdits host =
        rewriteHost(Source, Code, Groups, arrangement, checks, Unique, Tools);
    noteChecks(checks);
    for (const auto &[index, reason] : host.refused)
      if (Groups[index].swap.empty())
        refused[PlanIndex[index]] = reason;
      else
        rejectedSwaps.insert(Code[Groups[index].launches.front()].step);
    All.append(host.edits);
  }

  void noteChecks(const std::vector<DeferredCheck> &checks) {
    for (const DeferredCheck &check : checks) {
      if (!Groups[check.group].kernel)
        continue;
      const HostStep &step = Code[check.step];
      const std::string what = "'" + step.text + "' ";
      notes.emplace_back(
          PlanIndex[check.group],
          ObstacleNote{step.range,
                       check.obstacle.empty()
                           ? what + "now follows the fused launch"
                           : what +
                                 "stays before the fused launch, whose "
                                 "errors the next check sees: " +
                                 check.obstacle});
    }
  }

  /// Returns the text that replaces the step; empty if the step stays.
  std::string swapText(StepId id) {
    if (RejectedBefore.count(id) != 0)
      return {};
    const HostStep &step = Code[id];
    const SourceRange &function = Code[step.region].functionRange;
    if (Source.holds(function))
      FirstSwap = std::min(FirstSwap, placeBefore(Source, function.begin));
    std::string text;
    for (const Exchange &exchange : step.exchanges)
      text +=
          (text.empty() ? "" : "\n" + indentation(Source, step.range.begin)) +
          Tools.swap() + "(" + Code[exchange.target].holder->name + ", " +
          Code[exchange.source].holder->name + ");";
    return text;
  }

  /// Writes the swaps that replace calls of the runtime which copy arrays.
  void writeCopies() {
    for (const StepId id : Plan.swaps) {
      const HostStep &step = Code[id];
      if (step.kind == StepKind::Launch || RejectedBefore.count(id) != 0)
        continue;
      const bool isWhole = Source.holds(step.range) &&
                           step.range.begin < step.range.end &&
                           beginsStatement(Source, step.range.begin);
      if (isWhole)
        All.replace(step.range.begin, step.range.end,
                    withLineEnds(Source, swapText(id)));
      else
        rejectedSwaps.insert(id);
    }
  }

  void refuseAll(const std::string &reason) {
    for (std::size_t i = 0; i < Plan.kernels.size(); ++i)
      if (isFused(i))
        refused[i] = reason;
  }

  /// Checks whether kernels used the array in the input, and the output
  /// launches none of them with it any more.
  bool isUnused(ArrayId array) const {
    bool isForwarded = false;
    for (const HostGroup &group : Groups)
      for (std::size_t m = 0; m < group.launches.size(); ++m) {
        const Launch &launch = Code[group.launches[m]];
        for (std::size_t p = 0; p < launch.pointers.size(); ++p) {
          if (launch.pointers[p].array != array)
            continue;
          const PointerParameter &pointer = Code[launch.kernel].pointers[p];
          const bool isPassed = !group.code || pointer.global ||
                                !pointer.path.empty() ||
                                !group.kernel->conditions.empty() ||
                                passes(*group.code, m, pointer.parameter);
          if (isPassed)
            return false;
          isForwarded = true;
        }
      }
    return isForwarded;
  }

  static bool passes(const FusedCode &code, std::size_t member,
                     std::size_t parameter) {
    return code.passed.count({member, parameter}) != 0;
  }

  void removeLifetimeStatements() {
    // Freeing memory waits for the device: the host may then read memory that
    // both share.
    if (std::any_of(Code.arrays.begin(), Code.arrays.end(),
                    [](const Array &array) {
                      return array.origin == ArrayOrigin::Managed;
                    }))
      return;
    std::set<StepId> steps;
    for (const ArrayId array : Plan.removed) {
      const std::vector<StepId> &statements = Code[array].lifetimeStatements;
      const bool isRemovable =
          isUnused(array) &&
          std::all_of(statements.begin(), statements.end(), [this](StepId id) {
            const HostStep &step = Code[id];
            return step.editable && Source.holds(step.range) &&
                   step.range.begin < step.range.end &&
                   beginsStatement(Source, step.range.begin);
          });
      if (isRemovable)
        steps.insert(statements.begin(), statements.end());
    }
    for (const StepId id : steps) {
      const TextRange gone = removal(Source, Code[id].range);
      All.replace(gone.begin, gone.end, "");
    }
  }

  /// Removes the functions whose statements stand for all calls, and the
  /// kernels that only these and replaced launches named. Comments after a
  /// definition stay. Returns false if a group in such a function was written.
  bool removeUnused() {
    const std::vector<SourceRange> all =
        unusedFunctions(Texts, Code, All, /*withEdited=*/true);
    for (std::size_t i = 0; i < Plan.kernels.size(); ++i) {
      const SourceRange &first = Code[Plan.kernels[i].launches.front()].range;
      if (isFused(i) && first.file == 0 && isIn(all, first.begin, first.end))
        idle.insert(i);
    }
    if (!idle.empty())
      return false;
    const std::vector<SourceRange> functions =
        unusedFunctions(Texts, Code, All, /*withEdited=*/false);
    for (const SourceRange &each : functions) {
      const TextRange extent = withComments(Source, each, each.end);
      All.replace(extent.begin, extent.end, "");
    }
    if (Options.keepsKernels)
      return true;
    std::set<LaunchId> gone;
    for (const HostGroup &group : Groups)
      if (group.code && group.kernel->conditions.empty())
        gone.insert(group.launches.begin(), group.launches.end());
    for (const TextRange &extent : unusedKernels(Texts, Code, gone, functions))
      All.replace(extent.begin, extent.end, "");
    return true;
  }

  const Sources &Texts;
  const SourceText &Source; ///< the input
  const Program &Code;
  const ExecutionGraph &Order;
  const FusionPlan &Plan;
  const GenerateOptions &Options;
  const RefusedGroups &Before;
  const std::set<StepId> &RejectedBefore;
  const std::set<std::size_t> &Idle;
  const KeptCalls Kept;
  Names Unique;
  Helpers Tools;
  StageCache Stages;
  std::vector<HostGroup> Groups;
  std::vector<std::size_t> PlanIndex;            ///< by group
  std::map<std::size_t, KernelInsertion> Places; ///< by group
  /// The place before the first function that swaps pointers.
  std::uint32_t FirstSwap = static_cast<std::uint32_t>(Source.text.size());
  Edits All;
};

} // namespace

GenerateResult generate(const Program &program, const ExecutionGraph &order,
                        const FusionPlan &plan,
                        const GenerateOptions &options) {
  GenerateResult result;
  result.text = unfused(program);
  const bool hasGroups = std::any_of(
      plan.kernels.begin(), plan.kernels.end(),
      [](const FusedKernel &kernel) { return kernel.launches.size() > 1; });
  if (!hasGroups && plan.swaps.empty())
    return result;

  const Sources sources(program);
  RefusedGroups refused;
  std::set<StepId> rejectedSwaps;
  std::set<std::size_t> changedCalls, idle;
  const auto refuseAll = [&](const std::string &reason) {
    rejectedSwaps.insert(plan.swaps.begin(), plan.swaps.end());
    for (std::size_t i = 0; i < plan.kernels.size(); ++i)
      if (plan.kernels[i].launches.size() > 1)
        refused.emplace(i, reason);
  };
  if (program.language == Language::OpenCL && !program.kernelString)
    refuseAll("the text of the OpenCL kernels isn't known");
  if (const std::string word = redefinedWord(program, sources); !word.empty())
    refuseAll(word + " would change what is written");
  // A group that is refused changes the places of the others, so everything is
  // written anew without it.
  for (bool isDone = !refused.empty() || !rejectedSwaps.empty(); !isDone;) {
    ProgramWriter attempt(sources, program, order, plan, options, refused,
                          rejectedSwaps, changedCalls, idle);
    if (auto text = attempt.run()) {
      result.text = *std::move(text);
      result.notes = std::move(attempt.notes);
      result.names = std::move(attempt.names);
      result.isolating = std::move(attempt.isolating);
      result.inCalls = std::move(attempt.inCalls);
      isDone = true;
    } else if (attempt.refused.empty() && attempt.rejectedSwaps.empty() &&
               attempt.changedCalls.empty() && attempt.idle.empty()) {
      refuseAll("two changes would overlap");
      isDone = true;
    }
    refused.insert(attempt.refused.begin(), attempt.refused.end());
    rejectedSwaps.insert(attempt.rejectedSwaps.begin(),
                         attempt.rejectedSwaps.end());
    changedCalls.merge(attempt.changedCalls);
    // Without a group that is refused, a call may stand there again.
    if (attempt.idle.empty())
      idle.clear();
    idle.merge(attempt.idle);
  }
  result.rejectedSwaps.assign(rejectedSwaps.begin(), rejectedSwaps.end());
  result.refused.assign(refused.begin(), refused.end());
  return result;
}

} // namespace kfuse
