//===- Expressions.h - Texts that may be evaluated later ------------------===//
#ifndef KFUSE_FRONTEND_HOST_EXPRESSIONS_H
#define KFUSE_FRONTEND_HOST_EXPRESSIONS_H

#include "frontend/host/Model.h"

#include "clang/AST/Type.h"

#include <set>
#include <string>
#include <vector>

namespace clang {
class Expr;
class FunctionDecl;
class Stmt;
} // namespace clang

namespace kfuse {

/// A member of a record that holds an integer or a pointer.
struct RecordLeaf {
  std::string path; ///< `.grid.x`
  clang::QualType type;
};
/// In declaration order, without bases, arrays and unions.
std::vector<RecordLeaf> recordLeaves(clang::QualType record);

/// A function that is one `return` of arithmetic on its arguments.
/// Helpers that it calls may be nested `depth` deep.
inline constexpr unsigned HelperDepth = 8;
const clang::Expr *pureBody(const clang::FunctionDecl &function,
                            unsigned depth = HelperDepth);
/// Evaluating it changes nothing and calls nothing that may.
bool isPure(const clang::Expr &expression, const FileTable &files);

/// A statement that only computes: declarations and assignments of variables
/// whose values are pure.
bool isCalculation(const clang::Stmt &statement, const FileTable &files);
/// The variables that evaluating it may read, HostModel::memory() among them.
/// What functions read for themselves isn't.
std::set<VariableId> usesOf(const clang::Stmt &statement, HostModel &model);

} // namespace kfuse

#endif
