//===- Recomputation.cpp - Values computed where they are read ------------===//

#include "fusion/forwarding/Recomputation.h"

#include "fusion/dependence/Division.h"
#include "fusion/dependence/FullWriteProof.h"
#include "fusion/dependence/Guards.h"
#include "fusion/forwarding/Forwarding.h"
#include "fusion/group/KernelChecks.h"
#include "fusion/group/Stages.h"
#include "fusion/shapes/ShapeMapping.h"

#include <algorithm>
#include <map>

namespace kfuse {
namespace {

/// The increase of an index from a thread to the next on an axis.
struct Step {
  std::uint32_t axis = 0;
  Polynomial size;
};

/// Returns the thread that an index identifies: of a stage whose threads lie on
/// one axis, or in rows, or in planes of rows.
std::optional<ElementThread> threadOf(Polynomial index, const Stage &stage,
                                      const TermTable &terms) {
  std::vector<Step> steps;
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    auto split = index.splitLinear(Symbol{SymbolKind::GlobalIdx, axis});
    if (!split || varies(split->coefficient, terms))
      return std::nullopt;
    if (!split->coefficient.isZero())
      steps.push_back({axis, std::move(split->coefficient)});
    else if (!isOneWide(stage, axis))
      return std::nullopt;
    index = std::move(split->rest);
  }
  if (varies(index, terms))
    return std::nullopt;
  ElementThread thread;
  thread.first = std::move(index);
  Polynomial size(1);
  while (!steps.empty()) {
    // The smallest step is what divides the others.
    const auto next =
        std::find_if(steps.begin(), steps.end(), [&](const Step &step) {
          return std::all_of(steps.begin(), steps.end(),
                             [&](const Step &other) {
                               const auto ratio = divide(other.size, step.size);
                               return ratio && ratio->rest.isZero();
                             });
        });
    if (next == steps.end())
      return std::nullopt;
    auto row = divide(next->size, size);
    if (!row || !row->rest.isZero())
      return std::nullopt;
    if (!thread.axes.empty())
      thread.rows.push_back(std::move(row->quotient));
    else if (row->quotient != Polynomial(1))
      return std::nullopt;
    thread.axes.push_back(next->axis);
    size = next->size;
    steps.erase(next);
  }
  return thread;
}

/// Checks whether the value is made of parameters alone, which a function has
/// too.
bool isOfParameters(const Polynomial &polynomial) {
  const std::vector<Symbol> symbols = polynomial.symbols();
  return std::all_of(symbols.begin(), symbols.end(), [](Symbol symbol) {
    return symbol.kind == SymbolKind::Parameter;
  });
}

/// Checks whether the value is an `int` or `unsigned int` parameter plus a
/// constant below MostThreads.
bool isOfInt(const Polynomial &polynomial, const Kernel &kernel) {
  std::vector<Symbol> symbols = polynomial.symbols();
  if (symbols.size() != 1 || symbols[0].kind != SymbolKind::Parameter ||
      symbols[0].index >= kernel.scalars.size())
    return false;
  const auto split = polynomial.splitLinear(symbols[0]);
  const ScalarParameter &scalar = kernel.scalars[symbols[0].index];
  std::string type = kernel.parameters[scalar.parameter].type;
  if (type.starts_with("const "))
    type = type.substr(6);
  return split && split->coefficient == Polynomial(1) &&
         split->rest.asConstant().value_or(MostThreads) < MostThreads &&
         scalar.path.empty() && (type == "int" || type == "unsigned int");
}

class FunctionFinder {
public:
  FunctionFinder(const Problem &problem, LaunchId launch)
      : TheProblem(problem), Code(problem.program), Id(launch),
        TheKernel(Code.kernelOf(launch)),
        Bound(*stageOf(problem, launch, SymbolSpace::Launch)),
        Own(*stageOf(problem, launch, SymbolSpace::Kernel)) {}

