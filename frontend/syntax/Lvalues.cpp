//===- Lvalues.cpp - What lvalues and addresses belong to -----------------===//

#include "frontend/syntax/Lvalues.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

namespace kfuse {

using namespace clang;

const ValueDecl *baseOf(const Expr &lvalue) {
  const Expr *expression = lvalue.IgnoreParenCasts();
  if (const auto *cleanups = dyn_cast<ExprWithCleanups>(expression))
    expression = cleanups->getSubExpr()->IgnoreParenCasts();
  if (const auto *temporary = dyn_cast<MaterializeTemporaryExpr>(expression))
    expression = temporary->getSubExpr()->IgnoreParenCasts();
  if (const Expr *bound = boundBy(*expression))
    return baseOf(*bound);
  if (const auto *reference = dyn_cast<DeclRefExpr>(expression)) {
    const auto *variable = dyn_cast<VarDecl>(reference->getDecl());
    if (!variable)
      return nullptr;
    if (!variable->getType()->isReferenceType())
      return variable->getCanonicalDecl();
    // A local reference is another name; any other may be anything.
    const Expr *init =
        isa<ParmVarDecl>(variable) ? nullptr : variable->getInit();
    return init && variable->isLocalVarDecl() ? baseOf(*init) : nullptr;
  }
  if (const auto *member = dyn_cast<MemberExpr>(expression)) {
    const auto *field = dyn_cast<FieldDecl>(member->getMemberDecl());
    const Expr *object = member->getBase()->IgnoreParenImpCasts();
    if (!field) // a static member
      return dyn_cast<VarDecl>(member->getMemberDecl());
    if (isa<CXXThisExpr>(object))
      return field->getType()->isReferenceType() ? nullptr : field;
    return member->isArrow() || field->getType()->isReferenceType()
               ? nullptr
               : baseOf(*object);
  }
  if (const auto *through = dyn_cast<BinaryOperator>(expression);
      through && through->getOpcode() == BO_PtrMemD)
    return baseOf(*through->getLHS());
  if (const auto *element = dyn_cast<ArraySubscriptExpr>(expression)) {
    const Expr *array = element->getBase()->IgnoreParenImpCasts();
    return array->getType()->isArrayType() ? baseOf(*array) : nullptr;
  }
  return nullptr;
}

const Expr *boundBy(const Expr &expression) {
  const auto *name = dyn_cast<DeclRefExpr>(expression.IgnoreParens());
  const auto *binding = name ? dyn_cast<BindingDecl>(name->getDecl()) : nullptr;
  return binding ? binding->getBinding() : nullptr;
}

std::vector<const Expr *> choicesOf(const Expr &lvalue) {
  const Expr *whole = &lvalue;
  while (true) {
    whole = whole->IgnoreParenCasts();
    const auto *member = dyn_cast<MemberExpr>(whole);
    const auto *element = dyn_cast<ArraySubscriptExpr>(whole);
    const auto *operation = dyn_cast<BinaryOperator>(whole);
    const auto *step = dyn_cast<UnaryOperator>(whole);
    if (const auto *choice = dyn_cast<ConditionalOperator>(whole)) {
      std::vector<const Expr *> all = choicesOf(*choice->getTrueExpr());
      for (const Expr *each : choicesOf(*choice->getFalseExpr()))
        all.push_back(each);
      return all;
    }
    if (const auto *cleanups = dyn_cast<ExprWithCleanups>(whole))
      whole = cleanups->getSubExpr();
    else if (operation && operation->isCommaOp())
      return choicesOf(*operation->getRHS());
    else if (operation && operation->isAssignmentOp())
      return choicesOf(*operation->getLHS());
    else if (operation && operation->getOpcode() == BO_PtrMemD)
      whole = operation->getLHS();
    else if (step && step->isPrefix() && step->isIncrementDecrementOp())
      return choicesOf(*step->getSubExpr());
    else if (member && !member->isArrow())
      whole = member->getBase();
    else if (element && element->getBase()
                            ->IgnoreParenImpCasts()
                            ->getType()
                            ->isArrayType())
      whole = element->getBase();
    else
      return {&lvalue};
  }
}

const Expr *addressee(const Expr &argument) {
  const auto *unary = dyn_cast<UnaryOperator>(argument.IgnoreParenCasts());
  return unary && unary->getOpcode() == UO_AddrOf ? unary->getSubExpr()
                                                  : nullptr;
}

bool pointsToNumbers(const VarDecl &variable) {
  const QualType type = variable.getType();
  return type->isPointerType() && type->getPointeeType()->isArithmeticType();
}

bool isPointer(const Expr &expression) {
  return expression.getType()->isAnyPointerType() ||
         expression.getType()->isArrayType();
}

const VarDecl *namedVariable(const Expr &lvalue) {
  const auto *name = dyn_cast<DeclRefExpr>(lvalue.IgnoreParenCasts());
  return name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
}

const Expr &withoutCleanups(const Expr &expression) {
  const Expr *result = expression.IgnoreParens();
  while (const auto *cleanups = dyn_cast<ExprWithCleanups>(result))
    result = cleanups->getSubExpr()->IgnoreParens();
  return *result;
}

} // namespace kfuse
