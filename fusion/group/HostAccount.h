//===- HostAccount.h - What is known where conditions are tested ----------===//
//
// Conditions, and what is known of the host's values beside them, as statements
// that can be compared.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_GROUP_HOSTACCOUNT_H
#define KFUSE_FUSION_GROUP_HOSTACCOUNT_H

#include "fusion/dependence/Contradictions.h"
#include "fusion/plan/Plan.h"
#include "graphs/program/Program.h"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace kfuse {

/// A statement that holds, or would have to.
struct AccountItem {
  Statements statements;
  std::string text; ///< empty for what goes without saying
  const Condition *condition = nullptr;
};
using AccountItems = std::vector<AccountItem>;

/// Returns the host's value of a parameter or an extent of the launch; nullopt
/// for other symbols, and if it isn't known.
std::optional<Polynomial> launchValue(const Launch &launch, Symbol symbol);

class HostAccount {
public:
  /// Makes an account whose proofs stop when `effort` comes to 0.
  explicit HostAccount(const Program &program, unsigned *effort = nullptr);

  /// Returns the statements of `condition`; for an overlap only what the
  /// launches' addresses, if known, tell.
  Statements statementsOf(const Condition &condition);
  /// Returns `n - 1 >= n`, for a condition whose own text doesn't say it.
  std::string valuesOf(const Condition &condition);

  /// Adds that the launches which the conditions compare are valid.
  void addShapes(const std::vector<Condition> &conditions,
                 AccountItems &items) const;
  /// Adds what was tested on the way to the launches.
  void addGiven(const std::vector<Condition> &conditions, bool withGuesses,
                AccountItems &items) const;
  /// Adds what the input gives the variables that the items mention.
  void addUsual(AccountItems &items) const;

  /// Returns the items that have to do with the first `count`, directly or
  /// through others.
  AccountItems related(AccountItems items, std::size_t count) const;
  bool areContradictory(const AccountItems &items) const;

private:
  std::optional<Polynomial> bound(const Polynomial &value,
                                  const Launch &launch);
  std::optional<Polynomial> byteOf(const std::optional<Polynomial> &address,
                                   const Span &span, const Polynomial &element,
                                   std::int64_t more, const Launch &launch);
  void addDisjoint(const Condition &condition, Statements &statements);
  std::set<Symbol> symbolsOf(const Statements &statements) const;

  const Program &Code;
  unsigned *Effort = nullptr;     ///< attempts that are left
  std::shared_ptr<TermTable> Own; ///< the program's and others, if need be
  KnownFacts Known;
};

} // namespace kfuse

#endif
