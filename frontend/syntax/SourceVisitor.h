//===- SourceVisitor.h - Visits the text of a program ---------------------===//
#ifndef KFUSE_FRONTEND_SYNTAX_SOURCEVISITOR_H
#define KFUSE_FRONTEND_SYNTAX_SOURCEVISITOR_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclFriend.h"
#include "clang/AST/DeclObjC.h"
#include "clang/AST/DeclOpenMP.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/ExprConcepts.h"
#include "clang/AST/ExprObjC.h"
#include "clang/AST/ExprOpenMP.h"
#include "clang/AST/StmtObjC.h"
#include "clang/AST/StmtOpenACC.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/AST/TypeLoc.h"

namespace kfuse {

/// Visits the nodes of a syntax tree as clang::RecursiveASTVisitor does, by
/// virtual functions. One source instantiates the template for all visitors,
/// which takes a compiler longer than most files of this project.
///
/// Every expression that it visits has a type: the messages of assertions,
/// which have none, are no expressions of the program's.
class SourceVisitor {
public:
  virtual ~SourceVisitor() = default;

  virtual bool shouldVisitTemplateInstantiations() const { return false; }

  bool TraverseAST(clang::ASTContext &context);
  bool TraverseStmt(clang::Stmt *statement);
  virtual bool TraverseDecl(clang::Decl *declaration);

  /// Comes before a statement or expression; its parts are visited if it
  /// returns true, and leaveStmt() follows them then.
  virtual bool enterStmt(clang::Stmt *) { return true; }
  virtual bool leaveStmt(clang::Stmt *) { return true; }

  virtual bool TraverseFunctionDecl(clang::FunctionDecl *function);
  virtual bool TraverseLambdaExpr(clang::LambdaExpr *lambda);
  virtual bool TraverseInitListExpr(clang::InitListExpr *list);
  virtual bool TraverseForStmt(clang::ForStmt *loop);
  virtual bool TraverseWhileStmt(clang::WhileStmt *loop);
  virtual bool TraverseDoStmt(clang::DoStmt *loop);
  virtual bool TraverseCXXForRangeStmt(clang::CXXForRangeStmt *loop);
  virtual bool TraverseSwitchStmt(clang::SwitchStmt *statement);
  virtual bool TraverseNestedNameSpecifierLoc(clang::NestedNameSpecifierLoc);

  /// Visits the list, but none of its parts.
  bool WalkUpFromInitListExpr(clang::InitListExpr *list);

  virtual bool VisitStmt(clang::Stmt *) { return true; }
#define STMT(CLASS, PARENT)                                                    \
  virtual bool Visit##CLASS(clang::CLASS *) { return true; }
#include "clang/AST/StmtNodes.inc"

  virtual bool VisitDecl(clang::Decl *) { return true; }
#define DECL(CLASS, BASE)                                                      \
  virtual bool Visit##CLASS##Decl(clang::CLASS##Decl *) { return true; }
#include "clang/AST/DeclNodes.inc"

#define TYPE(CLASS, BASE)                                                      \
  virtual bool Visit##CLASS##TypeLoc(clang::CLASS##TypeLoc) { return true; }
#include "clang/AST/TypeNodes.inc"
};

} // namespace kfuse

#endif
