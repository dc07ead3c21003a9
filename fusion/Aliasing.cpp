//===- fusion/Aliasing.cpp - Names that may be one storage ----------------===//
//
// Where two names may be the same storage and a member writes through one of
// them, the fused kernel is right only if the bytes they span don't overlap.
// The host code tests that, so the spans must be computable before the launch.
//
//===----------------------------------------------------------------------===//

#include "fusion/Intervals.h"
#include "fusion/Legality.h"
#include "fusion/Liveness.h"
#include "fusion/Memo.h"
#include "fusion/Names.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace kfuse {
namespace {

/// What a stage touches through one of its pointers.
struct Footprint {
  std::uint32_t stage = 0, pointer = 0;
  ArrayId array = noneOf<ArrayId>();
  std::vector<std::uint32_t> accesses; ///< into Stage::accesses
  bool isWritten = false;
};

std::vector<Footprint> footprintsOf(const Group &group) {
  std::vector<Footprint> footprints;
  for (std::uint32_t s = 0; s < group.stages.size(); ++s) {
    const std::size_t before = footprints.size();
    for (std::uint32_t a = 0; a < group.stages[s].accesses.size(); ++a) {
      const StageAccess &access = group.stages[s].accesses[a];
      auto footprint =
          std::find_if(footprints.begin() + static_cast<std::ptrdiff_t>(before),
                       footprints.end(), [&](const Footprint &other) {
                         return other.pointer == access.access->pointer;
                       });
      if (footprint == footprints.end())
        footprint = footprints.insert(
            footprint, {s, access.access->pointer, access.array, {}, false});
      footprint->accesses.push_back(a);
      footprint->isWritten |= writes(access);
    }
  }
  return footprints;
}

/// The accesses of a footprint that matter against another one.
std::vector<std::uint32_t> relevant(const Group &group,
                                    const Footprint &footprint,
                                    const Footprint &other) {
  std::vector<std::uint32_t> accesses = footprint.accesses;
  if (!other.isWritten)
    std::erase_if(accesses, [&](std::uint32_t access) {
      return !writes(group.stages[footprint.stage].accesses[access]);
    });
  return accesses;
}

std::optional<std::vector<Span>> spansOf(const Group &group,
                                         const Footprint &footprint,
                                         const Footprint &other) {
  const Program &program = group.problem->program;
  const Stage &own = *stageOf(*group.problem,
                              group.stages[footprint.stage].launch, Frame::Own);
  if (footprint.pointer >= own.kernel->pointers.size() ||
      own.kernel->pointers[footprint.pointer].global)
    return std::nullopt;
  Facts facts;
  facts.terms = &program.terms;
  facts.values = &program.values;
  // A test for each read of a stencil would say no more than one for all.
  std::vector<Span> spans;
  std::vector<const StageAccess *> firsts; ///< by span: an access in it
  for (std::uint32_t number : relevant(group, footprint, other)) {
    const StageAccess &access = own.accesses[number];
    auto span = spanOf(access, own, facts);
    if (!span)
      return std::nullopt;
    for (std::size_t i = 0; i < spans.size() && span; ++i) {
      if (firsts[i]->guard != access.guard)
        continue;
      if (auto joined = joinSpans(spans[i], *span, access, own, facts)) {
        spans[i] = std::move(*joined);
        span.reset();
      }
    }
    if (!span)
      continue;
    spans.push_back(std::move(*span));
    firsts.push_back(&access);
  }
  return spans;
}

/// What two footprints must share for one test to do for both: the storage and
/// the bounds of every access, in host values. Empty when that isn't known.
using Signature =
    std::vector<std::tuple<ArrayId, std::uint32_t, std::vector<Polynomial>,
                           std::vector<Polynomial>>>;
Signature signatureOf(const Group &group, const Footprint &footprint,
                      const Footprint &other, const Facts &facts) {
  const Stage &stage = group.stages[footprint.stage];
  Signature signature;
  for (std::uint32_t number : relevant(group, footprint, other)) {
    const StageAccess &access = stage.accesses[number];
    auto interval = intervalOf(access, stage, facts);
    if (!interval)
      return {};
    signature.emplace_back(footprint.array, access.access->elementBytes,
                           std::move(interval->low), std::move(interval->high));
  }
  std::sort(signature.begin(), signature.end());
  signature.erase(std::unique(signature.begin(), signature.end()),
                  signature.end());
  return signature;
}

Obstacle describe(const Group &group, const Footprint &first,
                  const Footprint &second, ObstacleKind kind) {
  const Program &program = group.problem->program;
  const LaunchId one = group.stages[first.stage].launch;
  const LaunchId two = group.stages[second.stage].launch;
  Obstacle obstacle;
  obstacle.kind = kind;
  obstacle.first = one;
  obstacle.second = two;
  obstacle.array = second.array;
  obstacle.text = arrayName(program, first.array) + " of " +
                  launchName(program, one) + " and " +
                  arrayName(program, second.array) + " of " +
                  launchName(program, two) + " may be the same storage";
  if (kind == ObstacleKind::NeedsCondition) {
    obstacle.text += ", which only a run-time test can tell, and conditions "
                     "are off";
    obstacle.remedy = "allow run-time conditions";
  } else {
    obstacle.text += ", and the elements they touch can't be bounded";
    obstacle.remedy = "allocate both where the launches are, so that they can "
                      "be told apart";
  }
  for (const Footprint *footprint : {&first, &second})
    obstacle.notes.push_back(
        {group.stages[footprint->stage]
             .accesses[footprint->accesses.front()]
             .access->range,
         arrayName(program, footprint->array) + " is accessed here"});
  return obstacle;
}

bool mayMeet(const Program &program, ArrayId lhs, ArrayId rhs) {
  if (lhs == noneOf<ArrayId>() || rhs == noneOf<ArrayId>())
    return true;
  return lhs != rhs && alias(program, lhs, rhs) != Alias::Never;
}

} // namespace

