//===- ControlFlow.cpp - How statements run and end -----------------------===//

#include "frontend/syntax/ControlFlow.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

#include "llvm/ADT/STLExtras.h"

#include <cstdint>
#include <initializer_list>

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

namespace {

/// Tells what comes first in a piece of code.
enum class First : std::uint8_t {
  Nothing, ///< it has no effect
  Part,
  Other ///< an effect, or it isn't known
};

class FirstEffect {
public:
  FirstEffect(const Expr &part, const ASTContext &ast) : Part(part), Ast(ast) {}

  First in(const Stmt *code) const {
    if (!code || isa<NullStmt>(code))
      return First::Nothing;
    if (code == &Part)
      return First::Part;
    if (const auto *expression = dyn_cast<Expr>(code);
        expression && !contains(*code))
      return expression->HasSideEffects(Ast) ? First::Other : First::Nothing;
    if (const auto *block = dyn_cast<CompoundStmt>(code))
      return inOrder(block->body());
    if (const auto *declaration = dyn_cast<DeclStmt>(code))
      return inDeclarations(*declaration);
    if (const auto *loop = dyn_cast<DoStmt>(code))
      return runsOnce(*loop, Ast) ? in(loop->getBody()) : First::Other;
    if (const auto *branch = dyn_cast<IfStmt>(code))
      return inOrder({branch->getInit(), branch->getConditionVariableDeclStmt(),
                      branch->getCond()},
                     /*isEnd=*/false);
    if (const auto *choice = dyn_cast<SwitchStmt>(code))
      return inOrder({choice->getInit(), choice->getConditionVariableDeclStmt(),
                      choice->getCond()},
                     /*isEnd=*/false);
    if (const auto *end = dyn_cast<ReturnStmt>(code))
      return in(end->getRetValue());
    if (const auto *expression = dyn_cast<Expr>(code))
      return inExpression(*expression);
    return First::Other;
  }

private:
  bool contains(const Stmt &code) const {
    return &code == &Part ||
           llvm::any_of(code.children(), [this](const Stmt *inner) {
             return inner && contains(*inner);
           });
  }

  /// Looks through code that runs in this order. If that isn't the end of the
  /// statement, something else follows.
  template <typename Codes>
  First inOrder(const Codes &codes, bool isEnd = true) const {
    for (const Stmt *code : codes)
      if (const First first = in(code); first != First::Nothing)
        return first;
    return isEnd ? First::Nothing : First::Other;
  }
  First inOrder(std::initializer_list<const Stmt *> codes, bool isEnd) const {
    return inOrder<std::initializer_list<const Stmt *>>(codes, isEnd);
  }

  First inDeclarations(const DeclStmt &statement) const {
    for (const Decl *each : statement.decls()) {
      const auto *variable = dyn_cast<VarDecl>(each);
      if (!variable || variable->isStaticLocal())
        return First::Other;
      if (const First first = in(variable->getInit()); first != First::Nothing)
        return first;
    }
    return First::Nothing;
  }

  /// Looks into the operand with the part. The others, which may come before
  /// it, must have no effect.
  template <typename Operands>
  First inAnyOrder(const Operands &operands) const {
    First found = First::Nothing;
    for (const Stmt *operand : operands) {
      const First first = in(operand);
      if (first == First::Other)
        return first;
      if (first == First::Part)
        found = first;
    }
    return found;
  }

  /// Looks into an expression that contains the part.
  First inExpression(const Expr &code) const {
    if (isa<LambdaExpr, StmtExpr, UnaryExprOrTypeTraitExpr>(code))
      return First::Other;
    if (const auto *choice = dyn_cast<AbstractConditionalOperator>(&code))
      return inOrder({choice->getCond()}, /*isEnd=*/false);
    if (const auto *binary = dyn_cast<BinaryOperator>(&code)) {
      if (binary->isLogicalOp())
        return inOrder({binary->getLHS()}, /*isEnd=*/false);
      if (binary->isCommaOp())
        return inOrder({binary->getLHS(), binary->getRHS()}, /*isEnd=*/true);
    }
    return inAnyOrder(code.children());
  }

  const Expr &Part;
  const ASTContext &Ast;
};

} // namespace

bool comesFirst(const Expr &part, const Stmt &statement,
                const ASTContext &ast) {
  return FirstEffect(part, ast).in(&statement) == First::Part;
}

} // namespace kfuse
