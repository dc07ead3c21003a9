//===- Assignments.cpp - What variables are given in a unit ---------------===//

#include "frontend/host/variables/Assignments.h"

#include "frontend/host/Unit.h"
#include "frontend/syntax/SourceVisitor.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

namespace kfuse {

using namespace clang;

const Expr &plainValue(const Expr &expression) {
  const Expr *inner = expression.IgnoreParens();
  while (true) {
    const Expr *next = inner;
    if (const auto *full = dyn_cast<FullExpr>(inner))
      next = full->getSubExpr();
    else if (const auto *temporary = dyn_cast<MaterializeTemporaryExpr>(inner))
      next = temporary->getSubExpr();
    else if (const auto *argument = dyn_cast<CXXDefaultArgExpr>(inner))
      next = argument->getExpr();
    else if (const auto *member = dyn_cast<CXXDefaultInitExpr>(inner))
      next = member->getExpr();
    next = next->IgnoreParens();
    if (next == inner)
      return *inner;
    inner = next;
  }
}

/// Checks whether the member is a field of `this`.
static bool isOfThis(const MemberExpr &member) {
  return isa<FieldDecl>(member.getMemberDecl()) &&
         isa<CXXThisExpr>(member.getBase()->IgnoreParenImpCasts());
}

std::optional<VariablePart> partOf(const Expr &expression) {
  const Expr *inner = plainValue(expression).IgnoreParenImpCasts();
  std::string path;
  while (const auto *member = dyn_cast<MemberExpr>(inner)) {
    if (isOfThis(*member))
      return VariablePart(member->getMemberDecl(), std::move(path));
    if (member->isArrow() || !isa<FieldDecl>(member->getMemberDecl()))
      return std::nullopt;
    path.insert(0, "." + member->getMemberDecl()->getNameAsString());
    inner = member->getBase()->IgnoreParenImpCasts();
  }
  const auto *name = dyn_cast<DeclRefExpr>(inner);
  const auto *variable = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
  if (!variable || variable->getType()->isReferenceType())
    return std::nullopt;
  return VariablePart(variable->getCanonicalDecl(), std::move(path));
}

namespace {

/// Collects the values that functions give variables.
class AssignmentFinder : public SourceVisitor {
public:
  bool shouldVisitTemplateInstantiations() const override { return true; }

  bool VisitVarDecl(VarDecl *variable) override {
    if (!isa<ParmVarDecl>(variable) && variable->getInit())
      result.given[{variable->getCanonicalDecl(), ""}].push_back(
          variable->getInit());
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *operation) override {
    if (operation->getOpcode() == BO_Assign)
      assign(*operation->getLHS(), *operation->getRHS());
    return true;
  }
  bool VisitImplicitCastExpr(ImplicitCastExpr *cast) override {
    if (cast->getCastKind() == CK_LValueToRValue ||
        (cast->getCastKind() == CK_NoOp && cast->getType().isConstQualified()))
      leave(*cast->getSubExpr());
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *made) override {
    for (unsigned i = 0; i < made->getNumArgs(); ++i)
      pass(*made->getArg(i), *made->getConstructor(), i);
    return true;
  }
  bool VisitMemberExpr(MemberExpr *member) override {
    if (isa<FieldDecl>(member->getMemberDecl()))
      Members.push_back(member);
    return true;
  }
  void addInitialisers(const CXXConstructorDecl &constructor) {
    for (const CXXCtorInitializer *each : constructor.inits())
      if (each->isMemberInitializer()) {
        result.given[{each->getMember(), ""}].push_back(each->getInit());
        TraverseStmt(each->getInit());
      }
  }
  bool VisitCallExpr(CallExpr *call) override {
    const FunctionDecl *callee = call->getDirectCallee();
    if (!callee)
      return true;
    Called.insert(
        dyn_cast<DeclRefExpr>(call->getCallee()->IgnoreParenImpCasts()));
    const auto *operation = dyn_cast<CXXOperatorCallExpr>(call);
    const bool isMember = operation && isa<CXXMethodDecl>(callee);
    if (isMember && operation->getOperator() == OO_Equal && callee->isTrivial())
      assign(*call->getArg(0), *call->getArg(1));
    const FunctionDecl *definition = callee->getDefinition();
    if (definition)
      result.calls[definition].push_back(call);
    for (unsigned i = isMember ? 1 : 0; i < call->getNumArgs(); ++i)
      pass(*call->getArg(i), *callee, isMember ? i - 1 : i);
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *name) override {
    Names.push_back(name);
    return true;
  }

