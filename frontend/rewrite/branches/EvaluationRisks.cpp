//===- EvaluationRisks.cpp - What can't be evaluated in any case ----------===//

#include "frontend/rewrite/branches/EvaluationRisks.h"

#include "frontend/host/Expressions.h"
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
             const std::set<std::string> &evaluated)
      : Files(files), Ast(ast), Evaluated(evaluated) {}
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
    return !Evaluated.empty() &&
           Evaluated.count(Files.text(Files.range(part.getSourceRange()))) != 0;
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
    // Numbers that are added may overflow.
    if (const auto *binary = dyn_cast<BinaryOperator>(&part))
      return !binary->isComparisonOp() && !binary->isLogicalOp() &&
             !binary->getType()->isFloatingType();
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
    static const std::set<std::string> None; // of the caller's text
    RiskFinder inner(Files, Ast, None);
    for (const VarDecl *constant : body->constants)
      inner.TraverseStmt(const_cast<Expr *>(constant->getInit()));
    inner.TraverseStmt(const_cast<Expr *>(body->value));
    return !inner.isFound;
  }

  /// Checks whether the name has a value from where it is declared.
  static bool hasValue(const ValueDecl &named) {
    const auto *variable = dyn_cast<VarDecl>(&named);
    if (!variable || !variable->hasLocalStorage() || isa<ParmVarDecl>(variable))
      return true;
    const auto *made = dyn_cast_or_null<CXXConstructExpr>(variable->getInit());
    return variable->getInit() &&
           !(made && made->getConstructor()->isTrivial() &&
             made->getConstructor()->isDefaultConstructor());
  }

  FileTable &Files;
  const ASTContext &Ast;
  const std::set<std::string> &Evaluated;
};

} // namespace

bool isRisky(const Expr &part, const std::set<std::string> &evaluated,
             FileTable &files, const ASTContext &ast) {
  RiskFinder finder(files, ast, evaluated);
  finder.TraverseStmt(const_cast<Expr *>(&part));
  return finder.isFound;
}

} // namespace kfuse
