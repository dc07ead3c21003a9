//===- frontend/Rounding.cpp - What contraction leaves open in a kernel ---===//

#include "frontend/Rounding.h"

#include "frontend/Interruptions.h"
#include "frontend/MadeNumbers.h"
#include "frontend/Products.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"

#include <algorithm>
#include <map>
#include <set>
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
  /// Whether anything is computed with branches, and anything negated, of which
  /// compilers make differences.
  bool hasBranches = false, negates = false;
  bool hasSums = false, hasDifferences = false; ///< that take products
  /// By function, the products of those that may be moved into a branch.
  std::map<const FunctionDecl *, std::set<const BinaryOperator *>> ofSums,
      ofDifferences;
};

class Judge : public RecursiveASTVisitor<Judge> {
public:
  Judge(const ASTContext &ast, const FunctionDecl &function,
        KnownNumbers &numbers, Interruptions &between, ArgumentFacts &arguments,
        RoundingTraits &traits, ProductCount &found, UncertainProducts &doubts)
      : Ast(ast), Function(function), Numbers(numbers), Between(between),
        Arguments(arguments),
        InFunction(ast, numbers, numbers.valuesIn(function), arguments),
        Traits(traits), Found(found), Doubted(doubts) {
    if (arguments.repeated.count(&function) != 0)
      Loops.push_back(function.getBody());
    for (const auto &[variable, values] : numbers.valuesIn(function).values)
      for (const Expr *value : values)
        hold(*value);
    for (const Expr *value : numbers.returnedBy(function))
      hold(*value);
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
      judgeSum(*operation, {operation->getLHS(), operation->getRHS()});
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *step) {
    Found.negates |=
        step->getOpcode() == UO_Minus && isFloating(step->getType());
    if (step->isIncrementDecrementOp() && isFloating(step->getType()))
      judgeSum(*step, {step->getSubExpr()});
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
    const Expr *yes = sumOf(choice->getTrueExpr());
    const Expr *no = sumOf(choice->getFalseExpr());
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
    enter(*callee, {call->getArgs() + first, call->getNumArgs() - first}, call);
    return true;
  }

