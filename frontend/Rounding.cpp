//===- frontend/Rounding.cpp - What contraction leaves open in a kernel ---===//

#include "frontend/Rounding.h"

#include "frontend/MadeNumbers.h"
#include "frontend/Products.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace kfuse {
namespace {

using namespace clang;

bool isFloating(QualType type) {
  return type.getNonReferenceType().getCanonicalType()->isRealFloatingType();
}

/// What a body multiplies, and what inlined functions may, a call counting as
/// one product; and whether a sum may take any.
struct ProductCount {
  unsigned products = 0;
  bool isInSum = false;
};

class Judge : public RecursiveASTVisitor<Judge> {
public:
  Judge(const ASTContext &ast, const FunctionDecl &function,
        KnownNumbers &numbers, ArgumentFacts &arguments, RoundingTraits &traits,
        ProductCount &found, UncertainProducts &doubts)
      : Ast(ast), Numbers(numbers), Arguments(arguments),
        InFunction(ast, numbers, numbers.valuesIn(function), arguments),
        Traits(traits), Found(found), Doubted(doubts) {
    if (arguments.repeated.count(&function) != 0)
      Loops.push_back(function.getBody());
  }

  std::vector<const FunctionDecl *> callees;

  /// Where a sum takes a product that is there twice, it becomes one with two
  /// uses.
  void finish() {
    for (const auto &[key, operations] : InFunction.taken())
      if (const auto found = Count.find(key);
          found != Count.end() && found->second > 1) {
        Traits.ambiguousSums = true;
        Doubted.shared.insert(operations.begin(), operations.end());
      }
  }

  bool VisitBinaryOperator(BinaryOperator *operation) {
    if (!isFloating(operation->getType()))
      return true;
    if (InFunction.isMultiplication(*operation) &&
        !Products::isExact(*operation)) {
      ++Count[InFunction.keyOf(operation)];
      ++Found.products;
    }
    if (isSum(*operation))
      judgeSum({operation->getLHS(), operation->getRHS()});
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *step) {
    if (step->isIncrementDecrementOp() && isFloating(step->getType()))
      judgeSum({step->getSubExpr()});
    return true;
  }

  // Where both ways end in a sum, compilers may add behind them, away from the
  // products.
  bool VisitIfStmt(IfStmt *branch) {
    if (branch->getElse()) {
      const auto yes = sumsIn(*branch->getThen());
      const auto no = sumsIn(*branch->getElse());
      for (const auto &[target, hasProduct] : yes)
        if (const auto other = no.find(target); other != no.end())
          Traits.ambiguousSums |= hasProduct || other->second;
    }
    return true;
  }
  bool VisitAbstractConditionalOperator(AbstractConditionalOperator *choice) {
    const BinaryOperator *yes = sumOf(choice->getTrueExpr());
    const BinaryOperator *no = sumOf(choice->getFalseExpr());
    Traits.ambiguousSums |=
        yes && no && (takesProduct(*yes) || takesProduct(*no));
    return true;
  }

  bool TraverseForStmt(ForStmt *loop) {
    return TraverseStmt(loop->getInit()) &&
           traverseLoop(loop,
                        {loop->getConditionVariableDeclStmt(), loop->getCond(),
                         loop->getInc(), loop->getBody()});
  }
  bool TraverseWhileStmt(WhileStmt *loop) {
    return traverseLoop(loop, {loop->getConditionVariableDeclStmt(),
                               loop->getCond(), loop->getBody()});
  }
  bool TraverseDoStmt(DoStmt *loop) {
    return traverseLoop(loop, {loop->getBody(), loop->getCond()});
  }
  bool TraverseCXXForRangeStmt(CXXForRangeStmt *loop) {
    return TraverseStmt(loop->getInit()) &&
           TraverseStmt(loop->getRangeInit()) &&
           traverseLoop(loop, {loop->getLoopVarStmt(), loop->getBody()});
  }

  bool VisitCallExpr(CallExpr *call) {
    const FunctionDecl *callee = call->getDirectCallee();
    if (!callee)
      return true;
    // What is inlined may multiply what others do.
    if (InFunction.useOfCall(*call).isProduct) {
      ++Count[InFunction.keyOf(call)];
      ++Found.products;
    }
    const unsigned first =
        isa<CXXOperatorCallExpr>(call) && isa<CXXMethodDecl>(callee) ? 1 : 0;
    enter(*callee, {call->getArgs() + first, call->getNumArgs() - first});
    return true;
  }

