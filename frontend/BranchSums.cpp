//===- frontend/BranchSums.cpp - Sums that branches may take in -----------===//

#include "frontend/BranchSums.h"

#include "frontend/DeviceArithmetic.h"
#include "frontend/GivenValues.h"
#include "frontend/Interruptions.h"
#include "frontend/MeaningVisitor.h"

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

namespace kfuse {

using namespace clang;

namespace {

/// What is in statements, and how often they read variables.
class ReadFinder : public MeaningVisitor<ReadFinder> {
public:
  std::map<const VarDecl *, unsigned> reads;
  llvm::DenseSet<const Stmt *> parts;

  bool VisitStmt(Stmt *statement) {
    parts.insert(statement);
    if (const auto *cast = dyn_cast<ImplicitCastExpr>(statement);
        cast && cast->getCastKind() == CK_LValueToRValue)
      read(*cast->getSubExpr());
    return true;
  }
  void read(const Expr &place) {
    for (const VarDecl *variable : variablesAt(&place))
      ++reads[variable];
  }
};

/// The parts that a statement may leave out.
std::vector<const Stmt *> branchesOf(const Stmt &statement) {
  if (const auto *branch = dyn_cast<IfStmt>(&statement))
    return {branch->getThen(), branch->getElse()};
  if (const auto *branch = dyn_cast<SwitchStmt>(&statement))
    return {branch->getBody()};
  if (const auto *choice = dyn_cast<AbstractConditionalOperator>(&statement);
      choice && isBranch(statement))
    return {choice->getTrueExpr(), choice->getFalseExpr()};
  if (const auto *operation = dyn_cast<BinaryOperator>(&statement);
      operation && operation->isLogicalOp())
    return {operation->getRHS()};
  return {};
}

} // namespace

bool isSum(const BinaryOperator &operation) {
  const BinaryOperatorKind kind = operation.getOpcode();
  return isFloating(operation.getType()) &&
         (kind == BO_Add || kind == BO_Sub || kind == BO_AddAssign ||
          kind == BO_SubAssign);
}

const Expr *sumOf(const Expr *value) {
  const Expr *inner = sameBits(value);
  if (const auto *operation = dyn_cast<BinaryOperator>(inner))
    return isSum(*operation) ? operation : nullptr;
  const auto *call = dyn_cast<CallExpr>(inner);
  const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  return callee && callee->hasBody() && isFloating(call->getType()) ? call
                                                                    : nullptr;
}

std::vector<const Expr *> sumsForBranches(const Stmt &statement,
                                          const GivenValues &known) {
  ReadFinder inside;
  for (const Stmt *branch : branchesOf(statement)) {
    inside.TraverseStmt(const_cast<Stmt *>(branch));
    // What is chosen is read behind the choice.
    if (const auto *place = dyn_cast_or_null<Expr>(branch);
        place && place->isGLValue())
      inside.read(*place);
  }
  std::vector<const Expr *> sums;
  for (const auto &[variable, count] : inside.reads)
    if (count == known.reads.lookup(variable) &&
        known.open.count(variable) == 0)
      for (const Expr *value : known.values.lookup(variable))
        if (const Expr *sum = sumOf(value); sum && !inside.parts.contains(sum))
          sums.push_back(sum);
  return sums;
}

std::map<ValueKeys::Key, std::vector<const Expr *>>
sumsAssigned(const Stmt &statement, ValueKeys &keys) {
  std::map<ValueKeys::Key, std::vector<const Expr *>> sums;
  if (const auto *operation = dyn_cast<BinaryOperator>(&statement);
      operation && operation->isAssignmentOp())
    if (const Expr *sum =
            sumOf(operation->isCompoundAssignmentOp() ? operation
                                                      : operation->getRHS()))
      sums[keys.ofPlace(operation->getLHS())].push_back(sum);
  for (const Stmt *part : statement.children())
    if (part)
      for (const auto &[target, given] : sumsAssigned(*part, keys))
        sums[target].insert(sums[target].end(), given.begin(), given.end());
  return sums;
}

} // namespace kfuse
