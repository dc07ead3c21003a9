//===- Uniformity.cpp - What all threads of a block do alike --------------===//
//
// A variable varies when it is assigned a value that does, or under a condition
// that does. The body is walked until no more variables turn out to vary; what
// isn't understood varies.
//
//===----------------------------------------------------------------------===//

#include "frontend/kernel/Uniformity.h"

#include "frontend/syntax/ThreadCoordinates.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

#include <algorithm>

namespace kfuse {

using namespace clang;

namespace {

class Walker {
public:
  std::set<const CallExpr *> calls;

  void run(const Stmt &body) {
    std::size_t before = 0;
    do {
      before = Varying.size();
      calls.clear();
      walk(&body, false);
    } while (Varying.size() != before && !IsLost);
    if (IsLost)
      calls.clear();
  }

private:
  /// Checks whether threads of a block may see different values of `code`.
  bool varies(const Stmt *code) const {
    if (!code)
      return false;
    if (const auto *expression = dyn_cast<Expr>(code))
      if (const auto coordinate = coordinateOf(expression))
        return coordinate->kind == SymbolKind::ThreadIdx;
    if (const auto *reference = dyn_cast<DeclRefExpr>(code)) {
      const auto *variable = dyn_cast<VarDecl>(reference->getDecl());
      const bool isConstant = variable &&
                              variable->getType().isConstQualified() &&
                              variable->isFileVarDecl();
      if (variable && coordinatesIn(*variable) == SymbolKind::ThreadIdx)
        return true;
      return variable && !isConstant &&
             (!variable->hasLocalStorage() || Varying.contains(variable));
    }
    const auto *call = dyn_cast<CallExpr>(code);
    if (call && isOfWholeGroup(*call))
      return std::any_of(call->arg_begin(), call->arg_end(),
                         [this](const Expr *axis) { return varies(axis); });
    if (isa<ArraySubscriptExpr, CallExpr, LambdaExpr, CXXConstructExpr,
            StmtExpr>(code))
      return true;
    if (const auto *member = dyn_cast<MemberExpr>(code);
        member && member->isArrow())
      return true;
    if (const auto *operation = dyn_cast<UnaryOperator>(code);
        operation && operation->getOpcode() == UO_Deref)
      return true;
    for (const Stmt *child : code->children())
      if (varies(child))
        return true;
    return false;
  }

  void mark(const Expr *target) {
    if (const auto *reference =
            dyn_cast<DeclRefExpr>(target->IgnoreParenCasts())) {
      if (const auto *variable = dyn_cast<VarDecl>(reference->getDecl()))
        Varying.insert(variable);
      return;
    }
    for (const Stmt *child : target->children())
      if (const auto *part = dyn_cast_or_null<Expr>(child))
        mark(part);
  }

  void walkChildren(const Stmt *code, bool isDivided) {
    for (const Stmt *child : code->children())
      walk(child, isDivided);
  }

  /// Visits `code`; `isDivided` says that not all threads of the block reach
  /// it.
  void walk(const Stmt *code, bool isDivided) {
    if (!code)
      return;
    if (isa<GotoStmt, IndirectGotoStmt, AsmStmt, LambdaExpr, CXXTryStmt,
            CXXForRangeStmt>(code) ||
        (isDivided && isa<ReturnStmt, BreakStmt, ContinueStmt>(code))) {
      IsLost = true;
      return;
    }
    if (const auto *branch = dyn_cast<IfStmt>(code)) {
      walkChildren(code, isDivided || varies(branch->getCond()));
    } else if (const auto *loop = dyn_cast<ForStmt>(code)) {
      walk(loop->getInit(), isDivided);
      const bool isUneven = isDivided || varies(loop->getCond());
      for (const Stmt *part :
           {static_cast<const Stmt *>(loop->getCond()),
            static_cast<const Stmt *>(loop->getInc()), loop->getBody()})
        walk(part, isUneven);
    } else if (const auto *loop = dyn_cast<WhileStmt>(code)) {
      walkChildren(code, isDivided || varies(loop->getCond()));
    } else if (const auto *loop = dyn_cast<DoStmt>(code)) {
      walkChildren(code, isDivided || varies(loop->getCond()));
    } else if (const auto *choice = dyn_cast<SwitchStmt>(code)) {
      walkChildren(code, isDivided || varies(choice->getCond()));
    } else if (const auto *choice =
                   dyn_cast<AbstractConditionalOperator>(code)) {
      walkChildren(code, isDivided || varies(choice->getCond()));
    } else if (const auto *operation = dyn_cast<BinaryOperator>(code)) {
      walkOperation(*operation, isDivided);
    } else if (const auto *operation = dyn_cast<UnaryOperator>(code)) {
      if (operation->getOpcode() == UO_AddrOf ||
          (operation->isIncrementDecrementOp() && isDivided))
        mark(operation->getSubExpr());
      walkChildren(code, isDivided);
    } else if (const auto *declaration = dyn_cast<DeclStmt>(code)) {
      walkDeclaration(*declaration, isDivided);
    } else if (const auto *call = dyn_cast<CallExpr>(code)) {
      if (!isDivided)
        calls.insert(call);
      for (const Expr *argument : call->arguments())
        if (argument->isGLValue())
          mark(argument);
      walkChildren(code, isDivided);
    } else {
      walkChildren(code, isDivided);
    }
  }

  void walkOperation(const BinaryOperator &operation, bool isDivided) {
    if (operation.isAssignmentOp() &&
        (isDivided || varies(operation.getRHS()) ||
         !isa<DeclRefExpr>(operation.getLHS()->IgnoreParens())))
      mark(operation.getLHS());
    walk(operation.getLHS(), isDivided);
    walk(operation.getRHS(),
         isDivided || (operation.isLogicalOp() && varies(operation.getLHS())));
  }

  void walkDeclaration(const DeclStmt &declaration, bool isDivided) {
    for (const Decl *declared : declaration.decls()) {
      const auto *variable = dyn_cast<VarDecl>(declared);
      if (!variable)
        continue;
      const QualType type = variable->getType();
      if (isDivided || !type->isIntegralOrEnumerationType() ||
          varies(variable->getInit()))
        Varying.insert(variable);
      if (type->isReferenceType() && variable->getInit())
        mark(variable->getInit());
      walk(variable->getInit(), isDivided);
    }
  }

  std::set<const VarDecl *> Varying;
  bool IsLost = false; ///< threads part in a way that isn't followed
};

} // namespace

std::set<const CallExpr *> uniformCalls(const Stmt &body) {
  Walker walker;
  walker.run(body);
  return std::move(walker.calls);
}

} // namespace kfuse
