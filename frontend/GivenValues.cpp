//===- frontend/GivenValues.cpp - What variables hold ---------------------===//

#include "frontend/GivenValues.h"

#include "frontend/Constness.h"
#include "frontend/MeaningVisitor.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseSet.h"

namespace kfuse {

using namespace clang;

const Expr *sameBits(const Expr *expression) {
  while (true) {
    const Expr *value = sameValue(expression);
    const auto *sign = dyn_cast<UnaryOperator>(value);
    if (!sign || sign->getOpcode() != UO_Minus)
      return value;
    expression = sign->getSubExpr();
  }
}

const Expr *sameValue(const Expr *expression) {
  while (true) {
    const Expr *next = expression->IgnoreParens();
    if (const auto *cast = dyn_cast<CastExpr>(next))
      if (cast->getCastKind() == CK_LValueToRValue ||
          cast->getCastKind() == CK_NoOp)
        next = cast->getSubExpr();
    if (const auto *full = dyn_cast<FullExpr>(next))
      next = full->getSubExpr();
    if (const auto *temporary = dyn_cast<MaterializeTemporaryExpr>(next))
      next = temporary->getSubExpr();
    if (const auto *temporary = dyn_cast<CXXBindTemporaryExpr>(next))
      next = temporary->getSubExpr();
    if (const auto *argument = dyn_cast<CXXDefaultArgExpr>(next))
      next = argument->getExpr();
    if (const auto *member = dyn_cast<CXXDefaultInitExpr>(next))
      next = member->getExpr();
    if (const auto *sign = dyn_cast<UnaryOperator>(next))
      if (sign->getOpcode() == UO_Plus)
        next = sign->getSubExpr();
    if (const auto *both = dyn_cast<BinaryOperator>(next))
      if (both->getOpcode() == BO_Comma)
        next = both->getRHS();
    if (const auto *common = dyn_cast<OpaqueValueExpr>(next))
      if (common->getSourceExpr())
        next = common->getSourceExpr();
    if (const auto *block = dyn_cast<StmtExpr>(next))
      if (const auto *last =
              dyn_cast_or_null<Expr>(block->getSubStmt()->body_empty()
                                         ? nullptr
                                         : block->getSubStmt()->body_back()))
        next = last;
    if (next == expression)
      return expression;
    expression = next;
  }
}

const VarDecl *localOf(const Expr *expression) {
  while (true) {
    expression = expression->IgnoreParenImpCasts();
    if (const auto *member = dyn_cast<MemberExpr>(expression)) {
      if (member->isArrow())
        return nullptr;
      expression = member->getBase();
    } else if (const auto *element = dyn_cast<ArraySubscriptExpr>(expression)) {
      const Expr *array = element->getBase()->IgnoreParenImpCasts();
      if (!array->getType()->isArrayType())
        return nullptr;
      expression = array;
    } else {
      const auto *name = dyn_cast<DeclRefExpr>(expression);
      const auto *variable =
          name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
      return variable && variable->isLocalVarDeclOrParm() &&
                     !variable->getType()->isReferenceType()
                 ? variable
                 : nullptr;
    }
  }
}

const VarDecl *addressed(const Expr *expression) {
  expression = expression->IgnoreParenCasts();
  if (const auto *address = dyn_cast<UnaryOperator>(expression))
    return address->getOpcode() == UO_AddrOf ? localOf(address->getSubExpr())
                                             : nullptr;
  return expression->getType()->isArrayType() ? localOf(expression) : nullptr;
}

const Expr *rootOf(const Expr *place) {
  while (true) {
    place = sameValue(place)->IgnoreParenCasts();
    if (const auto *member = dyn_cast<MemberExpr>(place))
      place = member->getBase();
    else if (const auto *element = dyn_cast<ArraySubscriptExpr>(place))
      place = element->getBase();
    else if (const auto *load = dyn_cast<UnaryOperator>(place);
             load && load->getOpcode() == UO_Deref)
      place = load->getSubExpr();
    else
      return place;
  }
}

const VarDecl *variableOf(const Expr *expression) {
  const auto *name = dyn_cast<DeclRefExpr>(expression);
  return name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
}

llvm::SmallVector<const VarDecl *, 2> variablesAt(const Expr *place) {
  const Expr *inner = place->IgnoreParenImpCasts();
  llvm::SmallVector<const VarDecl *, 2> variables;
  if (const auto *choice = dyn_cast<AbstractConditionalOperator>(inner)) {
    variables = variablesAt(choice->getTrueExpr());
    variables.append(variablesAt(choice->getFalseExpr()));
  } else if (const VarDecl *variable = variableOf(inner)) {
    variables.push_back(variable);
  }
  return variables;
}

namespace {

/// What a place belongs to: a local variable, or what a parameter leads to.
struct Owner {
  const VarDecl *local = nullptr;
  const DeclRefExpr *borrowed = nullptr;
};

/// Whether a parameter leads to numbers of the caller that may be changed.
bool borrows(const ParmVarDecl &parameter) {
  const QualType type = parameter.getType();
  const QualType lent = type->isReferenceType() || type->isPointerType()
                            ? type->getPointeeType()
                            : QualType();
  return !lent.isNull() && !lent.isConstQualified() &&
         lent->getBaseElementTypeUnsafe()->isArithmeticType();
}
bool borrows(const DeclRefExpr &name) {
  const auto *parameter = dyn_cast<ParmVarDecl>(name.getDecl());
  return parameter && borrows(*parameter);
}

/// The place that `(n, t)`, `t = 0`, `++t` or a cast of it is.
const Expr *assigned(const Expr &place) {
  const Expr *inner = place.IgnoreParenImpCasts();
  if (const auto *operation = dyn_cast<BinaryOperator>(inner)) {
    if (operation->getOpcode() == BO_Comma)
      return assigned(*operation->getRHS());
    if (operation->isAssignmentOp())
      return assigned(*operation->getLHS());
  }
  if (const auto *step = dyn_cast<UnaryOperator>(inner);
      step && step->isPrefix() && step->isIncrementDecrementOp())
    return assigned(*step->getSubExpr());
  if (const auto *cast = dyn_cast<ExplicitCastExpr>(inner);
      cast && cast->isGLValue())
    return assigned(*cast->getSubExpr());
  return inner;
}

Owner ownerBehind(const Expr &pointer);
const Expr *withoutOffset(const Expr *pointer);

Owner ownerOf(const Expr *place) {
  place = assigned(*place);
  if (const VarDecl *local = localOf(place))
    return {local, nullptr};
  while (const auto *element = dyn_cast<ArraySubscriptExpr>(place)) {
    const Expr *base = element->getBase()->IgnoreParenImpCasts();
    if (!base->getType()->isArrayType())
      return ownerBehind(*withoutOffset(base));
    place = base;
  }
  if (const auto *load = dyn_cast<UnaryOperator>(place);
      load && load->getOpcode() == UO_Deref)
    return ownerBehind(*withoutOffset(load->getSubExpr()));
  const auto *name = dyn_cast<DeclRefExpr>(place);
  return {nullptr, name && name->getDecl()->getType()->isReferenceType() &&
                           borrows(*name)
                       ? name
                       : nullptr};
}

/// Of what a pointer without an offset leads to.
Owner ownerBehind(const Expr &pointer) {
  if (pointer.getType()->isArrayType())
    return ownerOf(&pointer);
  if (const auto *address = dyn_cast<UnaryOperator>(&pointer))
    return address->getOpcode() == UO_AddrOf ? ownerOf(address->getSubExpr())
                                             : Owner();
  const auto *name = dyn_cast<DeclRefExpr>(&pointer);
  return {nullptr, name && borrows(*name) ? name : nullptr};
}

/// `p` of `p + i`.
const Expr *withoutOffset(const Expr *pointer) {
  pointer = pointer->IgnoreParenImpCasts();
  const auto *sum = dyn_cast<BinaryOperator>(pointer);
  if (!sum || !sum->isAdditiveOp())
    return pointer;
  const Expr *left = sum->getLHS()->IgnoreParenImpCasts();
  const QualType type = left->getType();
  return withoutOffset(
      type->isPointerType() || type->isArrayType() ? left : sum->getRHS());
}

class Collector : public MeaningVisitor<Collector> {
public:
  explicit Collector(GivenValues &values) : Found(values) {}

