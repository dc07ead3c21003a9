//===- Types.h - Types as spelled strings ---------------------------------===//
#ifndef KFUSE_FRONTEND_KERNEL_TYPES_H
#define KFUSE_FRONTEND_KERNEL_TYPES_H

#include "graphs/program/Program.h"

#include "clang/AST/Type.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace clang {
class ASTContext;
class VarDecl;
} // namespace clang

namespace kfuse {

/// Returns the element type of an array whose elements have type `type`.
ElementType describeElement(const clang::ASTContext &ast, clang::QualType type);

/// Returns the type of an integer, or else the signed one of 64 bits.
IntegerType integerType(clang::QualType type, const clang::ASTContext &ast);

/// Returns the type as it can be written at file scope before a name. The
/// spelling of function and array pointers is abstract and can't take a name.
std::string spellType(const clang::ASTContext &ast, clang::QualType type);

/// Checks whether any code runs when a value of `type` is destroyed.
bool endsInCode(clang::QualType type);
/// Returns the type of the part at `path` (".a.b"), or void if unknown.
clang::QualType typeAt(const clang::VarDecl &variable, llvm::StringRef path);
/// Checks whether a value of `type` has integers or pointers in it.
bool holdsNumbers(clang::QualType type);

} // namespace kfuse

#endif
