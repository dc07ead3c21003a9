//===- OpenClCalls.h - What calls of OpenCL are given ---------------------===//
#ifndef KFUSE_FRONTEND_API_OPENCLCALLS_H
#define KFUSE_FRONTEND_API_OPENCLCALLS_H

#include "clang/AST/Type.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class CallExpr;
class CXXConstructExpr;
class Expr;
class FunctionDecl;
class SourceManager;
class StringLiteral;
} // namespace clang

namespace kfuse {

bool isNull(const clang::Expr &expression, clang::ASTContext &ast);
std::optional<std::int64_t> constantOf(const clang::Expr &expression,
                                       const clang::ASTContext &ast);

/// Returns the call that makes a kernel object, or nullptr if `expression` is
/// no such call.
const clang::CallExpr *kernelCreation(const clang::Expr &expression,
                                      const clang::SourceManager &sources);
/// Returns the name of the kernel that `creation` is given, or an empty string
/// if it is no literal.
llvm::StringRef kernelNameIn(const clang::CallExpr &creation);

/// Returns the OpenCL C++ class that a type is, or refers to; empty for any
/// other.
llvm::StringRef openClClass(clang::QualType type);
/// Checks whether `type` is a buffer's handle, cl_mem or an alias of it, or a
/// cl::Buffer.
bool isBuffer(clang::QualType type);
/// The member of these that is the handle.
inline constexpr const char *HandlePath = ".object_";
/// Returns `path` as the user would write it, without the member HandlePath,
/// because an object is written for its handle.
std::string shownPath(const std::string &path);
/// Returns the path of the member of a cl::NDRange that has the size on `axis`.
std::string rangePath(unsigned axis);
inline constexpr const char *RangeDimensions = ".dimensions_";
/// Returns what a call gives the parameter `name` of kfuse's own declaration,
/// or nullptr if nothing was written.
const clang::Expr *argumentNamed(llvm::StringRef name,
                                 const clang::FunctionDecl &callee,
                                 llvm::ArrayRef<const clang::Expr *> arguments);
/// Returns the object that `expression` copies or moves, or the expression
/// itself.
const clang::Expr &copiedObject(const clang::Expr &expression);
/// Returns the string or text that `made`, a std::string, copies as a whole, or
/// nullptr.
const clang::Expr *wholeString(const clang::CXXConstructExpr &made);
/// Returns the literal that `expression` is or makes a std::string from;
/// otherwise nullptr.
const clang::StringLiteral *literalIn(const clang::Expr &expression);

/// A call that sets an argument of a kernel object.
struct ArgumentSetting {
  const clang::Expr *object = nullptr, *index = nullptr;
  /// The value it is set to, or how many bytes of local memory it has; null if
  /// it is neither.
  const clang::Expr *value = nullptr;
  bool isLocal = false;
};
/// Returns the number of bytes in `cl::Local(bytes)`; nullptr for any other
/// expression.
const clang::Expr *localBytes(const clang::Expr &argument);
std::optional<ArgumentSetting> argumentSetting(const clang::CallExpr &call,
                                               const clang::ASTContext &ast);

/// A call that launches a kernel, in either interface.
struct EnqueueCall {
  std::string obstacle; ///< why it can't be a member of K, or empty
  bool byClasses = false;
  const clang::Expr *queue = nullptr, *kernel = nullptr;
  const clang::Expr *dimensions = nullptr; ///< in C
  const clang::Expr *global = nullptr;
  const clang::Expr *local = nullptr; ///< null if none is written
  bool choosesGroups = false;         ///< the runtime does
  /// A functor's, and the types that it passes them as.
  std::optional<std::vector<const clang::Expr *>> arguments;
  std::vector<clang::QualType> types;
};
EnqueueCall enqueueCall(const clang::CallExpr &call, clang::ASTContext &ast);

/// Returns the path of an argument in the variable that has all arguments of a
/// kernel object (HostModel::argumentsOf).
std::string argumentPath(std::int64_t index);

} // namespace kfuse

#endif
