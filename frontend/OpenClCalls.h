//===- frontend/OpenClCalls.h - What calls of OpenCL are given ------------===//
#ifndef KFUSE_FRONTEND_OPENCLCALLS_H
#define KFUSE_FRONTEND_OPENCLCALLS_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace clang {
class ASTContext;
class CallExpr;
class Expr;
class SourceManager;
} // namespace clang

namespace kfuse {

bool isNull(const clang::Expr &expression, clang::ASTContext &ast);
std::optional<std::int64_t> constantOf(const clang::Expr &expression,
                                       const clang::ASTContext &ast);

/// The call that makes a kernel object, or nullptr.
const clang::CallExpr *kernelCreation(const clang::Expr &expression,
                                      const clang::SourceManager &sources);
/// The name that it is given, or empty.
llvm::StringRef kernelNameIn(const clang::CallExpr &creation);

/// The path of an argument in the variable that stands for all arguments of a
/// kernel object (HostModel::argumentsOf).
std::string argumentPath(std::int64_t index);

} // namespace kfuse

#endif
