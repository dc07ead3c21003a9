//===- frontend/TurnedSigns.h - Signs that compilers move into sums -------===//
//
// Of `y + x * -c` compilers make `y - x * c`, also where the number below zero
// is a factor of a factor. They contract differences late.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_TURNEDSIGNS_H
#define KFUSE_FRONTEND_TURNEDSIGNS_H

#include "frontend/KnownNumbers.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace clang {
class ASTContext;
} // namespace clang

namespace kfuse {

/// Those of one function.
class TurnedSigns {
public:
  TurnedSigns(const clang::ASTContext &ast, KnownNumbers &numbers,
              const ArgumentFacts &arguments,
              const clang::FunctionDecl &function, bool isKernel)
      : Ast(ast), Numbers(numbers), Arguments(arguments),
        Values(numbers.valuesIn(function)), IsKernel(isKernel) {}

  /// Whether the value may be a number below zero that compilers know, and none
  /// of its parts or of what variables of the program are given is.
  bool mayMakeNegative(const clang::Expr &value);

  /// Whether such a number may be a factor of the product, or of a factor.
  bool mayHaveNegative(const clang::Expr &product);

private:
  using Variables = llvm::SmallPtrSet<const clang::VarDecl *, 8>;

  bool mayTurn(const clang::Expr &value, Variables &seen);
  bool mayTurn(const clang::VarDecl &variable, Variables &seen);
  bool isNegative(const clang::Expr &value) const;
  bool isFollowed(const clang::Expr &place) const;
  bool isGiven(const clang::Expr &place) const;

  const clang::ASTContext &Ast;
  KnownNumbers &Numbers;
  const ArgumentFacts &Arguments;
  const GivenValues &Values;
  bool IsKernel;
};

} // namespace kfuse

#endif
