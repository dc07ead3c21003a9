//===- RegisterPressure.cpp - Variables that live at once -----------------===//

#include "frontend/kernel/resources/RegisterPressure.h"

#include "frontend/syntax/SourceVisitor.h"

#include "clang/AST/ASTContext.h"

#include <algorithm>
#include <map>
#include <vector>

namespace kfuse {
namespace {

using namespace clang;

/// An array that is longer is not in registers.
constexpr std::int64_t MostBytes = 256;

/// The words of functions that were looked at, or are being looked at.
using KnownWords = std::map<const FunctionDecl *, unsigned>;

unsigned wordsIn(const ASTContext &ast, const FunctionDecl &function,
                 KnownWords &known);

int wordsOf(const ASTContext &ast, QualType type) {
  if (type->isReferenceType() || type->isIncompleteType() ||
      type->isDependentType())
    return 0;
  const std::int64_t bytes = ast.getTypeSizeInChars(type).getQuantity();
  return static_cast<int>((std::min(bytes, MostBytes) + 3) / 4);
}

/// Numbers the places of a body as they stand in its text.
class Lifetimes : public SourceVisitor {
public:
  bool VisitVarDecl(VarDecl *variable) override {
    if (variable->hasLocalStorage() && !isa<ParmVarDecl>(variable))
      Declared[variable] = Place;
    return true;
  }

  bool VisitDeclRefExpr(DeclRefExpr *reference) override {
    const auto *variable = dyn_cast<VarDecl>(reference->getDecl());
    if (!variable || Declared.count(variable) == 0)
      return true;
    Mentioned.try_emplace(variable, Range{Place, Place}).first->second.last =
        Place;
    return true;
  }

  bool enterStmt(Stmt *) override {
    Begins.push_back(++Place);
    return true;
  }
  bool leaveStmt(Stmt *statement) override {
    if (isa<ForStmt, WhileStmt, DoStmt>(statement))
      keepThrough(Begins.back());
    Begins.pop_back();
    // It runs when its arguments are known.
    if (const auto *call = dyn_cast<CallExpr>(statement))
      if (const FunctionDecl *callee = call->getDirectCallee())
        Calls.push_back({callee->getDefinition(), Place});
    return true;
  }

  unsigned most(const ASTContext &ast, KnownWords &known) const;

private:
  struct Range {
    unsigned first = 0, last = 0;
  };
  struct Call {
    const FunctionDecl *definition = nullptr;
    unsigned place = 0;
  };

  /// Keeps variables from before the loop, which begins at `begin`, alive to
  /// its end here if it mentions them. Its next iteration may want them.
  void keepThrough(unsigned begin) {
    for (auto &[variable, range] : Mentioned)
      if (Declared[variable] < begin && range.last >= begin)
        range.last = Place;
  }

  unsigned Place = 0;
  std::vector<unsigned> Begins; ///< of the statements that are open
  std::map<const VarDecl *, unsigned> Declared;
  std::map<const VarDecl *, Range> Mentioned;
  std::vector<Call> Calls;
};

unsigned Lifetimes::most(const ASTContext &ast, KnownWords &known) const {
  // Words whose lives begin less those whose lives have ended, by place.
  std::vector<int> change(Place + 2);
  for (const auto &[variable, range] : Mentioned) {
    const int words = wordsOf(ast, variable->getType());
    change[variable->hasInit() ? Declared.at(variable) : range.first] += words;
    change[range.last + 1] -= words;
  }
  std::vector<unsigned> called(Place + 2);
  for (const Call &call : Calls)
    if (call.definition)
      called[call.place] =
          std::max(called[call.place], wordsIn(ast, *call.definition, known));
  int live = 0;
  unsigned most = 0;
  for (unsigned place = 0; place <= Place; ++place) {
    live += change[place];
    most = std::max(most, static_cast<unsigned>(live) + called[place]);
  }
  return most;
}

unsigned wordsIn(const ASTContext &ast, const FunctionDecl &function,
                 KnownWords &known) {
  const auto [words, isNew] = known.try_emplace(&function, 0);
  if (!isNew)
    return words->second;
  Lifetimes lifetimes;
  lifetimes.TraverseStmt(function.getBody());
  return known[&function] = lifetimes.most(ast, known);
}

} // namespace

unsigned liveWords(const ASTContext &ast, const FunctionDecl &function) {
  KnownWords known;
  return wordsIn(ast, function, known);
}

} // namespace kfuse
