//===- InlineLambdas.cpp - Lambdas' statements for their calls ------------===//

#include "frontend/rewrite/wrappers/InlineLambdas.h"

#include "frontend/parse/SourceUnit.h"
#include "frontend/rewrite/BlockCopies.h"
#include "frontend/rewrite/CallSites.h"
#include "frontend/rewrite/InlinableFunction.h"
#include "frontend/rewrite/wrappers/WrapperArguments.h"
#include "frontend/syntax/NameLookupEquivalence.h"
#include "frontend/syntax/SourceVisitor.h"
#include "frontend/syntax/VariableUses.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

#include <map>
#include <set>

namespace kfuse {

using namespace clang;

namespace {

/// Collects what a function declares itself, by name, and its lambdas.
class LocalNames : public SourceVisitor {
public:
  std::map<DeclarationName, std::set<const NamedDecl *>> declared;

  bool TraverseLambdaExpr(LambdaExpr *) override { return true; }
  bool VisitNamedDecl(NamedDecl *declaration) override {
    declared[declaration->getDeclName()].insert(declaration);
    return true;
  }
};

/// Collects the variables that a piece of code names.
class NamedVariables : public SourceVisitor {
public:
  std::set<const NamedDecl *> all;

  bool VisitDeclRefExpr(DeclRefExpr *use) override {
    all.insert(use->getDecl());
    return true;
  }
};

/// Collects the places that name variables, and those that only take the value.
class PlaceCollector : public SourceVisitor {
public:
  std::map<const VarDecl *, std::set<const DeclRefExpr *>> named;
  std::set<const Expr *> loaded;

  bool VisitDeclRefExpr(DeclRefExpr *use) override {
    if (const auto *variable = dyn_cast<VarDecl>(use->getDecl()))
      named[variable].insert(use);
    return true;
  }
  bool VisitImplicitCastExpr(ImplicitCastExpr *cast) override {
    if (cast->getCastKind() == CK_LValueToRValue)
      loaded.insert(cast->getSubExpr()->IgnoreParens());
    return true;
  }
};

class LambdaInliner {
public:
  explicit LambdaInliner(Rewriting &rewriting)
      : Text(rewriting), Files(rewriting.files()), Unit(rewriting.unit()) {}

  RewrittenText run() {
    Launching = launchingFunctions(Unit);
    for (const FunctionDecl *function : Unit.order)
      if (!Unit.functions[function].scan.lambdas.empty() &&
          Text.callerObstacle(*function).empty())
        visit(*function);
    return Text.finish();
  }

private:
  void visit(const FunctionDecl &caller) {
    const CallSites sites = callSites(caller, Launching);
    if (sites.all.empty() || !sites.obstacle.empty())
      return;
    LocalNames names;
    names.TraverseDecl(const_cast<FunctionDecl *>(&caller));
    Uses = variableUses(*caller.getBody());
    Caller = &caller;
    for (const CompoundStmt *block : blocksOf(caller))
      for (const Stmt *statement : block->body()) {
        const auto *declared = dyn_cast<DeclStmt>(statement);
        const auto *variable =
            declared && declared->isSingleDecl()
                ? dyn_cast<VarDecl>(declared->getSingleDecl())
                : nullptr;
        const auto *lambda =
            variable && variable->getInit()
                ? dyn_cast<LambdaExpr>(variable->getInit()->IgnoreImplicit())
                : nullptr;
        if (lambda && variable->isLocalVarDecl() &&
            !variable->isStaticLocal() && capturesNames(*lambda))
          inlineAll(*statement, *variable, *lambda, sites, names);
      }
  }

  /// Checks whether the lambda finds in what it captures what the caller's
  /// variables hold at any time.
  bool capturesNames(const LambdaExpr &lambda) {
    return llvm::all_of(lambda.captures(), [&](const LambdaCapture &capture) {
      if (capture.getCaptureKind() == LCK_This)
        return true;
      const auto *variable = capture.capturesVariable()
                                 ? dyn_cast<VarDecl>(capture.getCapturedVar())
                                 : nullptr;
      if (!variable || variable->isInitCapture() || capture.isPackExpansion())
        return false;
      return capture.getCaptureKind() == LCK_ByRef ||
             (!lambda.isMutable() && variable->getType()->isScalarType() &&
              !changesLater(*variable, lambda));
    });
  }

