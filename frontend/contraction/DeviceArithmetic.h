//===- DeviceArithmetic.h - What device compilers make of math ------------===//
#ifndef KFUSE_FRONTEND_CONTRACTION_DEVICEARITHMETIC_H
#define KFUSE_FRONTEND_CONTRACTION_DEVICEARITHMETIC_H

#include "clang/AST/Type.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace clang {
class ASTContext;
class Expr;
class FunctionDecl;
} // namespace clang

namespace kfuse {

/// A type of numbers that are rounded, or a reference to it.
bool isFloating(clang::QualType type);

/// Whether quotients and roots of the type may be products of approximations.
bool approximates(const clang::ASTContext &ast, clang::QualType type);

/// Checks whether `divisor` is a power of two, so that dividing by it is a
/// multiplication. Returns nullopt unless it is a constant expression.
std::optional<bool> hasExactInverse(const clang::ASTContext &ast,
                                    const clang::Expr &divisor);

/// The code that a library function may become, as far as is known.
struct LibraryFunction {
  bool mayEndInProduct = true; ///< as expf, which scales its result
  bool mayBranch = true;       ///< is more than a few instructions
};

LibraryFunction libraryFunction(llvm::StringRef name);

/// Checks whether `function` isn't the program's; false for nullptr.
bool isLibraryFunction(const clang::FunctionDecl *function);

/// Checks whether `function` renames one of the library's: an instruction or a
/// few, which no sum takes a product from or gives one to.
bool wrapsLibraryFunction(const clang::FunctionDecl *function);

/// Checks whether `function` takes the bits of one number for another one, as
/// `__int_as_float` does.
bool viewsBits(const clang::FunctionDecl *function);

} // namespace kfuse

#endif
