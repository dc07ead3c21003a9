//===- frontend/TurnedSigns.h - Signs that compilers move into sums -------===//
//
// Of `y + x * -c` compilers make `y - x * c`, also where the number below zero
// is a factor of a factor. They contract differences late.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_TURNEDSIGNS_H
#define KFUSE_FRONTEND_TURNEDSIGNS_H

#include "frontend/KnownNumbers.h"
#include "frontend/ValueKeys.h"

#include "llvm/ADT/SmallPtrSet.h"

#include <set>

namespace clang {
class ASTContext;
class BinaryOperator;
class UnaryOperator;
} // namespace clang

namespace kfuse {

/// What the functions of a kernel do with signs.
struct SignUses {
  /// In the memory that the kernel is given.
  using Arrays = std::set<ValueKeys::Key>;

  bool negates = false;       ///< what compilers don't know
  bool hasNegatives = false;  ///< numbers that they know
  bool takesNegative = false; ///< such a one may be a factor of a sum's product
  bool storesNegative = false;
  bool storesAnywhere = false;
  Arrays stored, loaded; ///< the latter for products of sums

  /// Whether compilers may make differences of sums.
  bool turnsSums() const;
};

/// Finds those of one function.
class TurnedSigns {
public:
  TurnedSigns(const clang::ASTContext &ast, KnownNumbers &numbers,
              const ArgumentFacts &arguments,
              const clang::FunctionDecl &function, ValueKeys &keys,
              bool isKernel, SignUses &found)
      : Ast(ast), Numbers(numbers), Arguments(arguments), Function(function),
        Values(numbers.valuesIn(function)), Keys(keys), IsKernel(isKernel),
        Found(found) {}

  /// Any expression.
  void look(const clang::Expr &value);
  void negate(const clang::UnaryOperator &operation);
  void subtract(const clang::BinaryOperator &operation);
  /// In memory.
  void store(const clang::Expr &place, const clang::Expr &value);
  /// Takes a product with a sum.
  void add(const clang::Expr &product);

  /// Whether a number below zero that compilers know may be a factor of the
  /// value, or of a factor.
  bool mayHaveNegative(const clang::Expr &value) {
    SignUses::Arrays ignored;
    return mayHaveNegative(value, ignored);
  }

private:
  using Variables = llvm::SmallPtrSet<const clang::VarDecl *, 8>;
  struct Walk {
    SignUses::Arrays &loaded;
    Variables seen;
  };

  bool mayMakeNegative(const clang::Expr &value);
  bool mayHaveNegative(const clang::Expr &value, SignUses::Arrays &loaded);
  bool mayTurn(const clang::Expr &value, Walk &walk);
  bool mayTurn(const clang::VarDecl &variable, Walk &walk);
  bool mayBeKnown(const clang::BinaryOperator &difference);
  void addVariables(const clang::Stmt &value, Variables &variables);
  bool isNegative(const clang::Expr &value) const;
  bool mayBeMinusZero(const clang::Expr &number);
  bool isFollowed(const clang::Expr &place) const;
  std::optional<ValueKeys::Key> arrayOf(const clang::Expr &place) const;

  const clang::ASTContext &Ast;
  KnownNumbers &Numbers;
  const ArgumentFacts &Arguments;
  const clang::FunctionDecl &Function;
  const GivenValues &Values;
  ValueKeys &Keys;
  bool IsKernel;
  SignUses &Found;
};

} // namespace kfuse

#endif
