//===- Copies.cpp - How often a function's code stands in a kernel --------===//
#include "frontend/contraction/Copies.h"

#include "frontend/contraction/FunctionFacts.h"
#include "frontend/syntax/SourceVisitor.h"
#include "frontend/syntax/VisibleCode.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

#include <algorithm>
#include <vector>

namespace kfuse {
namespace {

using namespace clang;

/// Finds the definitions that a function names, as often as it does.
class CalleeFinder : public SourceVisitor {
public:
  std::vector<const FunctionDecl *> found;

  bool VisitDeclRefExpr(DeclRefExpr *name) override {
    return add(name->getDecl());
  }
  bool VisitMemberExpr(MemberExpr *name) override {
    return add(name->getMemberDecl());
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *made) override {
    return add(made->getConstructor());
  }

private:
  bool add(const ValueDecl *declaration) {
    const auto *function = dyn_cast<FunctionDecl>(declaration);
    const FunctionDecl *definition = nullptr;
    if (function && function->hasBody(definition))
      found.push_back(definition);
    return true;
  }
};

bool hasLoop(const FunctionFacts &facts) {
  return std::any_of(facts.around.begin(), facts.around.end(),
                     [](const auto &each) {
                       return isa<ForStmt, WhileStmt, DoStmt>(each.first);
                     });
}

/// Checks whether some branch of the function has sums in both arms.
bool hasArms(const FunctionFacts &facts) {
  return std::any_of(facts.otherArm.begin(), facts.otherArm.end(),
                     [&](const auto &each) {
                       return facts.armsWithSums.contains(each.first) &&
                              facts.armsWithSums.contains(each.second);
                     });
}

class CopyCounter {
public:
  CopyCounter(const ASTContext &ast, const FunctionDecl &kernel) {
    for (const FunctionDecl *each : visibleCode(kernel)) {
      const FunctionFacts facts = functionFacts(ast, *each);
      HasLoop |= hasLoop(facts);
      if (hasArms(facts))
        WithArms.push_back(each);
      CalleeFinder finder;
      finder.TraverseStmt(each->getBody());
      for (const FunctionDecl *callee : finder.found)
        ++Calls[callee][each];
      Counts.try_emplace(each, Unknown);
    }
    Counts[&kernel] = 1;
  }

  std::map<const FunctionDecl *, unsigned> count() {
    const bool mayHide = HasLoop && !WithArms.empty();
    for (auto &[function, copies] : Counts) {
      copies = of(function);
      const bool hasOwnArms = std::find(WithArms.begin(), WithArms.end(),
                                        function) != WithArms.end();
      if (copies >= Unknown || (mayHide && (copies > 1 || hasOwnArms)))
        copies = 0;
    }
    return std::move(Counts);
  }

private:
  static constexpr unsigned Unknown = 1U << 16;

  /// Returns the copies of `function`: Unknown if it calls itself.
  unsigned of(const FunctionDecl *function) {
    if (const auto [known, isNew] = Known.try_emplace(function, Unknown);
        !isNew)
      return known->second;
    if (Calls[function].empty())
      return Known[function] = Counts.at(function) == 1 ? 1 : Unknown;
    unsigned sum = 0;
    for (const auto &[caller, times] : Calls[function])
      sum = std::min(Unknown, sum + times * of(caller));
    return Known[function] = sum;
  }

  std::map<const FunctionDecl *, unsigned> Counts;
  std::map<const FunctionDecl *, unsigned> Known;
  /// For each function, how often others name it.
  std::map<const FunctionDecl *, std::map<const FunctionDecl *, unsigned>>
      Calls;
  std::vector<const FunctionDecl *> WithArms;
  bool HasLoop = false;
};

} // namespace

std::map<const FunctionDecl *, unsigned> copiesIn(const ASTContext &ast,
                                                  const FunctionDecl &kernel) {
  return CopyCounter(ast, kernel).count();
}

} // namespace kfuse
