//===- Expressions.h - Texts that may be evaluated later ------------------===//
#ifndef KFUSE_FRONTEND_HOST_EXPRESSIONS_H
#define KFUSE_FRONTEND_HOST_EXPRESSIONS_H

#include "frontend/host/Model.h"

#include "clang/AST/Type.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace clang {
class CXXMethodDecl;
class Expr;
class FunctionDecl;
class Stmt;
class VarDecl;
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
/// The body of a helper, a function whose calls are the values of expressions.
/// It has constants of its own, if any, and one `return`. There is arithmetic
/// on arguments, on members of its object, and on what other helpers return.
struct HelperBody {
  std::vector<const clang::VarDecl *> constants; ///< each may use those before
  const clang::Expr *value = nullptr;
};
/// Returns the body of a helper; nullopt if the function isn't one. Helpers
/// that it calls may be nested `depth` deep.
std::optional<HelperBody> helperBody(const clang::FunctionDecl &function,
                                     unsigned depth = HelperDepth);
/// Checks whether `method` of a library's class reads what its object holds, as
/// `v.data()`, `p.get()` and `t.data_ptr<float>()` do.
bool isGetter(const clang::CXXMethodDecl &method);
/// Checks whether `method` is `v[i]` of a C++ library class whose elements have
/// numbers, or keys that are equal if what is written for them is.
bool isElementAccess(const clang::CXXMethodDecl &method);
/// Returns a text that is written as a key, as digits; nullopt if the key is
/// anything else.
std::optional<std::string> writtenKey(const clang::Expr &key);
/// Checks whether `function` is one of Thrust's that only computes an address:
/// `raw_pointer_cast(v.data() + n)`, `&v[n]`.
bool isDeviceAddress(const clang::FunctionDecl &function);
/// Checks whether calls of the function are values: it is a helper, a getter,
/// an access of an element or an address.
bool isValueFunction(const clang::FunctionDecl &function);
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
