//===- EqualProducts.cpp - Products that compilers compute once -----------===//

#include "frontend/rewrite/EqualProducts.h"

#include "clang/AST/Expr.h"

#include <algorithm>

namespace kfuse {

using namespace clang;

namespace {

/// If there are more products, any two of them may be equal.
constexpr std::size_t MostProducts = 2048;

template <typename Names> bool isSame(const Names *one, const Names *other) {
  return !one || !other || one == other;
}

} // namespace

EqualProducts::EqualProducts(const AllProducts &products) {
  for (const auto &[product, traits] : products) {
    Known &known = Products[product];
    known.mayBeTrivial = traits.mayBeTrivial;
    known.hidesProduct = traits.hidesProduct;
    for (const std::vector<ProductTraits::Names> &call : traits.factors) {
      Factors &factors = known.calls.emplace_back();
      for (const ProductTraits::Names &names : call)
        factors.push_back(names && products.size() <= MostProducts
                              ? &*AllNames.insert(*names).first
                              : nullptr);
    }
  }
}

void EqualProducts::add(
    const std::map<const BinaryOperator *, std::uint32_t> &lines) {
  for (const auto &[operation, line] : lines)
    if (const auto product = Products.find(operation);
        product != Products.end())
      product->second.line = line;
    else
      SumLines.insert(line);
}

void EqualProducts::find(Labels &labels) const {
  for (std::size_t i = 0; i < labels.sums.size(); ++i) {
    describe(labels.products[2 * i], labels.sums[i].left);
    describe(labels.products[2 * i + 1], labels.sums[i].right);
  }
}

/// Checks whether a library call may multiply the factors.
bool EqualProducts::mayCompute(const Names *given, const Factors &product) {
  return !given ||
         std::all_of(product.begin(), product.end(), [&](const Names *factor) {
           return !factor || std::includes(given->begin(), given->end(),
                                           factor->begin(), factor->end());
         });
}

bool EqualProducts::mayBeSame(const Factors &one, const Factors &other) {
  if (one.size() != 2)
    return mayCompute(one.front(), other);
  if (other.size() != 2)
    return mayCompute(other.front(), one);
  return (isSame(one[0], other[0]) && isSame(one[1], other[1])) ||
         (isSame(one[0], other[1]) && isSame(one[1], other[0]));
}

bool EqualProducts::mayBeSame(const Known &one, const Known &other) {
  return std::any_of(
      one.calls.begin(), one.calls.end(), [&](const Factors &own) {
        return std::any_of(
            other.calls.begin(), other.calls.end(),
            [&](const Factors &each) { return mayBeSame(own, each); });
      });
}

void EqualProducts::describe(const BinaryOperator *product,
                             ProductLine &line) const {
  const auto own = Products.find(product);
  if (own == Products.end())
    return;
  line.mayBeTrivial = line.isElsewhere = own->second.mayBeTrivial;
  line.hidesProduct = own->second.hidesProduct;
  if (line.mayBeTrivial)
    line.others = SumLines;
  for (const auto &[other, known] : Products) {
    if (other == product || !mayBeSame(own->second, known))
      continue;
    if (known.line == 0)
      line.isElsewhere = true;
    else
      line.others.insert(known.line);
  }
}

} // namespace kfuse
