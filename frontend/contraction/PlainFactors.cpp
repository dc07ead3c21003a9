//===- PlainFactors.cpp - Factors that compilers know nothing of ----------===//

#include "frontend/contraction/PlainFactors.h"

#include "frontend/contraction/DeviceArithmetic.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

#include <algorithm>

namespace kfuse {

using namespace clang;

bool PlainFactors::isPlain(const Expr *value, const CallFrame &in,
                           bool isStrict, unsigned depth) const {
  value = sameValue(value);
  if (depth > MostSteps)
    return false;
  const auto *operation = dyn_cast<BinaryOperator>(value);
  // A sum is known only if both operands are. Of many summands the last one is
  // the shallow one.
  if (operation && operation->isAdditiveOp() && !isStrict)
    return isPlain(operation->getRHS(), in, isStrict, depth + 1) ||
           isPlain(operation->getLHS(), in, isStrict, depth + 1);
  if (value->isEvaluatable(Values.ast())) {
    llvm::APFloat number(0.0);
    return !isStrict || !value->EvaluateAsFloat(number, Values.ast()) ||
           !number.isNegative();
  }
  const auto parts = [&](const auto &all) {
    return std::all_of(all.begin(), all.end(), [&](const Stmt *each) {
      return isPlain(cast<Expr>(each), in, isStrict, depth + 1);
    });
  };
  if (isCoordinate(*value))
    return true;
  if (const auto part = Values.component(*value, in))
    return isPlain(part->first, *part->second, isStrict, depth + 1);
  if (const auto *name = dyn_cast<DeclRefExpr>(value)) {
    const auto *variable = dyn_cast<VarDecl>(name->getDecl());
    if (variable && variable->isLocalVarDeclOrParm()) {
      if (const auto only = KernelValues::onlyValue(*variable, in))
        return isPlain(only->first, *only->second, isStrict, depth + 1);
      return isa<ParmVarDecl>(variable) && !in.call &&
             in.facts->valuesOf(*variable).empty();
    }
  }
  if (KernelValues::isGivenMember(*value, in))
    return true;
  if (const Expr *whole = KernelValues::wholeOf(*value, in))
    return isPlain(whole, in, isStrict, depth + 1);
  if (const Expr *whole = temporaryOf(*value))
    return isPlain(whole, in, isStrict, depth + 1);
  if (const auto *made = dyn_cast<CXXConstructExpr>(value))
    return parts(made->arguments());
  if (const auto *list = dyn_cast<InitListExpr>(value))
    return parts(list->inits()) &&
           std::none_of(list->begin(), list->end(), [&](const Stmt *each) {
             return cast<Expr>(each)->isEvaluatable(Values.ast());
           });
  if (isLoad(*value))
    return isPlainLoad(*value, in);
  if (operation) {
    const bool isNegation = operation->getOpcode() == BO_Sub &&
                            isWrittenZero(*operation->getLHS(), Values.ast());
    return (operation->isAdditiveOp() || operation->isMultiplicativeOp()) &&
           !isNegation && parts(operation->children());
  }
  if (const auto *step = dyn_cast<UnaryOperator>(value))
    return step->getOpcode() == UO_Minus && !isStrict &&
           parts(step->children());
  if (const auto *cast = dyn_cast<CastExpr>(value))
    return (cast->getCastKind() == CK_FloatingCast ||
            cast->getCastKind() == CK_IntegralToFloating ||
            cast->getCastKind() == CK_IntegralCast) &&
           parts(cast->children());
  if (const auto *call = dyn_cast<CallExpr>(value)) {
    if (const auto known = Values.tree().callees.find({&in, call});
        known != Values.tree().callees.end()) {
      const auto &returned = known->second->facts->returned;
      return returned.size() == 1 &&
             isPlain(returned.front(), *known->second, isStrict, depth + 1);
    }
    return isOfLibrary(call->getDirectCallee()) &&
           !viewsBits(call->getDirectCallee()) &&
           llvm::all_of(call->arguments(), [&](const Expr *each) {
             return isPlain(each, in, /*isStrict=*/false, depth + 1);
           });
  }
  return false;
}

/// Checks that the kernel didn't store what it loads from `place`.
bool PlainFactors::isPlainLoad(const Expr &place, const CallFrame &in) const {
  const auto roots = Values.rootsOf(place, in);
  if (!roots)
    return false;
  return llvm::none_of(Values.stores(), [&](const KernelValues::Store &store) {
    const bool mayMeet =
        !store.roots || llvm::any_of(*roots, [&](const Root &root) {
          return store.roots->count(root) != 0;
        });
    return mayMeet && !KernelValues::isParted(place, store, in);
  });
}

bool PlainFactors::changes(const Stmt &value, const CallFrame &in,
                           const Stmt &loop, const CallFrame &ofLoop,
                           bool isIndex, unsigned depth) const {
  if (depth > MostSteps)
    return false;
  if (const auto *name = dyn_cast<DeclRefExpr>(&value)) {
    const auto *variable = dyn_cast<VarDecl>(name->getDecl());
    if (!variable)
      return false;
    if (const auto only = KernelValues::onlyValue(*variable, in))
      return changes(*only->first, *only->second, loop, ofLoop, isIndex,
                     depth + 1);
    const auto changed = ofLoop.facts->changed.find(&loop);
    return isIndex && &in == &ofLoop &&
           changed != ofLoop.facts->changed.end() &&
           changed->second.contains(variable);
  }
  const auto *place = dyn_cast<Expr>(&value);
  if (place)
    isIndex |= isLoad(*sameValue(place)) && !isCoordinate(*sameValue(place));
  return std::any_of(
      value.child_begin(), value.child_end(), [&](const Stmt *part) {
        return part && changes(*part, in, loop, ofLoop, isIndex, depth + 1);
      });
}

} // namespace kfuse
