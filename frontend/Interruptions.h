//===- frontend/Interruptions.h - What parts a product from its sum -------===//
//
// Compilers contract within a basic block. Quotients, roots and other functions
// are many instructions, with branches among them; where such a thing stands
// between a product and its sum, the product may be left in the block before
// it. Measured with nvcc 13: sums are contracted before quotients are expanded,
// differences after that, when products and quotients that don't depend on each
// other may be in any order: in `c / d - a * b` as in `a * b - c / d`, whatever
// stands first, either may come first.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_INTERRUPTIONS_H
#define KFUSE_FRONTEND_INTERRUPTIONS_H

#include "llvm/ADT/DenseMap.h"

#include <map>
#include <vector>

namespace clang {
class ASTContext;
class Expr;
class FunctionDecl;
class Stmt;
} // namespace clang

namespace kfuse {

/// Whether parts of the statement may be left out or repeated.
bool isBranch(const clang::Stmt &statement);

/// The expressions of functions in the order of their text, with what branches
/// among them.
class Interruptions {
public:
  explicit Interruptions(const clang::ASTContext &ast) : Ast(ast) {}

  /// Whether anything branches after one expression of the function was
  /// computed, and before the other one is. In front of all is nullptr.
  bool areBetween(const clang::FunctionDecl &definition,
                  const clang::Expr *product, const clang::Expr &sum);

  /// Whether the function computes anything with branches.
  bool areComputed(const clang::FunctionDecl &definition) {
    return of(definition).isComputed;
  }

  /// Whether a branch begins after the value is computed, into which it may be
  /// moved.
  bool areLater(const clang::FunctionDecl &definition,
                const clang::Expr &value) {
    const Function &function = of(definition);
    return function.isCalled ||
           function.lastBranch > function.done.lookup(&value);
  }

  /// Branches may follow what the function returns.
  void setCalled(const clang::FunctionDecl &definition) {
    Functions[&definition].isCalled = true;
  }

private:
  struct Function {
    llvm::DenseMap<const clang::Stmt *, unsigned> done;
    std::vector<unsigned> interruptions; ///< increasing
    unsigned count = 0;
    unsigned lastBranch = 0; ///< where the last statement with one begins
    bool isComputed = false; ///< some expression is, with branches
    bool isNumbered = false, isCalled = false;
  };

  const Function &of(const clang::FunctionDecl &definition);
  void number(Function &function, const clang::Stmt &statement);
  bool branches(const clang::Stmt &computed);

  const clang::ASTContext &Ast;
  std::map<const clang::FunctionDecl *, Function> Functions;
};

} // namespace kfuse

#endif