  /// Checks whether the caller may change the variable once it has made the
  /// lambda, which has a copy. Control comes to what stands before only with
  /// another lambda.
  bool changesLater(const VarDecl &variable, const LambdaExpr &lambda) {
    if (llvm::is_contained(Unit.functions[Caller].scan.addressTaken,
                           variable.getCanonicalDecl()))
      return true;
    PlaceCollector places;
    places.TraverseStmt(Caller->getBody());
    return llvm::any_of(places.named[&variable], [&](const DeclRefExpr *use) {
      return places.loaded.count(use) == 0 &&
             !Files.sources().isBeforeInTranslationUnit(use->getBeginLoc(),
                                                        lambda.getEndLoc());
    });
  }

  void inlineAll(const Stmt &declaration, const VarDecl &variable,
                 const LambdaExpr &lambda, const CallSites &sites,
                 const LocalNames &names) {
    std::vector<const CallSite *> own;
    for (const CallSite &site : sites.all) {
      const auto *method =
          dyn_cast<CXXMethodDecl>(site.call->getDirectCallee());
      if (method && method->getParent() == lambda.getLambdaClass() &&
          isa<CXXOperatorCallExpr>(site.call))
        own.push_back(&site);
    }
    const SourceRange defined = Files.statement(declaration);
    if (own.empty() || Uses[&variable].mentions != own.size() ||
        !FileTable::isInputText(defined) || !Text.isFree(defined))
      return;
    std::vector<std::pair<SourceRange, MappedText>> written;
    for (const CallSite *site : own) {
      const SourceRange range = Files.statement(*site->statement);
      MappedText text;
      if (site->result || site->hasCleanups || !FileTable::isInputText(range) ||
          !Files.text(range).ends_with(';') || !Text.isFree(range) ||
          Text.followsPragma(range.begin) ||
          !write(*site, variable, lambda, names, range, text))
        return;
      written.emplace_back(range, std::move(text));
    }
    const std::string unit = "lambda@" + std::to_string(defined.begin);
    SourceRange removed = defined;
    const TextRange hole = removal(Text.layout(), defined);
    removed.begin = hole.begin;
    removed.end = hole.end;
    Text.replace(removed, {}, false, unit);
    for (auto &[range, text] : written)
      Text.replace(range, std::move(text), false, unit);
  }

  /// Writes the statements for a call; returns false if it can't.
  bool write(const CallSite &site, const VarDecl &variable,
             const LambdaExpr &lambda, const LocalNames &names,
             const SourceRange &range, MappedText &text) {
    const FunctionDecl &body = *site.call->getDirectCallee()->getDefinition();
    const MovableBlock block =
        analyseInlinable(Files, Text.macros(), Unit.functions[&body]);
    if (!block.obstacle.empty() || block.result ||
        dependOnOrder({site.call->arg_begin(), site.call->arg_end()}, Unit) ||
        !meansTheSame(body, lambda, block, names))
      return false;
    const std::string line = Text.lineAt(range.begin);
    text.write("// From " + variable.getNameAsString() + "():", range.begin);
    NewNames given;
    if (!writeArguments(Text, block, site, range.begin, given, text).empty())
      return false;
    text.write(line, range.begin);
    copyStatements(Text, block, given, line, range.end, text);
    return true;
  }

  /// Checks whether each of the caller's names in the lambda is that of the one
  /// thing there which has it.
  bool meansTheSame(const FunctionDecl &body, const LambdaExpr &lambda,
                    const MovableBlock &block, const LocalNames &names) {
    NamedVariables named;
    named.TraverseStmt(body.getBody());
    std::set<std::string> own = block.innerNames;
    for (const ValueDecl *each : block.variables)
      own.insert(each->getNameAsString());
    const std::string text = Files.text(block.statements);
    return llvm::all_of(usedWords(Text.macros(), text, lambda.getEndLoc()),
                        [&](DeclarationName name) {
                          const auto found = names.declared.find(name);
                          return found == names.declared.end() ||
                                 own.count(name.getAsString()) != 0 ||
                                 (found->second.size() == 1 &&
                                  named.all.count(*found->second.begin()) != 0);
                        });
  }

  Rewriting &Text;
  FileTable &Files;
  HostUnit &Unit;
  std::set<const FunctionDecl *> Launching;
  const FunctionDecl *Caller = nullptr;
  std::map<const VarDecl *, VariableUse> Uses; ///< in it
};

} // namespace

RewrittenText inlineLambdas(const SourceUnit &unit) {
  Rewriting rewriting(unit);
  return LambdaInliner(rewriting).run();
}

} // namespace kfuse
