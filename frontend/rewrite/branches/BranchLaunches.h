//===- BranchLaunches.h - Branches beside launches ------------------------===//
//
// What copies of launches into the arms of branches have in common.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_REWRITE_BRANCHES_BRANCHLAUNCHES_H
#define KFUSE_FRONTEND_REWRITE_BRANCHES_BRANCHLAUNCHES_H

#include "frontend/host/Unit.h"
#include "frontend/syntax/SourceMap.h"

#include "clang/AST/DeclarationName.h"

#include <set>

namespace clang {
class IfStmt;
class Stmt;
} // namespace clang

namespace kfuse {

/// Calls of kernels, and of functions that launch, as statements of a block.
class Launches {
public:
  explicit Launches(const HostUnit &unit);

  bool has(const clang::Stmt &statement) const;
  /// Checks whether `arm` is a block that launches.
  bool isIn(const clang::Stmt *arm) const;

private:
  std::set<const clang::FunctionDecl *> Launching;
};

/// Copies a range of `input` to `text`, each line but the first deeper by
/// `step`.
void copyDeeper(const std::string &input, std::uint32_t begin,
                std::uint32_t end, const std::string &step, MappedText &text);

bool isChosenAtRunTime(const clang::IfStmt &branch);

/// Names that a statement mentions, or that it declares.
struct StatementNames {
  std::set<clang::DeclarationName> mentioned, declared;
  bool isPlain = true; ///< a copy of it is the same
  bool hasStatic = false;
};
StatementNames namesOf(const clang::Stmt &statement);

} // namespace kfuse

#endif
