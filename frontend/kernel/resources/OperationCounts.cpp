//===- OperationCounts.cpp - Arithmetic that expressions take -------------===//

#include "frontend/kernel/resources/OperationCounts.h"

#include "clang/AST/Expr.h"
#include "llvm/ADT/StringSwitch.h"

namespace kfuse {

using namespace clang;

namespace {

ArithmeticUnit unitOf(QualType number) {
  if (number->isHalfType() || number->isFloat16Type())
    return ArithmeticUnit::Half;
  if (number->isSpecificBuiltinType(BuiltinType::Double) ||
      number->isSpecificBuiltinType(BuiltinType::LongDouble))
    return ArithmeticUnit::Fp64;
  return number->isRealFloatingType() ? ArithmeticUnit::Fp32
                                      : ArithmeticUnit::Int32;
}

struct Numbers {
  ArithmeticUnit unit{};
  double count = 1;
};

Numbers numbersIn(QualType type) {
  const auto *vector = type->getAs<VectorType>();
  return vector ? Numbers{unitOf(vector->getElementType()),
                          static_cast<double>(vector->getNumElements())}
                : Numbers{unitOf(type)};
}

/// Returns operations on each of the numbers, with an approximation for each
/// that `starts` a sequence, which is of fp32 or of the unit.
Operations sequence(const Numbers &numbers, double operations, bool starts) {
  Operations result;
  const bool isHalf = numbers.unit == ArithmeticUnit::Half;
  result[isHalf && starts ? ArithmeticUnit::Fp32 : numbers.unit] =
      operations * numbers.count;
  if (starts && numbers.unit != ArithmeticUnit::Fp64)
    result[ArithmeticUnit::Special] = numbers.count;
  return result;
}

} // namespace

Operations operationOn(QualType type) {
  return sequence(numbersIn(type), 1, /*starts=*/false);
}

Operations quotientOf(QualType type) {
  const Numbers numbers = numbersIn(type);
  return sequence(numbers, numbers.unit == ArithmeticUnit::Fp64 ? 16 : 8,
                  /*starts=*/true);
}

Operations functionOn(QualType type) {
  const Numbers numbers = numbersIn(type);
  return sequence(numbers, numbers.unit == ArithmeticUnit::Fp64 ? 30 : 4,
                  /*starts=*/true);
}

Operations operationsOf(const CallExpr &call) {
  const FunctionDecl *callee = call.getDirectCallee();
  const IdentifierInfo *name = callee ? callee->getIdentifier() : nullptr;
  const auto single =
      llvm::StringSwitch<double>(name ? name->getName() : "")
          .Cases("fmax", "fmaxf", "fmin", "fminf", "fabs", "fabsf", 1)
          .Cases("fma", "fmaf", 2)
          .Default(0);
  return single != 0 ? operationOn(call.getType()) * single
                     : functionOn(call.getType());
}

} // namespace kfuse
