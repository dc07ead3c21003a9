//===- SourceVisitor.h - Visits the text of a program ---------------------===//
#ifndef KFUSE_FRONTEND_SYNTAX_SOURCEVISITOR_H
#define KFUSE_FRONTEND_SYNTAX_SOURCEVISITOR_H

#include "clang/AST/RecursiveASTVisitor.h"

namespace kfuse {

/// Every expression that it visits has a type: the messages of assertions,
/// which have none, are no expressions of the program's.
template <typename Derived>
class SourceVisitor : public clang::RecursiveASTVisitor<Derived> {
public:
  bool TraverseStaticAssertDecl(clang::StaticAssertDecl *assertion) {
    return this->getDerived().TraverseStmt(assertion->getAssertExpr());
  }
};

} // namespace kfuse

#endif