  std::optional<ElementProducer> run() {
    if (!isFreeOfBlocks(Bound) || !TheKernel.analysed ||
        has(TheKernel, KernelFeature::CoordinatesInCallee) ||
        has(TheKernel, KernelFeature::GridShape) ||
        TheKernel.integersToFloating || !floatingGlobals(TheKernel).empty() ||
        !findWrites() || !overwritesArray())
      return std::nullopt;
    if (Bound.strideAxis && (!unrollLoop(Bound) || !unrollLoop(Own)))
      return std::nullopt;
    if (!findThread() || !keepsRows() || !limitElements())
      return std::nullopt;
    return std::move(Found);
  }

private:
  /// Finds the launch's writes. Returns whether they all store to one array, to
  /// one element for each thread, and the launch doesn't read that array.
  bool findWrites() {
    for (const StageAccess &access : Bound.accesses)
      if (writes(access))
        Writes.push_back(&access);
    if (Writes.empty())
      return false;
    Found.array = Writes.front()->array;
    Found.pointer = Writes.front()->access->pointer;
    const auto isStore = [&](const StageAccess *write) {
      return write->access->kind == AccessKind::Write &&
             write->access->form == AccessForm::Store &&
             write->access->pointer == Found.pointer &&
             write->index == Writes.front()->index &&
             whyNotReplaceable(Bound, *write).empty();
    };
    const PointerParameter &pointer = TheKernel.pointers[Found.pointer];
    return Found.array != noneOf<ArrayId>() && !pointer.global &&
           pointer.path.empty() &&
           std::all_of(Writes.begin(), Writes.end(), isStore) &&
           std::none_of(Bound.accesses.begin(), Bound.accesses.end(),
                        [&](const StageAccess &access) {
                          return access.array == noneOf<ArrayId>() ||
                                 (!writes(access) &&
                                  access.array == Found.array);
                        });
  }

  /// Checks whether the launch writes the whole array, so that no read can find
  /// what was there before.
  bool overwritesArray() const {
    const auto &bytes = Code[Found.array].bytes;
    std::vector<AccessRange> reaches;
    for (const StageAccess *write : Writes)
      reaches.push_back(
          {write, &write->cover, stageOf(TheProblem, Id, SymbolSpace::Launch)});
    return bytes && coversArray(Code, reaches, *bytes, knownOf(Code));
  }

  /// Finds the thread, if the kernel's text and the launch's values agree on
  /// it.
  bool findThread() {
    const std::uint32_t number =
        static_cast<std::uint32_t>(Writes.front() - Bound.accesses.data());
    const auto *bound = std::get_if<Polynomial>(&Writes.front()->index);
    const auto *own = std::get_if<Polynomial>(&Own.accesses[number].index);
    if (!bound || !own)
      return false;
    auto known = threadOf(*bound, Bound, Code.terms);
    auto told = threadOf(*own, Bound, Code.terms);
    if (!known || !told || known->axes != told->axes ||
        !isOfParameters(told->first) ||
        !std::all_of(told->rows.begin(), told->rows.end(), isOfParameters))
      return false;
    Known = *std::move(known);
    Found.thread = *std::move(told);
    return true;
  }

  /// Checks whether no thread past the end of a row writes the next row's
  /// elements.
  bool keepsRows() const {
    const KnownFacts facts = factsOf(Code, Bound);
    for (std::size_t i = 0; i < Known.rows.size(); ++i) {
      const std::uint32_t axis = Known.axes[i];
      const auto all = multiply(Bound.grid[axis], Bound.block[axis]);
      const auto exists = all ? below(axis, *all) : std::nullopt;
      for (const StageAccess *write : Writes) {
        Guard guard = write->guard;
        if (exists)
          guard.push_back(*exists);
        if (!staysBelow(guard, axis, Known.rows[i], facts))
          return false;
      }
    }
    return true;
  }

