//===- tests/unit/graphs/Build.h - Small programs for tests ---------------===//
#ifndef KFUSE_TESTS_UNIT_GRAPHS_BUILD_H
#define KFUSE_TESTS_UNIT_GRAPHS_BUILD_H

#include "graphs/Program.h"

#include <string>
#include <vector>

namespace kfuse::test {

/// Builds programs of one function, in which every kernel works on element
/// globalIdx.x of its arrays.
class Builder {
public:
  Builder() { Prog.regions.push_back({}); }

  ArrayId array(const std::string &name,
                ArrayOrigin origin = ArrayOrigin::Allocation) {
    Array array;
    array.name = name;
    array.origin = origin;
    array.element = {"float", 4, true, true};
    Prog.arrays.push_back(array);
    return static_cast<ArrayId>(Prog.arrays.size() - 1);
  }

  LaunchId launch(const std::vector<ArrayId> &reads,
                  const std::vector<ArrayId> &writes) {
    Kernel kernel;
    kernel.name = kernel.qualifiedName =
        "k" + std::to_string(Prog.kernels.size() + 1);
    kernel.analysed = true;
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
    Prog.kernels.push_back(kernel);
    Prog.launches.push_back(launch);
    add(step);
    return step.launch;
  }

  StepId step(StepKind kind, const std::vector<Effect> &effects = {}) {
    HostStep step;
    step.kind = kind;
    step.effects = effects;
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
    launch.pointers.push_back({array, Polynomial()});
    kernel.pointers.push_back({});
    kernel.accesses.push_back(access);
  }

  Program Prog;
  RegionId Region{};
};

} // namespace kfuse::test

#endif
