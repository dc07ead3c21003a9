//===- DeferredCheck.cpp - Checks behind the launch that they check -------===//
#include "codegen/host/DeferredCheck.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

namespace kfuse {
namespace {

bool hasWord(const SourceText &source, const SourceRange &range,
             const std::set<std::string_view> &words) {
  if (!source.holds(range))
    return true;
  for (std::size_t i = tokenAt(source, range.begin);
       i < source.tokens.size() && source.tokens[i].begin < range.end; ++i)
    if (words.count(spelling(source.text, source.tokens[i])) != 0)
      return true;
  return false;
}

bool meet(const std::vector<VariableId> &lhs,
          const std::vector<VariableId> &rhs) {
  return std::any_of(lhs.begin(), lhs.end(), [&rhs](VariableId id) {
    return std::find(rhs.begin(), rhs.end(), id) != rhs.end();
  });
}

class CheckFinder {
public:
  CheckFinder(const SourceText &source, const Program &program,
              const ExecutionGraph &order, const Groups &groups,
              const LaunchPlacement &arrangement, const Names &names)
      : Source(source), Code(program), Order(order), All(groups),
        Places(arrangement.places), Unique(names) {}

  std::vector<DeferredCheck> run() {
    std::vector<DeferredCheck> result;
    std::set<RegionId> regions;
    for (const StepPlace &place : Places)
      regions.insert(place.region);
    for (const RegionId region : regions) {
      const std::vector<StepId> &steps = Code[region].steps;
      Gone.clear();
      std::vector<DeferredCheck> found;
      // From the last: a check follows those that it stands before.
      for (std::size_t i = steps.size(); i-- > 0;) {
        std::optional<DeferredCheck> made = passed({region, i});
        if (!made)
          continue;
        made->obstacle = obstacleOf({region, i}, made->place);
        if (made->obstacle.empty())
          Gone.insert(steps[i]);
        found.push_back(std::move(*made));
      }
      result.insert(result.end(), found.rbegin(), found.rend());
    }
    return result;
  }

private:
  const HostStep &stepAt(StepPlace place) const {
    return Code[Code[place.region].steps[place.step]];
  }

  /// Finds the last place to which a launch was moved past the check at `own`.
  /// Returns nullopt if no launch was, or if the step isn't a check.
  std::optional<DeferredCheck> passed(StepPlace own) const {
    const StepKind kind = stepAt(own).kind;
    if (kind != StepKind::ErrorCheck && kind != StepKind::Synchronize)
      return std::nullopt;
    std::optional<DeferredCheck> last;
    for (std::size_t i = 0; i < All.size(); ++i) {
      const bool passes =
          Places[i].region == own.region && Places[i] > own &&
          std::any_of(All[i].begin(), All[i].end(), [&](LaunchId launch) {
            return placeOf(Code, Code[launch].step) < own;
          });
      if (passes && (!last || last->place < Places[i]))
        last = {Code[own.region].steps[own.step], Places[i], i, {}};
    }
    return last;
  }

  /// Returns why the check at `own` can't go after `place`; empty if it can.
  std::string obstacleOf(StepPlace own, StepPlace place) const {
    const HostStep &check = stepAt(own);
    if (!isWhole(Source, check) ||
        !beginsStatement(Source, check.range.begin) || !standsAlone(check))
      return "it isn't a statement of its own";
    if (check.touchesEverything || check.mayLeave || !check.effects.empty())
      return "it does more than to check";
    if (check.kind == StepKind::Synchronize && isWaitedFor(own))
      return "what it waits for is read afterwards";
    if (hasJumps(Source, Code, own.region))
      return "a jump may pass over it";
    if (std::find(Places.begin(), Places.end(), own) != Places.end())
      return "a launch waits for it";
    for (std::size_t i = own.step + 1; i <= place.step; ++i) {
      const HostStep &other = stepAt({own.region, i});
      if (Gone.count(Code[own.region].steps[i]) != 0 || isPartOf(other, check))
        continue;
      const bool isTransparent =
          other.isCalculation ||
          (other.kind == StepKind::Launch && !other.touchesEverything);
      if (!isTransparent || meet(check.assigns, other.assigns) ||
          meet(check.assigns, other.uses) || meet(check.uses, other.assigns))
        return "'" + other.text + "' must follow it";
    }
    if (isRenamed(own, place))
      return "a name in it means something else behind it";
    const SourceRange &end = stepAt(place).range;
    for (std::size_t i = tokenAt(Source, check.range.begin);
         i < Source.tokens.size() && Source.tokens[i].begin < end.end; ++i)
      if (Source.tokens[i].kind == TokenKind::Directive)
        return "a preprocessing directive stands behind it";
    return {};
  }

  /// Checks whether a step declares a name that the check may mention, directly
  /// or in a macro.
  bool isRenamed(StepPlace own, StepPlace place) const {
    std::set<std::string_view> declared;
    bool isInMacro = false;
    for (std::size_t i = own.step + 1; i <= place.step; ++i)
      for (const std::string &name : stepAt({own.region, i}).declares) {
        declared.insert(name);
        isInMacro |= name == AnyName || Unique.inMacro(name);
      }
    return isInMacro || hasWord(Source, stepAt(own).range, declared);
  }

  /// Checks whether `step` is the semicolon after a macro that is a whole
  /// block.
  bool isPartOf(const HostStep &step, const HostStep &whole) const {
    return step.range.begin > whole.range.begin &&
           step.range.end <= whole.range.end && Source.at(step.range) == ";";
  }

  /// Checks that no other step has a part of the check's text, as happens if
  /// one macro makes several statements. The text without macros must be a
  /// whole statement too.
  bool standsAlone(const HostStep &check) const {
    const std::string_view text = Source.at(check.range);
    if (text.empty() || (text.back() != ';' && text.back() != '}'))
      return false;
    const std::vector<StepId> &steps = Code[check.region].steps;
    return std::all_of(steps.begin(), steps.end(), [&](StepId id) {
      const HostStep &other = Code[id];
      return &other == &check || other.range.end <= check.range.begin ||
             other.range.begin >= check.range.end || isPartOf(other, check);
    });
  }

  bool isWaitedFor(StepPlace own) const {
    const StepId step = Code[own.region].steps[own.step];
    return std::any_of(
        Order.edges.begin(), Order.edges.end(),
        [&](const OrderEdge &edge) { return Order.nodes[edge.to] == step; });
  }

  const SourceText &Source;
  const Program &Code;
  const ExecutionGraph &Order;
  const Groups &All;
  const std::vector<StepPlace> &Places;
  const Names &Unique;
  std::set<StepId> Gone; ///< of the region: checks that go
};

} // namespace

std::vector<DeferredCheck>
deferrals(const SourceText &source, const Program &program,
          const ExecutionGraph &order, const Groups &groups,
          const LaunchPlacement &arrangement, const Names &names) {
  return CheckFinder(source, program, order, groups, arrangement, names).run();
}

bool isWhole(const SourceText &source, const HostStep &step) {
  return step.editable && source.holds(step.range) &&
         step.range.begin < step.range.end && !step.range.inMacro;
}

bool hasJumps(const SourceText &source, const Program &program,
              RegionId region) {
  if (hasWord(source, program[region].range, {"case", "default"}))
    return true;
  while (program[region].parent)
    region = *program[region].parent;
  return hasWord(source, program[region].range, {"goto"});
}

} // namespace kfuse
