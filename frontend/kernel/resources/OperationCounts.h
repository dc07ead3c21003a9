//===- OperationCounts.h - Arithmetic that expressions take ---------------===//
//
// Each thread's operations, by unit. A quotient and a function count as many as
// take as long on an H200 (docs/measurements.md).
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_KERNEL_RESOURCES_OPERATIONCOUNTS_H
#define KFUSE_FRONTEND_KERNEL_RESOURCES_OPERATIONCOUNTS_H

#include "graphs/units/Operations.h"

#include "clang/AST/Type.h"

namespace clang {
class CallExpr;
} // namespace clang

namespace kfuse {

/// Returns one addition, multiplication or comparison of numbers of `type`, or
/// of the elements of its vectors.
Operations operationOn(clang::QualType type);

/// Returns a division of such numbers.
Operations quotientOf(clang::QualType type);

/// Returns the call of a function of such numbers, by its name.
Operations operationsOf(const clang::CallExpr &call, clang::QualType type);

} // namespace kfuse

#endif