  /// What is used in no way that is followed may go anywhere.
  void finish() {
    for (const DeclRefExpr *name : Borrowed)
      if (Followed.count(name) == 0)
        Found.targets[cast<ParmVarDecl>(name->getDecl())].lent.push_back(
            nullptr);
  }

  bool VisitDeclRefExpr(DeclRefExpr *name) {
    if (borrows(*name))
      Borrowed.insert(name);
    return true;
  }
  bool VisitVarDecl(VarDecl *variable) {
    if (!variable->hasInit())
      return true;
    if (const auto *reference = variable->getType()->getAs<ReferenceType>()) {
      countLent(variable->getInit());
      if (!reference->getPointeeType().isConstQualified())
        openUp(variable->getInit());
      Referred[variable] = variable->getInit();
      return true;
    }
    Found.values[variable].push_back(variable->getInit());
    openUp(addressed(variable->getInit()));
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *operation) {
    if (!operation->isAssignmentOp())
      return true;
    const Expr *given =
        operation->isCompoundAssignmentOp() ? operation : operation->getRHS();
    if (operation->isCompoundAssignmentOp())
      countRead(operation->getLHS());
    give(operation->getLHS(), given);
    openUp(addressed(operation->getRHS()));
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *operation) {
    if (operation->getOpcode() == UO_AddrOf && Left.count(operation) == 0)
      openUp(operation->getSubExpr());
    if (!operation->isIncrementDecrementOp())
      return true;
    countRead(operation->getSubExpr());
    give(operation->getSubExpr(), operation);
    return true;
  }
  bool VisitExplicitCastExpr(ExplicitCastExpr *cast) {
    if (cast->isGLValue())
      openUp(cast->getSubExpr());
    return true;
  }
  bool VisitStmt(Stmt *statement) {
    Found.hasLoop |=
        isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt, LabelStmt>(statement);
    return true;
  }
  bool VisitCallExpr(CallExpr *call) {
    const FunctionDecl *callee = call->getDirectCallee();
    const auto *assignment = dyn_cast<CXXOperatorCallExpr>(call);
    if (assignment && assignment->getOperator() == OO_Equal && callee &&
        callee->isTrivial()) {
      if (const VarDecl *variable = localOf(call->getArg(0)))
        Found.values[variable].push_back(call->getArg(1));
      return true;
    }
    // A member operator's object comes first; its parameter is the second.
    const bool isMember = assignment && isa_and_nonnull<CXXMethodDecl>(callee);
    for (unsigned i = 0; i < call->getNumArgs(); ++i) {
      const Expr *argument = call->getArg(i);
      if (!isMember || i > 0) {
        pass(*argument, callee, isMember ? i - 1 : i);
        continue;
      }
      openUp(addressed(argument));
      if (!leavesObject(cast<CXXMethodDecl>(callee)))
        openUp(argument);
    }
    if (const auto *method = dyn_cast<CXXMemberCallExpr>(call);
        method && !leavesObject(method->getMethodDecl()))
      openUp(method->getImplicitObjectArgument());
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *made) {
    if (!made->getConstructor()->isTrivial())
      for (unsigned i = 0; i < made->getNumArgs(); ++i)
        pass(*made->getArg(i), made->getConstructor(), i);
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *lambda) {
    for (const LambdaCapture &capture : lambda->captures())
      if (capture.capturesVariable() && capture.getCaptureKind() == LCK_ByRef)
        openUp(dyn_cast<VarDecl>(capture.getCapturedVar()));
    return true;
  }
  // An array's name is its address, but where an element is taken of it.
  bool VisitArraySubscriptExpr(ArraySubscriptExpr *element) {
    Subscripted.insert(element->getBase()->IgnoreParens());
    return true;
  }
  bool VisitImplicitCastExpr(ImplicitCastExpr *cast) {
    if (cast->getCastKind() == CK_LValueToRValue)
      countRead(cast->getSubExpr());
    if (cast->getCastKind() == CK_ArrayToPointerDecay &&
        Subscripted.count(cast) == 0 &&
        Left.count(cast->getSubExpr()->IgnoreParens()) == 0)
      openUp(cast->getSubExpr());
    return true;
  }

private:
  /// The parameter of the definition to which numbers are lent.
  static const ParmVarDecl *borrowerIn(const FunctionDecl &callee,
                                       unsigned parameter) {
    const FunctionDecl *definition = callee.getDefinition();
    if (!definition || isa<CXXMethodDecl>(definition))
      return nullptr;
    const ParmVarDecl *borrower = definition->getParamDecl(parameter);
    return borrows(*borrower) ? borrower : nullptr;
  }

