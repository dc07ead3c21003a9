//===- Conditions.cpp - Run-time tests that are worth writing -------------===//

#include "fusion/group/Conditions.h"

#include "fusion/dependence/Names.h"
#include "fusion/dependence/Statements.h"
#include "fusion/group/HostAccount.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

namespace kfuse {

/// Conditions, by kind, launches, indices and bounds.
using ConditionKeys =
    std::vector<std::tuple<ConditionKind, std::array<std::uint32_t, 4>,
                           std::vector<Polynomial>>>;
struct ConditionMemo {
  /// Why they can't hold together.
  std::map<ConditionKeys, std::optional<Obstacle>> never;
  /// Which of them don't always hold.
  std::map<ConditionKeys, std::vector<bool>> needed;
  /// Attempts to find contradictions that are left, of all groups. Then tests
  /// are taken to hold sometimes, and not always.
  unsigned effort = 10000;
};

namespace {

/// Returns what the verdict on conditions depends on.
ConditionKeys keyOf(const std::vector<Condition> &conditions) {
  ConditionKeys key;
  for (const Condition &condition : conditions) {
    std::vector<Polynomial> bounds = {condition.polynomial, condition.other};
    for (const auto *spans : {&condition.firstSpans, &condition.secondSpans})
      for (const Span &span : *spans) {
        bounds.push_back(span.low);
        bounds.insert(bounds.end(), span.high.begin(), span.high.end());
      }
    key.emplace_back(condition.kind,
                     std::array{indexOf(condition.first),
                                indexOf(condition.second), condition.firstIndex,
                                condition.secondIndex},
                     std::move(bounds));
  }
  return key;
}

double gainOf(const FusedKernel &kernel) {
  double apart = 0;
  for (const Projection &member : kernel.members)
    apart += member.seconds;
  return apart - kernel.projection.seconds;
}

std::string remedyFor(const Condition &condition) {
  switch (condition.kind) {
  case ConditionKind::EqualGrid:
  case ConditionKind::EqualBlock:
    return "launch both with one shape";
  case ConditionKind::UsualExtent:
    return "launch with a constant shape";
  case ConditionKind::EqualScalar:
    return "pass both the same value";
  case ConditionKind::NoOverlap:
    return "pass pointers to storage of their own";
  case ConditionKind::AtLeast:
  case ConditionKind::WholeShares:
    return "launch a thread for all that the other has";
  case ConditionKind::NoWrap:
    return "compute the indices in a type that holds them";
  case ConditionKind::LongRows:
    break;
  }
  return "make the rows as long as what the threads reach in them";
}

/// Returns those of contradictory items that are a contradiction already.
AccountItems coreOf(const HostAccount &account, AccountItems items) {
  for (std::size_t i = items.size(); i-- > 0;) {
    AccountItems fewer = items;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (account.areContradictory(fewer))
      items = std::move(fewer);
  }
  return items;
}

Obstacle describe(const Program &program, HostAccount &account,
                  const AccountItems &core) {
  std::vector<std::string> tests, facts;
  const Condition *first = nullptr;
  for (const AccountItem &item : core)
    if (item.condition) {
      const std::string values = account.valuesOf(*item.condition);
      tests.push_back(conditionText(program, *item.condition) +
                      (values.empty() ? "" : " (" + values + ")"));
      first = first ? first : item.condition;
    } else if (!item.text.empty()) {
      facts.push_back(item.text);
    }
  Obstacle obstacle;
  obstacle.kind = ObstacleKind::NeverHolds;
  obstacle.first = std::min(first->first, first->second);
  obstacle.second = std::max(first->first, first->second);
  obstacle.text = "the fused kernel could only run where " + listText(tests) +
                  ", which is never so" +
                  (facts.empty() ? "" : ": " + listText(facts));
  obstacle.remedy = remedyFor(*first);
  return obstacle;
}

/// Checks whether a condition holds whenever the others that are needed do.
bool isCertain(HostAccount &account, const std::vector<Condition> &conditions,
               const std::vector<bool> &isNeeded, std::size_t number) {
  const Condition &condition = conditions[number];
  if (condition.kind == ConditionKind::NoOverlap)
    return false;
  const std::vector<Statements> ways =
      negations(account.statementsOf(condition));
  return std::all_of(ways.begin(), ways.end(), [&](const Statements &way) {
    AccountItems items = {{way, {}, nullptr}};
    account.addShapes({condition}, items);
    account.addGiven({condition}, /*withGuesses=*/false, items);
    for (std::size_t i = 0; i < conditions.size(); ++i)
      if (i != number && isNeeded[i])
        items.push_back({account.statementsOf(conditions[i]), {}, nullptr});
    return account.areContradictory(account.related(std::move(items), 1));
  });
}

} // namespace

std::optional<Obstacle> whyNever(const Problem &problem,
                                 const std::vector<Condition> &conditions) {
  if (conditions.empty())
    return std::nullopt;
  ConditionMemo &memo = madeOn(problem.memos.conditions);
  const auto [known, isNew] = memo.never.try_emplace(keyOf(conditions));
  if (!isNew)
    return known->second;
  HostAccount account(problem.program, &memo.effort);
  AccountItems items;
  for (const Condition &condition : conditions)
    items.push_back({account.statementsOf(condition), {}, &condition});
  const std::size_t count = items.size();
  account.addShapes(conditions, items);
  account.addGiven(conditions, /*withGuesses=*/true, items);
  items = account.related(std::move(items), count);
  account.addUsual(items);
  if (!account.areContradictory(items))
    return std::nullopt;
  const AccountItems core = coreOf(account, std::move(items));
  // If the launches never seem to run, no test matters.
  if (std::any_of(core.begin(), core.end(), [](const AccountItem &item) {
        return item.condition != nullptr;
      }))
    known->second = describe(problem.program, account, core);
  return known->second;
}

std::vector<Condition>
withoutCertain(const Problem &problem,
               const std::vector<Condition> &conditions) {
  if (conditions.empty())
    return {};
  ConditionMemo &memo = madeOn(problem.memos.conditions);
  const auto [known, isNew] = memo.needed.try_emplace(keyOf(conditions));
  std::vector<bool> &isNeeded = known->second;
  if (isNew) {
    isNeeded.assign(conditions.size(), true);
    HostAccount account(problem.program, &memo.effort);
    for (std::size_t i = conditions.size(); i-- > 0;)
      isNeeded[i] = !isCertain(account, conditions, isNeeded, i);
  }
  std::vector<Condition> needed;
  for (std::size_t i = 0; i < conditions.size(); ++i)
    if (isNeeded[i])
      needed.push_back(conditions[i]);
  return needed;
}

std::vector<std::pair<std::size_t, Obstacle>>
excludedKernels(const Problem &problem,
                const std::vector<FusedKernel> &kernels) {
  // Among more in one region, each would have to be compared with all.
  constexpr std::size_t MostTested = 32;
  std::map<RegionId, std::vector<std::size_t>> tested;
  for (std::size_t i = 0; i < kernels.size(); ++i)
    if (!kernels[i].conditions.empty())
      tested[problem.program[kernels[i].launches.front()].region].push_back(i);
  std::vector<std::pair<std::size_t, Obstacle>> excluded;
  for (auto &[region, numbers] : tested) {
    if (numbers.size() > MostTested)
      continue;
    std::sort(numbers.begin(), numbers.end(),
              [&](std::size_t one, std::size_t other) {
                return std::pair(-gainOf(kernels[one]), one) <
                       std::pair(-gainOf(kernels[other]), other);
              });
    std::vector<std::size_t> kept;
    for (const std::size_t number : numbers) {
      std::optional<Obstacle> why;
      for (std::size_t i = 0; i < kept.size() && !why; ++i) {
        std::vector<Condition> both = kernels[kept[i]].conditions;
        both.insert(both.end(), kernels[number].conditions.begin(),
                    kernels[number].conditions.end());
        why = whyNever(problem, both);
      }
      if (why)
        excluded.emplace_back(number, *std::move(why));
      else
        kept.push_back(number);
    }
  }
  return excluded;
}

} // namespace kfuse