  // What runs without a call in the text.
  bool VisitCXXConstructExpr(CXXConstructExpr *made) {
    enter(*made->getConstructor(), {made->getArgs(), made->getNumArgs()});
    return true;
  }
  bool VisitCXXInheritedCtorInitExpr(CXXInheritedCtorInitExpr *inherited) {
    enter(*inherited->getConstructor(), {});
    return true;
  }
  bool VisitVarDecl(VarDecl *variable) {
    enterDestructor(variable->getType());
    return true;
  }
  bool VisitCXXBindTemporaryExpr(CXXBindTemporaryExpr *temporary) {
    enterDestructor(temporary->getType());
    return true;
  }
  bool VisitCXXDefaultInitExpr(CXXDefaultInitExpr *member) {
    return TraverseStmt(member->getExpr());
  }
  bool VisitCXXDefaultArgExpr(CXXDefaultArgExpr *argument) {
    return TraverseStmt(argument->getExpr());
  }

private:
  bool traverseLoop(const Stmt *loop, llvm::ArrayRef<Stmt *> parts) {
    Loops.push_back(loop);
    const bool goesOn =
        std::all_of(parts.begin(), parts.end(),
                    [&](Stmt *part) { return TraverseStmt(part); });
    Loops.pop_back();
    return goesOn;
  }

  void enter(const FunctionDecl &callee,
             llvm::ArrayRef<const Expr *> arguments) {
    const FunctionDecl *definition = callee.getDefinition();
    if (!definition)
      return;
    callees.push_back(definition);
    if (!Loops.empty())
      Arguments.repeated.insert(definition);
    const std::size_t count =
        std::min<std::size_t>(arguments.size(), definition->getNumParams());
    for (std::size_t i = 0; i < count; ++i) {
      const ParmVarDecl *parameter = definition->getParamDecl(i);
      const ProductUse found = InFunction.useOfArgument(arguments[i]);
      if (found.isProduct)
        Arguments.product.insert(parameter);
      if (found.isUnclear)
        Arguments.shared.insert(parameter);
      if (!Numbers.isGiven(arguments[i]))
        Arguments.constant.insert(parameter);
      if (Numbers.isChosen(arguments[i]))
        Arguments.chosen.insert(parameter);
      if (!Loops.empty() && Numbers.mayStay(arguments[i], *Loops.back()))
        Arguments.fixed.insert(parameter);
    }
  }

  void enterDestructor(QualType type) {
    const CXXRecordDecl *record =
        type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    if (!record || !record->hasDefinition() || record->hasTrivialDestructor())
      return;
    if (const CXXDestructorDecl *destructor = record->getDestructor())
      enter(*destructor, {});
    for (const CXXBaseSpecifier &base : record->bases())
      enterDestructor(base.getType());
    for (const FieldDecl *field : record->fields())
      enterDestructor(field->getType());
  }

  static bool isSum(const BinaryOperator &operation) {
    const BinaryOperatorKind kind = operation.getOpcode();
    return isFloating(operation.getType()) &&
           (kind == BO_Add || kind == BO_Sub || kind == BO_AddAssign ||
            kind == BO_SubAssign);
  }

  /// Of one or two summands.
  void judgeSum(llvm::ArrayRef<const Expr *> operands) {
    const auto [left, ofLeft] = summand(operands.front());
    const auto [right, ofRight] =
        operands.size() > 1 ? summand(operands.back()) : Summand();
    const bool areTwo = left.isProduct && right.isProduct;
    Traits.ambiguousSums |= areTwo || left.isUnclear || right.isUnclear;
    if (areTwo) {
      Doubted.left.insert(ofLeft.begin(), ofLeft.end());
      Doubted.right.insert(ofRight.begin(), ofRight.end());
    }
    if (left.isUnclear)
      Doubted.shared.insert(ofLeft.begin(), ofLeft.end());
    if (right.isUnclear)
      Doubted.shared.insert(ofRight.begin(), ofRight.end());
    Found.isInSum |= left.isProduct || right.isProduct;
  }

