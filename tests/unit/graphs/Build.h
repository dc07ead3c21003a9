//===- Build.h - Small programs for tests ---------------------------------===//
#ifndef KFUSE_TESTS_UNIT_GRAPHS_BUILD_H
#define KFUSE_TESTS_UNIT_GRAPHS_BUILD_H

#include "graphs/program/Program.h"

#include <string>
#include <vector>

namespace kfuse::test {

/// Builds programs of one function, in which every kernel works on element
/// globalIdx.x of its arrays.
class Builder {
public:
  Builder() {
    Prog.files.push_back({"input.cu"});
    Prog.regions.push_back({});
    Prog.regions[0].function = "main";
  }

  ArrayId array(const std::string &name,
                ArrayOrigin origin = ArrayOrigin::Allocation) {
    Array array;
    array.name = name;
    array.origin = origin;
    array.element = {"float", "float", 4, true, true};
    Prog.arrays.push_back(array);
    return static_cast<ArrayId>(Prog.arrays.size() - 1);
  }

  LaunchId launch(const std::vector<ArrayId> &reads,
                  const std::vector<ArrayId> &writes) {
    Kernel kernel;
    kernel.name = kernel.qualifiedName =
        "k" + std::to_string(Prog.kernels.size() + 1);
    kernel.analysed = kernel.text.copyable = true;
    kernel.registers = 16;
    Launch launch;
    launch.kernel = static_cast<KernelId>(Prog.kernels.size());
    launch.step = static_cast<StepId>(Prog.steps.size());
    launch.region = Region;
    launch.grid.extent = {Polynomial(65536), Polynomial(1), Polynomial(1)};
    launch.block.extent = {Polynomial(256), Polynomial(1), Polynomial(1)};
    for (ArrayId array : reads)
      addAccess(kernel, launch, array, AccessKind::Read);
    for (ArrayId array : writes)
      addAccess(kernel, launch, array, AccessKind::Write);
    launch.accesses = kernel.accesses;
    HostStep step;
    step.kind = StepKind::Launch;
    step.launch = static_cast<LaunchId>(Prog.launches.size());
    step.text = kernel.name;
    step.editable = true;
    launch.range.line = indexOf(launch.step) + 1;
    Prog.kernels.push_back(kernel);
    Prog.launches.push_back(launch);
    add(step);
    return step.launch;
  }

  StepId step(StepKind kind, const std::vector<Effect> &effects = {}) {
    HostStep step;
    step.kind = kind;
    step.effects = effects;
    step.text = "step " + std::to_string(Prog.steps.size());
    step.editable = true;
    return add(step);
  }

  /// Opens the region of a loop or branch; steps go there until `leave`.
  StepId enter(StepKind kind, const std::vector<Effect> &effects = {}) {
    StepId outer = step(kind, effects);
    auto nested = static_cast<RegionId>(Prog.regions.size());
    Prog.steps[indexOf(outer)].nested.push_back(nested);
    kfuse::Region inner;
    inner.kind = RegionKind::LoopBody;
    inner.parent = Region;
    Prog.regions.push_back(inner);
    Region = nested;
    return outer;
  }
  void leave() { Region = *Prog[Region].parent; }
  /// Opens another function.
  void function() {
    Region = static_cast<RegionId>(Prog.regions.size());
    Prog.regions.push_back({});
  }

  Program &program() { return Prog; }

private:
  StepId add(HostStep step) {
    auto id = static_cast<StepId>(Prog.steps.size());
    step.region = Region;
    step.range.line = indexOf(id) + 1;
    Prog.steps.push_back(step);
    Prog.regions[indexOf(Region)].steps.push_back(id);
    return id;
  }

  void addAccess(Kernel &kernel, Launch &launch, ArrayId array,
                 AccessKind kind) {
    Access access;
    access.kind = kind;
    access.form =
        kind == AccessKind::Read ? AccessForm::Load : AccessForm::Store;
    access.pointer = static_cast<std::uint32_t>(launch.pointers.size());
    access.index = Polynomial(Symbol{SymbolKind::GlobalIdx, 0});
    access.elementBytes = access.width = Prog[array].element.bytes;
    access.editable = true;
    access.range.begin = NextOffset;
    access.range.end = NextOffset += 4;
    launch.pointers.push_back({array, Polynomial()});
    PointerParameter pointer;
    pointer.parameter = access.pointer;
    pointer.element = Prog[array].element;
    kernel.pointers.push_back(pointer);
    kernel.parameters.push_back(
        {"p" + std::to_string(access.pointer), "float *", {}, true});
    kernel.accesses.push_back(access);
  }

  Program Prog;
  std::uint32_t NextOffset = 0;
  RegionId Region{};
};

} // namespace kfuse::test

#endif
