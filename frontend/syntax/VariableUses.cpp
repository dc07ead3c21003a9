//===- VariableUses.cpp - How often a statement names variables -----------===//

#include "frontend/syntax/VariableUses.h"

#include "frontend/syntax/SourceVisitor.h"

namespace kfuse {

using namespace clang;

namespace {

class UseCounter : public SourceVisitor {
public:
  std::map<const VarDecl *, VariableUse> uses;

  bool VisitDeclRefExpr(DeclRefExpr *use) override {
    if (const auto *variable = dyn_cast<VarDecl>(use->getDecl()))
      ++uses[variable].mentions;
    return true;
  }
  bool VisitImplicitCastExpr(ImplicitCastExpr *cast) override {
    if (cast->getCastKind() == CK_LValueToRValue)
      if (const auto *use =
              dyn_cast<DeclRefExpr>(cast->getSubExpr()->IgnoreParens()))
        if (const auto *variable = dyn_cast<VarDecl>(use->getDecl()))
          ++uses[variable].loads;
    return true;
  }
};

} // namespace

std::map<const VarDecl *, VariableUse> variableUses(const Stmt &statement) {
  UseCounter counter;
  counter.TraverseStmt(const_cast<Stmt *>(&statement));
  return std::move(counter.uses);
}

} // namespace kfuse
