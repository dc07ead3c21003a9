//===- LoadUses.cpp - What sums do with loaded values ---------------------===//

#include "frontend/contraction/LoadUses.h"

#include "frontend/contraction/DeviceArithmetic.h"
#include "frontend/contraction/FunctionFacts.h"
#include "frontend/syntax/SourceVisitor.h"

#include "llvm/ADT/STLExtras.h"

namespace kfuse {

using namespace clang;

namespace {

class LoadUseFinder : public SourceVisitor {
public:
  LoadUseFinder(const std::set<const BinaryOperator *> &taking,
                FileTable &files)
      : Taking(taking), Files(files) {}

  std::map<std::uint32_t, LoadUse> found;

  bool VisitBinaryOperator(BinaryOperator *operation) override {
    const Expr *left = operation->getLHS(), *right = operation->getRHS();
    if (!isFloating(left->getType()))
      return true;
    const BinaryOperatorKind kind = operation->getOpcode();
    if (operation->isMultiplicativeOp() || operation->isComparisonOp() ||
        kind == BO_MulAssign || kind == BO_DivAssign) {
      add(*left, {});
      add(*right, {});
    }
    const QualType type = operation->getType().getCanonicalType();
    const bool isDouble = type->isSpecificBuiltinType(BuiltinType::Double);
    if (!operation->isAdditiveOp() || Taking.count(operation) != 0 ||
        !(isDouble || type->isSpecificBuiltinType(BuiltinType::Float)) ||
        Files.range(operation->getOperatorLoc()).inMacro)
      return true;
    const WrittenSum sum{Files.wholeText(left->getSourceRange()),
                         Files.wholeText(right->getSourceRange()),
                         kind == BO_Sub, isDouble};
    if (!sum.left.inMacro && !sum.right.inMacro) {
      add(*left, {sum});
      add(*right, {sum});
    }
    return true;
  }

  /// The greater of two numbers is none of the operations that made them.
  bool VisitCallExpr(CallExpr *call) override {
    const FunctionDecl *callee = call->getDirectCallee();
    if (isLibraryFunction(callee) &&
        llvm::is_contained({"fmax", "fmaxf", "fmin", "fminf", "fabs", "fabsf"},
                           callee->getName()))
      for (const Expr *argument : call->arguments())
        add(*argument, {});
    return true;
  }

private:
  void add(const Expr &value, const LoadUse &use) {
    const Expr *load = sameValue(&value);
    const SourceRange range = Files.wholeText(load->getSourceRange());
    if (isa<ArraySubscriptExpr>(load) && !range.inMacro)
      found[range.begin] = use;
  }

  const std::set<const BinaryOperator *> &Taking;
  FileTable &Files;
};

} // namespace

std::map<std::uint32_t, LoadUse>
loadUses(const FunctionDecl &kernel,
         const std::set<const BinaryOperator *> &taking, FileTable &files) {
  LoadUseFinder finder(taking, files);
  finder.TraverseStmt(kernel.getBody());
  return std::move(finder.found);
}

} // namespace kfuse
