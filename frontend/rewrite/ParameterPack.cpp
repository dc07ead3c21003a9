//===- ParameterPack.cpp - A wrapper's parameters of any number -----------===//

#include "frontend/rewrite/ParameterPack.h"

#include "frontend/syntax/SourceRanges.h"
#include "frontend/syntax/SourceVisitor.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

#include <algorithm>
#include <set>

namespace kfuse {

using namespace clang;

namespace {

/// Collects the expansions that are expressions, in a template's body.
class ExpansionFinder : public SourceVisitor {
public:
  std::vector<const PackExpansionExpr *> expansions;
  std::set<const Expr *> launched; ///< what kernels are given

  bool VisitPackExpansionExpr(PackExpansionExpr *expansion) override {
    expansions.push_back(expansion);
    return true;
  }
  bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr *launch) override {
    launched.insert(launch->arg_begin(), launch->arg_end());
    return true;
  }
};

/// Returns `a` of `std::forward<A>(a)`, or the expression.
const Expr &forwarded(const Expr &expression) {
  const auto *call = dyn_cast<CallExpr>(&expression);
  const auto *callee =
      call && call->getNumArgs() == 1
          ? dyn_cast<OverloadExpr>(call->getCallee()->IgnoreParenImpCasts())
          : nullptr;
  const NestedNameSpecifier *scope = callee ? callee->getQualifier() : nullptr;
  const NamespaceDecl *space = scope ? scope->getAsNamespace() : nullptr;
  return space && space->isStdNamespace() &&
                 callee->getName().getAsString() == "forward"
             ? *call->getArg(0)
             : expression;
}

} // namespace

const PackExpansion *ParameterPack::around(std::uint32_t offset) const {
  const auto found = std::find_if(expansions.begin(), expansions.end(),
                                  [offset](const PackExpansion &each) {
                                    return each.whole.begin <= offset &&
                                           offset < each.whole.end;
                                  });
  return found == expansions.end() ? nullptr : &*found;
}

ParameterPack parameterPack(FileTable &files, const FunctionDecl &function,
                            std::string &obstacle) {
  ParameterPack found;
  const FunctionDecl *pattern = function.getTemplateInstantiationPattern();
  if (!pattern)
    return found;
  const auto isPack = [](const ParmVarDecl *each) {
    return each->isParameterPack();
  };
  const auto packs = llvm::count_if(pattern->parameters(), isPack);
  if (packs > 1)
    obstacle = "it has several packs of parameters";
  if (packs != 1)
    return found;
  const auto first = static_cast<unsigned>(
      llvm::find_if(pattern->parameters(), isPack) - pattern->param_begin());
  const unsigned number =
      function.getNumParams() - (pattern->getNumParams() - 1);
  for (unsigned i = 0; i < number; ++i)
    found.elements.push_back(function.getParamDecl(first + i));
  // A copy is as good as what is moved.
  const bool areCopied =
      llvm::all_of(found.elements, [&](const ValueDecl *each) {
        return each->getType().getNonReferenceType().isTriviallyCopyableType(
            function.getASTContext());
      });
  ExpansionFinder finder;
  finder.TraverseStmt(pattern->getBody());
  for (const PackExpansionExpr *each : finder.expansions) {
    const Expr &repeated = *each->getPattern();
    const bool isGiven = areCopied && finder.launched.count(each) != 0;
    const SourceRange whole = files.range(each->getSourceRange());
    const SourceRange inner = files.range(
        (isGiven ? forwarded(repeated) : repeated).getSourceRange());
    if (!FileTable::isInputText(whole) || !FileTable::isInputText(inner) ||
        found.around(whole.begin) || found.around(whole.end - 1))
      obstacle = "a pack isn't expanded in plain text";
    found.expansions.push_back(
        {{whole.begin, whole.end}, {inner.begin, inner.end}});
  }
  return found;
}

} // namespace kfuse
