//===- CallTree.cpp - A kernel with all that it calls ---------------------===//

#include "frontend/contraction/CallTree.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"

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

CallTree callTree(const ASTContext &ast, const FunctionDecl &kernel) {
  CallTree tree;
  const FunctionFacts &facts = tree.facts[&kernel] = functionFacts(ast, kernel);
  tree.isPlain = facts.isPlain;
  addFrames(ast, tree, tree.frames.emplace_back(CallFrame{&kernel, &facts}));
  return tree;
}

} // namespace kfuse
