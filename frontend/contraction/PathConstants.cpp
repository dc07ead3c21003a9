//===- PathConstants.cpp - Values that compilers know on a path -----------===//

#include "frontend/contraction/PathConstants.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"

namespace kfuse {

using namespace clang;

/// Checks whether `value` may be any constant on a path, or one of those that
/// matter.
bool PathConstants::check(const Expr *value, const CallFrame &in, bool isAny,
                          Known &known) const {
  constexpr unsigned MostValues = 1024;
  if (++known.steps > MostValues)
    return true;
  value = sameValue(value);
  Expr::EvalResult result;
  if (!value->isValueDependent() &&
      value->EvaluateAsRValue(result, Values.ast()))
    return isAny || !result.Val.isFloat() ||
           llvm::is_contained({0, 1}, result.Val.getFloat().getExactLog2Abs());
  const auto areAll = [&](const auto &operands) {
    return llvm::all_of(operands, [&](const Stmt *each) {
      return check(cast<Expr>(each), in, /*isAny=*/true, known);
    });
  };
  if (isCoordinate(*value) || KernelValues::isGivenMember(*value, in))
    return false;
  if (const auto part = Values.component(*value, in))
    return check(part->first, *part->second, isAny, known);
  if (const auto *name = dyn_cast<DeclRefExpr>(value))
    if (const auto *variable = dyn_cast<VarDecl>(name->getDecl());
        variable && variable->isLocalVarDeclOrParm())
      return checkVariable(*variable, in, isAny, known);
  if (isLoad(*value))
    return localVariable(*value) != nullptr;
  if (const auto *choice = dyn_cast<ConditionalOperator>(value))
    return check(choice->getTrueExpr(), in, isAny, known) ||
           check(choice->getFalseExpr(), in, isAny, known);
  if (isa<BinaryOperator>(value))
    return areAll(value->children());
  if (isa<UnaryOperator, CastExpr>(value))
    return check(cast<Expr>(*value->child_begin()), in, isAny, known);
  if (const auto *call = dyn_cast<CallExpr>(value)) {
    const CallFrame *callee = Values.tree().calleeOf(*call, in);
    return callee ? llvm::any_of(callee->facts->returned,
                                 [&](const Expr *each) {
                                   return check(each, *callee, isAny, known);
                                 })
                  : areAll(call->arguments());
  }
  return true;
}

bool PathConstants::checkVariable(const VarDecl &variable, const CallFrame &in,
                                  bool isAny, Known &known) const {
  // A value that goes round is no constant for that.
  const auto [found, isNew] =
      known.variables.try_emplace({&variable, &in, isAny}, false);
  if (!isNew)
    return found->second;
  const Expr *given = KernelValues::argument(variable, in);
  const bool isKnown =
      (given && check(given, *in.caller, isAny, known)) ||
      llvm::any_of(in.facts->valuesOf(variable), [&](const Expr *each) {
        return check(each, in, isAny, known);
      });
  return found->second = isKnown;
}

bool mayBeOneOrTwoAnywhere(const Expr &number, const ASTContext &ast) {
  const Expr *value = sameValue(&number);
  if (!value->isValueDependent() && value->isEvaluatable(ast)) {
    llvm::APFloat known(0.0);
    return !value->EvaluateAsFloat(known, ast) ||
           llvm::is_contained({0, 1}, known.getExactLog2Abs());
  }
  if (const auto *sum = dyn_cast<BinaryOperator>(value))
    return sum->isAdditiveOp() && (sum->getLHS()->isEvaluatable(ast) ||
                                   sum->getRHS()->isEvaluatable(ast));
  // Integers may be the turns of an unrolled loop.
  const auto *cast = dyn_cast<CastExpr>(value);
  return (cast && cast->getCastKind() == CK_IntegralToFloating) ||
         (isa<ConditionalOperator, InitListExpr, CXXConstructExpr, CastExpr>(
              value) &&
          llvm::any_of(value->children(), [&](const Stmt *part) {
            return part && isa<Expr>(part) &&
                   mayBeOneOrTwoAnywhere(*llvm::cast<Expr>(part), ast);
          }));
}

bool givesOneOrTwo(const FunctionFacts &facts, const ASTContext &ast) {
  const auto areGiven = [&](const auto &values) {
    return llvm::any_of(values, [&](const Expr *each) {
      const QualType type = each->getType().getCanonicalType();
      return !type->isIntegerType() && !type->isPointerType() &&
             mayBeOneOrTwoAnywhere(*each, ast);
    });
  };
  return areGiven(facts.returned) ||
         llvm::any_of(
             facts.given,
             [&](const auto &each) { return areGiven(each.second); }) ||
         llvm::any_of(facts.calls, [&](const CallExpr *call) {
           return areGiven(call->arguments());
         });
}

} // namespace kfuse
