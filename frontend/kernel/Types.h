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

/// The element type of an array whose elements have type `type`.
ElementType describeElement(const clang::ASTContext &ast, clang::QualType type);

/// Of an integer; of anything else that of 64 bits.
IntegerType integerType(clang::QualType type, const clang::ASTContext &ast);

/// The type as it can be written at file scope before a name; for function and
/// array pointers the spelling is abstract and can't take a name.
std::string spellType(const clang::ASTContext &ast, clang::QualType type);

/// Whether anything runs when a value of the type goes.
bool endsInCode(clang::QualType type);
/// Of the part of a variable at the path (".a.b"); void where that isn't known.
clang::QualType typeAt(const clang::VarDecl &variable, llvm::StringRef path);
/// Whether a value of the type has integers or pointers in it.
bool holdsNumbers(clang::QualType type);

} // namespace kfuse

#endif
