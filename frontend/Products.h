//===- frontend/Products.h - Which values are products --------------------===//
//
// Of one function: what the operands of its sums may be, through variables,
// arrays in registers, pointers to these and the functions it calls.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_PRODUCTS_H
#define KFUSE_FRONTEND_PRODUCTS_H

#include "frontend/KnownNumbers.h"

#include "clang/AST/Type.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <map>
#include <utility>
#include <vector>

namespace clang {
class ASTContext;
class BinaryOperator;
class CallExpr;
} // namespace clang

namespace kfuse {

/// How a sum takes a value.
struct ProductUse {
  bool isProduct = false; ///< may be a product
  bool isUnclear = false; ///< and one that it need not be contracted with
};

/// What a function returns, of its own multiplications those that are exact
/// where all are.
struct Returned {
  ProductUse use;
  std::vector<const clang::Expr *> exact;
  bool isLoaded = false; ///< or may be a parameter
};

/// What functions return, where their object holds a product or doesn't, and
/// whether they give products to what parameters refer to.
struct KnownProducts {
  std::map<std::pair<const clang::FunctionDecl *, bool>, Returned> returned;
  std::map<const clang::ParmVarDecl *, bool> given;
};

class Products {
public:
  /// With the multiplications and calls that the value may be of, what is
  /// loaded for it, and the calls in which it is loaded.
  struct Summand {
    ProductUse use;
    std::vector<const clang::Expr *> values, loads, calls;
  };

  Products(const clang::ASTContext &ast, KnownNumbers &numbers,
           const GivenValues &values, const ArgumentFacts &arguments,
           KnownProducts &known, bool objectHoldsProduct)
      : Ast(ast), Numbers(numbers), Values(values), Arguments(arguments),
        Known(known), ObjectHoldsProduct(objectHoldsProduct) {}

  Summand useOf(const clang::Expr *operand);

  /// Of the value of an argument, or a part of it; of a pointer or reference,
  /// what it leads to in the variables of the function.
  Summand useOfArgument(const clang::Expr *argument);

  ProductUse useOfCall(const clang::CallExpr &call);

  /// Compilers multiply by the inverse of a power of two, and of any number
  /// where they may approximate.
  bool isMultiplication(const clang::BinaryOperator &operation) const;

private:
  ProductUse held(const clang::VarDecl *variable, unsigned depth);
  bool mayGive(const Lent &lent) const;
  bool mayGiveProduct(const clang::ParmVarDecl &reference) const;
  template <typename Range>
  ProductUse anyOf(const Range &values, unsigned depth);
  ProductUse whole(const clang::Expr *expression, unsigned depth);
  bool areExact(std::size_t before) const;
  ProductUse call(const clang::CallExpr &call, unsigned depth);
  ProductUse noted(const clang::CallExpr &call, ProductUse use);
  ProductUse returned(const clang::CallExpr &call,
                      const clang::FunctionDecl &callee, unsigned depth);
  const Returned &returnedBy(const clang::FunctionDecl &callee,
                             bool isOfProduct);
  ProductUse use(const clang::Expr *operand, unsigned depth);
  ProductUse local(const clang::Expr *place, const clang::VarDecl *variable,
                   unsigned depth);
  ProductUse pointee(const clang::Expr *pointer, unsigned depth);
  ProductUse through(const clang::Expr *value, unsigned depth);
  static bool isNumber(const clang::Expr &value);
  bool refersToProduct(const clang::VarDecl &reference, unsigned depth);
  Summand found(ProductUse use);

  const clang::ASTContext &Ast;
  KnownNumbers &Numbers;
  const GivenValues &Values;
  const ArgumentFacts &Arguments;
  KnownProducts &Known;
  /// Variables whose values were looked at for one operand.
  llvm::SmallPtrSet<const clang::VarDecl *, 8> Followed;
  std::vector<const clang::Expr *> Reached, Loads, Calls;
  /// Names of parameters that may be products, too.
  std::vector<const clang::Expr *> Parameters;
  /// What a method's object holds isn't followed but for that.
  bool ObjectHoldsProduct;
};

} // namespace kfuse

#endif
