//===- frontend/Interruptions.cpp - What parts a product from its sum -----===//

#include "frontend/Interruptions.h"

#include "frontend/DeviceArithmetic.h"
#include "frontend/GivenValues.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

#include <algorithm>

namespace kfuse {

using namespace clang;

namespace {

/// A value that is there without computing it.
bool isAtHand(const Expr *value) {
  const Expr *inner = sameBits(value)->IgnoreParenImpCasts();
  return isa<DeclRefExpr, FloatingLiteral, IntegerLiteral>(inner);
}

} // namespace

bool isBranch(const Stmt &statement) {
  if (const auto *choice = dyn_cast<AbstractConditionalOperator>(&statement))
    return !isAtHand(choice->getTrueExpr()) ||
           !isAtHand(choice->getFalseExpr());
  return isa<IfStmt, SwitchStmt, ForStmt, WhileStmt, DoStmt, CXXForRangeStmt,
             LabelStmt>(statement);
}

bool Interruptions::areBetween(const FunctionDecl &definition,
                               const Expr *product, const Expr &sum) {
  const Function &function = of(definition);
  const unsigned from = product ? function.done.lookup(product) : 0;
  const unsigned to = function.done.lookup(&sum);
  // What the text doesn't have runs elsewhere; a sum in front of its product
  // has that of an earlier run.
  if (to == 0 || (product && (from == 0 || from > to)))
    return true;
  const auto next = std::upper_bound(function.interruptions.begin(),
                                     function.interruptions.end(), from);
  return next != function.interruptions.end() && *next < to;
}

const Interruptions::Function &
Interruptions::of(const FunctionDecl &definition) {
  Function &function = Functions[&definition];
  if (!function.isNumbered && definition.getBody()) {
    function.isNumbered = true;
    if (const auto *constructor = dyn_cast<CXXConstructorDecl>(&definition))
      for (const CXXCtorInitializer *member : constructor->inits())
        number(function, *member->getInit());
    number(function, *definition.getBody());
  }
  return function;
}

void Interruptions::number(Function &function, const Stmt &statement) {
  const bool isAround = isBranch(statement);
  if (isAround) {
    function.interruptions.push_back(++function.count);
    function.lastBranch = function.count;
  }
  for (const Stmt *part : statement.children())
    if (part)
      number(function, *part);
  const bool isComputed = branches(statement);
  function.isComputed |= isComputed;
  if (isAround || isComputed)
    function.interruptions.push_back(++function.count);
  // What a call is given may be moved into the branches of the function.
  if (isComputed && isa<CallExpr>(statement))
    function.lastBranch = function.count;
  function.done[&statement] = ++function.count;
}

/// Whether the expression itself is computed with branches.
bool Interruptions::branches(const Stmt &computed) {
  if (const auto *operation = dyn_cast<BinaryOperator>(&computed)) {
    const BinaryOperatorKind kind = operation->getOpcode();
    const auto *update = dyn_cast<CompoundAssignOperator>(operation);
    const QualType type =
        update ? update->getComputationResultType() : operation->getType();
    const bool divides = kind == BO_Div || kind == BO_DivAssign ||
                         kind == BO_Rem || kind == BO_RemAssign;
    if (!divides)
      return false;
    // Also of 32 bits: measured with nvcc 13, a difference in a kernel with one
    // isn't contracted wherever the product is.
    if (type->isIntegerType())
      return !operation->getRHS()->isEvaluatable(Ast);
    return !approximates(Ast, type) &&
           !hasExactInverse(Ast, *operation->getRHS()).value_or(false);
  }
  const FunctionDecl *callee = nullptr;
  if (const auto *call = dyn_cast<CallExpr>(&computed)) {
    callee = call->getDirectCallee();
    if (!callee)
      return true;
  } else if (const auto *made = dyn_cast<CXXConstructExpr>(&computed)) {
    callee = made->getConstructor();
    if (callee->isTrivial())
      return false;
  }
  if (!callee)
    return false;
  if (const FunctionDecl *definition = callee->getDefinition())
    return !of(*definition).interruptions.empty();
  return !callee->getDeclName().isIdentifier() ||
         libraryFunction(callee->getName()).mayBranch;
}

} // namespace kfuse
