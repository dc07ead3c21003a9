//===- frontend/Rounding.cpp - What contraction leaves open in a kernel ---===//

#include "frontend/Rounding.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <set>
#include <vector>

namespace kfuse {
namespace {

using namespace clang;

bool isFloating(QualType type) {
  return type.getNonReferenceType().getCanonicalType()->isRealFloatingType();
}

/// The expression without what doesn't change a value's bits.
const Expr *strip(const Expr *expression) {
  while (true) {
    const Expr *next = expression->IgnoreParens();
    if (const auto *cast = dyn_cast<CastExpr>(next))
      if (cast->getCastKind() == CK_LValueToRValue ||
          cast->getCastKind() == CK_NoOp)
        next = cast->getSubExpr();
    if (const auto *full = dyn_cast<FullExpr>(next))
      next = full->getSubExpr();
    if (const auto *temporary = dyn_cast<MaterializeTemporaryExpr>(next))
      next = temporary->getSubExpr();
    if (const auto *sign = dyn_cast<UnaryOperator>(next))
      if (sign->getOpcode() == UO_Minus || sign->getOpcode() == UO_Plus)
        next = sign->getSubExpr();
    if (next == expression)
      return expression;
    expression = next;
  }
}

/// Local variables of floating type: what they hold, and how often they are
/// read. A variable counts as a product if anything assigned to it is one.
struct Variables {
  llvm::DenseMap<const VarDecl *, std::vector<const Expr *>> values;
  llvm::DenseMap<const VarDecl *, unsigned> reads;
};

class Collector : public RecursiveASTVisitor<Collector> {
public:
  explicit Collector(Variables &variables) : Found(variables) {}

  bool VisitVarDecl(VarDecl *variable) {
    if (isFloating(variable->getType()) && variable->hasInit())
      Found.values[variable].push_back(variable->getInit());
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *operation) {
    if (!operation->isAssignmentOp() || !isFloating(operation->getType()))
      return true;
    if (const auto *place =
            dyn_cast<DeclRefExpr>(operation->getLHS()->IgnoreParens()))
      if (const auto *variable = dyn_cast<VarDecl>(place->getDecl()))
        Found.values[variable].push_back(operation->isCompoundAssignmentOp()
                                             ? operation
                                             : operation->getRHS());
    return true;
  }
  bool VisitImplicitCastExpr(ImplicitCastExpr *cast) {
    if (cast->getCastKind() == CK_LValueToRValue)
      if (const auto *place =
              dyn_cast<DeclRefExpr>(cast->getSubExpr()->IgnoreParens()))
        if (const auto *variable = dyn_cast<VarDecl>(place->getDecl()))
          ++Found.reads[variable];
    return true;
  }

private:
  Variables &Found;
};

class Judge : public RecursiveASTVisitor<Judge> {
public:
  Judge(const ASTContext &ast, Variables &variables, RoundingTraits &traits,
        std::vector<const FunctionDecl *> &callees)
      : Ast(ast), Known(variables), Traits(traits), Callees(callees) {}

  bool VisitBinaryOperator(BinaryOperator *operation) {
    if (!isFloating(operation->getType()))
      return true;
    const BinaryOperatorKind kind = operation->getOpcode();
    if (kind == BO_Mul || kind == BO_MulAssign) {
      // The same product twice becomes one with two uses.
      llvm::FoldingSetNodeID id;
      operation->Profile(id, Ast, /*Canonical=*/true);
      Traits.ambiguousSums |= !Products.insert(id.ComputeHash()).second;
    }
    if (kind == BO_Add || kind == BO_Sub || kind == BO_AddAssign ||
        kind == BO_SubAssign) {
      const Use left = use(operation->getLHS(), 0);
      const Use right = use(operation->getRHS(), 0);
      Traits.ambiguousSums |= (left.isProduct && right.isProduct) ||
                              left.isShared || right.isShared;
    }
    return true;
  }

  bool VisitCastExpr(CastExpr *cast) {
    if (cast->getCastKind() == CK_IntegralToFloating &&
        !cast->getSubExpr()->isEvaluatable(Ast))
      Traits.integersToFloating = true;
    return true;
  }

  bool VisitCallExpr(CallExpr *call) {
    if (const FunctionDecl *callee = call->getDirectCallee())
      if (const FunctionDecl *definition = callee->getDefinition())
        Callees.push_back(definition);
    return true;
  }

private:
  struct Use {
    bool isProduct = false; ///< may be a product
    bool isShared = false;  ///< a product that something else uses too
  };

  Use use(const Expr *operand, unsigned depth) {
    const Expr *value = strip(operand);
    // Beyond this a chain of variables is taken for the worst.
    if (depth > 8)
      return {true, true};
    if (const auto *operation = dyn_cast<BinaryOperator>(value))
      return {operation->getOpcode() == BO_Mul ||
                  operation->getOpcode() == BO_MulAssign,
              operation->getOpcode() == BO_MulAssign};
    if (const auto *choice = dyn_cast<ConditionalOperator>(value)) {
      const Use yes = use(choice->getTrueExpr(), depth + 1);
      const Use no = use(choice->getFalseExpr(), depth + 1);
      return {yes.isProduct || no.isProduct, yes.isProduct || no.isProduct};
    }
    if (const auto *call = dyn_cast<CallExpr>(value)) {
      // An inlined function may return a product.
      const FunctionDecl *callee = call->getDirectCallee();
      return {!callee || callee->hasBody() || isa<CXXOperatorCallExpr>(call),
              false};
    }
    if (const auto *place = dyn_cast<DeclRefExpr>(value))
      if (const auto *variable = dyn_cast<VarDecl>(place->getDecl())) {
        auto found = Known.values.find(variable);
        if (found == Known.values.end())
          return {};
        bool isProduct = false;
        for (const Expr *assigned : found->second)
          isProduct |= use(assigned, depth + 1).isProduct;
        return {isProduct, isProduct && Known.reads.lookup(variable) > 1};
      }
    return {};
  }

  const ASTContext &Ast;
  Variables &Known;
  RoundingTraits &Traits;
  std::vector<const FunctionDecl *> &Callees;
  std::set<unsigned> Products;
};

} // namespace

RoundingTraits roundingTraits(const ASTContext &ast,
                              const FunctionDecl &function) {
  RoundingTraits traits;
  llvm::SmallPtrSet<const FunctionDecl *, 16> seen;
  std::vector<const FunctionDecl *> pending{&function};
  while (!pending.empty()) {
    const FunctionDecl *next = pending.back();
    pending.pop_back();
    Stmt *body = next->getBody();
    if (!body || !seen.insert(next->getCanonicalDecl()).second)
      continue;
    Variables variables;
    Collector(variables).TraverseStmt(body);
    Judge(ast, variables, traits, pending).TraverseStmt(body);
  }
  return traits;
}

} // namespace kfuse