  /// An argument of a call; of no parameter that is known by its number, it may
  /// be changed.
  void pass(const Expr &argument, const FunctionDecl *callee,
            unsigned parameter) {
    const QualType type = callee && parameter < callee->getNumParams()
                              ? callee->getParamDecl(parameter)->getType()
                              : QualType();
    if (!type.isNull() && type->isReferenceType())
      countLent(&argument);
    if (type.isNull()) {
      openUp(addressed(&argument));
      openUp(&argument);
    } else if (leavesPointee(callee, parameter)) {
      Left.insert(argument.IgnoreParenImpCasts());
    } else if (const ParmVarDecl *borrower = borrowerIn(*callee, parameter)) {
      lend(argument, *borrower);
    } else {
      openUp(addressed(&argument));
      if (type->isReferenceType() &&
          !(type.getNonReferenceType().isConstQualified() &&
            leavesReferred(callee)))
        openUp(&argument);
    }
  }

  void give(const Expr *place, const Expr *value) {
    if (const auto *choice =
            dyn_cast<AbstractConditionalOperator>(place->IgnoreParens())) {
      give(choice->getTrueExpr(), value);
      give(choice->getFalseExpr(), value);
    }
    const auto [local, borrowed] = ownerOf(place);
    if (local)
      Found.values[local].push_back(value);
    if (borrowed)
      follow(*borrowed).values.push_back(value);
  }
  void countRead(const Expr *place) {
    if (const DeclRefExpr *borrowed = ownerOf(place).borrowed)
      Followed.insert(borrowed);
    for (const VarDecl *variable : variablesAt(place))
      ++Found.reads[variable];
  }
  /// Who gets a reference may read.
  void countLent(const Expr *place) {
    for (const VarDecl *variable : variablesAt(place))
      ++Found.reads[variable];
  }
  GivenValues::Target &follow(const DeclRefExpr &borrowed) {
    Followed.insert(&borrowed);
    return Found.targets[cast<ParmVarDecl>(borrowed.getDecl())];
  }
  /// The argument of that parameter.
  void lend(const Expr &argument, const ParmVarDecl &by) {
    if (by.getType()->isReferenceType()) {
      lend(ownerOf(&argument), by);
      if (isa<AbstractConditionalOperator>(argument.IgnoreParens()))
        openUp(&argument);
      return;
    }
    const Expr *pointer = withoutOffset(&argument);
    if (lend(ownerBehind(*pointer), by))
      Left.insert(pointer);
  }
  bool lend(const Owner &owner, const ParmVarDecl &by) {
    openUp(owner.local, &by);
    if (owner.borrowed)
      follow(*owner.borrowed).lent.push_back(&by);
    return owner.local || owner.borrowed;
  }
  void openUp(const Expr *place) {
    if (const auto *choice =
            dyn_cast<AbstractConditionalOperator>(place->IgnoreParens())) {
      openUp(choice->getTrueExpr());
      openUp(choice->getFalseExpr());
    }
    openUp(ownerOf(place).local);
    // What a reference to const refers to, where the const is taken away.
    const VarDecl *reference = variableOf(assigned(*place));
    if (const Expr *init = Referred.lookup(reference))
      openUp(init);
  }
  void openUp(const VarDecl *variable, const ParmVarDecl *by = nullptr) {
    if (variable)
      Found.open[variable].push_back(by);
  }

