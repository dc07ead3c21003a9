//===- frontend/ErrorConditions.cpp - Conditions that hold after an error -===//

#include "frontend/ErrorConditions.h"

#include "frontend/Callees.h"
#include "frontend/HostScan.h"

#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"

namespace kfuse {

using namespace clang;

namespace {

const Expr &core(const Expr &expression) {
  const Expr *result = &expression;
  while (true) {
    const Expr *next = result->IgnoreParenCasts();
    if (const auto *cleanups = dyn_cast<ExprWithCleanups>(next))
      next = cleanups->getSubExpr();
    if (const auto *comma = dyn_cast<BinaryOperator>(next);
        comma && comma->getOpcode() == BO_Comma)
      next = comma->getRHS();
    if (next == result)
      return *result;
    result = next;
  }
}

/// Of the runtime's type for what its calls return.
bool isError(const Expr &expression) {
  const auto *type = core(expression).getType()->getAs<EnumType>();
  if (!type)
    return false;
  const std::string name = type->getDecl()->getNameAsString();
  return name == "cudaError" || name == "cudaError_t" ||
         name == "cudaError_enum";
}

/// cudaSuccess, or the number that it is.
bool isSuccess(const Expr &expression) {
  const Expr &value = core(expression);
  if (const auto *number = dyn_cast<IntegerLiteral>(&value))
    return number->getValue() == 0;
  const auto *name = dyn_cast<DeclRefExpr>(&value);
  const auto *constant =
      name ? dyn_cast<EnumConstantDecl>(name->getDecl()) : nullptr;
  return constant && constant->getInitVal() == 0;
}

/// Whether the condition, or its opposite, holds only after an error.
bool needsError(const Expr &condition, bool isOpposite) {
  const Expr &value = core(condition);
  if (const auto *call = dyn_cast<CallExpr>(&value);
      call && call->getDirectCallee() && call->getNumArgs() > 0 &&
      plainName(*call->getDirectCallee()) == "__builtin_expect")
    return needsError(*call->getArg(0), isOpposite);
  if (isError(value))
    return !isOpposite && !isSuccess(value);
  if (const auto *unary = dyn_cast<UnaryOperator>(&value))
    return unary->getOpcode() == UO_LNot &&
           needsError(*unary->getSubExpr(), !isOpposite);
  const auto *binary = dyn_cast<BinaryOperator>(&value);
  if (!binary)
    return false;
  const Expr &left = *binary->getLHS(), &right = *binary->getRHS();
  if (binary->isLogicalOp()) {
    const bool one = needsError(left, isOpposite);
    const bool other = needsError(right, isOpposite);
    const bool areBothNeeded = (binary->getOpcode() == BO_LAnd) != isOpposite;
    return areBothNeeded ? one || other : one && other;
  }
  const bool isComparison = (isError(left) && isSuccess(right)) ||
                            (isSuccess(left) && isError(right));
  return isComparison && binary->getOpcode() == (isOpposite ? BO_EQ : BO_NE);
}

} // namespace

bool holdsOnlyAfterError(const Expr &condition) {
  return needsError(condition, false);
}

} // namespace kfuse
