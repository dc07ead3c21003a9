//===- Scan.cpp - Syntactic facts of device code --------------------------===//

#include "frontend/kernel/Scan.h"

#include "frontend/syntax/SourceVisitor.h"
#include "frontend/syntax/VariableUses.h"

#include "clang/AST/ASTContext.h"

namespace kfuse {

using namespace clang;

namespace {

/// Returns the local variable that an lvalue is, or is a member of.
const VarDecl *rootVariable(const Expr *lvalue) {
  lvalue = lvalue->IgnoreParenCasts();
  while (const auto *member = dyn_cast<MemberExpr>(lvalue)) {
    if (member->isArrow())
      return nullptr;
    lvalue = member->getBase()->IgnoreParenCasts();
  }
  if (const auto *element = dyn_cast<ExtVectorElementExpr>(lvalue))
    return rootVariable(element->getBase());
  if (const auto *reference = dyn_cast<DeclRefExpr>(lvalue))
    return dyn_cast<VarDecl>(reference->getDecl());
  return nullptr;
}

class EffectFinder : public SourceVisitor {
public:
  CodeEffects effects;

  bool VisitBinaryOperator(BinaryOperator *operation) override {
    if (operation->isAssignmentOp())
      modify(operation->getLHS());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *operation) override {
    if (operation->isIncrementDecrementOp() ||
        operation->getOpcode() == UO_AddrOf)
      modify(operation->getSubExpr());
    return true;
  }
  // An argument that isn't read as a value may be changed by the callee.
  bool VisitCallExpr(CallExpr *call) override {
    for (const Expr *argument : call->arguments())
      if (argument->isGLValue())
        modify(argument);
    if (const auto *member = dyn_cast<CXXMemberCallExpr>(call))
      if (const Expr *object = member->getImplicitObjectArgument())
        modify(object);
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *construct) override {
    if (!construct->getConstructor()->isCopyOrMoveConstructor())
      for (const Expr *argument : construct->arguments())
        if (argument->isGLValue())
          modify(argument);
    return true;
  }
  bool VisitVarDecl(VarDecl *variable) override {
    if (variable->getType()->isReferenceType() && variable->getInit())
      modify(variable->getInit());
    return true;
  }
  bool VisitReturnStmt(ReturnStmt *) override {
    effects.hasReturn = true;
    return true;
  }
  bool VisitBreakStmt(BreakStmt *) override {
    effects.hasBreak |= LoopDepth == 0 && SwitchDepth == 0;
    return true;
  }
  bool VisitContinueStmt(ContinueStmt *) override {
    effects.hasContinue |= LoopDepth == 0;
    return true;
  }
  bool VisitGotoStmt(GotoStmt *) override {
    effects.hasBreak = effects.hasReturn = true;
    return true;
  }

  bool TraverseForStmt(ForStmt *loop) override {
    return nested(LoopDepth,
                  [&] { return SourceVisitor::TraverseForStmt(loop); });
  }
  bool TraverseWhileStmt(WhileStmt *loop) override {
    return nested(LoopDepth,
                  [&] { return SourceVisitor::TraverseWhileStmt(loop); });
  }
  bool TraverseDoStmt(DoStmt *loop) override {
    return nested(LoopDepth,
                  [&] { return SourceVisitor::TraverseDoStmt(loop); });
  }
  bool TraverseCXXForRangeStmt(CXXForRangeStmt *loop) override {
    return nested(LoopDepth,
                  [&] { return SourceVisitor::TraverseCXXForRangeStmt(loop); });
  }
  bool TraverseSwitchStmt(SwitchStmt *statement) override {
    return nested(SwitchDepth,
                  [&] { return SourceVisitor::TraverseSwitchStmt(statement); });
  }
  bool TraverseLambdaExpr(LambdaExpr *) override { return true; }

private:
  template <typename Action> bool nested(unsigned &depth, Action action) {
    ++depth;
    const bool goesOn = action();
    --depth;
    return goesOn;
  }
  void modify(const Expr *lvalue) {
    if (const VarDecl *variable = rootVariable(lvalue))
      effects.modified.insert(variable);
  }

