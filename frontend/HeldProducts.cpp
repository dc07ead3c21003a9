//===- frontend/HeldProducts.cpp - Products that variables hold -----------===//

#include "frontend/HeldProducts.h"

#include "frontend/FunctionFacts.h"
#include "frontend/SourceVisitor.h"

#include "clang/AST/ASTContext.h"

namespace kfuse {

using namespace clang;

namespace {

class Finder : public SourceVisitor<Finder> {
public:
  Finder(const FunctionDecl &function, FileTable &files)
      : Ast(function.getASTContext()), Files(files),
        Facts(functionFacts(Ast, function)) {}

  HeldProducts held;

  // Elsewhere a declaration may have one variable alone.
  bool VisitCompoundStmt(CompoundStmt *block) {
    for (const Stmt *statement : block->body())
      if (const auto *declaration = dyn_cast<DeclStmt>(statement))
        for (const Decl *each : declaration->decls())
          if (const auto *variable = dyn_cast<VarDecl>(each))
            look(*variable);
    return true;
  }

private:
  void look(const VarDecl &variable) {
    if (!variable.hasInit() || variable.getInitStyle() != VarDecl::CInit ||
        !variable.hasLocalStorage() || variable.isConstexpr() ||
        variable.hasAttrs() || variable.getType().isVolatileQualified() ||
        !variable.getType()->isRealFloatingType() ||
        !variable.getTypeSourceInfo() ||
        variable.getTypeSourceInfo()->getType()->getContainedAutoType() ||
        !Facts.isPlain || Facts.valuesOf(variable).size() != 1)
      return;
    int sign = 1;
    const auto *product = dyn_cast<BinaryOperator>(
        unsign(variable.getInit(), Ast, sign)->IgnoreParens());
    if (product &&
        (product->getOpcode() == BO_Mul || product->getOpcode() == BO_Div) &&
        isWritable(variable, *product))
      held[&variable] = {product, sign == -1,
                         static_cast<unsigned>(Facts.readsOf(variable).size())};
  }

  /// Whether the declarator and the factors are plain text, one in the other.
  bool isWritable(const VarDecl &variable, const BinaryOperator &product) {
    const SourceRange whole = declarator(variable, Files);
    const SourceRange left =
        Files.wholeText(product.getLHS()->getSourceRange());
    const SourceRange right =
        Files.wholeText(product.getRHS()->getSourceRange());
    for (const SourceRange &each : {whole, left, right})
      if (each.line == 0 || each.inMacro || each.file != whole.file)
        return false;
    return whole.begin < left.begin && left.end < right.begin &&
           right.end <= whole.end;
  }

  const ASTContext &Ast;
  FileTable &Files;
  FunctionFacts Facts;
};

} // namespace

HeldProducts heldProducts(const FunctionDecl &function, FileTable &files) {
  Finder finder(function, files);
  finder.TraverseStmt(function.getBody());
  return std::move(finder.held);
}

SourceRange declarator(const VarDecl &variable, FileTable &files) {
  return files.wholeText(
      {variable.getLocation(), variable.getInit()->getEndLoc()});
}

const VarDecl *readBy(const Expr &operand) {
  const auto *read = dyn_cast<ImplicitCastExpr>(operand.IgnoreParens());
  if (!read || read->getCastKind() != CK_LValueToRValue)
    return nullptr;
  const auto *name = dyn_cast<DeclRefExpr>(read->getSubExpr()->IgnoreParens());
  return name && !name->refersToEnclosingVariableOrCapture()
             ? dyn_cast<VarDecl>(name->getDecl())
             : nullptr;
}

const Expr *unsign(const Expr *value, const ASTContext &ast, int &sign) {
  const auto *minus = dyn_cast<UnaryOperator>(value->IgnoreParens());
  if (!minus || minus->getOpcode() != UO_Minus ||
      minus->getSubExpr()->isEvaluatable(ast))
    return value;
  sign = -sign;
  return unsign(minus->getSubExpr(), ast, sign);
}

} // namespace kfuse