  /// Checks whether each element's number is one that a thread can have, if
  /// need be under the condition that it stores in `Found.fewElements`.
  bool limitElements() {
    const auto bytes = Code[Found.array].bytes->asConstant();
    const std::uint32_t each = Writes.front()->access->elementBytes;
    if (bytes && *bytes / each <= MostThreads)
      return true;
    Polynomial count(1);
    for (std::size_t i = 0; i < Found.thread.axes.size(); ++i) {
      const auto product = multiply(
          count, i < Found.thread.rows.size()
                     ? Found.thread.rows[i]
                     : neededThreads(
                           Code, *stageOf(TheProblem, Id, SymbolSpace::Launch),
                           Found.thread.axes[i]));
      if (!product)
        return false;
      count = *product;
    }
    if (isOfInt(count, TheKernel))
      return true;
    Found.fewElements = atLeast(Bound, Polynomial(MostThreads), Bound, count);
    return TheProblem.options.mayNeed(ConditionKind::AtLeast);
  }

  const Problem &TheProblem;
  const Program &Code;
  LaunchId Id;
  const Kernel &TheKernel;
  Stage Bound, Own;
  std::vector<const StageAccess *> Writes; ///< of Bound
  ElementThread Known;                     ///< in host values
  ElementProducer Found;
};

/// Checks whether a load can be a call of the function.
bool canCall(const Group &group, const Stage &stage, const StageAccess &load,
             const Stage &producer, const ElementProducer &function) {
  const Program &program = group.problem->program;
  const PointerParameter &pointer =
      stage.kernel->pointers[load.access->pointer];
  const PointerParameter &written = producer.kernel->pointers[function.pointer];
  return load.access->form == AccessForm::Load && load.access->isValue &&
         whyNotReplaceable(stage, load).empty() && !pointer.global &&
         pointer.path.empty() && pointer.dimensions == 0 &&
         pointer.element.canonical == written.element.canonical &&
         // The stage becomes a template, whose calls with such a value might
         // find functions that are declared after the kernel.
         !pointer.element.isCompound &&
         program[stage.launch].pointers[load.access->pointer] ==
             program[producer.launch].pointers[function.pointer] &&
         // The computation may have branches.
         !(group.problem->options.exactRounding &&
           mayPart(*stage.kernel, load.access->range));
}

/// Returns the members that are run, by their number in the group.
std::vector<std::uint32_t> runMembers(const ElementFunctions &functions) {
  std::vector<std::uint32_t> members;
  for (std::uint32_t member = 0; member < functions.size(); ++member)
    if (!functions[member])
      members.push_back(member);
  return members;
}

} // namespace

std::optional<ElementProducer> asElementProducer(const Problem &problem,
                                                 LaunchId launch) {
  if (problem.program.language != Language::Cuda)
    return std::nullopt;
  return FunctionFinder(problem, launch).run();
}

std::optional<std::uint32_t>
writerForFunctions(const Group &group, const ElementFunctions &functions) {
  const auto isRead = [&](ArrayId array) {
    for (std::size_t number = 0; number < functions.size(); ++number)
      for (const StageAccess &access : group.stages[number].accesses)
        if (functions[number] && !writes(access) && access.array == array)
          return true;
    return false;
  };
  for (std::uint32_t number = 0; number < functions.size(); ++number)
    for (const StageAccess &access : group.stages[number].accesses)
      if (!functions[number] && writes(access) && isRead(access.array))
        return number;
  return std::nullopt;
}

bool areCalledAlone(const Group &group, const ElementFunctions &functions) {
  for (std::size_t number = 0; number < functions.size(); ++number) {
    if (!functions[number])
      continue;
    const ElementProducer &function = *functions[number];
    bool isRead = false;
    for (std::size_t other = 0; other < functions.size(); ++other) {
      std::optional<std::uint32_t> pointer;
      for (const StageAccess &access : group.stages[other].accesses) {
        if (access.array == noneOf<ArrayId>())
          return false;
        if (other == number || access.array != function.array)
          continue;
        // Values of two pointers, as one, could be one product in several sums.
        const bool isSecond = pointer && *pointer != access.access->pointer &&
                              group.problem->options.exactRounding;
        pointer = access.access->pointer;
        if (other < number || isSecond ||
            !canCall(group, group.stages[other], access, group.stages[number],
                     function))
          return false;
        isRead = true;
      }
    }
    if (!isRead)
      return false;
  }
  return true;
}

