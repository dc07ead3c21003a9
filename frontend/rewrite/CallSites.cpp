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

/// Finds temporary objects of a call that aren't its arguments. A variable that
/// stands for a parameter may refer to what they are made for, but doesn't keep
/// them.
class TemporaryFinder : public SourceVisitor {
public:
  explicit TemporaryFinder(const CallExpr &call) {
    for (const Expr *argument : call.arguments())
      Kept.insert(argument->IgnoreParens());
  }
  bool isFound = false;

  bool VisitMaterializeTemporaryExpr(MaterializeTemporaryExpr *made) override {
    isFound |= Kept.count(made) == 0;
    return !isFound;
  }

private:
  std::set<const Expr *> Kept;
};

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
  const auto *cleanups = dyn_cast<ExprWithCleanups>(value);
  if (cleanups)
    value = cleanups->getSubExpr();
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
  if (cleanups) {
    TemporaryFinder temporaries(*site.call);
    temporaries.TraverseStmt(const_cast<CallExpr *>(site.call));
    site.hasCleanups =
        cleanups->cleanupsHaveSideEffects() || temporaries.isFound;
  }
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
    std::vector<const CallExpr *> others;
    unsigned launches = 0;
    for (const Stmt *child : block->body()) {
      const auto site = siteOf(Caller, *child);
      const FunctionDecl *callee =
          site ? site->call->getDirectCallee() : nullptr;
      const bool isLaunch = callee && isa<CUDAKernelCallExpr>(site->call);
      const bool isCall =
          callee && Launching.count(callee->getDefinition()) != 0;
      launches += isCall || isLaunch;
      if (isCall && !isLaunch)
        found.push_back(*site);
      else if (!isLaunch && isa<Expr, DeclStmt, ReturnStmt>(child))
        if (const CallExpr *part = launchingPart(*child))
          others.push_back(part);
    }
    if (launches > 1)
      sites.all.insert(sites.all.end(), found.begin(), found.end());
    if (launches + others.size() > 1)
      sites.parts.insert(sites.parts.end(), others.begin(), others.end());
    return true;
  }

private:
  /// Returns a call in the statement, outside lambdas, of a function that
  /// launches; nullptr if there is none.
  const CallExpr *launchingPart(const Stmt &statement) const {
    const auto *call = dyn_cast<CallExpr>(&statement);
    const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
    if (callee && Launching.count(callee->getDefinition()) != 0)
      return call;
    for (const Stmt *child : statement.children())
      if (const CallExpr *part = child && !isa<LambdaExpr>(child)
                                     ? launchingPart(*child)
                                     : nullptr)
        return part;
    return nullptr;
  }

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
