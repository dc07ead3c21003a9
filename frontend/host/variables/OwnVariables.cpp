//===- OwnVariables.cpp - Globals that only this file assigns -------------===//
//
// A variable that other files can't name changes only in functions that assign
// it. Which calls may run those is known if each is only ever called by its
// name. Other files can call the functions whose names they know, but not
// `main`.
//
//===----------------------------------------------------------------------===//

#include "frontend/host/variables/OwnVariables.h"

#include "frontend/api/Callees.h"
#include "frontend/api/Swaps.h"
#include "frontend/host/Unit.h"
#include "frontend/syntax/Lvalues.h"
#include "frontend/syntax/SourceVisitor.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace kfuse {

using namespace clang;

namespace {

bool canBeOwn(const VarDecl &variable) {
  const QualType type = variable.getType();
  return variable.isFileVarDecl() && !variable.isStaticDataMember() &&
         !variable.isExternallyVisible() && !variable.hasAttrs() &&
         variable.getTSCSpec() == TSCS_unspecified &&
         variable.getDefinition() == variable.getCanonicalDecl() &&
         !type.isVolatileQualified() && !type.isConstQualified() &&
         (type->isAnyPointerType() || type->isArithmeticType() ||
          type->isEnumeralType());
}

/// Checks whether nothing but a call by its name runs `function`. The compiler
/// and templates of libraries may call methods, operators, and functions with
/// names that are known to them.
bool isOnlyCalledByName(const FunctionDecl &function) {
  const bool isMarked = llvm::any_of(function.attrs(), [](const Attr *each) {
    return !each->isImplicit() && !isa<CUDAHostAttr>(each);
  });
  return !isMarked && !isa<CXXMethodDecl>(function) &&
         function.getDeclName().isIdentifier() &&
         !llvm::is_contained({"swap", "iter_swap", "iter_move", "begin", "end",
                              "rbegin", "rend", "size", "data", "get"},
                             function.getName());
}

/// Sorts the mentions of variables by what becomes of them.
class OwnMentions : public SourceVisitor {
public:
  explicit OwnMentions(const SourceManager &sources) : Sources(sources) {}

  /// The function that is visited, if it is one of the unit's.
  const FunctionDecl *current = nullptr;

  struct Variable {
    std::set<const FunctionDecl *> assigners, users;
    bool isKept = false; ///< something else knows its address
  };

  bool shouldVisitTemplateInstantiations() const override { return true; }

  bool TraverseFunctionDecl(FunctionDecl *function) override {
    return function->isDependentContext() ||
           SourceVisitor::TraverseFunctionDecl(function);
  }
  bool VisitImplicitCastExpr(ImplicitCastExpr *cast) override {
    if (cast->getCastKind() == CK_LValueToRValue)
      note(*cast->getSubExpr(), Loaded);
    return true;
  }
  bool VisitUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *size) override {
    if (!size->isArgumentType())
      note(*size->getArgumentExpr(), Loaded);
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *operation) override {
    if (operation->isAssignmentOp())
      note(*operation->getLHS(), Assigned);
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *operation) override {
    if (operation->isIncrementDecrementOp())
      note(*operation->getSubExpr(), Assigned);
    return true;
  }
  bool VisitCallExpr(CallExpr *call) override {
    const FunctionDecl *callee = call->getDirectCallee();
    if (!callee)
      return true;
    Called.insert(
        dyn_cast<DeclRefExpr>(call->getCallee()->IgnoreParenImpCasts()));
    if (const auto swapped = swappedBy(*call)) {
      note(*swapped->first, Assigned);
      note(*swapped->second, Assigned);
    }
    const auto role = runtimeRole(*callee, Sources);
    if (role && (role->role == RuntimeCall::Role::Allocate ||
                 role->role == RuntimeCall::Role::AllocateManaged))
      for (const Expr *argument : call->arguments())
        if (const Expr *named = addressee(*argument))
          note(*named, Assigned);
    return true;
  }
  bool VisitVarDecl(VarDecl *variable) override {
    if (const auto *cleanup = variable->getAttr<CleanupAttr>())
      passed.insert(cleanup->getFunctionDecl()->getCanonicalDecl());
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *name) override {
    Names.emplace_back(name, current);
    return true;
  }

