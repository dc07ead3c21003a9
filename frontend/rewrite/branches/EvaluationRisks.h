//===- EvaluationRisks.h - What can't be evaluated in any case ------------===//
#ifndef KFUSE_FRONTEND_REWRITE_BRANCHES_EVALUATIONRISKS_H
#define KFUSE_FRONTEND_REWRITE_BRANCHES_EVALUATIONRISKS_H

#include "frontend/syntax/SourceRanges.h"

#include <set>
#include <string>

namespace clang {
class ASTContext;
class Expr;
} // namespace clang

namespace kfuse {

/// Checks whether `part` may have no value, or change what a compiler knows, if
/// it is evaluated where the user's program doesn't: `p->top`, `a / b`. What
/// has one of the texts `evaluated` is evaluated there already.
bool isRisky(const clang::Expr &part, const std::set<std::string> &evaluated,
             FileTable &files, const clang::ASTContext &ast);

} // namespace kfuse

#endif
