//===- ForwardedArrays.cpp - Values that pass from stage to stage ---------===//
#include "codegen/stage/ForwardedArrays.h"

#include "fusion/plan/TileStorage.h"
#include "graphs/program/Aliases.h"

#include <algorithm>

namespace kfuse {
namespace {

bool isForwardable(const Access &access) {
  return access.kind != AccessKind::Atomic &&
         access.form != AccessForm::Other && access.editable &&
         access.offset == 0 && access.width == access.elementBytes &&
         !access.range.inMacro;
}

bool reads(const Access &access) { return access.kind == AccessKind::Read; }

/// Returns why one access of member `i` doesn't fit its role, or an empty
/// string.
std::string misfit(const Program &program, const ForwardedArray &forward,
                   const Kernel &kernel, std::size_t i, const Access &access,
                   bool isDefined) {
  const std::string &name = program[forward.array].name;
  const ForwardRole role = forward.roles[i];
  const bool isReplaced =
      reads(access) ? role.consumes || (role.produces && !forward.stored)
                    : role.produces;
  if (!isReplaced) {
    if (!forward.stored)
      return "'" + kernel.name + "' touches " + name +
             ", which is never stored";
    if (isDefined && (reads(access) || forward.isUsedAfter(i)))
      return "'" + kernel.name + "' touches " + name +
             " in memory after its value passed in a register";
    return {};
  }
  if (!isForwardable(access))
    return "an access of '" + kernel.name + "' to " + name +
           " can't be replaced by a register";
  const ElementType &element = kernel.pointers[access.pointer].element;
  if (element.canonical != forward.element.canonical || !element.trivial ||
      element.bytes != access.elementBytes)
    return "the members see " + name + " with different element types";
  return {};
}

/// Returns the element type that the first producer writes.
ElementType producedType(const Program &program, const FusedKernel &kernel,
                         const ForwardedArray &forward) {
  for (std::size_t i = 0; i < forward.roles.size(); ++i) {
    if (!forward.roles[i].produces)
      continue;
    const Launch &launch = program[kernel.launches[i]];
    for (const Access *access : accessesTo(program, launch, forward.array))
      if (!reads(*access))
        return program[launch.kernel].pointers[access->pointer].element;
  }
  return {};
}

/// Checks whether the launch's kernel stores to the array only by assignments,
/// after all its loads of it.
bool storesLast(const Program &program, const Launch &launch, ArrayId array) {
  const auto accesses = accessesTo(program, launch, array);
  const auto firstStore =
      std::find_if(accesses.begin(), accesses.end(),
                   [](const Access *each) { return !reads(*each); });
  return std::all_of(accesses.begin(), accesses.end(),
                     [](const Access *each) { return each->loops.empty(); }) &&
         std::all_of(firstStore, accesses.end(), [](const Access *each) {
           return each->form == AccessForm::Store;
         });
}

Result<ForwardedArray> forwardOf(const Program &program,
                                 const FusedKernel &kernel,
                                 const Placement &placement) {
  ForwardedArray forward;
  forward.array = placement.array;
  forward.stored = placement.kind == PlacementKind::Register;
  forward.reads = placement.reads;
  forward.fill = placement.fill;
  forward.canStoreLast = placement.canStoreLast;
  forward.firstLoad = placement.firstLoad;
  forward.isPartial = placement.hasFlags();
  for (ForwardedRead &read : forward.reads)
    read.isPartial = read.isPartial && forward.isPartial;
  forward.isTile = placement.isTile;
  forward.halo = placement.halo;
  forward.tile = tileExtents(workOf(kernel), placement.halo);
  forward.slot = placement.slot;
  forward.computed = placement.computed;
  forward.roles.resize(kernel.launches.size());
  for (const std::uint32_t member : placement.producers)
    if (member < forward.roles.size())
      forward.roles[member].produces = true;
  for (const std::uint32_t member : placement.consumers)
    if (member < forward.roles.size())
      forward.roles[member].consumes = true;
  for (const std::uint32_t member : placement.overwritten)
    if (member < forward.roles.size())
      forward.roles[member].isOverwritten = true;
  forward.staysInPass = kernel.schedule == Schedule::Tile && !placement.isTile;
  for (std::size_t i = 0; i < forward.roles.size(); ++i)
    if (forward.staysInPass && forward.roles[i].takesPart())
      forward.staysInPass =
          kernel.phases[i] == kernel.phases[placement.producers.front()];

  forward.element = producedType(program, kernel, forward);
  const std::string &name = program[forward.array].name;
  if (forward.computed && forward.stored)
    return Refusal{name + " is stored, and computed where it is read"};
  if (forward.element.spelling.empty() || forward.element.bytes == 0)
    return Refusal{"nothing in the group defines " + name};

  bool isDefined = false; // an earlier member has produced the value
  for (std::size_t i = 0; i < kernel.launches.size(); ++i) {
    const Launch &launch = program[kernel.launches[i]];
    ForwardRole &role = forward.roles[i];
    if (role.consumes && !isDefined)
      return Refusal{"a member takes " + name + " before it is defined"};
    const bool defines = role.produces;
    // If no member takes the value afterwards, not even this one, a plain store
    // is enough.
    if (forward.stored && !forward.isUsedAfter(i) &&
        (!role.consumes ||
         (!forward.isTile && storesLast(program, launch, forward.array))))
      role.produces = false;
    for (const Access *access : accessesTo(program, launch, forward.array)) {
      const std::string why = misfit(program, forward, program[launch.kernel],
                                     i, *access, isDefined);
      if (!why.empty())
        return Refusal{why};
    }
    isDefined |= defines;
  }
  return forward;
}

} // namespace

std::string variableOf(const ElementType &element, const std::string &name,
                       Language language) {
  const bool isOpenCl = language == Language::OpenCL;
  return element.spelling + " " + name +
         (element.hasConstructor ? ";\n"
          : isOpenCl             ? " = 0;\n"
                                 : " = {};\n");
}

std::size_t ForwardedArray::producers() const {
  return static_cast<std::size_t>(
      std::count_if(roles.begin(), roles.end(),
                    [](const ForwardRole &role) { return role.produces; }));
}

bool ForwardedArray::isUsedAfter(std::size_t member) const {
  return std::any_of(roles.begin() + static_cast<std::ptrdiff_t>(member) + 1,
                     roles.end(),
                     [](ForwardRole role) { return role.consumes; });
}

std::vector<ForwardedArray>
forwardsAround(const Program &program, const FusedKernel &kernel,
               const std::vector<ForwardedArray> &forwards,
               std::size_t member) {
  const Launch &launch = program[kernel.launches[member]];
  std::vector<ForwardedArray> around = forwards;
  for (const Access &access : program[launch.kernel].accesses) {
    if (reads(access) || access.pointer >= launch.pointers.size())
      continue;
    const ArrayId array = launch.pointers[access.pointer].array;
    auto known = std::find_if(around.begin(), around.end(),
                              [array](const ForwardedArray &forward) {
                                return forward.array == array;
                              });
    if (known == around.end()) {
      ForwardedArray dropped;
      dropped.array = array;
      dropped.element = program[launch.kernel].pointers[access.pointer].element;
      dropped.roles.resize(kernel.launches.size());
      known = around.insert(around.end(), std::move(dropped));
    }
    known->stored = false;
    known->roles[member].produces = true;
  }
  return around;
}

std::vector<const Access *> accessesTo(const Program &program,
                                       const Launch &launch, ArrayId array) {
  std::vector<const Access *> result;
  for (const Access &access : program[launch.kernel].accesses)
    if (access.pointer < launch.pointers.size() &&
        launch.pointers[access.pointer].array == array)
      result.push_back(&access);
  return result;
}

bool storesTo(const Program &program, const Launch &launch, ArrayId array) {
  const std::vector<const Access *> all = accessesTo(program, launch, array);
  return std::any_of(all.begin(), all.end(), [](const Access *each) {
    return each->kind != AccessKind::Read;
  });
}

bool mayWrite(const Program &program, const Launch &launch, ArrayId array) {
  const std::vector<Access> &accesses = program[launch.kernel].accesses;
  return std::any_of(
      accesses.begin(), accesses.end(), [&](const Access &access) {
        return access.kind != AccessKind::Read &&
               access.pointer < launch.pointers.size() &&
               alias(program, launch.pointers[access.pointer].array, array) !=
                   Alias::Never;
      });
}

Result<std::vector<ForwardedArray>> forwards(const Program &program,
                                             const FusedKernel &kernel) {
  std::vector<ForwardedArray> result;
  for (const Placement &placement : kernel.placements) {
    const bool isKept = !placement.isForwarded() ||
                        (placement.kind == PlacementKind::Register &&
                         placement.consumers.empty());
    if (isKept)
      continue;
    auto forward = forwardOf(program, kernel, placement);
    if (const Refusal *refusal = refusalOf(forward))
      return *refusal;
    result.push_back(std::get<ForwardedArray>(std::move(forward)));
  }
  return result;
}

} // namespace kfuse
