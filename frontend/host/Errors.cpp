//===- Errors.cpp - Errors of OpenCL, and checks of them ------------------===//

#include "frontend/host/Walker.h"
#include "frontend/syntax/Lvalues.h"

#include "frontend/api/ErrorConditions.h"
#include "frontend/syntax/ControlFlow.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

#include <algorithm>

namespace kfuse {

using namespace clang;

/// Returns the launch that the statement begins with, whose error it may
/// assign, check or pass to a function that does, also within a macro's
/// expansion.
const CallExpr *HostWalker::launchIn(const Stmt &statement) const {
  const Stmt *at = &statement;
  while (at) {
    if (const auto *call = dyn_cast<CallExpr>(at)) {
      const FunctionDecl *callee = call->getDirectCallee();
      const FunctionDecl *check = callee ? callee->getDefinition() : nullptr;
      const Stmt *launch = nullptr;
      for (unsigned i = 0; check && i < call->getNumArgs(); ++i)
        if (i < check->getNumParams() &&
            Unit.errors.sometimes.count(check->getParamDecl(i)) != 0)
          launch = call->getArg(i);
      if (!launch)
        return call;
      at = launch;
    } else if (const auto *once = dyn_cast<DoStmt>(at)) {
      at = runsOnce(*once, Model.ast) ? once->getBody() : nullptr;
    } else if (at == &statement && !isa<Expr>(at) &&
               !(isa<IfStmt>(at) && !cast<IfStmt>(at)->getElse())) {
      return nullptr;
    } else if (const auto *compound = dyn_cast<CompoundStmt>(at)) {
      at = compound->body_empty() ? nullptr : *compound->body_begin();
    } else if (const auto *choice = dyn_cast<IfStmt>(at)) {
      at = choice->hasInitStorage() || choice->hasVarStorage()
               ? nullptr
               : choice->getCond();
    } else if (const auto *binary = dyn_cast<BinaryOperator>(at)) {
      const bool assigns = binary->getOpcode() == BO_Assign ||
                           binary->getOpcode() == BO_OrAssign;
      const bool isOwn = isa<DeclRefExpr>(binary->getLHS()->IgnoreParens());
      at = assigns && isOwn           ? binary->getRHS()
           : binary->isComparisonOp() ? binary->getLHS()
                                      : nullptr;
    } else if (const auto *declaration = dyn_cast<DeclStmt>(at)) {
      const auto *variable =
          declaration->isSingleDecl()
              ? dyn_cast<VarDecl>(declaration->getSingleDecl())
              : nullptr;
      at = variable ? variable->getInit() : nullptr;
    } else if (const auto *expression = dyn_cast<Expr>(at)) {
      const Expr *inner = expression->IgnoreParenImpCasts();
      if (const auto *cleanups = dyn_cast<ExprWithCleanups>(inner))
        inner = cleanups->getSubExpr();
      if (inner == at)
        return nullptr;
      at = inner;
    } else {
      return nullptr;
    }
  }
  return nullptr;
}

/// Checks whether the statement calls a function that does nothing without an
/// error, or is a branch that isn't entered then.
bool HostWalker::isPlainCheck(const Stmt &statement) {
  if (const auto *choice = dyn_cast<IfStmt>(&statement)) {
    const auto *test =
        dyn_cast<BinaryOperator>(choice->getCond()->IgnoreParenImpCasts());
    return test && test->getLHS()->IgnoreParenImpCasts() == WholeLaunch &&
           isErrorCheck(*choice);
  }
  const auto *call = dyn_cast<Expr>(&statement);
  const auto *check =
      call ? dyn_cast<CallExpr>(call->IgnoreParenImpCasts()) : nullptr;
  const FunctionDecl *callee = check ? check->getDirectCallee() : nullptr;
  const FunctionDecl *definition = callee ? callee->getDefinition() : nullptr;
  const auto *body = definition
                         ? dyn_cast_or_null<CompoundStmt>(definition->getBody())
                         : nullptr;
  const auto *only = body && body->size() == 1
                         ? dyn_cast<IfStmt>(*body->body_begin())
                         : nullptr;
  const auto doesNothing = [&](const Expr *argument) {
    return argument->IgnoreParenImpCasts() == WholeLaunch ||
           isPure(*argument, Model.files);
  };
  return only &&
         std::all_of(check->arg_begin(), check->arg_end(), doesNothing) &&
         !only->getElse() &&
         holdsOnlyAfterError(*only->getCond(), [&](const VarDecl &variable) {
           return Unit.errors.sometimes.count(&variable) != 0;
         });
}

bool HostWalker::holdsError(const VarDecl &variable) {
  // In a launching function, an error that only some calls pass doesn't count.
  const bool isParameter = isa<ParmVarDecl>(variable);
  const bool isPassed =
      !HasLaunches && isParameter &&
      variable.getParentFunctionOrMethod() == Function.declaration &&
      Unit.errors.sometimes.count(&variable) != 0;
  const bool isKnown =
      !isParameter || !Function.declaration->isExternallyVisible();
  if (isPassed || (isKnown && Unit.errors.always.count(&variable) != 0))
    return true;
  return variable.getType()->isSpecificBuiltinType(BuiltinType::Int) &&
         Model.isError(Env.readInteger({Model.variable(variable), {}},
                                       variable.getNameAsString(),
                                       variable.getType()));
}

bool HostWalker::isErrorNow(const Expr &value) {
  return isErrorValue(
      value,
      [this](const VarDecl &variable) {
        return isa<ParmVarDecl>(variable) ? Unit.errors.always.count(&variable)
                                          : holdsError(variable);
      },
      Model.files.sources());
}

/// Gives each `&error` among the arguments the value of an error.
void HostWalker::recordErrors(const FunctionDecl &callee,
                              const std::vector<const Expr *> &arguments) {
  for (unsigned i = 0; i < arguments.size(); ++i) {
    const Expr *variable = addressee(*arguments[i]);
    const QualType pointee =
        i < callee.getNumParams()
            ? callee.getParamDecl(i)->getType()->getPointeeType()
            : QualType();
    if (variable && !pointee.isNull() && !pointee.isConstQualified() &&
        pointee->isSpecificBuiltinType(BuiltinType::Int))
      recordWrite(*variable, Model.errorValue());
  }
}

} // namespace kfuse
