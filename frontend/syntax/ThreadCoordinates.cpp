//===- ThreadCoordinates.cpp - threadIdx and its kin ----------------------===//

#include "frontend/syntax/ThreadCoordinates.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

#include "llvm/ADT/StringSwitch.h"

namespace kfuse {

using namespace clang;

std::optional<SymbolKind> coordinatesIn(const VarDecl &variable) {
  if (!variable.isFileVarDecl() || !variable.getIdentifier())
    return std::nullopt;
  return llvm::StringSwitch<std::optional<SymbolKind>>(variable.getName())
      .Case("threadIdx", SymbolKind::ThreadIdx)
      .Case("blockIdx", SymbolKind::BlockIdx)
      .Case("blockDim", SymbolKind::BlockDim)
      .Case("gridDim", SymbolKind::GridDim)
      .Default(std::nullopt);
}

std::optional<Coordinate> coordinateOf(const Expr *expression) {
  const Expr *bare = expression->IgnoreParens();
  // Clang's own headers make these properties, which read an intrinsic.
  if (const auto *pseudo = dyn_cast<PseudoObjectExpr>(bare))
    bare = pseudo->getSyntacticForm()->IgnoreParens();
  if (const auto *cast = dyn_cast<ImplicitCastExpr>(bare);
      cast && cast->getCastKind() == CK_LValueToRValue)
    bare = cast->getSubExpr()->IgnoreParens();
  const Expr *base = nullptr;
  const NamedDecl *named = nullptr;
  if (const auto *member = dyn_cast<MemberExpr>(bare)) {
    base = member->getBase();
    named = member->getMemberDecl();
  } else if (const auto *property = dyn_cast<MSPropertyRefExpr>(bare)) {
    base = property->getBaseExpr();
    named = property->getPropertyDecl();
  }
  const IdentifierInfo *name = named ? named->getIdentifier() : nullptr;
  const llvm::StringRef axis = name ? name->getName() : llvm::StringRef();
  if (axis.size() != 1 || axis[0] < 'x' || axis[0] > 'z')
    return std::nullopt;
  if (const auto *shared = dyn_cast<OpaqueValueExpr>(base);
      shared && shared->getSourceExpr())
    base = shared->getSourceExpr();
  const auto *reference = dyn_cast<DeclRefExpr>(base->IgnoreParenImpCasts());
  if (!reference)
    return std::nullopt;
  const auto *variable = dyn_cast<VarDecl>(reference->getDecl());
  const auto kind = variable ? coordinatesIn(*variable) : std::nullopt;
  if (!kind)
    return std::nullopt;
  return Coordinate{*kind, static_cast<std::uint32_t>(axis[0] - 'x'), reference,
                    named};
}

/// Returns the name of the function of OpenCL that is called, or an empty one.
static llvm::StringRef openClFunction(const CallExpr &call) {
  const FunctionDecl *callee = call.getDirectCallee();
  return callee && callee->getIdentifier() && !callee->hasBody() &&
                 callee->getASTContext().getLangOpts().OpenCL
             ? callee->getName()
             : llvm::StringRef();
}

bool isOfWholeGroup(const CallExpr &call) {
  return llvm::StringSwitch<bool>(openClFunction(call))
      .Cases("get_group_id", "get_num_groups", "get_local_size",
             "get_global_size", "get_global_offset", true)
      .Default(false);
}

bool isWorkItemFunction(const CallExpr &call) {
  return isOfWholeGroup(call) ||
         llvm::StringSwitch<bool>(openClFunction(call))
             .Cases("get_global_id", "get_local_id", "get_local_linear_id",
                    "get_global_linear_id", true)
             .Default(false);
}

} // namespace kfuse
