//===- LocalNames.cpp - Local variables that a text names -----------------===//

#include "frontend/kernel/LocalNames.h"

namespace kfuse {

using namespace clang;

bool LocalNameFinder::VisitDeclRefExpr(DeclRefExpr *name) {
  if (const auto *variable = dyn_cast<VarDecl>(name->getDecl());
      variable && variable->isLocalVarDeclOrParm())
    Found.insert(variable);
  return true;
}

} // namespace kfuse
