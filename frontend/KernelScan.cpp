//===- frontend/KernelScan.cpp - Syntactic facts of device code -----------===//

#include "frontend/KernelExecutor.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"

namespace kfuse {

using namespace clang;

namespace {

/// The local variable that an lvalue is, or is a member of.
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

class EffectFinder : public RecursiveASTVisitor<EffectFinder> {
public:
  CodeEffects effects;

  bool VisitBinaryOperator(BinaryOperator *operation) {
    if (operation->isAssignmentOp())
      modify(operation->getLHS());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *operation) {
    if (operation->isIncrementDecrementOp() ||
        operation->getOpcode() == UO_AddrOf)
      modify(operation->getSubExpr());
    return true;
  }
  // An argument that isn't read as a value may be changed by the callee.
  bool VisitCallExpr(CallExpr *call) {
    for (const Expr *argument : call->arguments())
      if (argument->isGLValue())
        modify(argument);
    if (const auto *member = dyn_cast<CXXMemberCallExpr>(call))
      if (const Expr *object = member->getImplicitObjectArgument())
        modify(object);
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *construct) {
    if (!construct->getConstructor()->isCopyOrMoveConstructor())
      for (const Expr *argument : construct->arguments())
        if (argument->isGLValue())
          modify(argument);
    return true;
  }
  bool VisitVarDecl(VarDecl *variable) {
    if (variable->getType()->isReferenceType() && variable->getInit())
      modify(variable->getInit());
    return true;
  }
  bool VisitReturnStmt(ReturnStmt *) {
    effects.hasReturn = true;
    return true;
  }
  bool VisitBreakStmt(BreakStmt *) {
    effects.hasBreak |= LoopDepth == 0 && SwitchDepth == 0;
    return true;
  }
  bool VisitContinueStmt(ContinueStmt *) {
    effects.hasContinue |= LoopDepth == 0;
    return true;
  }
  bool VisitGotoStmt(GotoStmt *) {
    effects.hasBreak = effects.hasReturn = true;
    return true;
  }

  bool TraverseForStmt(ForStmt *loop) {
    return nested(LoopDepth,
                  [&] { return RecursiveASTVisitor::TraverseForStmt(loop); });
  }
  bool TraverseWhileStmt(WhileStmt *loop) {
    return nested(LoopDepth,
                  [&] { return RecursiveASTVisitor::TraverseWhileStmt(loop); });
  }
  bool TraverseDoStmt(DoStmt *loop) {
    return nested(LoopDepth,
                  [&] { return RecursiveASTVisitor::TraverseDoStmt(loop); });
  }
  bool TraverseCXXForRangeStmt(CXXForRangeStmt *loop) {
    return nested(LoopDepth, [&] {
      return RecursiveASTVisitor::TraverseCXXForRangeStmt(loop);
    });
  }
  bool TraverseSwitchStmt(SwitchStmt *statement) {
    return nested(SwitchDepth, [&] {
      return RecursiveASTVisitor::TraverseSwitchStmt(statement);
    });
  }
  bool TraverseLambdaExpr(LambdaExpr *) { return true; }

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

class PinFinder : public RecursiveASTVisitor<PinFinder> {
public:
  std::set<const VarDecl *> pinned;

  bool VisitCallExpr(CallExpr *call) {
    // `f(&v)`: the address lives as long as the call, which is followed.
    for (const Expr *argument : call->arguments())
      if (const auto *address =
              dyn_cast<UnaryOperator>(argument->IgnoreParenImpCasts());
          address && address->getOpcode() == UO_AddrOf)
        Transient.insert(address);
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *operation) {
    if (operation->getOpcode() == UO_AddrOf && !Transient.contains(operation))
      pin(operation->getSubExpr());
    return true;
  }
  bool VisitCastExpr(CastExpr *cast) {
    if (cast->getCastKind() == CK_LValueBitCast)
      pin(cast->getSubExpr());
    return true;
  }
  bool VisitVarDecl(VarDecl *variable) {
    if (variable->getType()->isReferenceType() && variable->getInit() &&
        !variable->getType()->getPointeeType().isConstQualified())
      pin(variable->getInit());
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *lambda) {
    for (const LambdaCapture &capture : lambda->captures())
      if (capture.capturesVariable() && capture.getCaptureKind() == LCK_ByRef)
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

  std::set<const UnaryOperator *> Transient;
};

} // namespace

CodeEffects effectsOf(std::initializer_list<const Stmt *> code) {
  EffectFinder finder;
  for (const Stmt *statement : code)
    if (statement)
      finder.TraverseStmt(const_cast<Stmt *>(statement));
  return std::move(finder.effects);
}

std::set<const VarDecl *> pinnedVariables(const Stmt *body) {
  PinFinder finder;
  if (body)
    finder.TraverseStmt(const_cast<Stmt *>(body));
  return std::move(finder.pinned);
}

std::optional<Coordinate> coordinateOf(const Expr *expression) {
  const Expr *bare = expression->IgnoreParens();
  // Clang's own headers make these properties, which read an intrinsic.
  if (const auto *pseudo = dyn_cast<PseudoObjectExpr>(bare))
    bare = pseudo->getSyntacticForm()->IgnoreParens();
  if (const auto *cast = dyn_cast<ImplicitCastExpr>(bare);
      cast && cast->getCastKind() == CK_LValueToRValue)
    bare = cast->getSubExpr()->IgnoreParens();
  const Expr *base = nullptr;
  llvm::StringRef axis;
  if (const auto *member = dyn_cast<MemberExpr>(bare)) {
    base = member->getBase();
    if (const IdentifierInfo *name = member->getMemberDecl()->getIdentifier())
      axis = name->getName();
  } else if (const auto *property = dyn_cast<MSPropertyRefExpr>(bare)) {
    base = property->getBaseExpr();
    axis = property->getPropertyDecl()->getName();
  }
  if (!base || axis.size() != 1 || axis[0] < 'x' || axis[0] > 'z')
    return std::nullopt;
  if (const auto *shared = dyn_cast<OpaqueValueExpr>(base);
      shared && shared->getSourceExpr())
    base = shared->getSourceExpr();
  const auto *reference = dyn_cast<DeclRefExpr>(base->IgnoreParenImpCasts());
  if (!reference)
    return std::nullopt;
  const auto *variable = dyn_cast<VarDecl>(reference->getDecl());
  if (!variable || !variable->isFileVarDecl() || !variable->getIdentifier())
    return std::nullopt;
  const auto number = static_cast<std::uint32_t>(axis[0] - 'x');
  const llvm::StringRef name = variable->getName();
  if (name == "threadIdx")
    return Coordinate{SymbolKind::ThreadIdx, number};
  if (name == "blockIdx")
    return Coordinate{SymbolKind::BlockIdx, number};
  if (name == "blockDim")
    return Coordinate{SymbolKind::BlockDim, number};
  if (name == "gridDim")
    return Coordinate{SymbolKind::GridDim, number};
  return std::nullopt;
}

} // namespace kfuse
