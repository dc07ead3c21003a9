//===- frontend/TurnedSigns.cpp - Signs that compilers move into sums -----===//

#include "frontend/TurnedSigns.h"

#include "frontend/DeviceArithmetic.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Expr.h"

#include <algorithm>

namespace kfuse {

using namespace clang;

namespace {

/// Variables whose values are followed; beyond them anything may be a factor.
constexpr unsigned MaximumVariables = 64;

} // namespace

bool TurnedSigns::isNegative(const Expr &value) const {
  llvm::APFloat number(0.0);
  return value.EvaluateAsFloat(number, Ast) && number.isNegative();
}

bool TurnedSigns::mayMakeNegative(const Expr &value) {
  if (value.isValueDependent())
    return true;
  if (!isFloating(value.getType()))
    return false;
  if (value.isEvaluatable(Ast))
    return isNegative(value);
  if (Numbers.isGiven(&value))
    return false;
  if (const auto *operation = dyn_cast<BinaryOperator>(&value))
    return operation->getOpcode() == BO_Sub ||
           operation->getOpcode() == BO_SubAssign;
  if (const auto *call = dyn_cast<CallExpr>(&value))
    return !call->getDirectCallee() || !call->getDirectCallee()->hasBody();
  if (const auto *converted = dyn_cast<CastExpr>(&value))
    return converted->getCastKind() == CK_IntegralToFloating ||
           (converted->getCastKind() == CK_LValueToRValue &&
            !isFollowed(*converted->getSubExpr()));
  return false;
}

/// Whether all that the place is given is floating-point numbers that are in
/// the text.
bool TurnedSigns::isFollowed(const Expr &place) const {
  const VarDecl *variable = localOf(&place);
  const auto *member = dyn_cast<MemberExpr>(place.IgnoreParens());
  if (!variable || !variable->isLocalVarDeclOrParm() ||
      (member &&
       cast<RecordDecl>(member->getMemberDecl()->getDeclContext())->isUnion()))
    return false;
  const auto open = Values.open.find(variable);
  return open == Values.open.end() ||
         std::all_of(open->second.begin(), open->second.end(),
                     [](const ParmVarDecl *borrower) { return borrower; });
}

bool TurnedSigns::mayHaveNegative(const Expr &product) {
  Variables seen;
  return mayTurn(product, seen);
}

bool TurnedSigns::mayTurn(const Expr &whole, Variables &seen) {
  const Expr *value = sameValue(&whole);
  if (value->isValueDependent())
    return true;
  if (!Numbers.isGiven(value))
    return isNegative(*value) || !value->isEvaluatable(Ast);
  value = sameBits(value);
  const auto mayPart = [&](const Stmt *part) {
    return mayTurn(*cast<Expr>(part), seen);
  };
  if (const auto *operation = dyn_cast<BinaryOperator>(value))
    switch (operation->getOpcode()) {
    case BO_Mul:
    case BO_Div:
      return mayPart(operation->getLHS()) || mayPart(operation->getRHS());
    case BO_Add:
    case BO_Sub:
    case BO_AddAssign:
    case BO_SubAssign:
      return false;
    default:
      return true;
    }
  if (const auto *choice = dyn_cast<AbstractConditionalOperator>(value))
    return mayPart(choice->getTrueExpr()) || mayPart(choice->getFalseExpr());
  if (const auto *list = dyn_cast<InitListExpr>(value))
    return std::any_of(list->begin(), list->end(), mayPart);
  if (const auto *call = dyn_cast<CallExpr>(value))
    return !isLibraryFunction(call->getDirectCallee()) &&
           !wrapsLibraryFunction(call->getDirectCallee());
  if (const auto *converted = dyn_cast<CastExpr>(value);
      converted && !converted->isGLValue())
    return converted->getCastKind() != CK_IntegralToFloating &&
           (converted->getCastKind() != CK_FloatingCast ||
            mayPart(converted->getSubExpr()));
  if (const VarDecl *variable = localOf(value))
    return mayTurn(*variable, seen);
  return !isGiven(*value);
}

/// Of any of its values.
bool TurnedSigns::mayTurn(const VarDecl &variable, Variables &seen) {
  const auto *parameter = dyn_cast<ParmVarDecl>(&variable);
  if (variable.hasAttr<CUDASharedAttr>() || !seen.insert(&variable).second)
    return false;
  if (seen.size() > MaximumVariables || Values.open.count(&variable) != 0 ||
      Arguments.product.count(parameter) != 0)
    return true;
  const auto values = Values.values.lookup(&variable);
  return std::any_of(values.begin(), values.end(),
                     [&](const Expr *each) { return mayTurn(*each, seen); });
}

/// Whether the place is in the memory that the kernel is given.
bool TurnedSigns::isGiven(const Expr &place) const {
  const VarDecl *variable = variableOf(rootOf(&place));
  if (!place.isGLValue() || !variable)
    return false;
  if (!variable->isLocalVarDeclOrParm())
    return !variable->getType().isConstQualified();
  if (variable->getType()->isReferenceType())
    return false;
  if (isa<ParmVarDecl>(variable))
    return IsKernel && Values.values.count(variable) == 0;
  const auto values = Values.values.lookup(variable);
  return variable->getType()->isPointerType() &&
         Values.open.count(variable) == 0 && values.size() == 1 &&
         isGiven(*values.front());
}

} // namespace kfuse