  unsigned LoopDepth = 0, SwitchDepth = 0;
};

class PinFinder : public SourceVisitor {
public:
  explicit PinFinder(const Stmt &body) : Body(body) {}

  std::set<const VarDecl *> pinned;

  bool VisitCallExpr(CallExpr *call) override {
    // `f(&v)`: the address lives as long as the call, which is followed.
    for (const Expr *argument : call->arguments())
      if (const auto *address =
              dyn_cast<UnaryOperator>(argument->IgnoreParenImpCasts());
          address && address->getOpcode() == UO_AddrOf)
        Transient.insert(address);
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *operation) override {
    if (operation->getOpcode() == UO_AddrOf && !Transient.contains(operation))
      pin(operation->getSubExpr());
    return true;
  }
  bool VisitCastExpr(CastExpr *cast) override {
    if (cast->getCastKind() == CK_LValueBitCast)
      pin(cast->getSubExpr());
    return true;
  }
  bool VisitVarDecl(VarDecl *variable) override {
    if (variable->getType()->isReferenceType() && variable->getInit() &&
        !variable->getType()->getPointeeType().isConstQualified())
      pin(variable->getInit());
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *lambda) override {
    for (const LambdaCapture &capture : lambda->captures())
      if (capture.capturesVariable() && capture.getCaptureKind() == LCK_ByRef &&
          !isReadOnlyClosure(*lambda, Body))
        if (const auto *variable = dyn_cast<VarDecl>(capture.getCapturedVar()))
          pinned.insert(variable);
    return true;
  }

private:
  void pin(const Expr *lvalue) {
    if (const VarDecl *variable = rootVariable(lvalue))
      if (!variable->getType()->isArrayType())
        pinned.insert(variable);
  }

  const Stmt &Body;
  std::set<const UnaryOperator *> Transient;
};

/// Finds lvalues that are used as more than values. The target of a pointer
/// belongs to another variable.
class ExposureFinder : public SourceVisitor {
public:
  std::set<const VarDecl *> exposed;

  bool VisitCastExpr(CastExpr *cast) override {
    if (cast->getCastKind() == CK_LValueToRValue)
      readElement(cast->getSubExpr());
    else if (cast->getCastKind() == CK_ArrayToPointerDecay &&
             !Read.contains(cast))
      expose(cast->getSubExpr());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *operation) override {
    if (operation->getOpcode() == UO_AddrOf)
      expose(operation->getSubExpr());
    return true;
  }
  bool VisitVarDecl(VarDecl *variable) override {
    if (variable->getType()->isReferenceType() && variable->getInit())
      expose(variable->getInit());
    return true;
  }
  bool VisitCallExpr(CallExpr *call) override {
    for (const Expr *argument : call->arguments())
      if (argument->isGLValue())
        expose(argument);
    if (const auto *member = dyn_cast<CXXMemberCallExpr>(call))
      if (const Expr *object = member->getImplicitObjectArgument();
          object && object->isGLValue())
        expose(object);
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *construct) override {
    if (!construct->getConstructor()->isCopyOrMoveConstructor())
      for (const Expr *argument : construct->arguments())
        if (argument->isGLValue())
          expose(argument);
    return true;
  }
  bool VisitInitListExpr(InitListExpr *list) override {
    for (const Expr *element : list->inits())
      if (element->isGLValue())
        expose(element);
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *lambda) override {
    for (const LambdaCapture &capture : lambda->captures())
      if (capture.capturesVariable() && capture.getCaptureKind() == LCK_ByRef)
        if (const auto *variable = dyn_cast<VarDecl>(capture.getCapturedVar()))
          exposed.insert(variable);
    return true;
  }

private:
  /// Notes that the element or member at `lvalue` is read, so that its array
  /// doesn't become a pointer.
  void readElement(const Expr *lvalue) {
    lvalue = lvalue->IgnoreParens();
    if (const auto *member = dyn_cast<MemberExpr>(lvalue)) {
      if (!member->isArrow())
        readElement(member->getBase());
    } else if (const auto *element = dyn_cast<ArraySubscriptExpr>(lvalue)) {
      const auto *base =
          dyn_cast<ImplicitCastExpr>(element->getBase()->IgnoreParens());
      if (base && base->getCastKind() == CK_ArrayToPointerDecay) {
        Read.insert(base);
        readElement(base->getSubExpr());
      }
    }
  }

