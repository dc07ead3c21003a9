//===- NamedProducts.cpp - Products that variables hold -------------------===//

#include "frontend/rewrite/NamedProducts.h"

#include "frontend/contraction/FunctionFacts.h"
#include "frontend/syntax/SourceVisitor.h"

#include "clang/AST/ASTContext.h"

#include <set>
#include <vector>

namespace kfuse {

using namespace clang;

namespace {

/// Finds in a statement the names of variables, and which are given values.
class ProductUseFinder : public SourceVisitor {
public:
  explicit ProductUseFinder(const Stmt &statement) {
    TraverseStmt(const_cast<Stmt *>(&statement));
  }

  std::vector<const DeclRefExpr *> names;
  std::set<const Decl *> changed;

  bool VisitDeclRefExpr(DeclRefExpr *name) override {
    names.push_back(name);
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *operation) override {
    if (operation->isAssignmentOp())
      change(*operation->getLHS());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *step) override {
    if (step->isIncrementDecrementOp())
      change(*step->getSubExpr());
    return true;
  }

private:
  void change(const Expr &place) {
    if (const auto *name = dyn_cast<DeclRefExpr>(place.IgnoreParens()))
      changed.insert(name->getDecl());
  }
};

const VarDecl *localVariable(const Expr &place) {
  const auto *name = dyn_cast<DeclRefExpr>(place.IgnoreParens());
  return name && !name->refersToEnclosingVariableOrCapture()
             ? dyn_cast<VarDecl>(name->getDecl())
             : nullptr;
}

class NamedProductFinder : public SourceVisitor {
public:
  NamedProductFinder(const FunctionDecl &function, FileTable &files)
      : Ast(function.getASTContext()), Files(files),
        Facts(functionFacts(Ast, function)) {}

  std::deque<NamedProduct> all;
  llvm::DenseMap<const DeclRefExpr *, const NamedProduct *> reads;

  // Elsewhere a declaration may have one variable alone.
  bool VisitCompoundStmt(CompoundStmt *block) override {
    const llvm::ArrayRef<Stmt *> statements(block->body_begin(), block->size());
    for (std::size_t i = 0; Facts.isPlain && i < statements.size(); ++i) {
      if (const auto *declaration = dyn_cast<DeclStmt>(statements[i]))
        for (const Decl *each : declaration->decls())
          if (const auto *variable = dyn_cast<VarDecl>(each))
            look(*variable, statements.drop_front(i + 1));
      if (const auto *assignment = dyn_cast<BinaryOperator>(statements[i]);
          assignment && assignment->isAssignmentOp())
        look(*assignment, statements.drop_front(i + 1));
    }
    return true;
  }

private:
  static bool isPlain(const VarDecl &variable) {
    return variable.hasLocalStorage() && !variable.hasAttrs() &&
           !variable.getType().isVolatileQualified() &&
           variable.getType()->isRealFloatingType();
  }

  void look(const VarDecl &variable, llvm::ArrayRef<Stmt *> behind) {
    if (!isPlain(variable) || !variable.hasInit() ||
        variable.getInitStyle() != VarDecl::CInit || variable.isConstexpr() ||
        !variable.getTypeSourceInfo() ||
        variable.getTypeSourceInfo()->getType()->getContainedAutoType())
      return;
    NamedProduct held{&variable};
    if (!findProduct(*variable.getInit(), held) ||
        !isWritable(declarator(variable, Files), *held.product))
      return;
    if (Facts.valuesOf(variable).size() != 1)
      return add(held, behind);
    const auto names = Facts.readsOf(variable);
    held.reads = names.size();
    all.push_back(held);
    for (const DeclRefExpr *name : names)
      reads[name] = &all.back();
  }

  void look(const BinaryOperator &assignment, llvm::ArrayRef<Stmt *> behind) {
    const VarDecl *variable = localVariable(*assignment.getLHS());
    if (!variable || !isPlain(*variable))
      return;
    NamedProduct held{variable};
    held.assignment = held.product = &assignment;
    if (const auto *step = dyn_cast<CompoundAssignOperator>(&assignment)) {
      if ((step->getOpcode() != BO_MulAssign &&
           step->getOpcode() != BO_DivAssign) ||
          !Ast.hasSameUnqualifiedType(step->getComputationResultType(),
                                      variable->getType()))
        return;
    } else if (!findProduct(*assignment.getRHS(), held)) {
      return;
    }
    if (isWritable(Files.wholeText(assignment.getSourceRange()), *held.product))
      add(held, behind);
  }

  bool findProduct(const Expr &value, NamedProduct &held) const {
    int sign = 1;
    held.product =
        dyn_cast<BinaryOperator>(unsign(&value, Ast, sign)->IgnoreParens());
    held.isNegated = sign == -1;
    return held.product && (held.product->getOpcode() == BO_Mul ||
                            held.product->getOpcode() == BO_Div);
  }

  /// Adds `held` and its names in the statements `behind`, up to a change.
  void add(const NamedProduct &held, llvm::ArrayRef<Stmt *> behind) {
    all.push_back(held);
    std::size_t count = 0;
    bool isStraight = true;
    for (const Stmt *statement : behind) {
      if (isa<SwitchCase>(statement))
        return;
      const ProductUseFinder uses(*statement);
      const bool changes = uses.changed.count(held.variable) != 0;
      const auto *last = dyn_cast<BinaryOperator>(statement);
      // Its operands are computed before.
      if (changes &&
          (!last || !last->isAssignmentOp() ||
           localVariable(*last->getLHS()) != held.variable ||
           ProductUseFinder(*last->getRHS()).changed.count(held.variable) != 0))
        return;
      for (const DeclRefExpr *name : uses.names)
        if (name->getDecl() == held.variable &&
            !(changes && last->getOpcode() == BO_Assign &&
              name == last->getLHS()->IgnoreParens())) {
          reads[name] = &all.back();
          ++count;
        }
      if (changes) {
        if (isStraight)
          all.back().reads = count;
        return;
      }
      isStraight &= isa<Expr, DeclStmt>(statement);
    }
  }

  /// Checks whether `whole` and the factors in it are plain text.
  bool isWritable(const SourceRange &whole, const BinaryOperator &product) {
    const SourceRange left =
        Files.wholeText(product.getLHS()->getSourceRange());
    const SourceRange right =
        Files.wholeText(product.getRHS()->getSourceRange());
    for (const SourceRange &each : {whole, left, right})
      if (each.line == 0 || each.inMacro || each.file != whole.file)
        return false;
    return whole.begin <= left.begin && left.end < right.begin &&
           right.end <= whole.end;
  }

  const ASTContext &Ast;
  FileTable &Files;
  FunctionFacts Facts;
};

} // namespace

NamedProducts::NamedProducts(const FunctionDecl &function, FileTable &files) {
  NamedProductFinder finder(function, files);
  finder.TraverseStmt(function.getBody());
  All = std::move(finder.all);
  Reads = std::move(finder.reads);
}

const NamedProduct *NamedProducts::heldBy(const Expr &operand) const {
  const Expr *place = operand.IgnoreParens();
  if (const auto *read = dyn_cast<ImplicitCastExpr>(place))
    place = read->getCastKind() == CK_LValueToRValue
                ? read->getSubExpr()->IgnoreParens()
                : nullptr;
  const auto *name = dyn_cast_or_null<DeclRefExpr>(place);
  return name && !name->refersToEnclosingVariableOrCapture()
             ? Reads.lookup(name)
             : nullptr;
}

SourceRange declarator(const VarDecl &variable, FileTable &files) {
  return files.wholeText(
      {variable.getLocation(), variable.getInit()->getEndLoc()});
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
