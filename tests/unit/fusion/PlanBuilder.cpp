//===- PlanBuilder.cpp - Programs for tests of planning -------------------===//

#include "fusion/PlanGroup.h"
#include "fusion/group/Conditions.h"

#include "PlanBuilder.h"

#include <stdexcept>

namespace kfuse::test {
namespace {

Access access(AccessKind kind, AccessForm form, std::uint32_t pointer,
              IndexExpr index, Guard guard) {
  Access result;
  result.kind = kind;
  result.form = form;
  result.pointer = pointer;
  result.index = std::move(index);
  result.elementBytes = 4;
  result.width = 4;
  result.guard = std::move(guard);
  result.editable = true;
  result.isValue = form == AccessForm::Load;
  return result;
}

} // namespace

Access read(std::uint32_t pointer, IndexExpr index, Guard guard) {
  return access(AccessKind::Read, AccessForm::Load, pointer, std::move(index),
                std::move(guard));
}

Access write(std::uint32_t pointer, IndexExpr index, Guard guard) {
  return access(AccessKind::Write, AccessForm::Store, pointer, std::move(index),
                std::move(guard));
}

Access atomic(std::uint32_t pointer, IndexExpr index, Guard guard) {
  Access result = access(AccessKind::Atomic, AccessForm::Other, pointer,
                         std::move(index), std::move(guard));
  result.atomicOperation = 1;
  return result;
}

std::vector<Access> update(std::uint32_t pointer, IndexExpr index,
                           Guard guard) {
  Access load = read(pointer, index, guard);
  load.form = AccessForm::UpdateLoad;
  Access store = write(pointer, std::move(index), std::move(guard));
  store.form = AccessForm::Update;
  // Both halves have the same text and hence the same range.
  load.range.end = store.range.end = 1;
  return {load, store};
}

PlanBuilder::PlanBuilder() {
  TheProgram.files.push_back({"input.cu"});
  Region function;
  function.function = "main";
  TheProgram.regions.push_back(std::move(function));
  TheDevice = loadDevice("h200").device;
}

ArrayId PlanBuilder::array(const std::string &name, ArrayOrigin origin) {
  Array result;
  result.name = name;
  result.origin = origin;
  result.element = {"float", "float", 4, true, true};
  TheProgram.arrays.push_back(std::move(result));
  return ArrayId{static_cast<std::uint32_t>(TheProgram.arrays.size() - 1)};
}

Polynomial PlanBuilder::value(const std::string &name) {
  TheProgram.variables.push_back({name});
  HostValue value;
  value.variable =
      VariableId{static_cast<std::uint32_t>(TheProgram.variables.size() - 1)};
  value.text = name;
  TheProgram.values.push_back(std::move(value));
  return sym(SymbolKind::HostValue,
             static_cast<std::uint32_t>(TheProgram.values.size() - 1));
}

KernelId PlanBuilder::kernel(const std::string &name, unsigned pointers,
                             unsigned scalars, std::vector<Access> accesses) {
  static const std::vector<std::string> ScalarNames = {"n", "m", "k", "l"};
  Kernel result;
  result.name = result.qualifiedName = name;
  result.analysed = true;
  result.registers = 16;
  result.operations[ArithmeticUnit::Fp32] = 1;
  result.text.copyable = true;
  for (unsigned i = 0; i < pointers; ++i) {
    PointerParameter pointer;
    pointer.parameter = i;
    pointer.element = {"float", "float", 4, true, true};
    result.pointers.push_back(std::move(pointer));
    result.parameters.push_back({"p" + std::to_string(i), "float *", {}, true});
  }
  for (unsigned i = 0; i < scalars; ++i) {
    result.scalars.push_back({pointers + i, ""});
    result.parameters.push_back({ScalarNames[i % 4], "int", {}, false});
  }
  for (Access &access : accesses) {
    const bool isHalf = access.form == AccessForm::Update;
    if (!isHalf)
      NextOffset += 10;
    access.range.begin = NextOffset;
    access.range.end = NextOffset + 4;
    access.range.line = 1;
  }
  result.accesses = std::move(accesses);
  TheProgram.kernels.push_back(std::move(result));
  return KernelId{static_cast<std::uint32_t>(TheProgram.kernels.size() - 1)};
}

KernelId PlanBuilder::pointwise(const std::string &name, unsigned inputs) {
  const Guard guard = {less(global(), param(0))};
  std::vector<Access> accesses;
  for (unsigned i = 0; i < inputs; ++i)
    accesses.push_back(read(i, global(), guard));
  accesses.push_back(write(inputs, global(), guard));
  return kernel(name, inputs + 1, 1, std::move(accesses));
}

LaunchId PlanBuilder::launch(KernelId kernel,
                             const std::vector<ArrayId> &arrays,
                             std::vector<Polynomial> scalars) {
  std::vector<PointerValue> pointers;
  for (ArrayId array : arrays)
    pointers.push_back({array, Polynomial{}});
  return launch(kernel, pointers, std::move(scalars), {num(64), num(1), num(1)},
                {num(256), num(1), num(1)});
}

LaunchId PlanBuilder::launch(KernelId kernel,
                             const std::vector<PointerValue> &pointers,
                             std::vector<Polynomial> scalars,
                             std::array<Polynomial, 3> grid,
                             std::array<Polynomial, 3> block) {
  const LaunchId id{static_cast<std::uint32_t>(TheProgram.launches.size())};
  Launch result;
  result.kernel = kernel;
  result.step = step(StepKind::Launch, {});
  result.region = RegionId{0};
  result.grid.extent = std::move(grid);
  result.block.extent = std::move(block);
  result.pointers = pointers;
  result.scalars = std::move(scalars);
  result.range.line = 100 + indexOf(id);
  TheProgram.launches.push_back(std::move(result));
  TheProgram.steps.back().launch = id;
  return id;
}

StepId PlanBuilder::step(StepKind kind, std::vector<Effect> effects) {
  const StepId id{static_cast<std::uint32_t>(TheProgram.steps.size())};
  HostStep result;
  result.kind = kind;
  result.effects = std::move(effects);
  result.editable = true;
  result.text = "step";
  TheProgram.steps.push_back(std::move(result));
  TheProgram.regions[0].steps.push_back(id);
  return id;
}

const Problem &PlanBuilder::problem() {
  if (TheProblem)
    return *TheProblem;
  for (Launch &launch : TheProgram.launches)
    launch.accesses =
        bindAccesses(TheProgram[launch.kernel], launch, TheProgram.terms);
  Dependencies = dependencies(TheProgram);
  Order = executionOrder(TheProgram, Dependencies);
  TheProblem.reset(
      new Problem{TheProgram, Dependencies, Order, TheDevice, Options});
  return *TheProblem;
}

FusedKernel PlanBuilder::plan(const std::vector<LaunchId> &group) {
  auto result = planGroup(problem(), group);
  if (auto *obstacle = std::get_if<Obstacle>(&result))
    throw std::runtime_error(obstacleName(obstacle->kind) +
                             (": " + obstacle->text));
  auto &kernel = std::get<FusedKernel>(result);
  kernel.conditions = withoutCertain(problem(), kernel.conditions);
  return std::move(kernel);
}

std::string PlanBuilder::verdict(const std::vector<LaunchId> &group) {
  auto result = planGroup(problem(), group);
  if (auto *obstacle = std::get_if<Obstacle>(&result))
    return obstacleName(obstacle->kind);
  return "fused";
}

Obstacle PlanBuilder::obstacle(const std::vector<LaunchId> &group) {
  auto result = planGroup(problem(), group);
  if (auto *obstacle = std::get_if<Obstacle>(&result))
    return *obstacle;
  throw std::runtime_error("the group is legal");
}

std::string verdictOf(std::vector<Access> first, std::vector<Access> second,
                      PlanBuilder builder) {
  const ArrayId a = builder.array("A"), b = builder.array("B"),
                c = builder.array("C");
  const Polynomial n = builder.value("n");
  const KernelId one = builder.kernel("one", 2, 1, std::move(first));
  const KernelId two = builder.kernel("two", 2, 1, std::move(second));
  const LaunchId x = builder.launch(one, {a, b}, {n});
  const LaunchId y = builder.launch(two, {b, c}, {n});
  return builder.verdict({x, y});
}

std::string placementOf(const FusedKernel &kernel, ArrayId array) {
  auto list = [](const std::vector<std::uint32_t> &members) {
    std::string text;
    for (std::uint32_t member : members)
      text += (text.empty() ? "" : ",") + std::to_string(member);
    return text;
  };
  for (const Placement &placement : kernel.placements)
    if (placement.array == array) {
      if (placement.kind == PlacementKind::Global)
        return "global";
      if (placement.kind == PlacementKind::ThroughGlobal)
        return "memory " + list(placement.producers) + "->" +
               list(placement.consumers);
      return (placement.kind == PlacementKind::Register ? "register "
                                                        : "never stored ") +
             list(placement.producers) + "->" + list(placement.consumers);
    }
  return "absent";
}

} // namespace kfuse::test
