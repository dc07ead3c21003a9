//===- ThreadCoordinates.h - threadIdx and its kin ------------------------===//
#ifndef KFUSE_FRONTEND_SYNTAX_THREADCOORDINATES_H
#define KFUSE_FRONTEND_SYNTAX_THREADCOORDINATES_H

#include "graphs/program/Polynomial.h"

#include <cstdint>
#include <optional>

namespace clang {
class CallExpr;
class DeclRefExpr;
class Expr;
class NamedDecl;
class VarDecl;
} // namespace clang

namespace kfuse {

/// A coordinate such as `threadIdx.x`.
struct Coordinate {
  SymbolKind kind;
  std::uint32_t axis;
  const clang::DeclRefExpr *object; ///< `threadIdx`
  const clang::NamedDecl *member;   ///< `x`
};
/// Returns the coordinates that a variable such as `threadIdx` has; nullopt for
/// other variables.
std::optional<SymbolKind> coordinatesIn(const clang::VarDecl &variable);
std::optional<Coordinate> coordinateOf(const clang::Expr *expression);
/// Checks for a function of OpenCL that returns a coordinate or an extent.
bool isWorkItemFunction(const clang::CallExpr &call);
/// Checks for one that returns the same to all work-items of a group, for the
/// same argument.
bool isOfWholeGroup(const clang::CallExpr &call);

} // namespace kfuse

#endif