std::optional<Obstacle> settleAliases(Group &group,
                                      const std::vector<ArrayId> &forwarded,
                                      const std::vector<bool> &recomputed) {
  const Program &program = group.problem->program;
  const std::vector<Footprint> footprints = footprintsOf(group);
  const Facts facts = factsOf(group);
  auto isForwarded = [&](const Footprint &footprint) {
    return std::find(forwarded.begin(), forwarded.end(), footprint.array) !=
           forwarded.end();
  };
  // Within one stage memory stays as it was, but a register misses writes under
  // another name, and a store that is left out is missed by reads.
  auto misses = [&](const Footprint &footprint, const Footprint &other) {
    return isForwarded(footprint) &&
           (other.isWritten ||
            (footprint.isWritten && footprint.array != noneOf<ArrayId>() &&
             isPromisedDead(*group.problem, footprint.array)));
  };
  std::set<std::pair<Signature, Signature>> tested;
  for (std::size_t i = 0; i < footprints.size(); ++i)
    for (std::size_t j = i + 1; j < footprints.size(); ++j) {
      const Footprint &first = footprints[i];
      const Footprint &second = footprints[j];
      const bool matters =
          first.stage != second.stage || recomputed[first.stage]
              ? first.isWritten || second.isWritten
              : misses(first, second) || misses(second, first);
      if (!matters || !mayMeet(program, first.array, second.array))
        continue;
      Condition condition;
      condition.kind = ConditionKind::NoOverlap;
      condition.first = group.stages[first.stage].launch;
      condition.second = group.stages[second.stage].launch;
      condition.firstIndex = first.pointer;
      condition.secondIndex = second.pointer;
      auto firstSpans = spansOf(group, first, second);
      auto secondSpans = spansOf(group, second, first);
      if (!firstSpans || !secondSpans || first.array == noneOf<ArrayId>() ||
          second.array == noneOf<ArrayId>())
        return describe(group, first, second, ObstacleKind::MayAlias);
      if (!group.problem->options.mayNeed(condition.kind))
        return describe(group, first, second, ObstacleKind::NeedsCondition);
      Signature one = signatureOf(group, first, second, facts);
      Signature two = signatureOf(group, second, first, facts);
      const bool isKnown = !one.empty() && !two.empty();
      if (two < one)
        std::swap(one, two);
      if (isKnown && !tested.emplace(std::move(one), std::move(two)).second)
        continue;
      condition.firstSpans = std::move(*firstSpans);
      condition.secondSpans = std::move(*secondSpans);
      group.conditions.push_back(std::move(condition));
    }
  return std::nullopt;
}

} // namespace kfuse
