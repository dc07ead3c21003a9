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

/// Checks whether `type` is a floating-point type, or a reference to one.
bool isFloating(clang::QualType type);

/// Checks whether compilers may compute quotients and roots of `type` as
/// products of approximations.
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

/// Checks whether `function` renames one of the library's, which is an
/// instruction or a few. No sum takes a product from that function or gives one
/// to it.
bool wrapsLibraryFunction(const clang::FunctionDecl *function);

/// Checks whether `function` is the library's or wraps one of these.
inline bool isOfLibrary(const clang::FunctionDecl *function) {
  return isLibraryFunction(function) || wrapsLibraryFunction(function);
}

/// Checks whether `function` reads the bits of one number as another number, as
/// `__int_as_float` does.
bool viewsBits(const clang::FunctionDecl *function);

} // namespace kfuse

#endif
