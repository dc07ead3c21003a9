//===- frontend/BranchSums.h - Sums that branches may take in -------------===//
//
// Compilers may add where the sum is needed, away from its product: in the
// branch that alone reads it, or behind the branches that both end in one.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_BRANCHSUMS_H
#define KFUSE_FRONTEND_BRANCHSUMS_H

#include "frontend/ValueKeys.h"

#include <map>
#include <vector>

namespace clang {
class BinaryOperator;
class Expr;
class Stmt;
} // namespace clang

namespace kfuse {

struct GivenValues;

/// Whether it is one of floating-point numbers.
bool isSum(const clang::BinaryOperator &operation);

/// The sum that a value is, or a call that may return one; nullptr for other
/// values.
const clang::Expr *sumOf(const clang::Expr *value);

/// The sums in front of a statement that only its branches read, through
/// variables of the function.
std::vector<const clang::Expr *> sumsForBranches(const clang::Stmt &statement,
                                                 const GivenValues &known);

/// The sums that a statement assigns, by the place that gets them.
std::map<ValueKeys::Key, std::vector<const clang::Expr *>>
sumsAssigned(const clang::Stmt &statement, ValueKeys &keys);

} // namespace kfuse

#endif
