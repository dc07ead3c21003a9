//===- Aliasing.cpp - Names that may be one storage -----------------------===//
//
// If two names may be the same storage and a member writes through one of them,
// the fused kernel is right only if the bytes they span don't overlap. The host
// code tests that, so the spans must be computable before the launch.
//
//===----------------------------------------------------------------------===//

#include "fusion/legality/Aliasing.h"

#include "fusion/dependence/Intervals.h"
#include "fusion/dependence/Names.h"
#include "fusion/group/HostAccount.h"
#include "fusion/group/Liveness.h"
#include "fusion/group/Stages.h"
#include "graphs/program/Aliases.h"
#include "graphs/program/Storages.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace kfuse {
namespace {

/// The accesses of a stage through one of its pointers.
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

/// Returns the accesses of a footprint that matter against one that is written,
/// or not.
std::vector<std::uint32_t>
relevant(const Group &group, const Footprint &footprint, bool isOtherWritten) {
  std::vector<std::uint32_t> accesses = footprint.accesses;
  if (!isOtherWritten)
    std::erase_if(accesses, [&](std::uint32_t access) {
      return !writes(group.stages[footprint.stage].accesses[access]);
    });
  return accesses;
}

std::optional<std::vector<Span>>
spansOf(const Group &group, const Footprint &footprint, bool isOtherWritten) {
  const Program &program = group.problem->program;
  const Stage &own =
      *stageOf(*group.problem, group.stages[footprint.stage].launch,
               SymbolSpace::Kernel);
  if (footprint.pointer >= own.kernel->pointers.size() ||
      own.kernel->pointers[footprint.pointer].global)
    return std::nullopt;
  KnownFacts facts;
  facts.terms = &program.terms;
  facts.values = &program.values;
  // A test for each read of a stencil would say no more than one for all.
  std::vector<Span> spans;
  std::vector<AccessContext> contexts; ///< by span: of all accesses in it
  for (std::uint32_t number : relevant(group, footprint, isOtherWritten)) {
    auto span = spanOf(own.accesses[number], own, facts);
    if (!span)
      return std::nullopt;
    const AccessContext context = contextOf(own.accesses[number]);
    for (std::size_t i = 0; i < spans.size() && span; ++i) {
      const bool isOneContext = contexts[i] == context;
      const AccessContext common =
          isOneContext ? context : commonOf(contexts[i], context, own, facts);
      std::optional<Span> joined;
      if (kfuse::liesWithin(*span, context, spans[i], own, facts))
        joined = spans[i];
      else if (kfuse::liesWithin(spans[i], contexts[i], *span, own, facts))
        joined = span;
      else
        joined = joinSpans(spans[i], *span, common, own, facts, isOneContext);
      if (!joined)
        continue;
      spans[i] = std::move(*joined);
      contexts[i] = common;
      span.reset();
    }
    if (!span)
      continue;
    spans.push_back(std::move(*span));
    contexts.push_back(context);
  }
  return spans;
}

/// The storage and the bounds of every access, in host values: one test will do
/// for footprints that share them. Empty if they aren't known.
using Signature =
    std::vector<std::tuple<ArrayId, std::uint32_t, std::vector<Polynomial>,
                           std::vector<Polynomial>>>;
Signature signatureOf(const Group &group, const Footprint &footprint,
                      bool isOtherWritten, const KnownFacts &facts) {
  const Stage &stage = group.stages[footprint.stage];
  Signature signature;
  for (std::uint32_t number : relevant(group, footprint, isOtherWritten)) {
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

/// Memoizes what is asked of each footprint for every other one.
class Bounded {
public:
  Bounded(const Group &group, const std::vector<Footprint> &footprints)
      : Members(group), Footprints(footprints), Known(factsOf(group)) {}

  const std::optional<std::vector<Span>> &spans(std::size_t number,
                                                bool isOtherWritten) {
    auto [known, isNew] = Spans.try_emplace({number, isOtherWritten});
    if (isNew)
      known->second = spansOf(Members, Footprints[number], isOtherWritten);
    return known->second;
  }

  /// Returns the same number for the same signature; nullopt for an empty one.
  std::optional<std::size_t> signature(std::size_t number,
                                       bool isOtherWritten) {
    auto [known, isNew] = Signatures.try_emplace({number, isOtherWritten});
    if (isNew) {
      Signature found =
          signatureOf(Members, Footprints[number], isOtherWritten, Known);
      if (!found.empty())
        known->second =
            Numbers.emplace(std::move(found), Numbers.size()).first->second;
    }
    return known->second;
  }

  /// Checks whether a test of the other footprint's spans would do for this
  /// one's.
  bool liesWithin(std::size_t number, bool isOtherWritten, std::size_t other,
                  bool isOthersWritten) {
    const Footprint &own = Footprints[number];
    const auto &tested = spans(other, isOthersWritten);
    if (own.array != Footprints[other].array || !tested)
      return false;
    if (number == other && isOtherWritten == isOthersWritten)
      return true;
    const Stage &stage = Members.stages[own.stage];
    const auto accesses = relevant(Members, own, isOtherWritten);
    return std::all_of(
        accesses.begin(), accesses.end(), [&](std::uint32_t access) {
          return std::any_of(
              tested->begin(), tested->end(), [&](const Span &span) {
                const auto bound = inHostValues(span, Footprints[other]);
                return bound && kfuse::liesWithin(stage.accesses[access],
                                                  *bound, stage, Known);
              });
        });
  }

private:
  /// Returns the span, counted from the array's start.
  std::optional<Span> inHostValues(const Span &span,
                                   const Footprint &footprint) const {
    const Stage &stage = Members.stages[footprint.stage];
    const Launch &launch = Members.problem->program[stage.launch];
    const auto *offset =
        std::get_if<Polynomial>(&launch.pointers[footprint.pointer].offset);
    const auto ofLaunch = [&](Symbol symbol) {
      return launchValue(launch, symbol);
    };
    const auto bind = [&](const Polynomial &value) {
      const auto bound = value.mentions(SymbolKind::Opaque)
                             ? std::nullopt
                             : substitute(value, ofLaunch);
      return bound && offset ? add(*bound, *offset) : std::nullopt;
    };
    const auto low = bind(span.low), end = bind(endOf(span));
    return low && end ? std::optional(Span{*low, {*end}, span.elementBytes})
                      : std::nullopt;
  }

  /// A footprint, and whether the other is written.
  using Key = std::pair<std::size_t, bool>;

  const Group &Members;
  const std::vector<Footprint> &Footprints;
  KnownFacts Known;
  std::map<Key, std::optional<std::vector<Span>>> Spans;
  std::map<Key, std::optional<std::size_t>> Signatures;
  std::map<Signature, std::size_t> Numbers;
};

/// A condition, and the two footprints that it is about.
struct OverlapTest {
  std::size_t first, second;
  Condition condition;
};

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
  if (kind == ObstacleKind::RequiresRuntimeCheck) {
    obstacle.text += ", which only a run-time test can tell, and conditions "
                     "are off";
    obstacle.remedy = "allow run-time conditions";
  } else {
    obstacle.text += ", and the elements they touch can't be bounded";
    obstacle.remedy = "allocate both where the launches are, so that they can "
                      "be told apart, or promise it with --assume=no-overlap";
  }
  for (const Footprint *footprint : {&first, &second})
    obstacle.notes.push_back(
        {group.stages[footprint->stage]
             .accesses[footprint->accesses.front()]
             .access->range,
         arrayName(program, footprint->array) + " is accessed here"});
  return obstacle;
}

/// Checks whether the host can ask the driver for the allocations that both
/// pointers lead into: they are arguments, as a device variable isn't. If the
/// program computes how far an array is from another, an index may lead there.
bool canCompareAllocations(const Group &group, const Footprint &first,
                           const Footprint &second) {
  const Program &program = group.problem->program;
  const auto staysWithin = [&](const Footprint &footprint) {
    const Kernel &kernel = *group.stages[footprint.stage].kernel;
    const std::set<ArrayId> storages = storagesOf(program, footprint.array);
    return footprint.pointer < kernel.pointers.size() &&
           !kernel.pointers[footprint.pointer].global &&
           !program[footprint.array].isMeasured &&
           std::none_of(
               storages.begin(), storages.end(),
               [&](ArrayId each) { return program[each].isMeasured; });
  };
  return program.language == Language::Cuda && staysWithin(first) &&
         staysWithin(second);
}

bool mayMeet(const Program &program, ArrayId lhs, ArrayId rhs) {
  if (lhs == noneOf<ArrayId>() || rhs == noneOf<ArrayId>())
    return true;
  return lhs != rhs && alias(program, lhs, rhs) != Alias::Never;
}

} // namespace

std::optional<Obstacle>
addAliasConditions(Group &group, const std::vector<ArrayId> &forwarded,
                   const std::vector<bool> &recomputed) {
  const Program &program = group.problem->program;
  const std::vector<Footprint> footprints = footprintsOf(group);
  Bounded bounded(group, footprints);
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
  std::set<std::pair<std::size_t, std::size_t>> asked; // signatures
  std::set<std::pair<ArrayId, ArrayId>> separate;      // without bounds
  std::vector<OverlapTest> tests;
  const auto isImplied = [&](const OverlapTest &test,
                             const OverlapTest &other) {
    const auto lie = [&](std::size_t first, std::size_t second) {
      return bounded.liesWithin(test.first, footprints[test.second].isWritten,
                                first, footprints[second].isWritten) &&
             bounded.liesWithin(test.second, footprints[test.first].isWritten,
                                second, footprints[first].isWritten);
    };
    return lie(other.first, other.second) || lie(other.second, other.first);
  };
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
      const auto &firstSpans = bounded.spans(i, second.isWritten);
      const auto &secondSpans = bounded.spans(j, first.isWritten);
      if (first.array == noneOf<ArrayId>() || second.array == noneOf<ArrayId>())
        return describe(group, first, second, ObstacleKind::MayAlias);
      if (!firstSpans || !secondSpans) {
        if (group.problem->options.promised.count(condition.kind) == 0 &&
            !canCompareAllocations(group, first, second))
          return describe(group, first, second, ObstacleKind::MayAlias);
        if (!group.problem->options.mayNeed(condition.kind))
          return describe(group, first, second,
                          ObstacleKind::RequiresRuntimeCheck);
        if (separate.insert(std::minmax(first.array, second.array)).second)
          group.conditions.push_back(std::move(condition));
        continue;
      }
      if (!group.problem->options.mayNeed(condition.kind))
        return describe(group, first, second,
                        ObstacleKind::RequiresRuntimeCheck);
      const auto one = bounded.signature(i, second.isWritten);
      const auto two = bounded.signature(j, first.isWritten);
      if (one && two && !asked.insert(std::minmax(*one, *two)).second)
        continue;
      condition.firstSpans = *firstSpans;
      condition.secondSpans = *secondSpans;
      tests.push_back({i, j, std::move(condition)});
    }
  // A test that another one implies is left out.
  for (auto test = tests.begin(); test != tests.end();)
    if (std::any_of(tests.begin(), tests.end(), [&](const OverlapTest &other) {
          return &other != &*test && isImplied(*test, other);
        }))
      test = tests.erase(test);
    else
      ++test;
  for (OverlapTest &test : tests)
    if (separate.count(std::minmax(footprints[test.first].array,
                                   footprints[test.second].array)) == 0)
      group.conditions.push_back(std::move(test.condition));
  return std::nullopt;
}

} // namespace kfuse
