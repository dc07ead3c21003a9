//===- CallTree.cpp - A kernel with all that it calls ---------------------===//

#include "frontend/contraction/CallTree.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

namespace kfuse {

using namespace clang;

namespace {

/// Beyond these the calls aren't followed.
constexpr std::size_t MostFrames = 512;
constexpr unsigned MostDepth = 16;

void addFrames(const ASTContext &ast, CallTree &tree, const CallFrame &caller) {
  for (const CallExpr *call : caller.facts->calls) {
    const FunctionDecl *callee = call->getDirectCallee()->getDefinition();
    if (!callee || caller.depth >= MostDepth ||
        tree.frames.size() >= MostFrames) {
      tree.isPlain = false;
      return;
    }
    const auto [known, isNew] = tree.facts.try_emplace(callee);
    if (isNew)
      known->second = functionFacts(ast, *callee);
    tree.isPlain &= known->second.isPlain;
    const CallFrame &frame = tree.frames.emplace_back(
        CallFrame{callee, &known->second, &caller, call, caller.depth + 1});
    tree.callees[{&caller, call}] = &frame;
    addFrames(ast, tree, frame);
  }
}

} // namespace

const Expr *objectOf(const CallFrame &method) {
  if (const auto *call = dyn_cast_or_null<CXXMemberCallExpr>(method.call))
    return call->getImplicitObjectArgument();
  return isa_and_nonnull<CXXOperatorCallExpr>(method.call) &&
                 isa<CXXMethodDecl>(method.function)
             ? method.call->getArg(0)
             : nullptr;
}

CallTree callTree(const ASTContext &ast, const FunctionDecl &kernel) {
  CallTree tree;
  const FunctionFacts &facts = tree.facts[&kernel] = functionFacts(ast, kernel);
  tree.isPlain = facts.isPlain;
  addFrames(ast, tree, tree.frames.emplace_back(CallFrame{&kernel, &facts}));
  return tree;
}

} // namespace kfuse
