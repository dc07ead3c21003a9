//===- EqualProducts.h - Products that compilers compute once -------------===//
//
//   C[i] = a * A[i] + b;  D[i] = a * A[i] + b * B[i];
//
// Machine code may have one instruction for both products, with the line of
// either. So what a sum adds is one of its own products for sure only if the
// other one can't have that instruction's value.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_REWRITE_EQUALPRODUCTS_H
#define KFUSE_FRONTEND_REWRITE_EQUALPRODUCTS_H

#include "frontend/contraction/Rounding.h"
#include "frontend/rewrite/FmaForms.h"

namespace kfuse {

class EqualProducts {
public:
  /// Takes the traits of all products that kernels run.
  explicit EqualProducts(const AllProducts &products);

  /// Notes the lines of operations that have one of their own.
  void add(const std::map<const clang::BinaryOperator *, std::uint32_t> &lines);

  /// Tells for each product of the sums which others may have its value, when
  /// all lines were added.
  void find(Labels &labels) const;

private:
  using Names = std::set<std::string>;
  /// The names that each factor is computed from in one call; nullptr if they
  /// aren't known, and one pointer for equal sets.
  using Factors = std::vector<const Names *>;
  struct Known {
    std::vector<Factors> calls;
    bool mayBeTrivial = false, hidesProduct = false;
    std::uint32_t line = 0; ///< or 0 for none
  };

  static bool mayBeSame(const Factors &one, const Factors &other);
  static bool mayCompute(const Names *given, const Factors &product);
  static bool mayBeSame(const Known &one, const Known &other);
  void describe(const clang::BinaryOperator *product, ProductLine &line) const;

  std::set<Names> AllNames;
  std::map<const clang::Expr *, Known> Products;
  std::set<std::uint32_t> SumLines; ///< of operations that are no products
};

} // namespace kfuse

#endif
