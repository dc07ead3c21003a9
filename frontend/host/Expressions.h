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
/// Returns the integers and pointers in `record` in declaration order, those of
/// its bases first. Unions aren't followed, nor elements of arrays beyond the
/// first 16.
std::vector<RecordLeaf> recordLeaves(clang::QualType record);

/// The depth to which helpers are followed.
inline constexpr unsigned HelperDepth = 8;
/// Returns the value of a helper, a function that is one `return` of arithmetic
/// on its arguments; otherwise nullptr. Helpers that it calls may be nested
/// `depth` deep.
const clang::Expr *pureBody(const clang::FunctionDecl &function,
                            unsigned depth = HelperDepth);
/// Checks whether evaluating `expression` changes nothing and calls nothing
/// that may.
bool isPure(const clang::Expr &expression, const FileTable &files);

/// Checks whether `statement` only computes, in declarations and assignments of
/// variables whose values are pure.
bool isCalculation(const clang::Stmt &statement, const FileTable &files);
/// Returns the variables that evaluating `statement` may read,
/// HostModel::memory() among them. Except for helpers, it leaves out what
/// called functions read themselves.
std::set<VariableId> usesOf(const clang::Stmt &statement, HostModel &model);

} // namespace kfuse

#endif