Group withoutFunctions(const Group &group, const ElementFunctions &functions) {
  Group run = group;
  run.stages = {};
  for (const std::uint32_t member : runMembers(functions))
    run.stages.add(group.stages[member]);
  return run;
}

Group withFunctions(const Group &run, const Group &group,
                    const ElementFunctions &functions) {
  const std::vector<std::uint32_t> members = runMembers(functions);
  Group all = run;
  all.stages = {};
  all.leader = members[run.leader];
  all.fits.assign(functions.size(), {});
  all.isReordered.assign(functions.size(), false);
  all.shapedAs.clear();
  for (std::uint32_t member = 0; member < functions.size(); ++member)
    all.shapedAs.push_back(group.stages[member].launch);
  std::uint32_t next = 0;
  for (std::uint32_t member = 0; member < functions.size(); ++member) {
    if (functions[member]) {
      all.stages.add(group.stages[member]);
      all.fits[member].isIteration =
          group.stages[member].strideAxis.has_value();
      if (functions[member]->fewElements)
        all.conditions.push_back(*functions[member]->fewElements);
      continue;
    }
    all.stages.add(run.stages[next]);
    all.fits[member] = run.fits[next];
    all.isReordered[member] = run.isReordered[next];
    all.shapedAs[member] = run.shapedAs[next++];
  }
  return all;
}

FusedKernel withFunctions(FusedKernel kernel, const Group &group,
                          const ElementFunctions &functions) {
  const std::vector<std::uint32_t> members = runMembers(functions);
  kernel.schedule = Schedule::Recompute;
  kernel.leader = group.leader;
  kernel.fits = group.fits;
  kernel.launches.clear();
  for (const Stage &stage : group.stages)
    kernel.launches.push_back(stage.launch);
  for (Placement &placement : kernel.placements) {
    for (auto *list : {&placement.producers, &placement.consumers})
      for (std::uint32_t &member : *list)
        member = members[member];
    for (ForwardedRead &read : placement.reads)
      read.member = members[read.member];
  }
  const auto placementOf = [&](ArrayId array) -> Placement & {
    const auto known = std::find_if(
        kernel.placements.begin(), kernel.placements.end(),
        [&](const Placement &each) { return each.array == array; });
    if (known != kernel.placements.end())
      return *known;
    kernel.placements.push_back({array, PlacementKind::Global, {}, {}});
    return kernel.placements.back();
  };
  for (std::uint32_t member = 0; member < functions.size(); ++member) {
    if (!functions[member])
      continue;
    for (const StageAccess &access : group.stages[member].accesses)
      placementOf(access.array);
    Placement &placement = placementOf(functions[member]->array);
    placement.kind = PlacementKind::RegisterOnly;
    placement.producers = {member};
    placement.computed = functions[member]->thread;
    for (std::uint32_t other = member + 1; other < functions.size(); ++other)
      for (const StageAccess &access : group.stages[other].accesses) {
        if (access.array != placement.array)
          continue;
        if (placement.consumers.empty() || placement.consumers.back() != other)
          placement.consumers.push_back(other);
        placement.reads.push_back({other, access.number, {}});
      }
  }
  return kernel;
}

struct FunctionMemo {
  std::map<LaunchId, std::optional<ElementProducer>> known;
};

const std::optional<ElementProducer> &knownFunction(const Problem &problem,
                                                    LaunchId launch) {
  auto &functions = madeOn(problem.memos.functions).known;
  const auto known = functions.find(launch);
  return known != functions.end()
             ? known->second
             : functions.emplace(launch, asElementProducer(problem, launch))
                   .first->second;
}

} // namespace kfuse
