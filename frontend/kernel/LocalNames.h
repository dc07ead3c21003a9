//===- LocalNames.h - Local variables that a text names -------------------===//
#ifndef KFUSE_FRONTEND_KERNEL_LOCALNAMES_H
#define KFUSE_FRONTEND_KERNEL_LOCALNAMES_H

#include "frontend/syntax/SourceVisitor.h"

#include <set>

namespace kfuse {

using VariableSet = std::set<const clang::VarDecl *>;

/// Collects the local variables and parameters that are named: in expressions,
/// in types, attributes and arguments of templates.
class LocalNameFinder : public SourceVisitor {
public:
  explicit LocalNameFinder(VariableSet &found) : Found(found) {}

  bool VisitDeclRefExpr(clang::DeclRefExpr *name) override;

private:
  VariableSet &Found;
};

} // namespace kfuse

#endif
