//===- CodeMotion.h - Sums that compilers leave in place ------------------===//
//
// Compilers move a sum, or its product, into another arm, loop or expression.
// Then other code is around it when it is contracted.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_CONTRACTION_CODEMOTION_H
#define KFUSE_FRONTEND_CONTRACTION_CODEMOTION_H

#include "frontend/contraction/CallTree.h"
#include "frontend/contraction/Leaves.h"

#include <utility>

namespace kfuse {

/// A product in one of the calls of its function.
struct ProductUses {
  const clang::Expr *product;
  const CallFrame *in;
};

/// Returns the place of `expression` in its function, or an empty one.
const Position &positionOf(const clang::Expr &expression, const CallFrame &in);

/// Returns the innermost loop that `sum` runs in, and its frame.
std::pair<const clang::Stmt *, const CallFrame *>
loopAround(const clang::Expr &sum, const CallFrame &in);

/// Checks whether `one` is `other`, or in one of its factors.
bool isPartOf(const ProductUses &one, const ProductUses &other);

/// Checks whether both are computed in loops of one frame that run one after
/// the other, and compilers don't know how often one of them runs. What changes
/// in that loop isn't what changes in the other.
bool areInLoopsApart(const ProductUses &one, const ProductUses &other,
                     const LeafFinder &finder);

/// Returns where `value` is computed in the text of `frame`: itself, or the
/// call that it comes from.
const clang::Expr &computedIn(const CallFrame &frame, const Source &value);

/// Checks whether no branches are computed between the product and its sum.
bool isNear(const ProductUses &product, bool isHeld, const Source &sum);

/// Checks that compilers move `sum` neither into the only arm that reads it,
/// nor after two arms that both end in sums.
bool staysInPlace(const clang::Expr &sum, const CallFrame &in,
                  const CallTree &tree);

} // namespace kfuse

#endif
