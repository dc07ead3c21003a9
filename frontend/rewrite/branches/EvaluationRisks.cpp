//===- EvaluationRisks.cpp - What can't be evaluated in any case ----------===//

#include "frontend/rewrite/branches/EvaluationRisks.h"

#include "frontend/host/Expressions.h"
#include "frontend/syntax/EvaluatedChildren.h"
#include "frontend/syntax/SourceVisitor.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

namespace kfuse {

using namespace clang;

namespace {

/// Finds what may have no value, or change what a compiler knows, if it is
/// evaluated where the user's program doesn't.
class RiskFinder : public SourceVisitor {
public:
  RiskFinder(FileTable &files, const ASTContext &ast,
             const EvaluatedBefore &before)
      : Files(files), Ast(ast), Before(before) {}
  bool isFound = false;

  bool enterStmt(Stmt *part) override {
    const auto *expression = dyn_cast<Expr>(part);
    if (isFound || !expression || isEvaluated(*expression) ||
        (!expression->isValueDependent() && expression->isEvaluatable(Ast)))
      return false;
    isFound = isRisky(*expression);
    return !isFound;
  }

private:
  bool isEvaluated(const Expr &part) const {
    return !Before.texts.empty() &&
           Before.texts.count(Files.text(Files.range(part.getSourceRange()))) !=
               0;
  }

  bool isRisky(const Expr &part) const {
    if (const auto *call = dyn_cast<CallExpr>(&part))
      return !isHarmless(*call);
    if (const auto *use = dyn_cast<DeclRefExpr>(&part))
      return !hasValue(*use->getDecl());
    if (const auto *member = dyn_cast<MemberExpr>(&part))
      return member->isArrow() &&
             !isa<CXXThisExpr>(member->getBase()->IgnoreParenImpCasts());
    if (const auto *cast = dyn_cast<CastExpr>(&part))
      return cast->getCastKind() == CK_FloatingToIntegral;
    if (const auto *binary = dyn_cast<BinaryOperator>(&part))
      return !binary->isComparisonOp() && !binary->isLogicalOp() &&
             !binary->getType()->isFloatingType() && !wrapsAround(*binary);
    if (const auto *unary = dyn_cast<UnaryOperator>(&part))
      return unary->getOpcode() == UO_Deref ||
             (unary->getOpcode() == UO_Minus &&
              !unary->getType()->isFloatingType());
    if (const auto *made = dyn_cast<CXXConstructExpr>(&part))
      return !made->getConstructor()->isTrivial() &&
             made->getType().getUnqualifiedType().getAsString() != "dim3";
    return !isa<ParenExpr, CXXThisExpr, AbstractConditionalOperator,
                MaterializeTemporaryExpr, ExprWithCleanups, CXXDefaultArgExpr,
                InitListExpr>(part);
  }
  /// Checks whether the operation has a value for all operands. Signed numbers
  /// that are added may overflow.
  bool wrapsAround(const BinaryOperator &part) const {
    Expr::EvalResult divisor;
    switch (part.getOpcode()) {
    case BO_Add:
    case BO_Sub:
    case BO_Mul:
      return part.getType()->isUnsignedIntegerType();
    case BO_And:
    case BO_Or:
    case BO_Xor:
      return true;
    case BO_Div:
    case BO_Rem:
      return part.getRHS()->EvaluateAsInt(divisor, Ast) &&
             divisor.Val.getInt() != 0 &&
             (part.getType()->isUnsignedIntegerType() ||
              divisor.Val.getInt().isStrictlyPositive());
    default:
      return false;
    }
  }

  /// Checks whether the call has a value if its object and arguments have one:
  /// it is a getter, or a helper that does nothing risky itself.
  bool isHarmless(const CallExpr &call) const {
    const FunctionDecl *callee = call.getDirectCallee();
    if (!callee)
      return false;
    const auto *method = dyn_cast<CXXMethodDecl>(callee);
    if (method && method->getParent()->isInStdNamespace() && isGetter(*method))
      return true;
    const auto body = helperBody(*callee);
    if (!body)
      return false;
    static const EvaluatedBefore None; // of the caller's text
    RiskFinder inner(Files, Ast, None);
    for (const VarDecl *constant : body->constants)
      inner.TraverseStmt(const_cast<Expr *>(constant->getInit()));
    inner.TraverseStmt(const_cast<Expr *>(body->value));
    return !inner.isFound;
  }

  /// Checks whether the name has a value from where it is declared.
  bool hasValue(const ValueDecl &named) const {
    const auto *variable = dyn_cast<VarDecl>(&named);
    if (!variable || !variable->hasLocalStorage() ||
        isa<ParmVarDecl>(variable) || Before.set.count(variable) != 0)
      return true;
    const auto *made = dyn_cast_or_null<CXXConstructExpr>(variable->getInit());
    return variable->getInit() &&
           !(made && made->getConstructor()->isTrivial() &&
             made->getConstructor()->isDefaultConstructor());
  }

  FileTable &Files;
  const ASTContext &Ast;
  const EvaluatedBefore &Before;
};

/// Collects the variables that get a value before control comes to a statement.
class SetVariables {
public:
  explicit SetVariables(const Stmt &place) : Place(place) {}

  std::set<const VarDecl *> found;

  /// Looks for the place in `part`, and returns whether it is there.
  bool find(const Stmt &part) {
    if (&part == &Place)
      return true;
    const std::set<const VarDecl *> outside = found;
    for (const Stmt *child : part.children()) {
      if (child && find(*child)) {
        if (isa<SwitchStmt>(part))
          found = outside; // A case may stand between.
        return true;
      }
      if (child && isa<CompoundStmt>(part))
        add(*child);
    }
    found = outside;
    return false;
  }

private:
  void add(const Stmt &part) {
    if (const auto *operation = dyn_cast<BinaryOperator>(&part);
        operation && operation->getOpcode() == BO_Assign)
      addVariable(*operation->getLHS());
    else if (const auto *call = dyn_cast<CallExpr>(&part))
      for (const Expr *argument : call->arguments())
        if (const auto *address =
                dyn_cast<UnaryOperator>(argument->IgnoreParenCasts());
            address && address->getOpcode() == UO_AddrOf)
          addVariable(*address->getSubExpr());
    if (const auto *loop = dyn_cast<DoStmt>(&part))
      add(*loop->getBody());
    else if (isa<CompoundStmt, DeclStmt>(part))
      for (const Stmt *child : part.children())
        add(*child);
    else if (const auto *branch = dyn_cast<IfStmt>(&part))
      add(*branch->getCond());
    else if (isa<Expr>(part))
      for (const Stmt *each : alwaysEvaluatedIn(part))
        add(*each);
  }
  void addVariable(const Expr &part) {
    if (const auto *use = dyn_cast<DeclRefExpr>(part.IgnoreParenCasts()))
      if (const auto *variable = dyn_cast<VarDecl>(use->getDecl()))
        found.insert(variable);
  }

  const Stmt &Place;
};

} // namespace

std::set<const VarDecl *> variablesSetBefore(const Stmt &place,
                                             const FunctionDecl &function) {
  SetVariables variables(place);
  variables.find(*function.getBody());
  return variables.found;
}

bool isRisky(const Expr &part, const EvaluatedBefore &before, FileTable &files,
             const ASTContext &ast) {
  RiskFinder finder(files, ast, before);
  finder.TraverseStmt(const_cast<Expr *>(&part));
  return finder.isFound;
}

} // namespace kfuse
