//===- frontend/VisibleCode.cpp - What a kernel runs, and how much it is --===//

#include "frontend/VisibleCode.h"

#include "frontend/GivenValues.h"
#include "frontend/MeaningVisitor.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

#include <algorithm>
#include <map>

namespace kfuse {
namespace {

using namespace clang;

/// Expressions when each call is replaced by what it runs.
constexpr std::size_t MostExpressions = 400000;
/// Values that variables are given, each for each read of its variable.
constexpr std::size_t MostChoices = 400000;
/// Statements and expressions in each statement or expression: what each of
/// them is made of is looked at.
constexpr std::size_t MostParts = 10000000;

/// The expressions of one function and what they run.
class Contents : public MeaningVisitor<Contents> {
public:
  std::size_t expressions = 0;
  std::size_t parts = 0; ///< of each statement and expression
  std::vector<const FunctionDecl *> callees; ///< as often as they are called

  bool dataTraverseStmtPre(Stmt *) {
    parts += Depth++;
    return true;
  }
  bool dataTraverseStmtPost(Stmt *) {
    --Depth;
    return true;
  }
  bool VisitExpr(Expr *) {
    ++expressions;
    return true;
  }
  bool VisitCallExpr(CallExpr *call) {
    add(call->getDirectCallee());
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *made) {
    add(made->getConstructor());
    return true;
  }
  bool VisitCXXInheritedCtorInitExpr(CXXInheritedCtorInitExpr *inherited) {
    add(inherited->getConstructor());
    return true;
  }
  bool VisitVarDecl(VarDecl *variable) {
    addDestructor(variable->getType());
    return true;
  }
  bool VisitCXXBindTemporaryExpr(CXXBindTemporaryExpr *temporary) {
    addDestructor(temporary->getType());
    return true;
  }
  bool VisitCXXDefaultInitExpr(CXXDefaultInitExpr *member) {
    return TraverseStmt(member->getExpr());
  }
  bool VisitCXXDefaultArgExpr(CXXDefaultArgExpr *argument) {
    return TraverseStmt(argument->getExpr());
  }

private:
  void add(const FunctionDecl *callee) {
    if (const FunctionDecl *body = callee ? callee->getDefinition() : nullptr)
      callees.push_back(body);
  }
  void addDestructor(QualType type) {
    const CXXRecordDecl *record =
        type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    if (!record || !record->hasDefinition() || record->hasTrivialDestructor())
      return;
    add(record->getDestructor());
    for (const CXXBaseSpecifier &base : record->bases())
      addDestructor(base.getType());
    for (const FieldDecl *field : record->fields())
      addDestructor(field->getType());
  }

  std::size_t Depth = 0;
};

Contents contentsOf(const FunctionDecl &function) {
  Contents contents;
  contents.TraverseStmt(function.getBody());
  if (const auto *constructor = dyn_cast<CXXConstructorDecl>(&function))
    for (const CXXCtorInitializer *member : constructor->inits())
      contents.TraverseStmt(member->getInit());
  return contents;
}

/// How many values the reads of all variables may take.
std::size_t choicesIn(const FunctionDecl &function) {
  const GivenValues known = givenValues(function);
  std::size_t choices = 0;
  for (const auto &[variable, values] : known.values)
    choices += values.size() * known.reads.lookup(variable);
  return choices;
}

class Counter {
public:
  std::vector<const FunctionDecl *> functions;
  std::size_t choices = 0, parts = 0;

  /// With all that it calls; at most one more than what is small.
  std::size_t expressionsOf(const FunctionDecl &function) {
    const auto [place, isNew] =
        Known.try_emplace(&function, MostExpressions + 1); // of a recursion
    if (!isNew)
      return place->second;
    functions.push_back(&function);
    choices += choicesIn(function);
    const Contents contents = contentsOf(function);
    parts += contents.parts;
    std::size_t count = contents.expressions;
    for (const FunctionDecl *callee : contents.callees)
      count = std::min(count + expressionsOf(*callee), MostExpressions + 1);
    return place->second = count;
  }

private:
  std::map<const FunctionDecl *, std::size_t> Known;
};

} // namespace

VisibleCode visibleCode(const FunctionDecl &function) {
  Counter counter;
  const std::size_t expressions = counter.expressionsOf(function);
  return {std::move(counter.functions), expressions > MostExpressions ||
                                            counter.choices > MostChoices ||
                                            counter.parts > MostParts};
}

} // namespace kfuse
