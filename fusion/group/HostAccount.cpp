//===- HostAccount.cpp - What is known where conditions are tested --------===//

#include "fusion/group/HostAccount.h"

#include "fusion/dependence/Intervals.h"

#include "fusion/dependence/Names.h"

#include <algorithm>
#include <utility>

namespace kfuse {
namespace {

std::set<LaunchId> launchesOf(const std::vector<Condition> &conditions) {
  std::set<LaunchId> launches;
  for (const Condition &condition : conditions)
    launches.insert({condition.first, condition.second});
  return launches;
}

void add(Statements &statements, Relation relation,
         const std::optional<Polynomial> &value) {
  statements.all.push_back(value ? Constraint{relation, *value} : Constraint{});
}

/// Checks whether addresses of arrays are known. They are Parameter symbols,
/// for which hosts have no other use.
bool areAddressesKnown(const Launch &launch) {
  return std::any_of(launch.given.begin(), launch.given.end(),
                     [](const KnownCondition &given) {
                       return given.statement.expression.mentions(
                           SymbolKind::Parameter);
                     });
}
std::optional<Polynomial> addressOf(const Launch &launch,
                                    std::uint32_t pointer) {
  if (pointer >= launch.pointers.size())
    return std::nullopt;
  const auto *offset =
      std::get_if<Polynomial>(&launch.pointers[pointer].offset);
  const Symbol start{SymbolKind::Parameter,
                     indexOf(launch.pointers[pointer].array)};
  return offset ? add(*offset, Polynomial(start)) : std::nullopt;
}
} // namespace

HostAccount::HostAccount(const Program &program, unsigned *effort)
    : Code(program), Effort(effort) {
  Known.terms = &program.terms;
  Known.values = &program.values;
}

Statements HostAccount::statementsOf(const Condition &condition) {
  const Launch &first = Code[condition.first];
  const Launch &second = Code[condition.second];
  Statements statements;
  const auto areEqual = [&](const Polynomial &one, const Polynomial &other) {
    add(statements, Relation::Zero, subtract(one, other));
  };
  switch (condition.kind) {
  case ConditionKind::EqualGrid:
  case ConditionKind::EqualBlock: {
    const bool isGrid = condition.kind == ConditionKind::EqualGrid;
    const LaunchConfig &one = isGrid ? first.grid : first.block;
    const LaunchConfig &other = isGrid ? second.grid : second.block;
    for (std::size_t axis = 0; axis < 3; ++axis)
      areEqual(one.extent[axis], other.extent[axis]);
    break;
  }
  case ConditionKind::UsualExtent:
    areEqual((condition.firstIndex < 3 ? first.block : first.grid)
                 .extent[condition.firstIndex % 3],
             Polynomial(condition.secondIndex));
    break;
  case ConditionKind::EqualScalar:
    areEqual(first.scalars[condition.firstIndex],
             second.scalars[condition.secondIndex]);
    break;
  case ConditionKind::AtLeast:
  case ConditionKind::WholeShares:
  case ConditionKind::LongRows:
  case ConditionKind::NoWrap: {
    const auto more = bound(condition.polynomial, first);
    const auto less = bound(condition.other, second);
    add(statements, Relation::NonNegative,
        more && less ? subtract(*more, *less) : std::nullopt);
    break;
  }
  case ConditionKind::NoOverlap:
    if (areAddressesKnown(first) || areAddressesKnown(second))
      addDisjoint(condition, statements);
    break;
  }
  return statements;
}

std::string HostAccount::valuesOf(const Condition &condition) {
  if (condition.kind == ConditionKind::NoOverlap)
    return {};
  std::vector<std::string> texts;
  for (const Constraint &one : statementsOf(condition).all) {
    if (one.expression.isZero()) // or unknown
      continue;
    const auto [more, less] = sidesOf(one.expression);
    texts.push_back(hostText(Code, *Known.terms, more) +
                    (one.relation == Relation::Zero ? " == " : " >= ") +
                    hostText(Code, *Known.terms, less));
  }
  return listText(texts);
}

void HostAccount::addShapes(const std::vector<Condition> &conditions,
                            AccountItems &items) const {
  for (const LaunchId launch : launchesOf(conditions))
    for (const LaunchConfig *shape : {&Code[launch].grid, &Code[launch].block})
      for (const Polynomial &extent : shape->extent) {
        AccountItem item;
        add(item.statements, Relation::NonNegative,
            subtract(extent, Polynomial(1)));
        if (!extent.asConstant())
          items.push_back(std::move(item));
      }
}

void HostAccount::addGiven(const std::vector<Condition> &conditions,
                           bool withGuesses, AccountItems &items) const {
  std::set<Constraint> seen;
  for (const LaunchId launch : launchesOf(conditions)) {
    for (const KnownCondition &given : Code[launch].given)
      if ((withGuesses || !given.isGuess) &&
          seen.insert(given.statement).second)
        items.push_back({{{given.statement}, {}}, given.text});
    // Facts that are sure must hold on the way to each of them.
    if (!withGuesses)
      return;
  }
}

void HostAccount::addUsual(AccountItems &items) const {
  std::set<Symbol> used;
  for (const AccountItem &item : items) {
    const std::set<Symbol> more = symbolsOf(item.statements);
    used.insert(more.begin(), more.end());
  }
  for (const Symbol symbol : used) {
    if (symbol.kind != SymbolKind::HostValue ||
        symbol.index >= Code.values.size())
      continue;
    const HostValue &value = Code.values[symbol.index];
    std::vector<Guard> choice;
    std::vector<std::string> texts;
    for (const std::int64_t usual : value.usual)
      if (const auto rest = subtract(Polynomial(symbol), Polynomial(usual))) {
        choice.push_back({{Relation::Zero, *rest}});
        texts.push_back(std::to_string(usual));
      }
    if (choice.empty())
      continue;
    AccountItem item;
    item.text = value.text + " is never anything but " + listText(texts);
    if (choice.size() == 1)
      item.statements.all = choice.front();
    else
      item.statements.choices = {std::move(choice)};
    items.push_back(std::move(item));
  }
}

AccountItems HostAccount::related(AccountItems items, std::size_t count) const {
  std::set<Symbol> used;
  AccountItems found, open;
  for (std::size_t i = 0; i < items.size(); ++i)
    (i < count ? found : open).push_back(std::move(items[i]));
  for (const AccountItem &item : found) {
    const std::set<Symbol> symbols = symbolsOf(item.statements);
    used.insert(symbols.begin(), symbols.end());
  }
  for (bool isMore = true; isMore;) {
    isMore = false;
    for (auto item = open.begin(); item != open.end();) {
      const std::set<Symbol> symbols = symbolsOf(item->statements);
      if (std::none_of(symbols.begin(), symbols.end(), [&](Symbol symbol) {
            return used.count(symbol) != 0;
          })) {
        ++item;
        continue;
      }
      used.insert(symbols.begin(), symbols.end());
      found.push_back(std::move(*item));
      item = open.erase(item);
      isMore = true;
    }
  }
  return found;
}

bool HostAccount::areContradictory(const AccountItems &items) const {
  Statements all;
  for (const AccountItem &item : items)
    all.add(item.statements);
  return isContradiction(all, Known, Effort);
}

/// Returns the first byte of `element`, or the one after it if `more` is 1.
std::optional<Polynomial>
HostAccount::byteOf(const std::optional<Polynomial> &address, const Span &span,
                    const Polynomial &element, std::int64_t more,
                    const Launch &launch) {
  const auto value = bound(element, launch);
  const auto number = value ? add(*value, Polynomial(more)) : std::nullopt;
  const auto bytes =
      number ? multiply(*number, Polynomial(std::int64_t{span.elementBytes}))
             : std::nullopt;
  return bytes && address ? add(*bytes, *address) : std::nullopt;
}

/// Adds that one of two ranges ends where the other begins, or before.
void HostAccount::addDisjoint(const Condition &condition,
                              Statements &statements) {
  const Launch &first = Code[condition.first];
  const Launch &second = Code[condition.second];
  const auto one = addressOf(first, condition.firstIndex);
  const auto two = addressOf(second, condition.secondIndex);
  // Different allocations have different first bytes at least.
  static const std::vector<Span> Byte = {{Polynomial{}, {Polynomial{}}, 1}};
  const bool isOfBytes = isOfAllocations(condition);
  for (const Span &mine : isOfBytes ? Byte : condition.firstSpans)
    for (const Span &other : isOfBytes ? Byte : condition.secondSpans) {
      if (mine.high.empty() || other.high.empty())
        continue;
      const auto begin = byteOf(one, mine, mine.low, 0, first);
      const auto end = byteOf(one, mine, endOf(mine), 1, first);
      const auto begin2 = byteOf(two, other, other.low, 0, second);
      const auto end2 = byteOf(two, other, endOf(other), 1, second);
      if (!begin || !end || !begin2 || !end2)
        continue;
      Statements before, behind;
      add(before, Relation::NonNegative, subtract(*begin2, *end));
      add(behind, Relation::NonNegative, subtract(*begin, *end2));
      statements.choices.push_back({before.all, behind.all});
    }
}

std::set<Symbol> HostAccount::symbolsOf(const Statements &statements) const {
  std::set<Symbol> symbols;
  const auto collect = [&](const Guard &guard) {
    for (const Constraint &one : guard)
      for (const Symbol symbol : symbolsDeep(one.expression, *Known.terms))
        symbols.insert(symbol);
  };
  collect(statements.all);
  for (const std::vector<Guard> &choice : statements.choices)
    std::for_each(choice.begin(), choice.end(), collect);
  return symbols;
}

std::optional<Polynomial> launchValue(const Launch &launch, Symbol symbol) {
  switch (symbol.kind) {
  case SymbolKind::Parameter:
    return symbol.index < launch.scalars.size()
               ? std::optional(launch.scalars[symbol.index])
               : std::nullopt;
  case SymbolKind::BlockDim:
    return launch.block.extent[symbol.index];
  case SymbolKind::GridDim:
    return launch.grid.extent[symbol.index];
  default:
    return std::nullopt;
  }
}

/// Returns a value of the kernel's text for the launch.
std::optional<Polynomial> HostAccount::bound(const Polynomial &value,
                                             const Launch &launch) {
  const auto ofLaunch = [&](Symbol symbol) {
    return launchValue(launch, symbol);
  };
  if (!value.mentions(SymbolKind::Opaque))
    return substitute(value, ofLaunch);
  if (!Own) {
    Own = std::make_shared<TermTable>(Code.terms);
    Known.terms = Own.get();
  }
  return substituteDeep(value, *Own, ofLaunch);
}

} // namespace kfuse
