//===- ControlFlow.cpp - How statements end -------------------------------===//

#include "frontend/syntax/ControlFlow.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

namespace kfuse {

using namespace clang;

bool leaves(const Stmt &statement) {
  if (isa<ReturnStmt>(statement) || isa<BreakStmt>(statement) ||
      isa<ContinueStmt>(statement) || isa<CXXThrowExpr>(statement))
    return true;
  if (const auto *compound = dyn_cast<CompoundStmt>(&statement))
    return !compound->body_empty() && leaves(*compound->body_back());
  if (const auto *cleanups = dyn_cast<ExprWithCleanups>(&statement))
    return leaves(*cleanups->getSubExpr());
  if (const auto *call = dyn_cast<CallExpr>(&statement))
    if (const FunctionDecl *callee = call->getDirectCallee())
      return callee->isNoReturn();
  return false;
}

static bool leavesLoop(const Stmt &statement, bool isInSwitch) {
  if (isa<ContinueStmt>(statement))
    return true;
  if (isa<BreakStmt>(statement))
    return !isInSwitch;
  if (isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt, LambdaExpr>(statement))
    return false;
  for (const Stmt *child : statement.children())
    if (child && leavesLoop(*child, isInSwitch || isa<SwitchStmt>(statement)))
      return true;
  return false;
}

bool leavesLoop(const Stmt &statement) { return leavesLoop(statement, false); }

bool runsOnce(const DoStmt &loop, const ASTContext &ast) {
  bool repeats = true;
  return !loop.getCond()->isValueDependent() &&
         loop.getCond()->EvaluateAsBooleanCondition(repeats, ast) && !repeats &&
         !leavesLoop(*loop.getBody());
}

} // namespace kfuse