  using Summand = std::pair<ProductUse, Products::Operations>;

  Summand summand(const Expr *operand) {
    Summand found = InFunction.useOf(operand);
    ProductUse &use = found.first;
    use.isUnclear |= use.isProduct && mayMove(*operand);
    return found;
  }

  /// Whether compilers may move the product away from what takes it.
  bool mayMove(const Expr &product) {
    const auto *operation = dyn_cast<BinaryOperator>(sameBits(&product));
    if ((operation && Products::isExact(*operation)) ||
        product.isEvaluatable(Ast))
      return false;
    return Numbers.isChosen(&product) ||
           (!Loops.empty() && Numbers.mayStay(&product, *Loops.back()));
  }

  /// The sum that a value is.
  static const BinaryOperator *sumOf(const Expr *value) {
    const auto *operation = dyn_cast<BinaryOperator>(sameBits(value));
    return operation && isSum(*operation) ? operation : nullptr;
  }
  bool takesProduct(const BinaryOperator &sum) {
    return InFunction.useOf(sum.getLHS()).first.isProduct ||
           InFunction.useOf(sum.getRHS()).first.isProduct;
  }

  /// The targets that are given sums, and whether such a sum takes a product.
  std::map<std::string, bool> sumsIn(const Stmt &statement) {
    std::map<std::string, bool> sums;
    if (const auto *operation = dyn_cast<BinaryOperator>(&statement);
        operation && operation->isAssignmentOp()) {
      const BinaryOperator *sum = operation->isCompoundAssignmentOp()
                                      ? sumOf(operation)
                                      : sumOf(operation->getRHS());
      if (sum)
        sums[InFunction.keyOf(operation->getLHS())] |= takesProduct(*sum);
    }
    for (const Stmt *part : statement.children())
      if (part)
        for (const auto &[target, hasProduct] : sumsIn(*part))
          sums[target] |= hasProduct;
    return sums;
  }

  const ASTContext &Ast;
  KnownNumbers &Numbers;
  ArgumentFacts &Arguments;
  Products InFunction;
  RoundingTraits &Traits;
  ProductCount &Found;
  UncertainProducts &Doubted;
  /// Those around, from the outermost on.
  std::vector<const Stmt *> Loops;
  /// Of products, by their keys.
  std::map<std::string, unsigned> Count;
};

using Doubts = std::map<const FunctionDecl *, UncertainProducts>;

RoundingTraits judge(const ASTContext &ast, const FunctionDecl &function,
                     Doubts &doubts) {
  RoundingTraits traits;
  ArgumentFacts arguments;
  // What a function is given as parameters may be learned after it was judged.
  for (std::size_t known = 0, round = 0;
       round == 0 || known != arguments.size(); ++round) {
    known = arguments.size();
    KnownNumbers numbers(arguments);
    ProductCount found;
    llvm::SmallPtrSet<const FunctionDecl *, 16> seen;
    std::vector<const FunctionDecl *> pending{&function};
    while (!pending.empty()) {
      const FunctionDecl *next = pending.back();
      pending.pop_back();
      Stmt *body = next->getBody();
      if (!body || !seen.insert(next->getCanonicalDecl()).second)
        continue;
      traits.integersToFloating |= makesNumbers(ast, *next, numbers);
      Judge judge(ast, *next, numbers, arguments, traits, found, doubts[next]);
      judge.TraverseStmt(body);
      if (const auto *constructor = dyn_cast<CXXConstructorDecl>(next))
        for (const CXXCtorInitializer *member : constructor->inits())
          judge.TraverseStmt(member->getInit());
      judge.finish();
      pending.insert(pending.end(), judge.callees.begin(), judge.callees.end());
    }
    traits.sharedProducts = found.isInSum && found.products > 1;
  }
  return traits;
}

} // namespace

RoundingTraits roundingTraits(const ASTContext &ast,
                              const FunctionDecl &function) {
  Doubts doubts;
  RoundingTraits traits = judge(ast, function, doubts);
  for (const auto &[each, uncertain] : doubts)
    if (each != &function)
      traits.called.push_back(each);
  return traits;
}

Doubts uncertainProducts(const ASTContext &ast, const FunctionDecl &function) {
  Doubts doubts;
  judge(ast, function, doubts);
  return doubts;
}

} // namespace kfuse
