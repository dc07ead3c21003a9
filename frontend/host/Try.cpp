//===- Try.cpp - Blocks that exceptions leave -----------------------------===//
//
// A handler may find what a variable held before the block, after it, or at any
// place within.
//
//===----------------------------------------------------------------------===//

#include "frontend/host/AbstractState.h"
#include "frontend/host/Walker.h"

#include "frontend/syntax/VariableUses.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ParentMapContext.h"
#include "clang/AST/StmtCXX.h"

namespace kfuse {

using namespace clang;

/// Checks whether only statements in `block` can read `variable`, a local
/// pointer or a handle. All its mentions are there, and no loop repeats the
/// block.
bool HostWalker::isOnlyIn(const ValueDecl &variable, const Stmt &block) const {
  const auto *local = dyn_cast<VarDecl>(&variable);
  const bool isHandle = variable.getType()->isAnyPointerType() ||
                        !openClClass(variable.getType()).empty();
  if (!local || !local->hasLocalStorage() || !isHandle ||
      Function.scan.hasLabel)
    return false;
  for (DynTypedNode node = DynTypedNode::create(block);;) {
    const auto parents = Model.ast.getParents(node);
    if (parents.size() != 1)
      return false;
    node = parents[0];
    if (node.get<FunctionDecl>())
      break;
    if (node.get<ForStmt>() || node.get<WhileStmt>() || node.get<DoStmt>() ||
        node.get<CXXForRangeStmt>())
      return false;
  }
  const auto countIn = [local](const Stmt &statement) {
    const auto uses = variableUses(statement);
    const auto known = uses.find(local);
    return known == uses.end() ? 0U : known->second.mentions;
  };
  return countIn(*Function.declaration->getBody()) == countIn(block);
}

void HostWalker::attempt(const CXXTryStmt &statement, Context context) {
  HostScan scan = scanHost(*statement.getTryBlock(), Model.files.sources());
  // Values that nobody asks for any more need not be known.
  std::vector<const ValueDecl *> over;
  std::erase_if(scan.assigned, [&](const ValueDecl *variable) {
    if (!isOnlyIn(*variable, *statement.getTryBlock()))
      return false;
    over.push_back(variable);
    return true;
  });
  for (const ValueDecl *variable : scan.assigned)
    if (scan.declared.count(variable) == 0 &&
        (scan.otherFlows.count(variable) ||
         !variable->getType()->isAnyPointerType()))
      Model.markInvalidatedAtJoins(Model.variable(*variable));
  AbstractState before = Env;
  arm(*statement.getTryBlock(), RegionKind::Block, context);
  AbstractState after = Env;
  for (const ValueDecl *variable : over)
    before.adopt(Model.variable(*variable), after);
  const AbstractState raised = AbstractState::join(before, after);
  for (unsigned index = 0; index < statement.getNumHandlers(); ++index) {
    Env = raised;
    forgetRepeated(scan, context.facts);
    arm(*statement.getHandler(index)->getHandlerBlock(), RegionKind::BranchArm,
        context);
    after = AbstractState::join(after, Env);
  }
  Env = after;
}

} // namespace kfuse
