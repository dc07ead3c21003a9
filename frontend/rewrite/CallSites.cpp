//===- CallSites.cpp - Calls that stand beside other launches -------------===//

#include "frontend/rewrite/CallSites.h"

#include "frontend/syntax/SourceVisitor.h"
#include "frontend/syntax/VariableUses.h"

#include "clang/AST/ExprCXX.h"

#include <optional>

namespace kfuse {

using namespace clang;

namespace {

/// Checks whether `variable` is a number or a pointer of one call of its
/// function, and is what its declaration says.
bool isPlain(const VarDecl &variable) {
  const QualType type = variable.getType();
  const AutoType *placeholder = type->getContainedAutoType();
  return variable.hasLocalStorage() && type->isScalarType() &&
         !type.isVolatileQualified() &&
         !(placeholder && placeholder->isDecltypeAuto());
}

/// Returns the call that `statement` is made of.
std::optional<CallSite> siteOf(const FunctionDecl &caller,
                               const Stmt &statement) {
  CallSite site;
  site.caller = &caller;
  site.statement = &statement;
  const auto *value = dyn_cast<Expr>(&statement);
  if (const auto *declared = dyn_cast<DeclStmt>(&statement)) {
    site.result = declared->isSingleDecl()
                      ? dyn_cast<VarDecl>(declared->getSingleDecl())
                      : nullptr;
    if (!site.result || site.result->getInitStyle() != VarDecl::CInit)
      return std::nullopt;
    value = site.result->getInit();
  }
  if (!value)
    return std::nullopt;
  if (const auto *cleanups = dyn_cast<ExprWithCleanups>(value)) {
    site.hasCleanups = true;
    value = cleanups->getSubExpr();
  }
  const Expr *whole = value->IgnoreParens();
  if (const auto *assignment = dyn_cast<BinaryOperator>(whole);
      assignment && assignment->getOpcode() == BO_Assign && !site.result) {
    const auto *use = dyn_cast<DeclRefExpr>(assignment->getLHS());
    site.result = use ? dyn_cast<VarDecl>(use->getDecl()) : nullptr;
    if (!site.result)
      return std::nullopt;
    whole = assignment->getRHS();
  } else if (const auto *cast = dyn_cast<CStyleCastExpr>(whole);
             cast && cast->getCastKind() == CK_ToVoid) {
    whole = cast->getSubExpr();
  }
  site.call = dyn_cast<CallExpr>(site.result ? whole->IgnoreParenImpCasts()
                                             : whole->IgnoreParens());
  if (!site.call || (site.result && !isPlain(*site.result)))
    return std::nullopt;
  // Its own value isn't there yet.
  if (site.isDeclaration() &&
      variableUses(*site.call)[site.result].mentions != 0)
    return std::nullopt;
  return site;
}

/// Collects a function's CallSites.
class CallFinder : public SourceVisitor {
public:
  CallFinder(const FunctionDecl &caller,
             const std::set<const FunctionDecl *> &launching)
      : Caller(caller), Launching(launching) {}

  CallSites sites;

  bool TraverseLambdaExpr(LambdaExpr *) override { return true; }
  bool TraverseDecl(Decl *declaration) override {
    // Methods of a local class are callers of their own.
    auto *method = dyn_cast_or_null<CXXMethodDecl>(declaration);
    return method && method != &Caller
               ? VisitNamedDecl(method)
               : SourceVisitor::TraverseDecl(declaration);
  }
  bool VisitLabelStmt(LabelStmt *) override { return refuse("has labels"); }
  bool VisitUsingDirectiveDecl(UsingDirectiveDecl *) override {
    return refuse("has a using directive");
  }
  bool VisitUsingEnumDecl(UsingEnumDecl *) override {
    return refuse("has a using directive");
  }
  bool VisitNamedDecl(NamedDecl *declaration) override {
    sites.names.insert(declaration->getDeclName());
    return true;
  }
  bool VisitSwitchStmt(SwitchStmt *statement) override {
    Switched.insert(statement->getBody());
    return true;
  }
  bool VisitCompoundStmt(CompoundStmt *block) override {
    if (Switched.count(block) != 0)
      return true;
    std::vector<CallSite> found;
    unsigned launches = 0;
    for (const Stmt *child : block->body()) {
      const auto site = siteOf(Caller, *child);
      const FunctionDecl *callee =
          site ? site->call->getDirectCallee() : nullptr;
      if (!callee)
        continue;
      const bool isLaunch = isa<CUDAKernelCallExpr>(site->call);
      const bool isCall = Launching.count(callee->getDefinition()) != 0;
      launches += isCall || isLaunch;
      if (isCall && !isLaunch)
        found.push_back(*site);
    }
    if (launches > 1)
      sites.all.insert(sites.all.end(), found.begin(), found.end());
    return true;
  }

private:
  bool refuse(const std::string &why) {
    sites.obstacle = why;
    return true;
  }

  const FunctionDecl &Caller;
  const std::set<const FunctionDecl *> &Launching;
  std::set<const Stmt *> Switched;
};

} // namespace

bool CallSite::isDeclaration() const { return isa<DeclStmt>(statement); }

CallSites callSites(const FunctionDecl &caller,
                    const std::set<const FunctionDecl *> &launching) {
  CallFinder finder(caller, launching);
  finder.TraverseDecl(const_cast<FunctionDecl *>(&caller));
  return std::move(finder.sites);
}

} // namespace kfuse
