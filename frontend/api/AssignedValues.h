//===- AssignedValues.h - What a host's variables are given ---------------===//
#ifndef KFUSE_FRONTEND_API_ASSIGNEDVALUES_H
#define KFUSE_FRONTEND_API_ASSIGNEDVALUES_H

#include <map>
#include <set>
#include <vector>

namespace clang {
class Expr;
class FunctionDecl;
class SourceManager;
class VarDecl;
} // namespace clang

namespace kfuse {

/// Everything that is assigned to variables, all over a unit: by `=` and `|=`,
/// as initial value, and of parameters what calls pass. What OpenCL says of an
/// error behind `&error` isn't listed: it is one.
struct AssignedValues {
  std::map<const clang::VarDecl *, std::vector<const clang::Expr *>> values;
  /// Those that may get something else: by another name, or from code that
  /// isn't seen.
  std::set<const clang::VarDecl *> others;
  /// Those that OpenCL gives an error, behind `&error`.
  std::set<const clang::VarDecl *> received;
  /// Those that an assignment gives a value.
  std::set<const clang::VarDecl *> reassigned;
  /// Those whose value goes elsewhere than into a call of the runtime.
  std::set<const clang::VarDecl *> copied;

  /// Whether `values` has all that the variable ever holds.
  bool isComplete(const clang::VarDecl &variable) const;
};

/// In the bodies of all functions of the unit.
AssignedValues
assignedValues(const std::vector<const clang::FunctionDecl *> &functions,
               const clang::SourceManager &sources);

} // namespace kfuse

#endif
