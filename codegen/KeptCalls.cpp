//===- KeptCalls.cpp - Calls of functions that fuse by themselves ---------===//
#include "codegen/KeptCalls.h"

#include "graphs/program/Aliases.h"
#include "graphs/program/Effects.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

namespace kfuse {
namespace {

class CallKeeper {
public:
  CallKeeper(const Program &program, const FusionPlan &plan,
             const RefusedGroups &refused)
      : Code(program), Plan(plan) {
    for (std::size_t i = 0; i < plan.kernels.size(); ++i)
      if (plan.kernels[i].launches.size() > 1 && refused.count(i) == 0)
        Fused.push_back(i);
  }

  /// Adds the call if its statements have groups, all of which its function has
  /// too.
  void keep(std::size_t number, KeptCalls &kept) const {
    const Replacement &call = Code.replaced[number];
    std::map<std::size_t, std::size_t> found;
    for (const std::size_t group : Fused) {
      const std::vector<LaunchId> &launches = Plan.kernels[group].launches;
      const auto inside =
          std::count_if(launches.begin(), launches.end(),
                        [&](LaunchId each) { return isIn(call, each); });
      if (inside == 0)
        continue;
      const std::optional<std::size_t> own = sameIn(call, group);
      if (static_cast<std::size_t>(inside) != launches.size() || !own)
        return;
      found[group] = *own;
    }
    if (found.empty())
      return;
    kept.replacements.insert(number);
    kept.groups.merge(found);
  }

private:
  bool isIn(const Replacement &call, LaunchId launch) const {
    const SourceRange &range = Code[launch].range;
    return range.file == 0 && call.range.begin <= range.begin &&
           range.end <= call.range.end;
  }

  /// Returns the group of the call's function that fuses what `group` does.
  std::optional<std::size_t> sameIn(const Replacement &call,
                                    std::size_t group) const {
    for (const std::size_t own : Fused) {
      const std::vector<LaunchId> &launches = Plan.kernels[own].launches;
      const bool isOwn =
          std::all_of(launches.begin(), launches.end(), [&](LaunchId each) {
            return Code[rootOf(Code, Code[each].region)].function ==
                       call.callOf &&
                   !isIn(call, each);
          });
      if (isOwn && isSame(Plan.kernels[own], Plan.kernels[group]))
        return own;
    }
    return std::nullopt;
  }

  bool isSame(const FusedKernel &own, const FusedKernel &copy) const {
    return own.schedule == copy.schedule && unstored(own) == unstored(copy) &&
           std::equal(own.launches.begin(), own.launches.end(),
                      copy.launches.begin(), copy.launches.end(),
                      [this](LaunchId lhs, LaunchId rhs) {
                        return placeOf(lhs) == placeOf(rhs);
                      }) &&
           std::all_of(
               own.conditions.begin(), own.conditions.end(),
               [&](const Condition &each) { return mayHold(each, own, copy); });
  }

  /// Checks whether the function's test can hold for this call. One that the
  /// call's own group doesn't need is known to, except that arrays which meet
  /// there may be one.
  bool mayHold(const Condition &condition, const FusedKernel &own,
               const FusedKernel &copy) const {
    if (condition.kind != ConditionKind::NoOverlap)
      return true;
    const auto launchIn = [&](LaunchId launch) {
      const auto at =
          std::find(own.launches.begin(), own.launches.end(), launch);
      return copy.launches[at - own.launches.begin()];
    };
    const LaunchId first = launchIn(condition.first),
                   second = launchIn(condition.second);
    return alias(Code, Code[first].pointers[condition.firstIndex].array,
                 Code[second].pointers[condition.secondIndex].array) ==
               Alias::Never ||
           std::any_of(copy.conditions.begin(), copy.conditions.end(),
                       [&](const Condition &each) {
                         return each.kind == condition.kind &&
                                each.first == first && each.second == second &&
                                each.firstIndex == condition.firstIndex &&
                                each.secondIndex == condition.secondIndex;
                       });
  }

  static std::ptrdiff_t unstored(const FusedKernel &kernel) {
    return std::count_if(kernel.placements.begin(), kernel.placements.end(),
                         [](const Placement &each) {
                           return each.kind == PlacementKind::RegisterOnly;
                         });
  }

  /// Returns the kernel that the user launches, and where.
  std::tuple<std::string_view, std::uint32_t, std::uint32_t>
  placeOf(LaunchId launch) const {
    const SourceRange &range = Code[launch].range;
    return {originalName(Code.kernelOf(launch)), range.line, range.column};
  }

  const Program &Code;
  const FusionPlan &Plan;
  std::vector<std::size_t> Fused; ///< groups
};

} // namespace

KeptCalls keptCalls(const Program &program, const FusionPlan &plan,
                    const RefusedGroups &refused,
                    const std::set<std::size_t> &excluded) {
  KeptCalls kept;
  const CallKeeper keeper(program, plan, refused);
  for (std::size_t i = 0; i < program.replaced.size(); ++i)
    if (!program.replaced[i].callOf.empty() && excluded.count(i) == 0)
      keeper.keep(i, kept);
  return kept;
}

} // namespace kfuse
