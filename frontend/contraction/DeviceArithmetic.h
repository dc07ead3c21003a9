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

/// Whether a division by the number is a multiplication: by a power of two. Of
/// a number that isn't a constant expression nothing is known.
std::optional<bool> hasExactInverse(const clang::ASTContext &ast,
                                    const clang::Expr &divisor);

/// What a library function becomes, for all that is known of it.
struct LibraryFunction {
  bool mayEndInProduct = true; ///< as expf, which scales its result
  bool mayBranch = true;       ///< is more than a few instructions
};

LibraryFunction libraryFunction(llvm::StringRef name);

/// Whether the function isn't the program's; nullptr isn't one.
bool isLibraryFunction(const clang::FunctionDecl *function);

/// Whether the function is its name for one of the library's: an instruction or
/// a few of its arguments, which no sum takes a product from or gives one to.
bool wrapsLibraryFunction(const clang::FunctionDecl *function);

/// Whether it takes the bits of one number for another one, as
/// `__int_as_float`.
bool viewsBits(const clang::FunctionDecl *function);

} // namespace kfuse

#endif
