//===- frontend/KnownNumbers.h - What compilers know of a number ----------===//
//
// Compilers compute what they know, and move what they may: a number that is
// constant on one path (where it lies beside a product, that goes into the
// path's block, away from its sum), and one that is the same in every run of a
// loop (the product goes out of the loop).
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_KNOWNNUMBERS_H
#define KFUSE_FRONTEND_KNOWNNUMBERS_H

#include "frontend/GivenValues.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <map>

namespace clang {
class BinaryOperator;
class FunctionDecl;
class ParmVarDecl;
} // namespace clang

namespace kfuse {

/// What calls give to the parameters of the functions that they call. It may be
/// learned after a function was looked at.
struct ArgumentFacts {
  using Parameters = llvm::SmallPtrSet<const clang::ParmVarDecl *, 16>;

  Parameters product;  ///< that may be given a product
  Parameters shared;   ///< that may be given one that something else uses too
  Parameters constant; ///< that may be given a number that compilers know
  Parameters chosen;   ///< that may be given one of several such numbers
  Parameters fixed;    ///< that may be given the same in every run of a loop
  Parameters negative; ///< that may be given a product with one below zero
  /// Functions that are called in loops, and methods of what may hold a
  /// product.
  llvm::SmallPtrSet<const clang::FunctionDecl *, 16> repeated, ofProducts;

  std::size_t size() const {
    return product.size() + shared.size() + constant.size() + chosen.size() +
           fixed.size() + negative.size() + repeated.size() + ofProducts.size();
  }
};

class KnownNumbers {
public:
  explicit KnownNumbers(const ArgumentFacts &arguments)
      : Arguments(arguments) {}

  const GivenValues &valuesIn(const clang::FunctionDecl &definition) {
    return of(definition).values;
  }
  const std::vector<const clang::Expr *> &
  returnedBy(const clang::FunctionDecl &definition) {
    return of(definition).returned;
  }

  /// Whether the value depends on what the kernel is given, so that compilers
  /// don't know it on any path.
  bool isGiven(const clang::Stmt *value);

  /// Whether compilers may know the number on one path and not on another.
  bool isChosen(const clang::Expr *number) {
    return !isGiven(number) && holdsChoice(number);
  }

  /// Whether all that those who are lent a variable give to it is followed.
  bool isFollowed(const Lent &lent) {
    Variables seen;
    std::vector<const clang::Expr *> values;
    return gatherLent(lent, seen, values);
  }

  /// Whether compilers may know that the number is two or a half, though the
  /// expression is no constant.
  bool mayBeTwo(const clang::Expr &number, const clang::FunctionDecl &in);

  /// Whether the value may be the same in every run of the loop, or in every
  /// call of a function whose body that is.
  bool mayStay(const clang::Stmt *value, const clang::Stmt &loop);

private:
  using Variables = llvm::SmallPtrSet<const clang::VarDecl *, 16>;

  struct Function {
    GivenValues values;
    std::vector<const clang::Expr *> returned;
    /// That hold or lead to a number that compilers may know.
    Variables known;
  };
  struct Loop {
    llvm::DenseSet<const clang::Stmt *> parts;
    Variables changing; ///< that have another value in every run
  };

  const Function &of(const clang::FunctionDecl &definition);
  const Function *around(const clang::VarDecl &variable);
  const Loop &of(const clang::Stmt &loop);
  bool returnsGiven(const clang::FunctionDecl &callee);
  bool isVariableGiven(const clang::VarDecl &variable);
  bool areLentGiven(const Lent &lent);
  bool gatherLent(const Lent &lent, Variables &seen,
                  std::vector<const clang::Expr *> &values);
  bool holdsChoice(const clang::Stmt *value);
  bool isVariableChosen(const clang::VarDecl &variable);
  bool mayCancel(const clang::BinaryOperator &operation,
                 const clang::Stmt &loop);
  bool mayVariableStay(const clang::VarDecl &variable, const clang::Stmt &loop);

  const ArgumentFacts &Arguments;
  std::map<const clang::FunctionDecl *, Function> Functions;
  std::map<const clang::Stmt *, Loop> Loops;
  llvm::DenseMap<const clang::Decl *, bool> Chosen;
  /// Functions that are looked at, one for a call in the other.
  llvm::SmallPtrSet<const clang::FunctionDecl *, 8> Active;
  /// Variables of which it is looked up what others give to them.
  llvm::SmallPtrSet<const clang::VarDecl *, 8> ActiveLent;
};

} // namespace kfuse

#endif
