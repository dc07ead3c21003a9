//===- ErrorConditions.cpp - Conditions that hold after an error ----------===//

#include "frontend/api/ErrorConditions.h"

#include "frontend/api/Callees.h"

#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"

#include <algorithm>
#include <iterator>

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

const VarDecl *variableOf(const Expr &expression) {
  const auto *name = dyn_cast<DeclRefExpr>(&core(expression));
  const auto *variable = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
  return variable ? variable->getCanonicalDecl() : nullptr;
}

/// Checks whether `expression` is an error: of the runtime's type, returned by
/// OpenCL, or in a variable that holds one.
bool isError(const Expr &expression, const IsErrorVariable &isVariable) {
  const VarDecl *variable = variableOf(expression);
  if (variable && isVariable(*variable))
    return true;
  // `(error = clFinish(queue))`
  if (const auto *assigned = dyn_cast<BinaryOperator>(&core(expression));
      assigned && assigned->getOpcode() == BO_Assign)
    return isError(*assigned->getRHS(), isVariable);
  const auto *call = dyn_cast<CallExpr>(&core(expression));
  const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  if (callee && returnsError(*call, callee->getASTContext().getSourceManager()))
    return true;
  const auto *type = core(expression).getType()->getAs<EnumType>();
  if (!type)
    return false;
  const std::string name = type->getDecl()->getNameAsString();
  return name == "cudaError" || name == "cudaError_t" ||
         name == "cudaError_enum";
}

/// Checks whether `expression` is cudaSuccess, or another constant that is 0.
bool isSuccess(const Expr &expression) {
  const Expr &value = core(expression);
  if (const auto *number = dyn_cast<IntegerLiteral>(&value))
    return number->getValue() == 0;
  const auto *name = dyn_cast<DeclRefExpr>(&value);
  const auto *constant =
      name ? dyn_cast<EnumConstantDecl>(name->getDecl()) : nullptr;
  return constant && constant->getInitVal() == 0;
}

/// Checks whether `condition` (its negation if `isOpposite`) holds only after
/// an error.
bool needsError(const Expr &condition, bool isOpposite,
                const IsErrorVariable &errors) {
  const Expr &value = core(condition);
  if (const auto *call = dyn_cast<CallExpr>(&value);
      call && call->getDirectCallee() && call->getNumArgs() > 0 &&
      plainName(*call->getDirectCallee()) == "__builtin_expect")
    return needsError(*call->getArg(0), isOpposite, errors);
  if (isError(value, errors))
    return !isOpposite && !isSuccess(value);
  if (const auto *unary = dyn_cast<UnaryOperator>(&value))
    return unary->getOpcode() == UO_LNot &&
           needsError(*unary->getSubExpr(), !isOpposite, errors);
  const auto *binary = dyn_cast<BinaryOperator>(&value);
  if (!binary)
    return false;
  const Expr &left = *binary->getLHS(), &right = *binary->getRHS();
  if (binary->isLogicalOp()) {
    const bool one = needsError(left, isOpposite, errors);
    const bool other = needsError(right, isOpposite, errors);
    const bool areBothNeeded = (binary->getOpcode() == BO_LAnd) != isOpposite;
    return areBothNeeded ? one || other : one && other;
  }
  const bool isLeft = isError(left, errors) && isSuccess(right);
  const bool isComparison =
      isLeft || (isSuccess(left) && isError(right, errors));
  // OpenCL's errors are negative.
  const bool isNegative =
      isLeft && left.getType()->isSpecificBuiltinType(BuiltinType::Int) &&
      binary->getOpcode() == BO_LT && !isOpposite;
  return isNegative ||
         (isComparison && binary->getOpcode() == (isOpposite ? BO_EQ : BO_NE));
}

bool isInt(QualType type) {
  return !type.isNull() && type->isSpecificBuiltinType(BuiltinType::Int);
}

bool isOpenCl(const FunctionDecl &function, const SourceManager &sources) {
  return runtimeRole(function, sources) &&
         plainName(function).starts_with("cl");
}

