//===- Addressing.cpp - Functions that only find elements -----------------===//

#include "frontend/contraction/Addressing.h"

#include "frontend/contraction/DeviceArithmetic.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"

namespace kfuse {

using namespace clang;

namespace {

/// Beyond these, calls in calls aren't followed.
constexpr unsigned MostNestedCalls = 4;

class AddressingFinder : public RecursiveASTVisitor<AddressingFinder> {
public:
  explicit AddressingFinder(unsigned depth) : Depth(depth) {}

  bool visit(const FunctionDecl &function) {
    const FunctionDecl *definition = function.getDefinition();
    const auto *method = dyn_cast<CXXMethodDecl>(&function);
    if (!definition || Depth > MostNestedCalls ||
        isa<CXXConstructorDecl>(function) || (method && method->isVirtual()))
      return false;
    const QualType result = definition->getReturnType();
    if (result->isReferenceType() ? result->getPointeeType()->isRecordType()
                                  : !result->isIntegralOrEnumerationType())
      return false;
    return TraverseStmt(definition->getBody());
  }

  Addressing found;

  /// Skips what doesn't run, such as a message, which has no type.
  bool TraverseStaticAssertDecl(StaticAssertDecl *) { return true; }
  // Each visit returns whether the function may still be one of these.
  bool VisitStmt(Stmt *statement) {
    found.mayFail |= isa<ForStmt, WhileStmt, DoStmt>(statement);
    found.hasBranches |= isa<IfStmt, SwitchStmt, ForStmt, WhileStmt, DoStmt,
                             ConditionalOperator>(statement);
    return isa<Expr, CompoundStmt, DeclStmt, NullStmt, ReturnStmt, IfStmt,
               SwitchStmt, CaseStmt, DefaultStmt, BreakStmt, ForStmt, WhileStmt,
               DoStmt>(statement);
  }
  bool VisitExpr(Expr *expression) {
    const QualType type = expression->getType();
    const bool isPlace = expression->isGLValue();
    return !isa<LambdaExpr, StmtExpr, CXXNewExpr, CXXDeleteExpr>(expression) &&
           !type.isVolatileQualified() &&
           (isPlace || type->isIntegralOrEnumerationType() ||
            type->isPointerType() || type->isFunctionPointerType() ||
            type->isSpecificBuiltinType(BuiltinType::BoundMember));
  }
  bool VisitVarDecl(VarDecl *variable) {
    return variable->hasLocalStorage() &&
           variable->getType()->isIntegralOrEnumerationType();
  }
  bool VisitReturnStmt(ReturnStmt *statement) {
    const Expr *value = statement->getRetValue();
    if (!value || !value->isGLValue())
      return value;
    const Expr *base = baseOfElement(*value);
    const FieldDecl *field = base ? fieldOfObject(*base) : nullptr;
    found.pointer = Returns++ == 0 || found.pointer == field ? field : nullptr;
    return base;
  }
  bool VisitCastExpr(CastExpr *cast) {
    if (cast->getCastKind() == CK_LValueToRValue)
      found.readsMemory |= !isOfArgument(*cast->getSubExpr());
    switch (cast->getCastKind()) {
    case CK_LValueToRValue:
    case CK_NoOp:
    case CK_IntegralCast:
    case CK_IntegralToBoolean:
    case CK_FunctionToPointerDecay:
    case CK_BuiltinFnToFnPtr:
    case CK_ArrayToPointerDecay:
    case CK_UncheckedDerivedToBase:
    case CK_DerivedToBase:
      return true;
    default:
      return false;
    }
  }
  bool VisitUnaryOperator(UnaryOperator *step) {
    return step->getOpcode() != UO_AddrOf &&
           (!step->isIncrementDecrementOp() || isOwn(*step->getSubExpr()));
  }
  bool VisitBinaryOperator(BinaryOperator *operation) {
    const BinaryOperatorKind kind =
        operation->isCompoundAssignmentOp()
            ? BinaryOperator::getOpForCompoundAssignment(operation->getOpcode())
            : operation->getOpcode();
    const bool divides = kind == BO_Div || kind == BO_Rem;
    const auto *divisor =
        dyn_cast<IntegerLiteral>(operation->getRHS()->IgnoreParenImpCasts());
    found.hasBranches |= operation->isLogicalOp() || divides;
    found.mayFail |= divides && (!divisor || divisor->getValue().isZero());
    return !operation->isAssignmentOp() || isOwn(*operation->getLHS());
  }
  bool VisitCallExpr(CallExpr *call) {
    const FunctionDecl *callee = call->getDirectCallee();
    if (callee && !callee->hasBody()) {
      const bool isKnown = isLibraryFunction(callee);
      const LibraryFunction meaning =
          libraryFunction(isKnown ? callee->getName() : "");
      return isKnown && !meaning.mayEndInProduct && !meaning.mayBranch;
    }
    if (!callee || call->isGLValue())
      return false;
    AddressingFinder inner(Depth + 1);
    const bool isFound = inner.visit(*callee);
    found.hasBranches |= inner.found.hasBranches;
    found.mayFail |= inner.found.mayFail;
    found.readsMemory |= inner.found.readsMemory;
    return isFound;
  }

private:
  static bool isOwn(const Expr &place) {
    const auto *name = dyn_cast<DeclRefExpr>(place.IgnoreParens());
    const auto *variable = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
    return variable && variable->hasLocalStorage() &&
           !variable->getType()->isReferenceType();
  }

  /// Checks whether the place is a part of a parameter, of the object or of a
  /// variable of the function.
  static bool isOfArgument(const Expr &place) {
    const Expr *at = place.IgnoreParenImpCasts();
    while (const auto *member = dyn_cast<MemberExpr>(at)) {
      at = member->getBase()->IgnoreParenImpCasts();
      if (member->isArrow())
        return isa<CXXThisExpr>(at);
    }
    const auto *name = dyn_cast<DeclRefExpr>(at);
    const auto *variable = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
    return variable && variable->isLocalVarDeclOrParm();
  }

  /// Returns the pointer to the element that `place` is; nullptr if it isn't
  /// reached through one.
  static const Expr *baseOfElement(const Expr &place) {
    const Expr *at = place.IgnoreParens();
    const Expr *base = nullptr;
    if (const auto *element = dyn_cast<ArraySubscriptExpr>(at))
      base = element->getBase()->IgnoreParens();
    else if (const auto *step = dyn_cast<UnaryOperator>(at);
             step && step->getOpcode() == UO_Deref)
      base = step->getSubExpr()->IgnoreParens();
    while (const auto *sum = dyn_cast_or_null<BinaryOperator>(base))
      base = (sum->getLHS()->getType()->isPointerType() ? sum->getLHS()
                                                        : sum->getRHS())
                 ->IgnoreParens();
    const auto *cast = dyn_cast_or_null<CastExpr>(base);
    return cast && cast->getCastKind() == CK_LValueToRValue ? base : nullptr;
  }

  static const FieldDecl *fieldOfObject(const Expr &pointer) {
    const auto *member = dyn_cast<MemberExpr>(pointer.IgnoreParenImpCasts());
    return member && isa<CXXThisExpr>(member->getBase()->IgnoreParenImpCasts())
               ? dyn_cast<FieldDecl>(member->getMemberDecl())
               : nullptr;
  }

  unsigned Depth;
  unsigned Returns = 0;
};

} // namespace

std::optional<Addressing> addressing(const FunctionDecl &function) {
  AddressingFinder finder(0);
  if (!finder.visit(function))
    return std::nullopt;
  return finder.found;
}

} // namespace kfuse
