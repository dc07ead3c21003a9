//===- KernelChecks.cpp - What kernels must be to become stages -----------===//

#include "fusion/group/KernelChecks.h"

#include "fusion/dependence/Names.h"
#include "graphs/program/Aliases.h"

#include <algorithm>
#include <string>

namespace kfuse {
namespace {

bool isAlwaysUnsupported(KernelFeature feature) {
  switch (feature) {
  case KernelFeature::Volatile:
  case KernelFeature::InlineAssembly:
  case KernelFeature::DeviceLaunch:
  case KernelFeature::DeviceAllocation:
  case KernelFeature::Printf:
  case KernelFeature::Assert:
  case KernelFeature::Clock:
  case KernelFeature::Texture:
  case KernelFeature::Fence:
  case KernelFeature::CooperativeGroups:
  case KernelFeature::UnknownCall:
  case KernelFeature::NotFollowed:
  case KernelFeature::Recursion:
  case KernelFeature::OtherCompiler:
  case KernelFeature::EscapingPointer:
  case KernelFeature::SideEffect:
  case KernelFeature::Size:
    return true;
  case KernelFeature::WarpOperation:
  case KernelFeature::PartedWarp:
  case KernelFeature::WarpsOfRows:
  case KernelFeature::ReadOnlyLoad:
  case KernelFeature::SharedAddress:
  case KernelFeature::ReturnBeforeBarrier:
  case KernelFeature::CoordinatesInCallee:
  case KernelFeature::CoordinatesInMacro:
  case KernelFeature::GridShape:
  case KernelFeature::GridFactor:
  case KernelFeature::BlockPlace:
    return false;
  }
  return true;
}

bool isWrittenBy(const Program &program, const std::vector<LaunchId> &group,
                 ArrayId array) {
  return std::any_of(group.begin(), group.end(), [&](LaunchId member) {
    const Launch &launch = program[member];
    return std::any_of(
        launch.accesses.begin(), launch.accesses.end(),
        [&](const Access &access) {
          return access.kind != AccessKind::Read &&
                 (access.pointer >= launch.pointers.size() ||
                  array == noneOf<ArrayId>() ||
                  launch.pointers[access.pointer].array == noneOf<ArrayId>() ||
                  alias(program, launch.pointers[access.pointer].array,
                        array) != Alias::Never);
        });
  });
}

/// Checks whether `member` reads what the fused kernel writes: loads through
/// the read-only path may return stale values.
bool hasStaleLoads(const Program &program, const std::vector<LaunchId> &group,
                   LaunchId member) {
  const Launch &launch = program[member];
  return std::any_of(
      launch.accesses.begin(), launch.accesses.end(),
      [&](const Access &access) {
        return access.kind == AccessKind::Read &&
               (access.pointer >= launch.pointers.size() ||
                isWrittenBy(program, group,
                            launch.pointers[access.pointer].array));
      });
}

Obstacle unsupported(const Program &program, LaunchId member, LaunchId other,
                     const FeatureUse &use, const std::string &why,
                     const std::string &remedy = "move it out of the kernel") {
  Obstacle obstacle = obstacleBetween(
      ObstacleKind::KernelUnsupported, member, other,
      launchName(program, member) + " uses " + featureText(use.feature) +
          (use.detail.empty() ? "" : " (" + use.detail + ")") + why,
      remedy);
  obstacle.notes.push_back({use.range, "it does so here"});
  return obstacle;
}

/// Checks whether the rows of the launch's blocks are whole warps, or a block
/// is one row.
bool hasRowsOfWarps(const Launch &launch) {
  constexpr std::int64_t WarpThreads = 32;
  const auto &[row, rows, planes] = launch.block.extent;
  const auto threads = row.asConstant();
  return (rows == Polynomial(1) && planes == Polynomial(1)) ||
         (threads && *threads % WarpThreads == 0);
}

std::optional<Obstacle> checkFeatures(const Program &program,
                                      const std::vector<LaunchId> &group,
                                      LaunchId member, LaunchId other) {
  for (const FeatureUse &use : program.kernelOf(member).features) {
    if (isAlwaysUnsupported(use.feature))
      return unsupported(program, member, other, use, "");
    const bool isLast = member == group.back();
    if (use.feature == KernelFeature::ReturnBeforeBarrier && !isLast) {
      Obstacle obstacle = obstacleBetween(
          ObstacleKind::BarrierMismatch, member, other,
          "some threads of " + launchName(program, member) +
              " return before a barrier; fused they would go on to the next "
              "stage while the others wait",
          "put the work under a guard and the barrier outside of it");
      obstacle.notes.push_back({use.range, "the return is here"});
      return obstacle;
    }
    // Threads that don't come to the operation are still named by its mask
    // until they leave the kernel, so nothing may follow.
    if (!isLast && (use.feature == KernelFeature::PartedWarp ||
                    (use.feature == KernelFeature::WarpsOfRows &&
                     !hasRowsOfWarps(program[member]))))
      return unsupported(program, member, other, use,
                         ", and another kernel would follow it");
    if (use.feature == KernelFeature::ReadOnlyLoad &&
        hasStaleLoads(program, group, member))
      return unsupported(program, member, other, use,
                         " of arrays that the group writes",
                         "call it in the kernel's own text, or load plainly");
  }
  return std::nullopt;
}

Obstacle ambiguousSum(const Problem &problem, LaunchId member, LaunchId other) {
  const Program &program = problem.program;
  const Kernel &kernel = program.kernelOf(member);
  const std::string name = launchName(program, member);
  const auto &unread = problem.evidence.contracted.unread;
  const auto asked = unread.find(originalName(kernel));
  Obstacle obstacle = obstacleBetween(
      ObstacleKind::AmbiguousContraction, member, other,
      "the compiler may contract a sum of " + name +
          " in more than one way, and choose another when fused" +
          (asked == unread.end() ? "" : "; its code doesn't tell: ") +
          (asked == unread.end() ? "" : asked->second),
      std::string(program.language == Language::OpenCL
                      ? "begin the kernels' text with '#pragma OPENCL "
                        "FP_CONTRACT OFF', write the contraction with fma"
                  : asked == unread.end()
                      ? "let the compiler tell (--nvcc), write the "
                        "contraction with fmaf"
                      : "write the contraction with fmaf") +
          ", or accept another last bit with --relaxed-rounding");
  if (kernel.ambiguousSum.line != 0)
    obstacle.notes.push_back({kernel.ambiguousSum, "the sum is here"});
  return obstacle;
}

/// Checks that the compiler can contract no sum into FMAs in more than one way,
/// since it may choose another way, and round otherwise, when fused.
std::optional<Obstacle> checkRounding(const Problem &problem,
                                      const std::vector<LaunchId> &group,
                                      LaunchId member, LaunchId other) {
  const Program &program = problem.program;
  const Kernel &kernel = program.kernelOf(member);
  if (!problem.options.exactRounding)
    return std::nullopt;
  const auto name = [&] { return launchName(program, member); };
  if (kernel.ambiguousSums)
    return ambiguousSum(problem, member, other);
  // Parameters are isolated in each stage (kfuseIsolate); a variable can't be.
  for (ArrayId global : floatingGlobals(kernel))
    for (LaunchId later : group) {
      const auto others = floatingGlobals(program.kernelOf(later));
      if (later > member &&
          std::find(others.begin(), others.end(), global) != others.end())
        return obstacleBetween(
            ObstacleKind::AmbiguousContraction, member, later,
            name() + " and " + launchName(program, later) +
                " both compute with " + program[global].name +
                ", and the compiler may contract what they share "
                "otherwise",
            "pass " + program[global].name + " as a parameter");
    }
  return std::nullopt;
}

} // namespace

std::optional<Obstacle> checkKernels(const Problem &problem,
                                     const std::vector<LaunchId> &group) {
  const Program &program = problem.program;
  for (LaunchId member : group) {
    const LaunchId other =
        member == group.front() ? group.back() : group.front();
    const Kernel &kernel = program.kernelOf(member);
    // A feature of a body says more than that the body could not be followed.
    if (auto obstacle = checkFeatures(program, group, member, other))
      return obstacle;
    // A search asks for thousands of groups that have no obstacle.
    const auto name = [&] { return launchName(program, member); };
    if (!kernel.analysed) {
      Obstacle obstacle = obstacleBetween(
          ObstacleKind::KernelNotVisible, member, other,
          "the body of " + name() + " can't be followed to its end",
          "define it in the input file or a header of it");
      obstacle.notes.push_back(
          {kernel.text.name, name() + " is declared here"});
      return obstacle;
    }
    if (auto obstacle = checkRounding(problem, group, member, other))
      return obstacle;
    if (kernel.gridStride && kernel.barriers != 0)
      return obstacleBetween(ObstacleKind::BarrierMismatch, member, other,
                             name() + " has a barrier in its grid-stride loop",
                             "move the barrier out of the loop");
    if (!kernel.text.copyable)
      return obstacleBetween(
          ObstacleKind::KernelUnsupported, member, other,
          "the text of " + name() + " can't be copied" +
              (kernel.text.obstacle.empty() ? "" : ": " + kernel.text.obstacle),
          "write the kernel as plain text of the file");
  }
  return std::nullopt;
}

bool mayContract(const Kernel &kernel) {
  return !kernel.multiplyAdds ||
         std::any_of(
             kernel.multiplyAdds->products.begin(),
             kernel.multiplyAdds->products.end(),
             [](const RoundedProduct &product) { return product.isTaken; });
}

std::vector<ArrayId> floatingGlobals(const Kernel &kernel) {
  std::vector<ArrayId> globals;
  for (const Access &access : kernel.accesses) {
    const PointerParameter &pointer = kernel.pointers[access.pointer];
    if (pointer.global && pointer.element.hasFloatingPoint &&
        access.kind == AccessKind::Read)
      globals.push_back(*pointer.global);
  }
  return globals;
}

} // namespace kfuse
