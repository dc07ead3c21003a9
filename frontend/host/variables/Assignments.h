//===- Assignments.h - What variables are given in a unit -----------------===//
#ifndef KFUSE_FRONTEND_HOST_VARIABLES_ASSIGNMENTS_H
#define KFUSE_FRONTEND_HOST_VARIABLES_ASSIGNMENTS_H

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace clang {
class CallExpr;
class Expr;
class FunctionDecl;
class ValueDecl;
} // namespace clang

namespace kfuse {

struct HostUnit;

/// A variable, and a path such as `.grid.x`; or a member of `this` with the
/// path behind it, which stands for that of any object of the class.
using VariablePart = std::pair<const clang::ValueDecl *, std::string>;

/// The values that a unit's functions give variables, in no order: by `=`, as
/// initial values, also in constructors, and as arguments of calls.
struct Assignments {
  std::map<VariablePart, std::vector<const clang::Expr *>> given;
  /// Variables that may get something else.
  std::set<const clang::ValueDecl *> others;
  /// The calls of each function definition.
  std::map<const clang::FunctionDecl *, std::vector<const clang::CallExpr *>>
      calls;
  bool hasMain = false;

  /// Checks whether all assignments of `variable` may be in the unit. That
  /// isn't certain, since pointers may lead to it and other files may name it.
  bool isOwn(const clang::ValueDecl &variable) const;
};
Assignments assignmentsOf(const HostUnit &unit);

/// Returns `expression` without the nodes that wrap temporaries and default
/// values.
const clang::Expr &plainValue(const clang::Expr &expression);
/// Returns the part of a variable that the lvalue `expression` is, if any.
std::optional<VariablePart> partOf(const clang::Expr &expression);

} // namespace kfuse

#endif
