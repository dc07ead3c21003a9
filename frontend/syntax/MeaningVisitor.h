//===- MeaningVisitor.h - Visits what expressions mean --------------------===//
#ifndef KFUSE_FRONTEND_SYNTAX_MEANINGVISITOR_H
#define KFUSE_FRONTEND_SYNTAX_MEANINGVISITOR_H

#include "frontend/syntax/SourceVisitor.h"

namespace kfuse {

/// Visits the values that lists in braces give, with their conversions:
/// `float c[] = {-1, p}` has a number below zero, and keeps a pointer if `p` is
/// an array. SourceVisitor visits what is written there.
class MeaningVisitor : public SourceVisitor {
public:
  bool TraverseInitListExpr(clang::InitListExpr *list) override {
    if (clang::InitListExpr *meant = list->getSemanticForm())
      list = meant;
    if (!WalkUpFromInitListExpr(list))
      return false;
    for (clang::Stmt *part : list->children())
      if (!TraverseStmt(part))
        return false;
    return true;
  }
};

} // namespace kfuse

#endif
