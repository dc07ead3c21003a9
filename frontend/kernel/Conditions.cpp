//===- Conditions.cpp - Conditions as guards ------------------------------===//

#include "frontend/kernel/Executor.h"

#include "clang/AST/ASTContext.h"

namespace kfuse {

using namespace clang;

namespace {

/// Joins `lhs` and `rhs`. Nothing is known beyond the most conjuncts.
Guard conjunction(Guard lhs, const Guard &rhs) {
  lhs.insert(lhs.end(), rhs.begin(), rhs.end());
  if (lhs.size() > MostConjuncts) {
    lhs.resize(MostConjuncts);
    lhs.push_back({});
  }
  return lhs;
}

/// Checks for `a & b` or `a | b` of two booleans, promoted to int.
bool joinsBooleans(const BinaryOperator &operation) {
  auto isBoolean = [](const Expr *operand) {
    return operand->IgnoreParenImpCasts()->getType()->isBooleanType();
  };
  return isBoolean(operation.getLHS()) && isBoolean(operation.getRHS());
}

} // namespace

Value KernelExecutor::booleanValue(const Branch &branch) const {
  Value result = integerValue(NotPolynomial::Unsupported);
  if (std::optional<Polynomial> value = Arithmetic.boolean(branch.whenTrue)) {
    result.integer = *value;
  } else if (std::optional<Polynomial> failed =
                 Arithmetic.boolean(branch.whenFalse)) {
    result.integer = Arithmetic.subtract(Polynomial(1), *failed);
  }
  result.condition = std::make_shared<const Branch>(branch);
  return result;
}

Branch KernelExecutor::evaluateCondition(const Expr *expression) {
  if (!expression)
    return Arithmetic.truth(Polynomial(1));
  if (const auto *e = dyn_cast<ParenExpr>(expression))
    return evaluateCondition(e->getSubExpr());
  if (const auto *e = dyn_cast<FullExpr>(expression))
    return evaluateCondition(e->getSubExpr());
  if (const auto *e = dyn_cast<ImplicitCastExpr>(expression);
      e && (e->getCastKind() == CK_IntegralToBoolean ||
            (e->getCastKind() == CK_IntegralCast &&
             e->getSubExpr()->getType()->isBooleanType())))
    return evaluateCondition(e->getSubExpr());
  if (const auto *e = dyn_cast<UnaryOperator>(expression);
      e && e->getOpcode() == UO_LNot) {
    Branch branch = evaluateCondition(e->getSubExpr());
    std::swap(branch.whenTrue, branch.whenFalse);
    return branch;
  }
  if (const auto *e = dyn_cast<BinaryOperator>(expression)) {
    const BinaryOperatorKind opcode = e->getOpcode();
    if (e->isLogicalOp() ||
        ((opcode == BO_And || opcode == BO_Or) && joinsBooleans(*e))) {
      const bool isAnd = opcode == BO_LAnd || opcode == BO_And;
      const Branch lhs = evaluateCondition(e->getLHS());
      // Only the short-circuit forms run the right side conditionally.
      const Guard reached = !e->isLogicalOp() ? Guard{}
                            : isAnd           ? lhs.whenTrue
                                              : lhs.whenFalse;
      const Branch rhs =
          underGuard(reached, [&] { return evaluateCondition(e->getRHS()); });
      if (isAnd) {
        Guard both = conjunction(lhs.whenTrue, rhs.whenTrue);
        Guard neither = Arithmetic.negation(both);
        if (lhs.whenTrue.empty())
          neither = rhs.whenFalse;
        else if (rhs.whenTrue.empty())
          neither = lhs.whenFalse;
        return {std::move(both), std::move(neither)};
      }
      Guard neither = conjunction(lhs.whenFalse, rhs.whenFalse);
      Guard either = Arithmetic.negation(neither);
      if (lhs.whenFalse.empty())
        either = rhs.whenTrue;
      else if (rhs.whenFalse.empty())
        either = lhs.whenTrue;
      return {std::move(either), std::move(neither)};
    }
    if (e->isComparisonOp())
      return compare(*e);
  }
  const Value value = evaluate(expression);
  if (value.condition)
    return *value.condition;
  if (value.kind != Value::Kind::Integer)
    return unknownBranch();
  return Arithmetic.truth(exactly(value.integer, expression->getType()));
}

Branch KernelExecutor::compare(const BinaryOperator &comparison) {
  const QualType type = comparison.getLHS()->getType();
  const Value lhs = evaluate(comparison.getLHS());
  const Value rhs = evaluate(comparison.getRHS());
  if (lhs.kind != Value::Kind::Integer || rhs.kind != Value::Kind::Integer ||
      !type->isIntegralOrEnumerationType() ||
      !comparison.getRHS()->getType()->isIntegralOrEnumerationType())
    return unknownBranch();
  const bool isStrict =
      comparison.getOpcode() != BO_LE && comparison.getOpcode() != BO_GE;
  const auto side = [&](const IndexExpr &value, const IndexExpr &other) {
    return staysInType(value, other, type, isStrict) ? value
                                                     : exactly(value, type);
  };
  const IndexExpr left = side(lhs.integer, rhs.integer);
  const IndexExpr right = side(rhs.integer, lhs.integer);
  auto lessThan = [&](const IndexExpr &small, const IndexExpr &large) {
    return Arithmetic.nonNegative(
        Arithmetic.subtract(Arithmetic.subtract(large, small), Polynomial(1)));
  };
  auto atMost = [&](const IndexExpr &small, const IndexExpr &large) {
    return Arithmetic.nonNegative(Arithmetic.subtract(large, small));
  };
  switch (comparison.getOpcode()) {
  case BO_LT:
    return lessThan(left, right);
  case BO_GT:
    return lessThan(right, left);
  case BO_LE:
    return atMost(left, right);
  case BO_GE:
    return atMost(right, left);
  case BO_EQ:
    return Arithmetic.zero(Arithmetic.subtract(left, right));
  case BO_NE: {
    Branch equal = Arithmetic.zero(Arithmetic.subtract(left, right));
    return {std::move(equal.whenFalse), std::move(equal.whenTrue)};
  }
  default:
    return unknownBranch();
  }
}

} // namespace kfuse
