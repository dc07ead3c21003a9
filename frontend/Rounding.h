//===- frontend/Rounding.h - What contraction leaves open in a kernel -----===//
//
// CUDA compilers contract a product and a sum into one FMA, which rounds once
// instead of twice. Where a sum has one product that nothing else uses, every
// compiler contracts it, wherever the code stands. Where it has two, or where
// the product is used elsewhere too, the choice depends on the surroundings:
// measured with nvcc 13 on an H200, it may come out otherwise in a fused
// kernel, in the last bit. So it does where the compiler moves the product away
// from the sum, or the sum from the product: into the branch on which a factor
// isn't constant, out of the loop in which it stays the same (as a load may in
// a fused kernel only), behind the branches that both end in a sum; and where
// something that is computed with branches comes between. A product with a
// power of two isn't rounded, so that its uses don't matter (unless it
// overflows); beside another one, it does, and twice a product is that product
// added to itself.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_ROUNDING_H
#define KFUSE_FRONTEND_ROUNDING_H

#include <map>
#include <set>
#include <utility>

namespace clang {
class ASTContext;
class BinaryOperator;
class Expr;
class FunctionDecl;
} // namespace clang

namespace kfuse {

struct RoundingTraits {
  /// Some floating-point sum may be contracted in more than one way.
  bool ambiguousSums = false;
  /// Those that are known to be such, of the function and what it calls.
  std::set<const clang::BinaryOperator *> unclear;
  /// A sum takes a product that other statements may have too, whether they
  /// look alike or not, or is ambiguous. Without these it could be contracted
  /// otherwise.
  bool sharedProducts = false;
  /// Products of the function itself that are rounded, each with a sum or a
  /// call that takes it: further branches between them may keep compilers from
  /// contracting them.
  std::set<std::pair<const clang::Expr *, const clang::Expr *>> contractions;
  /// Some may be anywhere: in a loop, which may be unrolled; differences, which
  /// are contracted late.
  bool contractsAnywhere = false;
  /// Numbers are made of integers (frontend/MadeNumbers.h).
  bool integersToFloating = false;
  /// Of the function, what it calls, and these call, as far as that is visible,
  /// the sums that take products.
  std::map<const clang::FunctionDecl *, std::set<const clang::BinaryOperator *>>
      sums;
};

/// The traits of a function and of every visible function it calls.
RoundingTraits roundingTraits(const clang::ASTContext &ast,
                              const clang::FunctionDecl &function);

} // namespace kfuse

#endif
