//===- LaunchBranches.h - Branches that only launch -----------------------===//
#ifndef KFUSE_FRONTEND_REWRITE_BRANCHES_LAUNCHBRANCHES_H
#define KFUSE_FRONTEND_REWRITE_BRANCHES_LAUNCHBRANCHES_H

#include "frontend/syntax/SourceRanges.h"
#include "graphs/program/Program.h"

#include <map>
#include <vector>

namespace clang {
class CompoundStmt;
class CUDAKernelCallExpr;
class Expr;
class Stmt;
} // namespace clang

namespace kfuse {

/// Statements that only look for errors of the runtime, by where they begin.
class ErrorChecks {
public:
  explicit ErrorChecks(const Program &program);

  /// Returns the step of the check that is all of `statement`; null if it is
  /// none, or does more than assign variables that are named in it.
  const HostStep *find(const clang::Stmt &statement, FileTable &files) const;

private:
  const Program &Code;
  std::multimap<std::uint32_t, StepId> Steps;
};

/// A condition under which an arm runs, beside others.
struct ArmCondition {
  const clang::Expr *value = nullptr;
  /// The value is compared with this one, the label of a `case`.
  const clang::Expr *label = nullptr;
  bool isOpposite = false; ///< an earlier arm runs if it holds
};

/// An arm that only launches, and looks for errors behind its launches.
struct LaunchArm {
  std::vector<ArmCondition> conditions;
  std::vector<const clang::Stmt *> parts; ///< launches and checks, in order
  std::vector<const clang::CUDAKernelCallExpr *> launches;
};

/// An `if`, a chain with `else if`, or a `switch` with such arms only.
struct LaunchBranch {
  const clang::Stmt *statement = nullptr;
  std::vector<LaunchArm> arms;
  /// Launches of the block that aren't in branches: what they evaluate is
  /// evaluated whenever the branch is reached.
  std::vector<const clang::CUDAKernelCallExpr *> beside;
  /// A check stands before it, so that one more finds the errors of its own
  /// launches only.
  bool isChecked = false;
  std::size_t place = 0; ///< among the block's statements
};

/// Returns what the launch evaluates.
std::vector<const clang::Expr *>
partsOf(const clang::CUDAKernelCallExpr &launch);

/// Returns such branches of a block that has other launches or such branches.
std::vector<LaunchBranch> launchBranchesOf(const clang::CompoundStmt &block,
                                           FileTable &files,
                                           const ErrorChecks &checks);

} // namespace kfuse

#endif