  void expose(const Expr *lvalue) {
    lvalue = lvalue->IgnoreParens();
    if (lvalue->getType().isConstQualified())
      return;
    if (const auto *reference = dyn_cast<DeclRefExpr>(lvalue)) {
      if (const auto *variable = dyn_cast<VarDecl>(reference->getDecl()))
        exposed.insert(variable);
    } else if (const auto *cast = dyn_cast<CastExpr>(lvalue)) {
      if (cast->getSubExpr()->isGLValue() &&
          cast->getCastKind() != CK_LValueToRValue)
        expose(cast->getSubExpr());
    } else if (const auto *member = dyn_cast<MemberExpr>(lvalue)) {
      if (!member->isArrow())
        expose(member->getBase());
    } else if (const auto *element = dyn_cast<ArraySubscriptExpr>(lvalue)) {
      expose(element->getBase());
    } else if (const auto *part = dyn_cast<ExtVectorElementExpr>(lvalue)) {
      expose(part->getBase());
    } else if (const auto *either =
                   dyn_cast<AbstractConditionalOperator>(lvalue)) {
      expose(either->getTrueExpr());
      expose(either->getFalseExpr());
    } else if (const auto *operation = dyn_cast<BinaryOperator>(lvalue)) {
      expose(operation->isAssignmentOp() ? operation->getLHS()
                                         : operation->getRHS());
    } else if (const auto *operation = dyn_cast<UnaryOperator>(lvalue)) {
      if (operation->getOpcode() != UO_Deref)
        expose(operation->getSubExpr());
    }
  }

  std::set<const CastExpr *> Read;
};

} // namespace

CodeEffects effectsOf(std::initializer_list<const Stmt *> code) {
  EffectFinder finder;
  for (const Stmt *statement : code)
    if (statement)
      finder.TraverseStmt(const_cast<Stmt *>(statement));
  return std::move(finder.effects);
}

std::set<const VarDecl *> exposedVariables(const Stmt &code) {
  ExposureFinder finder;
  finder.TraverseStmt(const_cast<Stmt *>(&code));
  return std::move(finder.exposed);
}

bool isReadOnlyClosure(const LambdaExpr &lambda, const Stmt &function) {
  class InnerLambdaFinder : public SourceVisitor {
  public:
    bool isFound = false;
    bool VisitLambdaExpr(LambdaExpr *) override {
      isFound = true;
      return false;
    }
  } inner;
  inner.TraverseStmt(lambda.getBody());
  if (inner.isFound)
    return false;
  const auto changes = [](const Stmt &code, const VarDecl *variable) {
    return effectsOf({&code}).modified.count(variable) != 0 ||
           exposedVariables(code).count(variable) != 0;
  };
  return llvm::all_of(lambda.captures(), [&](const LambdaCapture &capture) {
    const auto *variable = capture.capturesVariable()
                               ? dyn_cast<VarDecl>(capture.getCapturedVar())
                               : nullptr;
    if (!variable || variable->isInitCapture() ||
        changes(*lambda.getBody(), variable))
      return false;
    return capture.getCaptureKind() == LCK_ByRef ||
           (variable->getType()->isScalarType() &&
            !changes(function, variable));
  });
}

bool mayChange(const Expr &code, const Expr &place) {
  // A variable is the same place whatever it holds.
  if (isa<DeclRefExpr>(place.IgnoreParenImpCasts()))
    return false;
  const std::set<const VarDecl *> modified = effectsOf({&code}).modified;
  const std::set<const VarDecl *> exposed = exposedVariables(code);
  return llvm::any_of(variableUses(place), [&](const auto &use) {
    return modified.count(use.first) != 0 || exposed.count(use.first) != 0;
  });
}

std::set<const VarDecl *> pinnedVariables(const Stmt *body) {
  if (!body)
    return {};
  PinFinder finder(*body);
  finder.TraverseStmt(const_cast<Stmt *>(body));
  return std::move(finder.pinned);
}

} // namespace kfuse
