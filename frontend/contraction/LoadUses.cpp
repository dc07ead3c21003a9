//===- LoadUses.cpp - What sums do with loaded values ---------------------===//

#include "frontend/contraction/LoadUses.h"

#include "frontend/contraction/DeviceArithmetic.h"
#include "frontend/contraction/FunctionFacts.h"
#include "frontend/syntax/SourceVisitor.h"

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLExtras.h"

namespace kfuse {

using namespace clang;

namespace {

class LoadUseFinder : public SourceVisitor {
public:
  LoadUseFinder(const FunctionDecl &kernel, const RoundingTraits &rounding,
                FileTable &files)
      : Ast(kernel.getASTContext()), Rounding(rounding),
        Taking(rounding.sums.at(&kernel)), Files(files) {}

  std::map<std::uint32_t, LoadUse> found;

  bool VisitBinaryOperator(BinaryOperator *operation) override {
    const Expr *left = operation->getLHS(), *right = operation->getRHS();
    if (!isFloating(left->getType()))
      return true;
    const BinaryOperatorKind kind = operation->getOpcode();
    const bool isProduct = operation->isMultiplicativeOp() ||
                           kind == BO_MulAssign || kind == BO_DivAssign;
    if (operation->isComparisonOp() || (isProduct && rounds(*operation))) {
      add(*left, {});
      add(*right, {});
    }
    const QualType type = operation->getType().getCanonicalType();
    const bool isDouble = type->isSpecificBuiltinType(BuiltinType::Double);
    if (!operation->isAdditiveOp() || Taking.count(operation) != 0 ||
        !(isDouble || type->isSpecificBuiltinType(BuiltinType::Float)))
      return true;
    WrittenSum sum{Files.wholeText(left->getSourceRange()),
                   Files.range(operation->getOperatorLoc()),
                   Files.wholeText(right->getSourceRange()), kind == BO_Sub,
                   isDouble};
    if (sum.left.inMacro || sum.sign.inMacro || sum.right.inMacro)
      return true;
    SourceRange between = sum.left;
    between.begin = sum.left.end;
    between.end = sum.right.begin;
    sum.hasComment = llvm::StringRef(Files.text(between)).contains('/');
    add(*left, {sum});
    add(*right, {sum});
    return true;
  }

  /// The greater of a value and a number is none of the operations that made
  /// the value. (Of a value and itself, it is that value.)
  bool VisitCallExpr(CallExpr *call) override {
    const FunctionDecl *callee = call->getDirectCallee();
    if (isLibraryFunction(callee) && call->getNumArgs() == 2 &&
        llvm::is_contained({"fmax", "fmaxf", "fmin", "fminf"},
                           callee->getName())) {
      const Expr *first = call->getArg(0), *second = call->getArg(1);
      if (isFiniteNumber(*second))
        add(*first, {});
      if (isFiniteNumber(*first))
        add(*second, {});
    }
    return true;
  }

private:
  /// Checks whether the result is rounded, and no factor itself: compilers know
  /// that x * 1 is x.
  bool rounds(const BinaryOperator &product) const {
    const auto known = Rounding.factors.find(&product);
    return known != Rounding.factors.end() && !known->second.mayBeTrivial;
  }

  bool isFiniteNumber(const Expr &value) const {
    llvm::APFloat number(0.0);
    return !value.isValueDependent() && value.EvaluateAsFloat(number, Ast) &&
           number.isFinite();
  }

  void add(const Expr &value, const LoadUse &use) {
    const Expr *load = sameValue(&value);
    const SourceRange range = Files.wholeText(load->getSourceRange());
    if (isa<ArraySubscriptExpr>(load) && !range.inMacro)
      found[range.begin] = use;
  }

  const ASTContext &Ast;
  const RoundingTraits &Rounding;
  const std::set<const BinaryOperator *> &Taking;
  FileTable &Files;
};

} // namespace

std::map<std::uint32_t, LoadUse> loadUses(const FunctionDecl &kernel,
                                          const RoundingTraits &rounding,
                                          FileTable &files) {
  LoadUseFinder finder(kernel, rounding, files);
  finder.TraverseStmt(kernel.getBody());
  return std::move(finder.found);
}

} // namespace kfuse
