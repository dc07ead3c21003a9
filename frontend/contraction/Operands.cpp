//===- Operands.cpp - What compilers may contract with a sum --------------===//

#include "frontend/contraction/Operands.h"

#include "frontend/contraction/DeviceArithmetic.h"
#include "frontend/contraction/Leaves.h"
#include "frontend/contraction/PlainFactors.h"
#include "frontend/contraction/PowerOfTwoProducts.h"
#include "frontend/syntax/KnownFunctions.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

#include <algorithm>

namespace kfuse {

using namespace clang;

namespace {

constexpr Operand Unknown{Operand::Kind::Unknown};

} // namespace

Operand Operands::operand(const Expr *value, const CallFrame &in,
                          unsigned depth) {
  value = sameValue(value);
  const QualType type = value->getType();
  if (depth > MostSteps)
    return Unknown;
  if (!isFloating(type) && !type->isRecordType() && !type->isArrayType())
    return {};
  const auto *binary = dyn_cast<BinaryOperator>(value);
  if (binary && binary->isAdditiveOp())
    return operation(*binary, in, depth);
  if (value->isEvaluatable(Values.ast()))
    return {};
  if (binary)
    return operation(*binary, in, depth);
  if (const auto *step = dyn_cast<UnaryOperator>(value);
      step && step->getOpcode() != UO_Deref)
    return step->getOpcode() == UO_Minus || step->getOpcode() == UO_Plus
               ? operand(step->getSubExpr(), in, depth + 1)
               : Operand();
  if (const auto *choice = dyn_cast<ConditionalOperator>(value)) {
    const Expr *arms[] = {choice->getTrueExpr(), choice->getFalseExpr()};
    return anyOf(arms, in, depth);
  }
  if (const auto *list = dyn_cast<InitListExpr>(value))
    return anyOf(list->inits(), in, depth);
  if (const auto *made = dyn_cast<CXXConstructExpr>(value))
    return anyOf(made->arguments(), in, depth);
  if (const auto part = Values.component(*value, in))
    return component(*value, *part, in, depth);
  if (const VarDecl *local = localVariable(*value))
    return variable(*local, in, depth);
  if (const auto *cast = dyn_cast<CastExpr>(value))
    return converted(*cast, in, depth);
  if (const auto *call = dyn_cast<CallExpr>(value); call && !call->isGLValue())
    return called(*call, in, depth);
  if (const Expr *whole = temporaryOf(*value))
    return operand(whole, in, depth + 1);
  if (isLoad(*value))
    return loaded(*value, in);
  return Unknown;
}

/// Returns an operand that covers each of `values`: Unknown if one of them may
/// be a rounded product.
template <typename Range>
Operand Operands::anyOf(const Range &values, const CallFrame &in,
                        unsigned depth) {
  Operand all;
  for (const Expr *each : values)
    all.kind = std::max(all.kind, operand(each, in, depth + 1).kind);
  return all.kind <= Operand::Kind::Exact ? all : Unknown;
}

Operand Operands::operation(const BinaryOperator &operation,
                            const CallFrame &in, unsigned depth) {
  const Operand product{Operand::Kind::Product, &operation, &in};
  switch (operation.getOpcode()) {
  case BO_Mul:
  case BO_Div:
    if (const auto scaling = scalingOf(operation, Values.ast());
        scaling && (scaling->isByOne() || isExact(operation, Values.ast()))) {
      const Operand scaled = operand(scaling->number, in, depth + 1);
      if (scaling->isByOne())
        return scaled;
      return scaled.kind <= Operand::Kind::Exact ? Operand{Operand::Kind::Exact}
                                                 : Unknown;
    }
    if (operation.getOpcode() == BO_Mul)
      return product;
    if (approximates(Values.ast(), operation.getType()))
      return Unknown;
    if (const auto isMultiplied =
            hasExactInverse(Values.ast(), *operation.getRHS()))
      return *isMultiplied ? product : Operand();
    // Compilers might know the divisor.
    return LeafFinder(Values).leavesOf(*operation.getRHS(), in).names.empty()
               ? Unknown
               : Operand();
  case BO_Add:
  case BO_Sub:
    return isWrittenZero(*operation.getLHS(), Values.ast()) ||
                   isWrittenZero(*operation.getRHS(), Values.ast()) ||
                   mayBeOneAlone(operation, in, depth)
               ? Unknown
               : Operand();
  case BO_AddAssign:
  case BO_SubAssign:
    return {};
  case BO_Assign: {
    const Expr *values[] = {operation.getRHS()};
    return anyOf(values, in, depth);
  }
  default:
    return Unknown;
  }
}

/// Checks whether `operation` may be `x - y` with a product x and, on some
/// path, a y that compilers know: if that is zero, only the product is left.
bool Operands::mayBeOneAlone(const BinaryOperator &operation,
                             const CallFrame &in, unsigned depth) {
  const PlainFactors plain(Values);
  const auto mayBeKnown = [&](const Expr *value) {
    return !plain.contains(*value, in, /*isStrict=*/false);
  };
  const auto isProduct = [&](const Expr *value) {
    return operand(value, in, depth + 1).kind > Operand::Kind::Exact;
  };
  const Expr *left = operation.getLHS(), *right = operation.getRHS();
  if (operation.getOpcode() == BO_Sub)
    return mayBeKnown(right) && isProduct(left);
  return (mayBeKnown(right) && mayBeNegated(*right, in) && isProduct(left)) ||
         (mayBeKnown(left) && mayBeNegated(*left, in) && isProduct(right));
}

/// Returns the operand that a cast gives. A number of another type is rounded
/// again, unless compilers multiply in the narrower one.
Operand Operands::converted(const CastExpr &cast, const CallFrame &in,
                            unsigned depth) {
  switch (cast.getCastKind()) {
  case CK_FloatingCast:
    return mayNarrow(cast, Values.ast()) ? Unknown : Operand();
  case CK_IntegralToFloating:
  case CK_FixedPointToFloating:
    return {};
  case CK_UserDefinedConversion:
    return operand(cast.getSubExpr(), in, depth + 1);
  default:
    return Unknown;
  }
}

Operand Operands::called(const CallExpr &call, const CallFrame &in,
                         unsigned depth) {
  const FunctionDecl *callee = call.getDirectCallee();
  if (isa_and_nonnull<CXXConversionDecl>(callee) ||
      (callee && isCollective(*callee)))
    return {};
  if (const CallFrame *known = Values.tree().calleeOf(call, in)) {
    const auto &returned = known->facts->returned;
    return returned.size() == 1 ? operand(returned.front(), *known, depth + 1)
                                : anyOf(returned, *known, depth);
  }
  if (wrapsLibraryFunction(callee))
    return {};
  if (!isLibraryFunction(callee) || viewsBits(callee))
    return Unknown;
  const llvm::StringRef name = callee->getName();
  if (name.starts_with("make_"))
    return anyOf(call.arguments(), in, depth);
  if (libraryFunction(name).mayEndInProduct)
    return {Operand::Kind::Product, &call, &in};
  return name.contains("sqrt") && approximates(Values.ast(), call.getType())
             ? Unknown
             : Operand();
}

Operand Operands::variable(const VarDecl &variable, const CallFrame &in,
                           unsigned depth) {
  // A variable's dependence on itself adds nothing to its other values.
  const auto [known, isNew] = Known.try_emplace({&variable, &in});
  if (!isNew)
    return known->second;
  const auto values = in.facts->valuesOf(variable);
  Operand found = anyOf(values, in, depth);
  const Expr *given = KernelValues::argument(variable, in);
  if (given)
    found.kind =
        std::max(found.kind, operand(given, *in.caller, depth + 1).kind);
  if (found.kind <= Operand::Kind::Exact)
    return Known[{&variable, &in}] = found;
  found = Unknown;
  if (in.facts->readsOf(variable).size() == 1)
    if (const auto only = KernelValues::onlyValue(variable, in))
      found = held(operand(only->first, *only->second, depth + 1));
  return Known[{&variable, &in}] = found;
}

/// Returns the operand of a member whose value comes from `source`. Only one
/// that is read once may be a product.
Operand Operands::component(const Expr &member, const Source &source,
                            const CallFrame &in, unsigned depth) {
  const Operand found = operand(source.first, *source.second, depth + 1);
  if (found.kind <= Operand::Kind::Exact)
    return found;
  const VarDecl *variable = localVariable(member);
  return variable && in.facts->readsOf(*variable, member) == 1 ? held(found)
                                                               : Unknown;
}

/// Returns the operand that reads a variable with this value, once.
Operand Operands::held(const Operand &value) {
  return value.kind == Operand::Kind::Product && !value.isHeld
             ? Operand{Operand::Kind::Product, value.product, value.in, true}
             : Unknown;
}

/// Returns the operand that a load of `place` gives, as a product may have been
/// stored there.
Operand Operands::loaded(const Expr &place, const CallFrame &in) {
  const auto roots = Values.rootsOf(place, in);
  Operand all;
  for (std::size_t i = 0; i < OfStores.size(); ++i) {
    const KernelValues::Store &store = Values.stores()[i];
    const bool mayMeet =
        !roots || !store.roots || llvm::any_of(*roots, [&](const Root &root) {
          return store.roots->count(root) != 0;
        });
    if (!mayMeet || KernelValues::isParted(place, store, in))
      continue;
    if (!OfStores[i]) {
      OfStores[i] = Operand::Kind::Free; // for what depends on itself
      OfStores[i] = operand(store.value, *store.in, 0).kind;
    }
    all.kind = std::max(all.kind, *OfStores[i]);
  }
  return all.kind <= Operand::Kind::Exact ? all : Unknown;
}

bool Operands::isNegated(const Expr *value, const CallFrame &in,
                         unsigned depth) {
  value = sameValue(value);
  if (depth > MostSteps)
    return true;
  llvm::APFloat number(0.0);
  if (value->EvaluateAsFloat(number, Values.ast()))
    return depth > 0 && number.isNegative();
  const auto isAny = [&](const auto &values, const CallFrame &frame) {
    return llvm::any_of(values, [&](const Stmt *each) {
      return isNegated(cast<Expr>(each), frame, depth + 1);
    });
  };
  if (const auto *operation = dyn_cast<BinaryOperator>(value))
    return operation->isMultiplicativeOp()
               ? isAny(operation->children(), in)
               : operation->getOpcode() == BO_Sub &&
                     isWrittenZero(*operation->getLHS(), Values.ast());
  if (const auto *step = dyn_cast<UnaryOperator>(value))
    return step->getOpcode() == UO_Minus;
  if (const auto *cast = dyn_cast<CastExpr>(value))
    return isNegated(cast->getSubExpr(), in, depth + 1);
  if (const auto *call = dyn_cast<CallExpr>(value)) {
    const auto known = Values.tree().callees.find({&in, call});
    return known != Values.tree().callees.end() &&
           isAny(known->second->facts->returned, *known->second);
  }
  if (const auto *choice = dyn_cast<ConditionalOperator>(value)) {
    const Expr *arms[] = {choice->getTrueExpr(), choice->getFalseExpr()};
    return isAny(arms, in);
  }
  if (const auto part = Values.component(*value, in))
    return isNegated(part->first, *part->second, depth + 1);
  const VarDecl *variable = localVariable(*value);
  if (!variable)
    return false;
  const auto [known, isNew] = Negated.try_emplace({variable, &in}, false);
  if (!isNew)
    return known->second;
  const Expr *given = KernelValues::argument(*variable, in);
  bool isFound = given && isNegated(given, *in.caller, depth + 1);
  for (const Expr *each : in.facts->valuesOf(*variable))
    isFound |=
        !isa<CompoundAssignOperator>(each) && isNegated(each, in, depth + 1);
  return Negated[{variable, &in}] = isFound;
}

} // namespace kfuse
