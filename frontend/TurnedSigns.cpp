//===- frontend/TurnedSigns.cpp - Signs that compilers move into sums -----===//

#include "frontend/TurnedSigns.h"

#include "frontend/DeviceArithmetic.h"
#include "frontend/KernelExecutor.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"

#include <algorithm>

namespace kfuse {

using namespace clang;

namespace {

/// Variables whose values are followed; beyond them anything may be a factor.
constexpr unsigned MaximumVariables = 64;

} // namespace

bool SignUses::turnsSums() const {
  const auto isStored = [&](ValueKeys::Key array) {
    return stored.count(array) != 0;
  };
  const bool loadsStored =
      storesAnywhere ? !loaded.empty()
                     : std::any_of(loaded.begin(), loaded.end(), isStored);
  return negates ||
         (hasNegatives && (takesNegative || (storesNegative && loadsStored)));
}

void TurnedSigns::look(const Expr &value) {
  Found.hasNegatives |= mayMakeNegative(value);
}

void TurnedSigns::negate(const UnaryOperator &operation) {
  Found.negates |=
      operation.getOpcode() == UO_Minus && isFloating(operation.getType()) &&
      (operation.isValueDependent() || !operation.isEvaluatable(Ast));
}

/// `-0.0f - x` is `-x`.
void TurnedSigns::subtract(const BinaryOperator &operation) {
  Found.negates |= operation.getOpcode() == BO_Sub &&
                   isFloating(operation.getType()) &&
                   mayBeMinusZero(*operation.getLHS());
}

void TurnedSigns::store(const Expr &place, const Expr &value) {
  if (!place.getType()->isArithmeticType() && !place.getType()->isRecordType())
    return;
  if (const auto array = arrayOf(place))
    Found.stored.insert(*array);
  else
    Found.storesAnywhere = true;
  Found.storesNegative |= mayHaveNegative(value);
}

void TurnedSigns::add(const Expr &product) {
  Found.takesNegative |= mayHaveNegative(product, Found.loaded);
}

bool TurnedSigns::isNegative(const Expr &value) const {
  Expr::EvalResult result;
  if (!value.EvaluateAsRValue(result, Ast))
    return true;
  return result.Val.isFloat()
             ? result.Val.getFloat().isNegative()
             : !result.Val.isInt() || result.Val.getInt().isNegative();
}

bool TurnedSigns::mayBeMinusZero(const Expr &number) {
  const auto mayBe = [&](const Expr *value) {
    llvm::APFloat zero(0.0);
    return value->isValueDependent() ||
           (value->EvaluateAsFloat(zero, Ast) ? zero.isNegZero()
                                              : !Numbers.isGiven(value));
  };
  const VarDecl *variable = localOf(&number);
  const auto values = Values.values.lookup(variable);
  return mayBe(&number) &&
         (values.empty() || Values.open.count(variable) != 0 ||
          std::any_of(values.begin(), values.end(), mayBe));
}

/// Whether the value may be a number below zero that compilers know, and none
/// of its parts or of what variables of the program are given is.
bool TurnedSigns::mayMakeNegative(const Expr &value) {
  if (value.isValueDependent())
    return true;
  if (!isFloating(value.getType()))
    return false;
  if (value.isEvaluatable(Ast))
    return isNegative(value);
  const auto *converted = dyn_cast<CastExpr>(&value);
  if (converted && converted->getCastKind() == CK_IntegralToFloating)
    return mayHaveNegative(*converted->getSubExpr());
  if (Numbers.isGiven(&value))
    return false;
  if (const auto *operation = dyn_cast<BinaryOperator>(&value))
    return operation->getOpcode() == BO_Sub ||
           operation->getOpcode() == BO_SubAssign;
  if (const auto *call = dyn_cast<CallExpr>(&value))
    return !call->getDirectCallee() || !call->getDirectCallee()->hasBody();
  return converted && converted->getCastKind() == CK_LValueToRValue &&
         !isFollowed(*converted->getSubExpr());
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
  return Numbers.isFollowed(Values.open.lookup(variable));
}

/// It may be loaded, from arrays that are added.
bool TurnedSigns::mayHaveNegative(const Expr &value, SignUses::Arrays &loaded) {
  if (!value.getType()->isArithmeticType() && !value.getType()->isRecordType())
    return false;
  Walk walk{loaded, {}};
  return mayTurn(value, walk);
}

bool TurnedSigns::mayTurn(const Expr &whole, Walk &walk) {
  const Expr *value = sameValue(&whole);
  if (value->isValueDependent())
    return true;
  if (value->isEvaluatable(Ast))
    return isNegative(*value);
  if (value->getType()->isUnsignedIntegerOrEnumerationType() ||
      coordinateOf(value))
    return false;
  const auto mayPart = [&](const Stmt *part) {
    return mayTurn(*cast<Expr>(part), walk);
  };
  if (const auto *list = dyn_cast<InitListExpr>(value))
    return std::any_of(list->begin(), list->end(), mayPart);
  if (const auto *made = dyn_cast<CXXConstructExpr>(value))
    return !made->getConstructor()->isTrivial() ||
           std::any_of(made->arg_begin(), made->arg_end(), mayPart);
  if (const auto *choice = dyn_cast<AbstractConditionalOperator>(value))
    return mayPart(choice->getTrueExpr()) || mayPart(choice->getFalseExpr());
  if (const VarDecl *variable = localOf(value))
    return mayTurn(*variable, walk);
  if (const auto *step = dyn_cast<UnaryOperator>(value);
      step && step->isIncrementOp())
    return mayPart(step->getSubExpr());
  if (!Numbers.isGiven(value))
    return true;
  const bool isWhole = value->getType()->isIntegerType();
  value = sameBits(value);
  if (const auto *operation = dyn_cast<BinaryOperator>(value))
    switch (operation->getOpcode()) {
    case BO_Mul:
    case BO_MulAssign:
    case BO_Div:
    case BO_DivAssign:
    case BO_Rem:
    case BO_Shl:
    case BO_Shr:
      return mayPart(operation->getLHS()) || mayPart(operation->getRHS());
    case BO_Add:
    case BO_AddAssign:
      return isWhole &&
             (mayPart(operation->getLHS()) || mayPart(operation->getRHS()));
    case BO_Sub:
    case BO_SubAssign:
      return isWhole && mayBeKnown(*operation);
    default:
      return true;
    }
  if (const auto *call = dyn_cast<CallExpr>(value))
    return !isLibraryFunction(call->getDirectCallee()) &&
           !wrapsLibraryFunction(call->getDirectCallee());
  if (const auto *converted = dyn_cast<CastExpr>(value);
      converted && !converted->isGLValue())
    return converted->getCastKind() != CK_FloatingToIntegral &&
           mayPart(converted->getSubExpr());
  const auto array = arrayOf(*value);
  if (array)
    walk.loaded.insert(*array);
  return !array;
}

/// Of any of its values.
bool TurnedSigns::mayTurn(const VarDecl &variable, Walk &walk) {
  if (!walk.seen.insert(&variable).second)
    return false;
  if (walk.seen.size() > MaximumVariables || Values.open.count(&variable) != 0)
    return true;
  const auto values = Values.values.lookup(&variable);
  const auto *parameter = dyn_cast<ParmVarDecl>(&variable);
  if (parameter && !IsKernel &&
      (parameter->getDeclContext() != &Function ||
       Arguments.negative.count(parameter) != 0 ||
       Arguments.constant.count(parameter) != 0))
    return true;
  return std::any_of(values.begin(), values.end(),
                     [&](const Expr *each) { return mayTurn(*each, walk); });
}

/// Whether the difference of integers may be a number that compilers know.
bool TurnedSigns::mayBeKnown(const BinaryOperator &difference) {
  Variables left, right;
  addVariables(*difference.getLHS(), left);
  addVariables(*difference.getRHS(), right);
  return !Numbers.isGiven(difference.getLHS()) ||
         std::any_of(left.begin(), left.end(), [&](const VarDecl *variable) {
           return right.count(variable) != 0;
         });
}

/// Of what the value is computed.
void TurnedSigns::addVariables(const Stmt &value, Variables &variables) {
  const auto *name = dyn_cast<DeclRefExpr>(&value);
  const auto *variable = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
  if (variable && variables.insert(variable).second)
    for (const Expr *each : Values.values.lookup(variable))
      addVariables(*each, variables);
  for (const Stmt *part : value.children())
    if (part)
      addVariables(*part, variables);
}

/// The array in the memory that the kernel is given in which the place is;
/// nullopt for what isn't known to be in one.
std::optional<ValueKeys::Key> TurnedSigns::arrayOf(const Expr &place) const {
  const VarDecl *variable = variableOf(rootOf(&place));
  const bool isConstant = variable && !variable->isLocalVarDeclOrParm() &&
                          variable->getType().isConstQualified();
  const auto found =
      IsKernel && !isConstant ? Keys.placeOf(&place) : std::nullopt;
  return found ? found->array : std::nullopt;
}

} // namespace kfuse
