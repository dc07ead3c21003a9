//===- Rounding.h - What contraction leaves open in a kernel --------------===//
//
// CUDA compilers contract a product and a sum into one FMA, which rounds once
// instead of twice. Which sums they contract, and with which product, may
// depend on all that is around them. Without asking the compiler (driver/
// PinContractions.h) a sum is *clear* if it doesn't:
//
//   - It has one product, written in it, and what else it adds is none.
//   - Nothing else in the kernel may have that product's value.
//   - Its factors are loads, parameters and numbers, or computed from these: of
//     what is constant on one path the product moves to the others.
//   - In a loop the product changes with it; else it moves out of the loop.
//   - Nothing that is computed with branches, such as a quotient, comes between
//     them; for a difference, which is contracted late, anywhere in the kernel.
//   - The value isn't read by one arm of a branch alone, nor computed in both.
//
// All of it was measured with nvcc 13 on an H200.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_CONTRACTION_ROUNDING_H
#define KFUSE_FRONTEND_CONTRACTION_ROUNDING_H

#include "graphs/program/Kernel.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace clang {
class ASTContext;
class BinaryOperator;
class Expr;
class FunctionDecl;
} // namespace clang

namespace kfuse {

/// The inputs of products, as far as compilers may find two products equal.
struct ProductTraits {
  /// The inputs of a factor, or nullopt if they aren't known.
  using Names = std::optional<std::set<std::string>>;
  /// The factors in each of the calls; for a library call, which may multiply,
  /// its inputs.
  std::set<std::vector<Names>> factors;
  /// Compilers know a factor, which may be one or two: the product is the other
  /// factor then, or its sum with itself.
  bool mayBeTrivial = false;
  /// A product may be the other factor, so that compilers contract it in place
  /// of this one.
  bool hidesProduct = false;
};
using AllProducts = std::map<const clang::Expr *, ProductTraits>;

struct RoundingTraits {
  /// Some floating-point sum isn't clear.
  bool ambiguousSums = false;
  /// The first of these sums, or products that may become sums, if known.
  const clang::Expr *firstAmbiguous = nullptr;
  /// A sum takes a product, and there are others that might have its value, in
  /// another thread too; or it isn't clear.
  bool sharedProducts = false;
  /// Products of the function itself, each with the sum that takes it: further
  /// branches between them may keep compilers from contracting them.
  std::set<std::pair<const clang::Expr *, const clang::Expr *>> contractions;
  /// Some may be anywhere: in a loop, which may be unrolled; differences, which
  /// are contracted late.
  bool contractsAnywhere = false;
  /// Numbers are made of integers: compilers could compute them once for all
  /// that make the same.
  bool integersToFloating = false;
  /// The sums that may take a product, in the function and in all it calls that
  /// has a visible body.
  std::map<const clang::FunctionDecl *, std::set<const clang::BinaryOperator *>>
      sums;
  /// Operands of these that are no products, in any of the calls.
  std::set<const clang::Expr *> free;
  /// Operands that may be products, but are never rounded.
  std::set<const clang::Expr *> exact;
  AllProducts factors; ///< of all products, in any function
  /// All that the kernel runs was followed: the following are known.
  bool isFollowed = false;
  std::vector<RoundedProduct> products;
  std::vector<const clang::Expr *> expressions; ///< of the products
  /// The kernel's own stores to memory, without factors.
  std::map<const clang::Expr *, StoredValue> stores;
  bool adds = false;          ///< there is a sum, with or without products
  bool contractsLate = false; ///< some product is taken unless branches part it
  bool hasBranches = false;   ///< quotients and calls
};

RoundingTraits roundingTraits(const clang::ASTContext &ast,
                              const clang::FunctionDecl &function);

} // namespace kfuse

#endif