  /// Sorts all mentions that were visited. One that assigns has to be in some
  /// function of the unit.
  void finish() {
    std::set<const DeclRefExpr *> placed;
    for (const auto &[name, function] : Names)
      if (function)
        placed.insert(name);
    for (const auto &[name, function] : Names) {
      if (const auto *named = dyn_cast<FunctionDecl>(name->getDecl())) {
        if (Called.count(name) == 0 || named->isMain())
          passed.insert(named->getCanonicalDecl());
        continue;
      }
      const auto *named = dyn_cast<VarDecl>(name->getDecl());
      // A function may declare the variable once more.
      if (!named || !canBeOwn(*named->getCanonicalDecl()))
        continue;
      Variable &variable = variables[named->getCanonicalDecl()];
      const bool isAssigned = Assigned.count(name) != 0;
      variable.isKept |= (!isAssigned && Loaded.count(name) == 0) ||
                         (isAssigned && placed.count(name) == 0);
      if (function || placed.count(name) == 0)
        variable.users.insert(function);
      if (isAssigned && function)
        variable.assigners.insert(function);
    }
  }

  std::map<const VarDecl *, Variable> variables; ///< set by finish()
  /// Functions that are given to somebody who may call them.
  std::set<const FunctionDecl *> passed;

private:
  static void note(const Expr &mentioned, std::set<const DeclRefExpr *> &list) {
    list.insert(dyn_cast<DeclRefExpr>(mentioned.IgnoreParens()));
  }

  const SourceManager &Sources;
  std::set<const DeclRefExpr *> Loaded, Assigned, Called;
  std::vector<std::pair<const DeclRefExpr *, const FunctionDecl *>> Names;
};

/// The functions of the unit that call each.
using Callers =
    std::map<const FunctionDecl *, std::vector<const FunctionDecl *>>;

/// Returns the functions whose calls may run one of `functions`, these among
/// them.
std::set<const FunctionDecl *>
leadingTo(const std::set<const FunctionDecl *> &functions,
          const Callers &callers) {
  std::set<const FunctionDecl *> all = functions;
  std::vector<const FunctionDecl *> work(functions.begin(), functions.end());
  while (!work.empty()) {
    const auto found = callers.find(work.back());
    work.pop_back();
    if (found == callers.end())
      continue;
    for (const FunctionDecl *caller : found->second)
      if (all.insert(caller).second)
        work.push_back(caller);
  }
  return all;
}

} // namespace

void findOwnVariables(HostUnit &unit) {
  OwnMentions mentions(unit.model.files.sources());
  for (Decl *declaration : unit.model.ast.getTranslationUnitDecl()->decls())
    if (!unit.model.files.isInSystemHeader(
            unit.model.files.sources().getExpansionLoc(
                declaration->getLocation())))
      mentions.TraverseDecl(declaration);
  Callers callers;
  std::set<const FunctionDecl *> opaque;
  for (const auto &[function, known] : unit.functions) {
    mentions.current = function;
    mentions.TraverseStmt(function->getBody());
    bool isOpaque = known.scan.callsUnknown || known.scan.hasLabel;
    for (const FunctionDecl *callee : known.scan.callees) {
      const FunctionDecl *definition = callee->getDefinition();
      isOpaque |= !definition || unit.functions.count(definition) == 0;
      if (definition)
        callers[definition].push_back(function);
    }
    if (isOpaque)
      opaque.insert(function);
  }
  mentions.finish();
  for (const auto &[variable, mention] : mentions.variables) {
    const auto running = leadingTo(mention.assigners, callers);
    if (mention.isKept ||
        std::any_of(running.begin(), running.end(),
                    [&](const FunctionDecl *each) {
                      return !isOnlyCalledByName(*each) ||
                             mentions.passed.count(each->getCanonicalDecl());
                    }))
      continue;
    const VariableId id = unit.model.variable(*variable);
    const bool isOfMain = std::all_of(
        mention.users.begin(), mention.users.end(),
        [](const FunctionDecl *each) { return each && each->isMain(); });
    unit.model.markOwn(id, isOfMain);
    if (isOfMain)
      continue;
    for (const FunctionDecl *each : running) {
      unit.functions[each].assignsOwn.insert(id);
      if (each->isExternallyVisible() && !each->isMain())
        unit.ownOfOthers.insert(id);
    }
  }
  // Code of other files may call back.
  for (const FunctionDecl *each : leadingTo(opaque, callers))
    unit.functions[each].assignsOwn.insert(unit.ownOfOthers.begin(),
                                           unit.ownOfOthers.end());
}

} // namespace kfuse
