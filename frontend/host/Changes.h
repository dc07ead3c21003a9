//===- Changes.h - What evaluating an expression changes ------------------===//
#ifndef KFUSE_FRONTEND_HOST_CHANGES_H
#define KFUSE_FRONTEND_HOST_CHANGES_H

#include "graphs/program/Ids.h"

#include <set>
#include <vector>

namespace clang {
class Expr;
class ValueDecl;
} // namespace clang

namespace kfuse {

class HostModel;
struct HostUnit;

struct HostChanges {
  /// Variables, and members of the object that the function is one of.
  std::set<const clang::ValueDecl *> variables;
  bool others = false; ///< and what other functions or pointers may reach
  bool any() const { return others || !variables.empty(); }
};

/// Returns what evaluating the expression may change.
HostChanges changesOf(const clang::Expr &expression, const HostUnit &unit);

/// Checks whether `changes` may include one of `variables`.
bool mayReach(const HostChanges &changes, const std::set<VariableId> &variables,
              HostModel &model);

/// Why a call's text stays as it is if its arguments depend on their order.
inline constexpr char OpenOrder[] =
    "an argument changes what another one names, and C++ leaves open which "
    "comes first";

/// Checks whether the values of `expressions` may depend on their order,
/// because one changes what another names. They are evaluated in any order, as
/// a call's arguments are.
bool dependOnOrder(const std::vector<const clang::Expr *> &expressions,
                   HostUnit &unit);

} // namespace kfuse

#endif