  /// Completes the result once everything was seen.
  void finish() {
    for (const MemberExpr *member : Members)
      if (Left.count(member) == 0)
        result.others.insert(member->getMemberDecl());
    for (const DeclRefExpr *name : Names) {
      const auto *variable = dyn_cast<VarDecl>(name->getDecl());
      if (variable && Left.count(name) == 0)
        result.others.insert(variable->getCanonicalDecl());
      // Indirect calls may pass anything.
      const auto *function = dyn_cast<FunctionDecl>(name->getDecl());
      const FunctionDecl *definition = function && Called.count(name) == 0
                                           ? function->getDefinition()
                                           : nullptr;
      if (definition)
        for (const ParmVarDecl *parameter : definition->parameters())
          result.others.insert(parameter->getCanonicalDecl());
    }
  }

  Assignments result;

private:
  /// Notes that nothing else happens to the variable that `place` is, or is a
  /// member of, and to members on the way.
  void leave(const Expr &place) {
    const Expr *inner = plainValue(place).IgnoreParenImpCasts();
    while (const auto *member = dyn_cast<MemberExpr>(inner)) {
      Left.insert(member);
      if (member->isArrow())
        return;
      inner = member->getBase()->IgnoreParenImpCasts();
    }
    if (isa<DeclRefExpr>(inner))
      Left.insert(inner);
  }
  void assign(const Expr &target, const Expr &value) {
    leave(target);
    if (auto place = partOf(target); place && !isa<FieldDecl>(place->first))
      result.given[*std::move(place)].push_back(&value);
    // Members of any object are one.
    const Expr *inner = plainValue(target).IgnoreParenImpCasts();
    std::string path;
    while (const auto *member = dyn_cast<MemberExpr>(inner)) {
      result.given[{member->getMemberDecl(), path}].push_back(&value);
      path.insert(0, "." + member->getMemberDecl()->getNameAsString());
      inner = member->getBase()->IgnoreParenImpCasts();
    }
  }
  /// Notes that a call passes the argument as parameter `number`; a variadic
  /// function may have fewer.
  void pass(const Expr &argument, const FunctionDecl &callee, unsigned number) {
    if (number >= callee.getNumParams())
      return;
    const QualType type = callee.getParamDecl(number)->getType();
    if (type->isReferenceType() && type->getPointeeType().isConstQualified())
      leave(argument);
    if (const FunctionDecl *definition = callee.getDefinition())
      result.given[{definition->getParamDecl(number)->getCanonicalDecl(), ""}]
          .push_back(&argument);
  }

  std::set<const Expr *> Left, Called;
  std::vector<const DeclRefExpr *> Names;
  std::vector<const MemberExpr *> Members;
};

} // namespace

bool Assignments::isOwn(const ValueDecl &value) const {
  if (isa<FieldDecl>(value))
    return !value.getType().isVolatileQualified() && others.count(&value) == 0;
  const auto &variable = cast<VarDecl>(value);
  const auto *parameter = dyn_cast<ParmVarDecl>(&variable);
  const auto *function =
      parameter ? dyn_cast<FunctionDecl>(parameter->getDeclContext()) : nullptr;
  const auto *method = dyn_cast_or_null<CXXMethodDecl>(function);
  const bool isVisible =
      function ? function->isExternallyVisible()
               : !variable.hasLocalStorage() && variable.isExternallyVisible();
  const bool isElsewhere =
      variable.isFileVarDecl() && !variable.getDefinition();
  return (hasMain || !isVisible) && !isElsewhere &&
         !variable.getType().isVolatileQualified() &&
         others.count(&variable) == 0 &&
         !(method && (method->isVirtual() || method->isOverloadedOperator()));
}

Assignments assignmentsOf(const HostUnit &unit) {
  AssignmentFinder finder;
  for (const FunctionDecl *function : unit.order) {
    if (const auto *constructor = dyn_cast<CXXConstructorDecl>(function))
      finder.addInitialisers(*constructor);
    finder.TraverseStmt(function->getBody());
    finder.result.hasMain |= function->isMain();
  }
  finder.finish();
  return std::move(finder.result);
}

} // namespace kfuse