  llvm::DenseSet<const DeclRefExpr *> Borrowed, Followed;
  llvm::DenseMap<const VarDecl *, const Expr *> Referred;
  llvm::DenseSet<const Expr *> Subscripted;
  llvm::DenseSet<const Expr *> Left; ///< whose address leads to no change
  GivenValues &Found;
};

} // namespace

const ParmVarDecl *borrowerOf(const Expr *place) {
  const DeclRefExpr *name = ownerOf(place).borrowed;
  return name ? cast<ParmVarDecl>(name->getDecl()) : nullptr;
}

const VarDecl *variableBehind(const Expr &pointer) {
  const Expr *root = rootOf(withoutOffset(&pointer));
  if (const auto *address = dyn_cast<UnaryOperator>(root);
      address && address->getOpcode() == UO_AddrOf)
    return variableBehind(*address->getSubExpr());
  return root->getType()->isPointerType() ? variableOf(root) : nullptr;
}

GivenValues givenValues(const FunctionDecl &definition) {
  GivenValues found;
  Collector collector(found);
  collector.TraverseStmt(definition.getBody());
  if (const auto *constructor = dyn_cast<CXXConstructorDecl>(&definition))
    for (const CXXCtorInitializer *member : constructor->inits())
      collector.TraverseStmt(member->getInit());
  collector.finish();
  return found;
}

} // namespace kfuse
