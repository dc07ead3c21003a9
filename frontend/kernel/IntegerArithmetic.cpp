//===- IntegerArithmetic.cpp - Integers as the hardware has them ----------===//
//
// Conversions and arithmetic of integers: what wraps, and what sees a number
// itself rather than the number modulo 2^bits.
//
//===----------------------------------------------------------------------===//

#include "frontend/kernel/Executor.h"
#include "frontend/kernel/resources/OperationCounts.h"

#include "clang/AST/ASTContext.h"

#include <algorithm>

namespace kfuse {

using namespace clang;

IntegerType KernelExecutor::integerType(QualType type) const {
  return kfuse::integerType(type, ast());
}

/// Returns a number itself, not modulo 2^bits, for operations that look at the
/// value.
IndexExpr KernelExecutor::exactly(const IndexExpr &value, QualType type) const {
  if (!type->isUnsignedIntegerOrEnumerationType() || type->isBooleanType())
    return value;
  return Arithmetic.fitted(value, integerType(type), Current.guard);
}

/// Returns a number of elements that is added to a pointer, whose 64 bits wrap
/// as those of the number do.
IndexExpr KernelExecutor::displacement(const IndexExpr &value,
                                       QualType type) const {
  if (ast().getIntWidth(type) < 64)
    return exactly(value, type);
  return Arithmetic.fitted(value, {64, false}, Current.guard);
}

/// Checks whether `value` is a loop's variable after a step. It doesn't wrap
/// because the loop ends: executeLoop().
bool KernelExecutor::isStep(const IndexExpr &value) const {
  const auto *number = std::get_if<Polynomial>(&value);
  if (!number)
    return false;
  const std::vector<Symbol> symbols = number->symbols();
  return IsStepping ||
         std::any_of(symbols.begin(), symbols.end(), [this](Symbol symbol) {
           return symbol.kind == SymbolKind::Opaque &&
                  Context.terms[symbol].kind == TermKind::Unique;
         });
}

Value KernelExecutor::convert(const Value &value, QualType from, QualType to) {
  if (value.kind == Value::Kind::Pointer && to->isIntegerType()) {
    if (isGlobal(value.pointer))
      return integerValue(NotPolynomial::Unsupported);
    return integerValue(NotPolynomial::Indirect);
  }
  if (value.kind != Value::Kind::Integer ||
      !from->isIntegralOrEnumerationType() ||
      !to->isIntegralOrEnumerationType())
    return value;
  if (to->isBooleanType()) {
    if (from->isBooleanType())
      return value;
    return booleanValue(value.condition
                            ? *value.condition
                            : Arithmetic.truth(exactly(value.integer, from)));
  }
  if (from->isBooleanType())
    return value;
  const IntegerType source = integerType(from), target = integerType(to);
  if (target.bits > source.bits)
    return integerValue(exactly(value.integer, from));
  // Modulo 2^bits it stays the same.
  if (target.bits == source.bits && (target.isUnsigned || !source.isUnsigned))
    return integerValue(value.integer);
  const IndexExpr wrapped = Arithmetic.wrapped(value.integer, target.bits);
  if (target.bits >= 32 && isStep(wrapped)) {
    const std::vector<Symbol> stepped = std::get<Polynomial>(wrapped).symbols();
    WrappingSteps.insert(stepped.begin(), stepped.end());
    return integerValue(wrapped);
  }
  return integerValue(Arithmetic.fitted(wrapped, target, Current.guard));
}

Value KernelExecutor::arithmetic(BinaryOperatorKind operation, const Value &lhs,
                                 const Value &rhs, QualType type) {
  if (!type->isIntegralOrEnumerationType()) {
    if (type->isRealFloatingType() || type->isVectorType())
      count(operation == BO_Div ? quotientOf(type) : operationOn(type));
    return {};
  }
  IndexExpr left = lhs.integer, right = rhs.integer;
  // Indices are computed beside the loads; numbers from memory are the work.
  if (!std::holds_alternative<Polynomial>(left) ||
      !std::holds_alternative<Polynomial>(right))
    count(operationOn(type));
  const IntegerType number = integerType(type);
  // These look at the value itself, not at it modulo 2^bits.
  const auto exact = [&](TermKind kind) {
    return integerValue(
        Arithmetic.term(kind, exactly(left, type), exactly(right, type)));
  };
  const auto modular = [&](IndexExpr result) {
    return integerValue(number.isUnsigned
                            ? Arithmetic.wrapped(result, number.bits)
                            : std::move(result));
  };
  switch (operation) {
  case BO_Add:
    return modular(Arithmetic.add(left, right));
  case BO_Sub:
    return modular(Arithmetic.subtract(left, right));
  case BO_Mul:
    return modular(Arithmetic.multiply(left, right));
  case BO_Div:
    return exact(TermKind::Divide);
  case BO_Rem:
    return exact(TermKind::Remainder);
  case BO_Shl: {
    // Signed or not, what leaves the type is lost.
    const auto *amount = std::get_if<Polynomial>(&right);
    const auto constant = amount ? amount->asConstant() : std::nullopt;
    if (constant && (*constant < 0 || *constant >= number.bits))
      return integerValue(NotPolynomial::Unsupported);
    if (constant && *constant < 62) {
      const IndexExpr product =
          Arithmetic.multiply(left, Polynomial(std::int64_t{1} << *constant));
      if (number.isUnsigned)
        return modular(product);
      return integerValue(Arithmetic.fitted(product, number, Current.guard));
    }
    return integerValue(Arithmetic.fitted(
        Arithmetic.term(TermKind::ShiftLeft, exactly(left, type), right),
        number, Current.guard));
  }
  case BO_Shr:
    return integerValue(
        Arithmetic.term(TermKind::ShiftRight, exactly(left, type), right));
  case BO_And:
    return exact(TermKind::BitAnd);
  case BO_Or:
    return exact(TermKind::BitOr);
  case BO_Xor:
    return exact(TermKind::BitXor);
  default:
    return integerValue(NotPolynomial::Unsupported);
  }
}

} // namespace kfuse
