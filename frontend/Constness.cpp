//===- frontend/Constness.cpp - Whether const is meant --------------------===//

#include "frontend/Constness.h"

#include "frontend/DeviceArithmetic.h"
#include "frontend/MeaningVisitor.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <utility>

namespace kfuse {

using namespace clang;

namespace {

/// Casts of pointers and references, which may take a `const` away, in a
/// function and what it calls, and pointers that it leaves somewhere, for
/// others to cast; what can't be seen may have some.
class CastFinder : public MeaningVisitor<CastFinder> {
public:
  bool isFound = false;

  void enter(const FunctionDecl *function) {
    if (isLibraryFunction(function))
      return;
    const FunctionDecl *definition =
        function ? function->getDefinition() : nullptr;
    if (!definition || !definition->getBody()) {
      isFound |= !function || !function->isTrivial();
      return;
    }
    if (!Entered.insert(definition).second)
      return;
    const FunctionDecl *caller = std::exchange(Current, definition);
    TraverseStmt(definition->getBody());
    if (const auto *made = dyn_cast<CXXConstructorDecl>(definition))
      for (const CXXCtorInitializer *member : made->inits())
        TraverseStmt(member->getInit());
    Current = caller;
  }

  bool VisitExplicitCastExpr(ExplicitCastExpr *cast) {
    const QualType type = cast->getTypeAsWritten();
    isFound |= type->isPointerType() || type->isReferenceType();
    return !isFound;
  }
  bool VisitAsmStmt(AsmStmt *) {
    isFound = true;
    return false;
  }
  bool VisitBinaryOperator(BinaryOperator *operation) {
    const auto *name =
        dyn_cast<DeclRefExpr>(operation->getLHS()->IgnoreParens());
    const auto *variable = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
    // What a lambda assigns may be the caller's.
    const bool isOwn = variable && variable->hasLocalStorage() &&
                       variable->getDeclContext() == Current &&
                       !variable->getType()->isReferenceType();
    isFound |= operation->isAssignmentOp() && !isOwn &&
               operation->getLHS()->getType()->isPointerType();
    return !isFound;
  }
  bool VisitInitListExpr(InitListExpr *list) {
    isFound |= llvm::any_of(list->inits(), isPointer);
    return !isFound;
  }
  bool VisitCallExpr(CallExpr *call) {
    enter(call->getDirectCallee());
    return !isFound;
  }
  bool VisitCXXDefaultArgExpr(CXXDefaultArgExpr *argument) {
    return TraverseStmt(argument->getExpr());
  }
  // Destructors run without a call in the text.
  bool VisitVarDecl(VarDecl *variable) {
    isFound |= variable->getType().isDestructedType() != QualType::DK_none;
    return !isFound;
  }
  bool VisitCXXBindTemporaryExpr(CXXBindTemporaryExpr *) {
    isFound = true;
    return false;
  }
  bool VisitCXXNewExpr(CXXNewExpr *) {
    isFound = true;
    return false;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *made) {
    isFound |= llvm::any_of(made->arguments(), isPointer);
    enter(made->getConstructor());
    return !isFound;
  }

private:
  static bool isPointer(const Expr *value) {
    return value->getType()->isPointerType();
  }

  llvm::SmallPtrSet<const FunctionDecl *, 8> Entered;
  const FunctionDecl *Current = nullptr;
};

bool meansConst(const FunctionDecl &function) {
  CastFinder finder;
  finder.enter(&function);
  return !finder.isFound;
}

} // namespace

bool leavesObject(const CXXMethodDecl *method) {
  return method && method->getDefinition() && method->isConst() &&
         !method->getParent()->hasMutableFields() && meansConst(*method);
}

bool leavesReferred(const FunctionDecl *callee) {
  return callee && (isLibraryFunction(callee) || meansConst(*callee));
}

bool leavesPointee(const FunctionDecl *callee, unsigned parameter) {
  if (!callee || !callee->getDefinition() ||
      parameter >= callee->getNumParams())
    return false;
  const QualType type = callee->getParamDecl(parameter)->getType();
  const QualType result = callee->getReturnType();
  return (result->isVoidType() || result->isArithmeticType()) &&
         type->isPointerType() && type->getPointeeType().isConstQualified() &&
         type->getPointeeType()
             ->getBaseElementTypeUnsafe()
             ->isRealFloatingType() &&
         meansConst(*callee);
}

} // namespace kfuse
