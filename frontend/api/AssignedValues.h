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
/// as initial values, and as arguments of calls. An error that OpenCL writes to
/// `&error` isn't listed.
struct AssignedValues {
  std::map<const clang::VarDecl *, std::vector<const clang::Expr *>> values;
  /// Variables that may get something else: by another name, or from code that
  /// isn't seen.
  std::set<const clang::VarDecl *> others;
  /// Variables that OpenCL gives an error, through `&error`.
  std::set<const clang::VarDecl *> received;
  /// Variables that an assignment gives a value.
  std::set<const clang::VarDecl *> reassigned;
  /// Variables whose value goes elsewhere than into a call of the runtime.
  std::set<const clang::VarDecl *> copied;

  /// Checks whether `values` has every value that `variable` ever holds.
  bool isComplete(const clang::VarDecl &variable) const;
};

/// Returns everything that the bodies of `functions`, all functions of the
/// unit, assign to variables.
AssignedValues
assignedValues(const std::vector<const clang::FunctionDecl *> &functions,
               const clang::SourceManager &sources);

} // namespace kfuse

#endif
