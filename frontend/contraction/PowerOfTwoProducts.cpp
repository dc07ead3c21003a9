//===- PowerOfTwoProducts.cpp - Products with powers of two ---------------===//

#include "frontend/contraction/PowerOfTwoProducts.h"

#include "frontend/contraction/FunctionFacts.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"

namespace kfuse {

using namespace clang;

namespace {

/// Returns log2 of a power of two that compilers know, whatever its sign.
std::optional<int> exponentOf(const Expr &number, const ASTContext &ast) {
  llvm::APFloat value(0.0);
  if (number.isValueDependent() || !number.EvaluateAsFloat(value, ast) ||
      value.getExactLog2Abs() == INT_MIN)
    return std::nullopt;
  return value.getExactLog2Abs();
}

/// Checks whether `number` was an integer, so that none but zero is below one.
bool isWhole(const Expr &number) {
  const auto *converted = dyn_cast<CastExpr>(sameValue(&number));
  if (!converted)
    return false;
  return converted->getCastKind() == CK_IntegralToFloating ||
         (converted->getCastKind() == CK_FloatingCast &&
          isWhole(*converted->getSubExpr()));
}

/// Checks whether `number` has a value of `type`, represented in a wider type.
bool isWidened(const Expr &number, QualType type, const ASTContext &ast) {
  const auto *converted = dyn_cast<CastExpr>(number.IgnoreParens());
  if (converted && converted->getCastKind() == CK_FloatingCast)
    return ast.hasSameUnqualifiedType(converted->getSubExpr()->getType(), type);
  llvm::APFloat value(0.0);
  bool losesInfo = true;
  if (!number.isValueDependent() && number.EvaluateAsFloat(value, ast))
    value.convert(ast.getFloatTypeSemantics(type),
                  llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return !losesInfo;
}

} // namespace

std::optional<Scaling> scalingOf(const BinaryOperator &operation,
                                 const ASTContext &ast) {
  const BinaryOperatorKind kind = operation.getOpcode();
  const bool divides = kind == BO_Div || kind == BO_DivAssign;
  if ((!divides && kind != BO_Mul && kind != BO_MulAssign) ||
      !operation.getType()->isRealFloatingType())
    return std::nullopt;
  const Expr *left = operation.getLHS(), *right = operation.getRHS();
  if (const auto exponent = exponentOf(*right, ast))
    return Scaling{left, right, divides ? -*exponent : *exponent};
  if (const auto exponent =
          kind == BO_Mul ? exponentOf(*left, ast) : std::nullopt)
    return Scaling{right, left, *exponent};
  return std::nullopt;
}

bool isExact(const BinaryOperator &operation, const ASTContext &ast) {
  const auto scaling = scalingOf(operation, ast);
  if (!scaling || scaling->isByOne() || operation.isAssignmentOp())
    return false;
  const llvm::fltSemantics &type =
      ast.getFloatTypeSemantics(operation.getType());
  return scaling->exponent > 0 ||
         (scaling->exponent >= llvm::APFloat::semanticsMinExponent(type) &&
          isWhole(*scaling->number));
}

bool mayNarrow(const CastExpr &rounded, const ASTContext &ast) {
  const auto *product =
      dyn_cast<BinaryOperator>(sameValue(rounded.getSubExpr()));
  return product && product->getOpcode() == BO_Mul &&
         isWidened(*product->getLHS(), rounded.getType(), ast) &&
         isWidened(*product->getRHS(), rounded.getType(), ast);
}

} // namespace kfuse
