//===- ErrorReports.cpp - Statements that only report errors --------------===//

#include "frontend/api/ErrorReports.h"

#include "frontend/api/ErrorConditions.h"
#include "frontend/api/RuntimeRoles.h"
#include "frontend/syntax/ControlFlow.h"
#include "frontend/syntax/EvaluatedChildren.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

namespace kfuse {

using namespace clang;

namespace {

/// Functions that call functions, so deep.
constexpr unsigned MostCalls = 4;

class ReportFinder {
public:
  explicit ReportFinder(const ASTContext &ast) : Ast(ast) {}

  bool onlyReports(const Stmt &statement) {
    if (const auto *block = dyn_cast<CompoundStmt>(&statement))
      return llvm::all_of(block->body(), [this](const Stmt *each) {
        return onlyReports(*each);
      });
    if (const auto *loop = dyn_cast<DoStmt>(&statement))
      return runsOnce(*loop, Ast) && onlyReports(*loop->getBody());
    if (const auto *declared = dyn_cast<DeclStmt>(&statement))
      return llvm::all_of(declared->decls(), [this](const Decl *each) {
        const auto *variable = dyn_cast<VarDecl>(each);
        return variable && variable->hasLocalStorage() && variable->hasInit() &&
               onlyAsks(*variable->getInit());
      });
    if (const auto *branch = dyn_cast<IfStmt>(&statement))
      return !branch->getElse() && !branch->hasInitStorage() &&
             !branch->hasVarStorage() && onlyAsks(*branch->getCond()) &&
             holdsOnlyAfterError(*branch->getCond(),
                                 [](const VarDecl &) { return false; });
    const auto *value = dyn_cast<Expr>(&statement);
    return isa<NullStmt>(statement) || (value && onlyAsks(*value));
  }

private:
  /// Checks whether the part has a value in any case and no effects, except for
  /// calls that report errors.
  bool onlyAsks(const Stmt &part) {
    if (const auto *call = dyn_cast<CallExpr>(&part)) {
      if (!mayCall(*call))
        return false;
    } else if (const auto *binary = dyn_cast<BinaryOperator>(&part)) {
      if (!binary->isComparisonOp() && !binary->isLogicalOp())
        return false;
    } else if (const auto *unary = dyn_cast<UnaryOperator>(&part)) {
      if (unary->getOpcode() != UO_LNot)
        return false;
    } else if (!isa<CastExpr, DeclRefExpr, ParenExpr, StringLiteral,
                    IntegerLiteral, CXXBoolLiteralExpr, CXXDefaultArgExpr,
                    SourceLocExpr, ExprWithCleanups, PredefinedExpr>(part)) {
      return false;
    }
    return llvm::all_of(evaluatedIn(part),
                        [this](const Stmt *each) { return onlyAsks(*each); });
  }

  bool mayCall(const CallExpr &call) {
    const FunctionDecl *callee = call.getDirectCallee();
    const IdentifierInfo *name = callee ? callee->getIdentifier() : nullptr;
    if (!name || isa<CXXMemberCallExpr>(call))
      return false;
    if (const auto known = runtimeCall(name->getName().str()))
      return known->kind == StepKind::ErrorCheck;
    const FunctionDecl *definition = callee->getDefinition();
    if (!definition || !definition->getBody() || Calls == MostCalls)
      return false;
    ++Calls;
    const bool isFine = onlyReports(*definition->getBody());
    --Calls;
    return isFine;
  }

  const ASTContext &Ast;
  unsigned Calls = 0; ///< around what is looked at
};

} // namespace

bool onlyReportsErrors(const Stmt &statement, const ASTContext &ast) {
  return ReportFinder(ast).onlyReports(statement);
}

bool takesLastError(const Stmt &statement) {
  const auto *taken = dyn_cast<BinaryOperator>(&statement);
  const auto *call =
      taken ? dyn_cast<CallExpr>(taken->getRHS()->IgnoreParenImpCasts())
            : nullptr;
  const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  return callee && taken->getOpcode() == BO_Assign &&
         isa<DeclRefExpr>(taken->getLHS()->IgnoreParens()) &&
         callee->getNameAsString() == "cudaGetLastError";
}

} // namespace kfuse