  // What runs without a call in the text.
  bool VisitCXXConstructExpr(CXXConstructExpr *made) {
    enter(*made->getConstructor(), {made->getArgs(), made->getNumArgs()}, made);
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

  void enter(const FunctionDecl &callee, llvm::ArrayRef<const Expr *> arguments,
             const Expr *call = nullptr) {
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
      hold(*arguments[i]);
      const auto [found, values] = InFunction.useOfArgument(arguments[i]);
      if (found.isProduct)
        Arguments.product.insert(parameter);
      if (found.isUnclear ||
          (call && found.isProduct && areApart(values, *call)))
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

  void hold(const Stmt &value) {
    if (!Held.insert(&value).second)
      return;
    for (const Stmt *part : value.children())
      if (part)
        hold(*part);
  }

  static bool isSum(const BinaryOperator &operation) {
    const BinaryOperatorKind kind = operation.getOpcode();
    return isFloating(operation.getType()) &&
           (kind == BO_Add || kind == BO_Sub || kind == BO_AddAssign ||
            kind == BO_SubAssign);
  }

  /// Of one or two summands.
  void judgeSum(const Expr &sum, llvm::ArrayRef<const Expr *> operands) {
    const auto [left, ofLeft] = summand(sum, operands.front());
    const auto [right, ofRight] = operands.size() > 1
                                      ? summand(sum, operands.back())
                                      : Products::Summand();
    const bool areTwo = left.isProduct && right.isProduct;
    Traits.ambiguousSums |= areTwo || left.isUnclear || right.isUnclear;
    if (areTwo) {
      doubt(Doubted.left, ofLeft);
      doubt(Doubted.right, ofRight);
    }
    if (left.isUnclear)
      doubt(Doubted.shared, ofLeft);
    if (right.isUnclear)
      doubt(Doubted.shared, ofRight);
    Found.isInSum |= left.isProduct || right.isProduct;
    const bool takesRounded = (left.isProduct && mayBeRounded(ofLeft)) ||
                              (right.isProduct && mayBeRounded(ofRight));
    Traits.fragileProducts |= !Loops.empty() && takesRounded;
    if (!takesRounded)
      return;
    (isDifference(sum) ? Found.hasDifferences : Found.hasSums) = true;
    if (Held.count(&sum) == 0 || !Between.areLater(Function, sum))
      return;
    auto &products =
        (isDifference(sum) ? Found.ofDifferences : Found.ofSums)[&Function];
    doubt(products, ofLeft);
    doubt(products, ofRight);
  }

  static bool isDifference(const Expr &sum) {
    const auto *operation = dyn_cast<BinaryOperator>(&sum);
    return operation && (operation->getOpcode() == BO_Sub ||
                         operation->getOpcode() == BO_SubAssign);
  }

  static bool isRounded(const Expr *product) {
    const auto *operation = dyn_cast<BinaryOperator>(product);
    return !operation || !Products::isExact(*operation);
  }
  static bool mayBeRounded(llvm::ArrayRef<const Expr *> products) {
    return products.empty() ||
           std::any_of(products.begin(), products.end(), isRounded);
  }

  static void doubt(std::set<const BinaryOperator *> &doubted,
                    llvm::ArrayRef<const Expr *> values) {
    for (const Expr *value : values)
      if (const auto *product = dyn_cast<BinaryOperator>(value))
        doubted.insert(product);
  }

  Products::Summand summand(const Expr &sum, const Expr *operand) {
    Products::Summand found = InFunction.useOf(operand);
    auto &[use, values] = found;
    use.isUnclear |=
        use.isProduct && (mayMove(*operand) || areApart(values, sum));
    return found;
  }

  /// Whether branches may be between the products and what takes them.
  bool areApart(llvm::ArrayRef<const Expr *> products, const Expr &from) {
    // A parameter was there at the start of the function.
    if (products.empty())
      return Between.areBetween(Function, nullptr, from);
    return std::any_of(products.begin(), products.end(),
                       [&](const Expr *product) {
                         return isRounded(product) &&
                                Between.areBetween(Function, product, from);
                       });
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

  /// The sum that a value is, or a call that may return one.
  static const Expr *sumOf(const Expr *value) {
    const Expr *inner = sameBits(value);
    if (const auto *operation = dyn_cast<BinaryOperator>(inner))
      return isSum(*operation) ? operation : nullptr;
    const auto *call = dyn_cast<CallExpr>(inner);
    const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
    return callee && callee->hasBody() && isFloating(call->getType()) ? call
                                                                      : nullptr;
  }
  bool takesProduct(const Expr &sum) {
    const auto *operation = dyn_cast<BinaryOperator>(&sum);
    return !operation ||
           InFunction.useOf(operation->getLHS()).first.isProduct ||
           InFunction.useOf(operation->getRHS()).first.isProduct;
  }

  /// The targets that are given sums, and whether such a sum takes a product.
  std::map<std::string, bool> sumsIn(const Stmt &statement) {
    std::map<std::string, bool> sums;
    if (const auto *operation = dyn_cast<BinaryOperator>(&statement);
        operation && operation->isAssignmentOp()) {
      const Expr *sum = operation->isCompoundAssignmentOp()
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
  const FunctionDecl &Function;
  KnownNumbers &Numbers;
  Interruptions &Between;
  ArgumentFacts &Arguments;
  Products InFunction;
  RoundingTraits &Traits;
  ProductCount &Found;
  UncertainProducts &Doubted;
  /// Values of variables, and what they are computed of: it may be moved to
  /// where they are used, unlike what is stored.
  llvm::DenseSet<const Stmt *> Held;
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
  Interruptions between(ast);
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
      found.hasBranches |= between.areComputed(*next);
      // What a function returns may be moved on by what called it.
      if (next != &function)
        between.setCalled(*next);
      Judge judge(ast, *next, numbers, between, arguments, traits, found,
                  doubts[next]);
      judge.TraverseStmt(body);
      if (const auto *constructor = dyn_cast<CXXConstructorDecl>(next))
        for (const CXXCtorInitializer *member : constructor->inits())
          judge.TraverseStmt(member->getInit());
      judge.finish();
      pending.insert(pending.end(), judge.callees.begin(), judge.callees.end());
    }
    traits.sharedProducts = found.isInSum && found.products > 1;
    const auto doubtAll = [&](const auto &taken) {
      for (const auto &[each, products] : taken) {
        traits.ambiguousSums = true;
        doubts[each].shared.insert(products.begin(), products.end());
      }
    };
    doubtAll(found.ofDifferences);
    if (found.negates)
      doubtAll(found.ofSums);
    traits.fragileProducts |=
        found.hasBranches &&
        (found.hasDifferences || (found.hasSums && found.negates));
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
