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

/// The operations that take as long as a call: of fp32, with approximations, or
/// of fp64. Other types are computed as fp32.
struct CallLength {
  double fp32 = 0, special = 0, fp64 = 0;
};

constexpr CallLength Quotient = {32, 1, 24};

CallLength lengthOf(llvm::StringRef name) {
  return llvm::StringSwitch<CallLength>(name.ends_with("f") ? name.drop_back()
                                                            : name)
      .Cases("exp", "exp2", "exp10", "expm1", {18, 1, 44})
      .Cases("log", "log2", "log10", "log1p", {50, 0, 90})
      .Cases("sin", "cos", "tan", "sincos", {52, 0, 54})
      .Cases("sqrt", "hypot", "cbrt", {22, 1, 26})
      .Cases("rsqrt", "__exp", "__log", "__sin", "__cos", {2, 1, 26})
      .Cases("pow", "powr", {160, 2, 160})
      .Default({36, 1, 60});
}

Operations callOf(const CallLength &length, QualType type) {
  const Numbers numbers = numbersIn(type);
  Operations result;
  if (numbers.unit == ArithmeticUnit::Fp64) {
    result[ArithmeticUnit::Fp64] = length.fp64 * numbers.count;
  } else {
    result[ArithmeticUnit::Fp32] = length.fp32 * numbers.count;
    result[ArithmeticUnit::Special] = length.special * numbers.count;
  }
  return result;
}

} // namespace

Operations operationOn(QualType type) {
  const Numbers numbers = numbersIn(type);
  Operations result;
  result[numbers.unit] = numbers.count;
  return result;
}

Operations quotientOf(QualType type) { return callOf(Quotient, type); }

Operations operationsOf(const CallExpr &call, QualType type) {
  const FunctionDecl *callee = call.getDirectCallee();
  const IdentifierInfo *known = callee ? callee->getIdentifier() : nullptr;
  const llvm::StringRef name = known ? known->getName() : "";
  const auto single =
      llvm::StringSwitch<double>(name)
          .Cases("fmax", "fmaxf", "fmin", "fminf", "fabs", "fabsf", 1)
          .Cases("fma", "fmaf", 2)
          .Default(0);
  return single != 0 ? operationOn(type) * single
                     : callOf(lengthOf(name), type);
}

} // namespace kfuse
