//===- SourceVisitor.cpp - Visits the text of a program -------------------===//

#include "frontend/syntax/SourceVisitor.h"

#include "clang/AST/RecursiveASTVisitor.h"

namespace kfuse {

using namespace clang;

namespace {

/// Walks the tree, and asks the visitor at each node. It keeps the queue of
/// statements: a sum of thousands of terms would need as many frames.
class TreeWalker : public RecursiveASTVisitor<TreeWalker> {
public:
  using Base = RecursiveASTVisitor<TreeWalker>;

  explicit TreeWalker(SourceVisitor &visitor) : Visitor(visitor) {}

  bool shouldVisitTemplateInstantiations() const {
    return Visitor.shouldVisitTemplateInstantiations();
  }
  bool dataTraverseStmtPre(Stmt *statement) {
    return Visitor.enterStmt(statement);
  }
  bool dataTraverseStmtPost(Stmt *statement) {
    return Visitor.leaveStmt(statement);
  }
  bool TraverseDecl(Decl *declaration) {
    return Visitor.TraverseDecl(declaration);
  }
  bool TraverseFunctionDecl(FunctionDecl *function) {
    return Visitor.TraverseFunctionDecl(function);
  }
  bool TraverseStaticAssertDecl(StaticAssertDecl *assertion) {
    return TraverseStmt(assertion->getAssertExpr());
  }
  bool TraverseNestedNameSpecifierLoc(NestedNameSpecifierLoc use) {
    return Visitor.TraverseNestedNameSpecifierLoc(use);
  }

  // NOLINTBEGIN(bugprone-macro-parentheses): these name types.
#define TRAVERSE(CLASS)                                                        \
  bool Traverse##CLASS(CLASS *node, DataRecursionQueue * = nullptr) {          \
    return Visitor.Traverse##CLASS(node);                                      \
  }
  TRAVERSE(LambdaExpr)
  TRAVERSE(InitListExpr)
  TRAVERSE(ForStmt)
  TRAVERSE(WhileStmt)
  TRAVERSE(DoStmt)
  TRAVERSE(CXXForRangeStmt)
  TRAVERSE(SwitchStmt)
#undef TRAVERSE

  bool VisitStmt(Stmt *node) { return Visitor.VisitStmt(node); }
#define STMT(CLASS, PARENT)                                                    \
  bool Visit##CLASS(CLASS *node) { return Visitor.Visit##CLASS(node); }
#include "clang/AST/StmtNodes.inc"

  bool VisitDecl(Decl *node) { return Visitor.VisitDecl(node); }
#define DECL(CLASS, BASE)                                                      \
  bool Visit##CLASS##Decl(CLASS##Decl *node) {                                 \
    return Visitor.Visit##CLASS##Decl(node);                                   \
  }
#include "clang/AST/DeclNodes.inc"
  // NOLINTEND(bugprone-macro-parentheses)

#define TYPE(CLASS, BASE)                                                      \
  bool Visit##CLASS##TypeLoc(CLASS##TypeLoc node) {                            \
    return Visitor.Visit##CLASS##TypeLoc(node);                                \
  }
#include "clang/AST/TypeNodes.inc"

private:
  SourceVisitor &Visitor;
};

} // namespace

bool SourceVisitor::TraverseAST(ASTContext &context) {
  return TraverseDecl(context.getTranslationUnitDecl());
}

bool SourceVisitor::TraverseStmt(Stmt *statement) {
  return TreeWalker(*this).TraverseStmt(statement);
}

bool SourceVisitor::WalkUpFromInitListExpr(InitListExpr *list) {
  return TreeWalker(*this).WalkUpFromInitListExpr(list);
}

#define TRAVERSE(CLASS, NODE)                                                  \
  bool SourceVisitor::Traverse##CLASS(NODE node) {                             \
    return TreeWalker(*this).TreeWalker::Base::Traverse##CLASS(node);          \
  }
TRAVERSE(Decl, Decl *)
TRAVERSE(FunctionDecl, FunctionDecl *)
TRAVERSE(LambdaExpr, LambdaExpr *)
TRAVERSE(InitListExpr, InitListExpr *)
TRAVERSE(ForStmt, ForStmt *)
TRAVERSE(WhileStmt, WhileStmt *)
TRAVERSE(DoStmt, DoStmt *)
TRAVERSE(CXXForRangeStmt, CXXForRangeStmt *)
TRAVERSE(SwitchStmt, SwitchStmt *)
TRAVERSE(NestedNameSpecifierLoc, NestedNameSpecifierLoc)
#undef TRAVERSE

} // namespace kfuse
