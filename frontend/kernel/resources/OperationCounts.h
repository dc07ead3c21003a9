//===- OperationCounts.h - Arithmetic that expressions take ---------------===//
//
// Each thread's operations, by unit. A quotient and a function are sequences of
// operations: their lengths are those of nvcc's code for sm_90, rounded.
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

/// Returns a call of a function whose result or first argument is of `type`,
/// such as an exponential.
Operations functionOn(clang::QualType type);

/// Returns the call of a function that has no effects, by its name.
Operations operationsOf(const clang::CallExpr &call);

} // namespace kfuse

#endif
