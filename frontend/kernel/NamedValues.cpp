//===- NamedValues.cpp - Numbers that the text names at a load ------------===//
//
// A load may stand for an element of a tile, counted from the thread's own. If
// the place is clamped, the distance between the two is written in numbers that
// the kernel has names for: `row - y`.
//
//===----------------------------------------------------------------------===//

#include "frontend/kernel/Executor.h"
#include "frontend/kernel/LocalNames.h"
#include "frontend/syntax/SourceVisitor.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"

#include <algorithm>
#include <map>

namespace kfuse {

using namespace clang;

namespace {

/// Counts how often each name is declared in a function.
class NameCounter : public SourceVisitor {
public:
  std::map<std::string, unsigned> counts;
  bool VisitNamedDecl(NamedDecl *declared) override {
    if (declared->getDeclName().isIdentifier())
      ++counts[declared->getName().str()];
    return true;
  }
};

/// Collects the variables that code names and doesn't declare itself, as a
/// statement expression does.
class OuterVariables : public LocalNameFinder {
public:
  explicit OuterVariables(const Expr &code) : LocalNameFinder(all) {
    TraverseStmt(const_cast<Expr *>(&code));
    for (const VarDecl *variable : Declared)
      all.erase(variable);
  }
  VariableSet all;
  bool VisitVarDecl(VarDecl *variable) override {
    Declared.insert(variable);
    return true;
  }

private:
  VariableSet Declared;
};

/// Collects the parts of a subscript that compute an integer, the outermost
/// first.
void collectParts(const Expr *expression, std::vector<const Expr *> &parts) {
  expression = expression->IgnoreImpCasts();
  if (expression->getType()->isIntegerType() && !expression->isGLValue() &&
      !isa<IntegerLiteral, DeclRefExpr>(expression))
    parts.push_back(expression);
  for (const Stmt *child : expression->children())
    if (const auto *part = dyn_cast_or_null<Expr>(child))
      collectParts(part, parts);
}

/// Checks whether text is one operand as it stands.
bool isPrimary(const Expr &expression) {
  return isa<CallExpr, ParenExpr, CStyleCastExpr, ArraySubscriptExpr>(
      expression);
}

} // namespace

bool KernelExecutor::differsInTerm(const Polynomial &index) const {
  const std::vector<Symbol> symbols = index.symbols();
  return std::any_of(symbols.begin(), symbols.end(), [&](Symbol symbol) {
    return symbol.kind == SymbolKind::Opaque &&
           !Context.terms.hasUnique(symbol) &&
           (Context.terms.dependsOn(symbol, SymbolKind::ThreadIdx) ||
            Context.terms.dependsOn(symbol, SymbolKind::BlockIdx));
  });
}

/// Returns the local variables that can be named where the glvalue stands, and
/// hold the same as while it is evaluated.
std::set<const VarDecl *>
KernelExecutor::variablesNear(const Expr &lvalue) const {
  const SourceManager &sources = ast().getSourceManager();
  const VariableSet named = OuterVariables(lvalue).all;
  // The named ones are made of others, and the whole body sees some.
  VariableSet near = named;
  for (const Stmt *statement : Frames.front().function->getBody()->children())
    if (const auto *declaration = dyn_cast_or_null<DeclStmt>(statement);
        declaration && sources.isBeforeInTranslationUnit(
                           declaration->getEndLoc(), lvalue.getBeginLoc()))
      for (const Decl *each : declaration->decls())
        if (const auto *variable = dyn_cast<VarDecl>(each))
          near.insert(variable);
  std::vector<const VarDecl *> open(near.begin(), near.end());
  while (!open.empty()) {
    const VarDecl *variable = open.back();
    open.pop_back();
    if (variable->hasInit())
      for (const VarDecl *origin : OuterVariables(*variable->getInit()).all)
        if (near.insert(origin).second)
          open.push_back(origin);
  }
  NameCounter names;
  names.TraverseDecl(const_cast<FunctionDecl *>(Frames.front().function));
  const std::set<const VarDecl *> modified = effectsOf({Statement}).modified;
  std::erase_if(near, [&](const VarDecl *variable) {
    return !variable->getDeclName().isIdentifier() ||
           variable->getDeclContext() != Frames.front().function ||
           names.counts[variable->getName().str()] != 1 ||
           (modified.contains(variable) && !named.contains(variable));
  });
  return near;
}

std::vector<NamedValue> KernelExecutor::namesAt(const Expr &lvalue) {
  constexpr std::size_t Most = 24;
  std::vector<NamedValue> names;
  const auto add = [&](const std::string &text, const Value &value,
                       QualType type) {
    const auto *number = value.kind == Value::Kind::Integer
                             ? std::get_if<Polynomial>(&value.integer)
                             : nullptr;
    if (!number || number->asConstant() || names.size() == Most)
      return;
    const Polynomial whole = Arithmetic.recombine(*number);
    names.push_back(
        {text, whole,
         type->isUnsignedIntegerType() &&
             ast().getTypeSize(type) >= ast().getTypeSize(ast().IntTy)});
  };
  std::vector<const VarDecl *> variables;
  for (const VarDecl *variable : variablesNear(lvalue))
    if (variable->getType()->isIntegerType() &&
        !variable->getType().isVolatileQualified())
      variables.push_back(variable);
  std::sort(variables.begin(), variables.end(),
            [](const VarDecl *one, const VarDecl *other) {
              return one->getLocation() < other->getLocation();
            });
  for (const VarDecl *variable : variables)
    if (const Value *value = Current.variables.find(variable))
      add(variable->getName().str(), *value, variable->getType());
  std::vector<const Expr *> parts;
  collectParts(&lvalue, parts);
  for (const Expr *part : parts) {
    const SourceRange range = wholeText(part->getSourceRange());
    if (!isOwnText(range) || !onlyComputes(*part))
      continue;
    Value value;
    speculate([&] { value = evaluate(part); });
    const auto *number = std::get_if<Polynomial>(&value.integer);
    if (value.kind != Value::Kind::Integer || !number || !number->asSymbol() ||
        number->asSymbol()->kind != SymbolKind::Opaque)
      continue;
    const std::string text(Context.files.text(range));
    add(isPrimary(*part) ? text : "(" + text + ")", value, part->getType());
  }
  return names;
}

} // namespace kfuse
