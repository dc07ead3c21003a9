//===- LocalPlaces.cpp - Values as they are, and where they stand ---------===//

#include "frontend/contraction/LocalPlaces.h"

#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"

namespace kfuse {

using namespace clang;

bool isShared(const VarDecl &variable) {
  return variable.hasAttr<CUDASharedAttr>() ||
         variable.getType().getAddressSpace() == LangAS::opencl_local;
}

const Expr *sameValue(const Expr *expression) {
  while (true) {
    expression = expression->IgnoreParens();
    if (const auto *cast = dyn_cast<CastExpr>(expression);
        cast && (cast->getCastKind() == CK_LValueToRValue ||
                 cast->getCastKind() == CK_NoOp ||
                 cast->getCastKind() == CK_ConstructorConversion))
      expression = cast->getSubExpr();
    else if (const auto *whole = dyn_cast<FullExpr>(expression))
      expression = whole->getSubExpr();
    else if (const auto *made = dyn_cast<MaterializeTemporaryExpr>(expression))
      expression = made->getSubExpr();
    else
      return expression;
  }
}

const Expr *temporaryOf(const Expr &part) {
  const auto *member = dyn_cast<MemberExpr>(&part);
  if (!member || member->isArrow())
    return nullptr;
  const Expr *whole = member->getBase()->IgnoreParens();
  return isa<MaterializeTemporaryExpr>(whole) || whole->isPRValue() ? whole
         : isa<MemberExpr>(whole) ? temporaryOf(*whole)
                                  : nullptr;
}

const VarDecl *localVariable(const Expr &place) {
  const Expr *root = place.IgnoreParens();
  while (true) {
    if (const auto *member = dyn_cast<MemberExpr>(root);
        member && !member->isArrow()) {
      root = member->getBase()->IgnoreParens();
      continue;
    }
    if (const auto *element = dyn_cast<ArraySubscriptExpr>(root)) {
      const auto *decayed =
          dyn_cast<CastExpr>(element->getBase()->IgnoreParens());
      if (!decayed || decayed->getCastKind() != CK_ArrayToPointerDecay)
        return nullptr;
      root = decayed->getSubExpr()->IgnoreParens();
      continue;
    }
    const auto *name = dyn_cast<DeclRefExpr>(root);
    const auto *variable = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
    return variable && variable->isLocalVarDeclOrParm() && !isShared(*variable)
               ? variable
               : nullptr;
  }
}

} // namespace kfuse
