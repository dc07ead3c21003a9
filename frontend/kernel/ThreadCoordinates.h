//===- ThreadCoordinates.h - threadIdx and its kin ------------------------===//
#ifndef KFUSE_FRONTEND_KERNEL_THREADCOORDINATES_H
#define KFUSE_FRONTEND_KERNEL_THREADCOORDINATES_H

#include "graphs/program/Polynomial.h"

#include <cstdint>
#include <optional>

namespace clang {
class DeclRefExpr;
class Expr;
class VarDecl;
} // namespace clang

namespace kfuse {

/// `threadIdx.x` and its kin.
struct Coordinate {
  SymbolKind kind;
  std::uint32_t axis;
  const clang::DeclRefExpr *object; ///< `threadIdx`
};
/// Which coordinates a variable such as `threadIdx` has.
std::optional<SymbolKind> coordinatesIn(const clang::VarDecl &variable);
std::optional<Coordinate> coordinateOf(const clang::Expr *expression);

} // namespace kfuse

#endif