/// Checks whether `variable` is a parameter of an error's type that holds only
/// the arguments of calls.
bool isPassed(const VarDecl &variable, const AssignedValues &assigned) {
  return isa<ParmVarDecl>(variable) && isInt(variable.getType()) &&
         assigned.isComplete(variable) &&
         assigned.reassigned.count(&variable) == 0;
}

} // namespace

bool returnsError(const CallExpr &call, const SourceManager &sources) {
  const FunctionDecl *callee = call.getDirectCallee();
  // No such device, or no room for it, is an answer.
  return callee && isOpenCl(*callee, sources) && isInt(call.getType()) &&
         !plainName(*callee).starts_with("clGet");
}

bool isErrorValue(const Expr &expression, const IsErrorVariable &isVariable,
                  const SourceManager &sources) {
  const Expr &value = core(expression);
  const VarDecl *variable = variableOf(value);
  if ((variable && isVariable(*variable)) || isSuccess(value))
    return true;
  if (const auto *call = dyn_cast<CallExpr>(&value))
    return returnsError(*call, sources);
  const auto *either = dyn_cast<BinaryOperator>(&value);
  if (either && either->getOpcode() == BO_Assign)
    return isErrorValue(*either->getRHS(), isVariable, sources);
  return either && either->getOpcode() == BO_Or &&
         isErrorValue(*either->getLHS(), isVariable, sources) &&
         isErrorValue(*either->getRHS(), isVariable, sources);
}

namespace {

/// Checks whether `expression` is, or may be, the error that a call returned,
/// also by way of a variable.
bool isReal(const Expr &expression, const IsErrorVariable &isVariable,
            const SourceManager &sources) {
  const Expr &value = core(expression);
  const VarDecl *variable = variableOf(value);
  if (variable && isVariable(*variable))
    return true;
  if (const auto *call = dyn_cast<CallExpr>(&value))
    return returnsError(*call, sources);
  const auto *either = dyn_cast<BinaryOperator>(&value);
  const bool isAny = either && (either->getOpcode() == BO_Or ||
                                either->getOpcode() == BO_Assign);
  return isAny && (isReal(*either->getLHS(), isVariable, sources) ||
                   isReal(*either->getRHS(), isVariable, sources));
}

/// Returns the variables that may hold the error of some call: assigned, or
/// written through their address.
std::set<const VarDecl *> givenErrors(const AssignedValues &assigned,
                                      const SourceManager &sources) {
  std::set<const VarDecl *> given;
  for (const VarDecl *variable : assigned.received)
    if (variable && isInt(variable->getType()))
      given.insert(variable);
  const auto isGiven = [&](const VarDecl &variable) {
    return given.count(&variable) != 0;
  };
  for (bool isDone = false; !isDone;) {
    isDone = true;
    for (const auto &[variable, values] : assigned.values)
      if (isInt(variable->getType()) && !isGiven(*variable) &&
          std::any_of(values.begin(), values.end(), [&](const Expr *value) {
            return isReal(*value, isGiven, sources);
          }))
        isDone = !given.insert(variable).second;
  }
  return given;
}

} // namespace

ErrorVariables errorVariables(const AssignedValues &assigned,
                              const SourceManager &sources) {
  const std::set<const VarDecl *> given = givenErrors(assigned, sources);
  ErrorVariables errors;
  for (const VarDecl *variable : given)
    if (assigned.isComplete(*variable))
      errors.always.insert(variable);
  const auto isAlways = [&](const VarDecl &variable) {
    return errors.always.count(&variable) != 0;
  };
  // Repeat until they get only errors.
  for (bool isDone = false; !isDone;)
    isDone =
        std::erase_if(errors.always, [&](const VarDecl *variable) {
          const auto values = assigned.values.find(variable);
          return values != assigned.values.end() &&
                 !std::all_of(values->second.begin(), values->second.end(),
                              [&](const Expr *value) {
                                return isErrorValue(*value, isAlways, sources);
                              });
        }) == 0;
  std::copy_if(
      given.begin(), given.end(),
      std::inserter(errors.sometimes, errors.sometimes.end()),
      [&](const VarDecl *variable) { return isPassed(*variable, assigned); });
  return errors;
}

bool holdsOnlyAfterError(const Expr &condition, const IsErrorVariable &errors) {
  return needsError(condition, false, errors);
}

} // namespace kfuse
