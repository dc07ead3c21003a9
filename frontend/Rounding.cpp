//===- frontend/Rounding.cpp - What contraction leaves open in a kernel ---===//

#include "frontend/Rounding.h"

#include "frontend/BranchSums.h"
#include "frontend/DeviceArithmetic.h"
#include "frontend/Interruptions.h"
#include "frontend/MadeNumbers.h"
#include "frontend/MeaningVisitor.h"
#include "frontend/Products.h"
#include "frontend/RepeatedProducts.h"
#include "frontend/Scalings.h"
#include "frontend/TurnedSigns.h"
#include "frontend/VisibleCode.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace kfuse {
namespace {

using namespace clang;

/// What the functions of a kernel were found to have.
struct Findings {
  using Sums = std::set<const Expr *>;
  /// Sums that take rounded products, and those that may be moved into a branch
  /// with these.
  struct Taken {
    Sums all, movable;
  };

  const FunctionDecl *kernel = nullptr;
  MultipliedBy multiplied;
  KnownProducts returned;
  std::map<const Expr *, Sums> takers; ///< of products
  bool isInSum = false;                ///< some sum may take a product
  Taken bySums, byDifferences;
  SignUses signs;
  bool hasBranches = false; ///< in what is computed: quotients and the like
};

void setUnclear(const Findings::Sums &sums, RoundingTraits &traits) {
  traits.ambiguousSums = true;
  for (const Expr *sum : sums)
    if (const auto *operation = dyn_cast<BinaryOperator>(sum))
      traits.unclear.insert(operation);
}

class Judge : public MeaningVisitor<Judge> {
public:
  Judge(const ASTContext &ast, const FunctionDecl &function,
        KnownNumbers &numbers, Interruptions &between, ArgumentFacts &arguments,
        RoundingTraits &traits, Findings &found)
      : Ast(ast), Function(function), Numbers(numbers), Between(between),
        Arguments(arguments),
        InFunction(ast, numbers, numbers.valuesIn(function), arguments,
                   found.returned, arguments.ofProducts.count(&function) != 0),
        Keys(ast, numbers, function),
        Signs(ast, numbers, arguments, function, Keys,
              &function == found.kernel, found.signs),
        Traits(traits), Found(found), Body(found.multiplied[&function]),
        Sums(traits.sums[&function]) {
    if (arguments.repeated.count(&function) != 0)
      Loops.push_back(function.getBody());
    for (const auto &[variable, values] : numbers.valuesIn(function).values)
      for (const Expr *value : values)
        hold(*value);
    for (const Expr *value : numbers.returnedBy(function)) {
      hold(*value);
      load(InFunction.useOf(value).loads, false, true);
    }
  }

  std::vector<const FunctionDecl *> callees;

  // Its sums may take what the function holds. What it multiplies comes when it
  // is called.
  bool TraverseLambdaExpr(LambdaExpr *lambda) {
    ++Lambdas;
    const bool goesOn = MeaningVisitor::TraverseLambdaExpr(lambda);
    --Lambdas;
    return goesOn;
  }

  bool VisitExpr(Expr *value) {
    if (Passed.count(value->IgnoreParenImpCasts()) == 0)
      Signs.look(*value);
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *operation) {
    if (operation->isAssignmentOp())
      store(*operation->getLHS(), operation->isCompoundAssignmentOp()
                                      ? *operation
                                      : *operation->getRHS());
    if (operation->isLogicalOp())
      judgeMoved(*operation);
    if (!isFloating(operation->getType()))
      return true;
    Signs.subtract(*operation);
    if (InFunction.isMultiplication(*operation) && !isExact(*operation, Ast))
      multiply(*operation);
    judgeDoubles(*operation);
    if (const auto scaling = scalingOf(*operation, Ast)) {
      if (scaling->isByTwo())
        judgeDouble(*operation, *scaling->number);
      // The sign of the factor stays with it, or makes no difference.
      if (isExact(*operation, Ast))
        Passed.insert(scaling->factor->IgnoreParenImpCasts());
    }
    if (isSum(*operation))
      judgeSum(*operation, {operation->getLHS(), operation->getRHS()});
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *step) {
    if (Passed.count(step) == 0)
      Signs.negate(*step);
    if (step->isIncrementDecrementOp() && isFloating(step->getType()))
      judgeSum(*step, {step->getSubExpr()});
    return true;
  }

  // Where both ways end in a sum, compilers may add behind them.
  bool VisitIfStmt(IfStmt *branch) {
    judgeMoved(*branch);
    if (branch->getElse()) {
      const auto yes = sumsAssigned(*branch->getThen(), Keys);
      const auto no = sumsAssigned(*branch->getElse(), Keys);
      for (const auto &[target, sums] : yes)
        if (const auto others = no.find(target); others != no.end())
          judgeMeeting(sums, others->second);
    }
    return true;
  }
  bool VisitSwitchStmt(SwitchStmt *branch) {
    judgeMoved(*branch);
    return true;
  }
  bool VisitAbstractConditionalOperator(AbstractConditionalOperator *choice) {
    judgeMoved(*choice);
    const Expr *yes = sumOf(choice->getTrueExpr());
    const Expr *no = sumOf(choice->getFalseExpr());
    if (yes && no)
      judgeMeeting({yes}, {no});
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
    if (const auto *copied = dyn_cast<CXXOperatorCallExpr>(call);
        copied && copied->getOperator() == OO_Equal &&
        copied->getDirectCallee() && copied->getDirectCallee()->isTrivial())
      store(*copied->getArg(0), *copied->getArg(1));
    const bool isWrapper = wrapsLibraryFunction(call->getDirectCallee());
    if (isWrapper || isLibraryFunction(call->getDirectCallee()))
      for (const Expr *argument : call->arguments())
        Passed.insert(argument->IgnoreParenImpCasts());
    if (isWrapper)
      return true;
    if (const auto visible = visibleCall(*call))
      enter(*visible);
    else if (call->getDirectCallee() && InFunction.useOfCall(*call).isProduct)
      multiply(*call);
    return true;
  }

  // What runs without a call in the text.
  bool VisitCXXConstructExpr(CXXConstructExpr *made) {
    enter(made->getConstructor(), {made->getArgs(), made->getNumArgs()}, made);
    return true;
  }
  bool VisitCXXInheritedCtorInitExpr(CXXInheritedCtorInitExpr *inherited) {
    enter(inherited->getConstructor());
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

  void multiply(const Expr &product) {
    if (Lambdas == 0)
      Body.products.push_back(&product);
  }

  void load(llvm::ArrayRef<const Expr *> places, bool isTaken,
            bool isWithProduct) {
    if (Lambdas == 0)
      for (const Expr *place : places)
        Body.loads.push_back({place, isTaken, isWithProduct});
  }

  void store(const Expr &place, const Expr &value) {
    if (localOf(&place))
      return;
    Signs.store(place, value);
    if (Lambdas != 0)
      return;
    const auto [use, products, loads, calls] = InFunction.useOfArgument(&value);
    // Integers matter where they are the bits of something else.
    if (isFloating(place.getType()) || place.getType()->isRecordType() ||
        use.isUnclear)
      Body.stores.push_back({&place, &value, products, loads, !calls.empty(),
                             use.isProduct,
                             use.isProduct && mayBeRounded(products)});
  }

  void enter(const FunctionDecl *callee,
             llvm::ArrayRef<const Expr *> arguments = {},
             const Expr *whole = nullptr) {
    if (const FunctionDecl *definition = callee->getDefinition())
      enter({definition, arguments, nullptr, whole});
  }

  void enter(const VisibleCall &call) {
    callees.push_back(call.callee);
    if (Lambdas == 0)
      Body.calls.push_back(call);
    if (!Loops.empty())
      Arguments.repeated.insert(call.callee);
    if (isa<CXXMethodDecl>(call.callee) &&
        (!call.object || InFunction.useOfArgument(call.object).use.isProduct))
      Arguments.ofProducts.insert(call.callee);
    const std::size_t count = std::min<std::size_t>(
        call.arguments.size(), call.callee->getNumParams());
    for (std::size_t i = 0; i < count; ++i) {
      const ParmVarDecl *parameter = call.callee->getParamDecl(i);
      const Expr *argument = call.arguments[i];
      hold(*argument);
      const auto [found, values, loads, calls] =
          InFunction.useOfArgument(argument);
      Body.taken.insert(values.begin(), values.end());
      Body.taken.insert(calls.begin(), calls.end());
      if (!isLoadedInside(*argument, *parameter))
        load(loads, true, !isFollowed(*argument, *parameter, *call.callee));
      if (call.whole)
        contract(values, *call.whole);
      if (found.isProduct)
        Arguments.product.insert(parameter);
      if (Signs.mayHaveNegative(*argument))
        Arguments.negative.insert(parameter);
      if (found.isUnclear ||
          (call.whole && found.isProduct && areApart(values, *call.whole)))
        Arguments.shared.insert(parameter);
      if (!Numbers.isGiven(argument))
        Arguments.constant.insert(parameter);
      if (Numbers.isChosen(argument))
        Arguments.chosen.insert(parameter);
      if (!Loops.empty() && Numbers.mayStay(argument, *Loops.back()))
        Arguments.fixed.insert(parameter);
    }
  }

  /// Whether the callee loads all that is loaded for the argument, numbers
  /// behind a pointer that this function is given too. What a local array holds
  /// may have been loaded before.
  bool isLoadedInside(const Expr &argument, const ParmVarDecl &parameter) {
    const VarDecl *variable = variableBehind(argument);
    const GivenValues &own = Numbers.valuesIn(Function);
    return isOfNumbers(parameter.getType()) &&
           isa_and_nonnull<ParmVarDecl>(variable) &&
           isOfNumbers(variable->getType()) &&
           own.values.count(variable) == 0 && own.open.count(variable) == 0;
  }
  static bool isOfNumbers(QualType pointer) {
    return pointer->isPointerType() && pointer->getPointeeType()
                                           ->getBaseElementTypeUnsafe()
                                           ->isRealFloatingType();
  }

  /// Whether what is loaded for the argument is found where the function reads
  /// the parameter.
  bool isFollowed(const Expr &argument, const ParmVarDecl &parameter,
                  const FunctionDecl &callee) {
    const GivenValues &inside = Numbers.valuesIn(callee);
    return isFloating(argument.getType()) &&
           sameValue(&argument)->isGLValue() &&
           inside.values.count(&parameter) == 0 &&
           inside.open.count(&parameter) == 0;
  }

  void enterDestructor(QualType type) {
    const CXXRecordDecl *record =
        type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    if (!record || !record->hasDefinition() || record->hasTrivialDestructor())
      return;
    if (const CXXDestructorDecl *destructor = record->getDestructor())
      enter(destructor);
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

  /// Of one or two summands.
  void judgeSum(const Expr &sum, llvm::ArrayRef<const Expr *> operands) {
    const auto [left, ofLeft, leftLoads, leftCalls] =
        summand(sum, operands.front());
    const auto [right, ofRight, rightLoads, rightCalls] =
        operands.size() > 1 ? summand(sum, operands.back())
                            : Products::Summand();
    load(leftLoads, true, right.isProduct);
    load(rightLoads, true, left.isProduct);
    const bool areTwo = left.isProduct && right.isProduct;
    if (areTwo || left.isUnclear || right.isUnclear)
      setUnclear({&sum}, Traits);
    for (const auto &products : {ofLeft, ofRight})
      for (const Expr *product : products)
        Found.takers[product].insert(&sum);
    Found.isInSum |= left.isProduct || right.isProduct;
    const bool takesRounded = (left.isProduct && mayBeRounded(ofLeft)) ||
                              (right.isProduct && mayBeRounded(ofRight));
    if (const auto *operation = dyn_cast<BinaryOperator>(&sum);
        operation && (areTwo || takesRounded))
      Sums.insert(operation);
    if (!takesRounded)
      return;
    if (left.isProduct)
      Signs.add(*operands.front());
    if (right.isProduct)
      Signs.add(*operands.back());
    Traits.contractsAnywhere |= !Loops.empty() || isDifference(sum);
    Findings::Taken &taken =
        isDifference(sum) ? Found.byDifferences : Found.bySums;
    taken.all.insert(&sum);
    if (Held.count(&sum) != 0 && Between.areLater(Function, sum))
      taken.movable.insert(&sum);
    for (const auto &products : {ofLeft, ofRight})
      contract(products, sum);
  }

  /// What is read in a branch alone may be added there, away from the product.
  void judgeMoved(const Stmt &statement) {
    for (const Expr *sum :
         sumsForBranches(statement, Numbers.valuesIn(Function)))
      if (takesProduct(*sum))
        setUnclear({sum}, Traits);
  }

  void judgeMeeting(std::vector<const Expr *> sums,
                    const std::vector<const Expr *> &others) {
    sums.insert(sums.end(), others.begin(), others.end());
    if (std::any_of(sums.begin(), sums.end(),
                    [&](const Expr *sum) { return takesProduct(*sum); }))
      setUnclear({sums.begin(), sums.end()}, Traits);
  }

  /// A product is contracted with itself, or not, where others use it as well.
  void judgeDouble(const BinaryOperator &operation, const Expr &twice) {
    const auto [use, products, loads, calls] = InFunction.useOf(&twice);
    if (use.isProduct && mayBeRounded(products))
      setUnclear({&operation}, Traits);
  }

  /// By a number that compilers may know to be two.
  void judgeDoubles(const BinaryOperator &operation) {
    if (!InFunction.isMultiplication(operation) || scalingOf(operation, Ast))
      return;
    const Expr *left = operation.getLHS(), *right = operation.getRHS();
    if (Numbers.mayBeTwo(*right, Function))
      judgeDouble(operation, *left);
    if (Numbers.mayBeTwo(*left, Function))
      judgeDouble(operation, *right);
  }

  void contract(llvm::ArrayRef<const Expr *> products, const Expr &from) {
    if (&Function != Found.kernel)
      return;
    for (const Expr *product : products)
      if (isRounded(product))
        Traits.contractions.insert({product, &from});
  }

  static bool isDifference(const Expr &sum) {
    const auto *operation = dyn_cast<BinaryOperator>(&sum);
    return operation && (operation->getOpcode() == BO_Sub ||
                         operation->getOpcode() == BO_SubAssign);
  }

  bool isRounded(const Expr *product) {
    const auto *operation = dyn_cast<BinaryOperator>(product);
    return !operation || !isExact(*operation, Ast);
  }
  bool mayBeRounded(llvm::ArrayRef<const Expr *> products) {
    return products.empty() ||
           std::any_of(products.begin(), products.end(),
                       [&](const Expr *each) { return isRounded(each); });
  }

  Products::Summand summand(const Expr &sum, const Expr *operand) {
    Products::Summand found = InFunction.useOf(operand);
    auto &[use, values, loads, calls] = found;
    Body.taken.insert(values.begin(), values.end());
    Body.taken.insert(calls.begin(), calls.end());
    use.isUnclear |= use.isProduct && mayBeRounded(values) &&
                     (mayMove(*operand) || areApart(values, sum));
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
    if ((operation && isExact(*operation, Ast)) || product.isEvaluatable(Ast))
      return false;
    return Numbers.isChosen(&product) ||
           (!Loops.empty() && Numbers.mayStay(&product, *Loops.back()));
  }

  bool takesProduct(const Expr &sum) {
    const auto *operation = dyn_cast<BinaryOperator>(&sum);
    return !operation || InFunction.useOf(operation->getLHS()).use.isProduct ||
           InFunction.useOf(operation->getRHS()).use.isProduct;
  }

  const ASTContext &Ast;
  const FunctionDecl &Function;
  KnownNumbers &Numbers;
  Interruptions &Between;
  ArgumentFacts &Arguments;
  Products InFunction;
  ValueKeys Keys;
  TurnedSigns Signs;
  RoundingTraits &Traits;
  Findings &Found;
  Multiplied &Body;
  std::set<const BinaryOperator *> &Sums; ///< that take products
  /// Values of variables, and what they are computed of: it may be moved to
  /// where they are used, unlike what is stored.
  llvm::DenseSet<const Stmt *> Held;
  /// Those around, from the outermost on.
  std::vector<const Stmt *> Loops;
  unsigned Lambdas = 0; ///< around
  /// To functions of the library.
  llvm::DenseSet<const Stmt *> Passed;
};

/// Where a sum takes a product that comes again, that becomes one with two
/// uses.
void judgeRepeated(const RepeatedProducts &repeated, const Findings &found,
                   RoundingTraits &traits) {
  traits.sharedProducts = found.isInSum && repeated.count > 1;
  // Where no sum takes a rounded one, the others don't matter.
  if (!found.isInSum && !repeated.loadsRounded && repeated.isComplete)
    return;
  traits.ambiguousSums |= !repeated.taken.empty() || !repeated.isComplete;
  for (const auto &[function, products] : repeated.taken)
    for (const Expr *product : products) {
      const auto takers = found.takers.find(product);
      if (takers != found.takers.end())
        setUnclear(takers->second, traits);
    }
}

/// What is contracted late isn't where it was moved away from its product, or
/// where something with branches, wherever it is in the text, may come between.
void judgeLate(const Findings::Taken &taken, const Findings &found,
               RoundingTraits &traits) {
  const Findings::Sums &sums = found.hasBranches ? taken.all : taken.movable;
  if (!sums.empty())
    setUnclear(sums, traits);
}

} // namespace

RoundingTraits roundingTraits(const ASTContext &ast,
                              const FunctionDecl &function) {
  RoundingTraits traits;
  if (const VisibleCode code = visibleCode(function); code.isLarge) {
    traits.ambiguousSums = traits.sharedProducts = true;
    traits.contractsAnywhere = traits.integersToFloating = true;
    for (const FunctionDecl *each : code.functions)
      if (each->getBody())
        traits.sums[each];
    return traits;
  }
  ArgumentFacts arguments;
  Interruptions between(ast);
  // What a function is given as parameters may be learned after it was judged.
  for (std::size_t known = 0, round = 0;
       round == 0 || known != arguments.size(); ++round) {
    known = arguments.size();
    KnownNumbers numbers(arguments);
    Findings found;
    found.kernel = &function;
    std::vector<const FunctionDecl *> pending{&function};
    while (!pending.empty()) {
      const FunctionDecl *next = pending.back();
      pending.pop_back();
      Stmt *body = next->getBody();
      if (!body || found.multiplied.count(next) != 0)
        continue;
      traits.integersToFloating |= makesNumbers(ast, *next, numbers);
      found.hasBranches |= between.areComputed(*next);
      // What a function returns may be moved on by what called it.
      if (next != &function)
        between.setCalled(*next);
      Judge judge(ast, *next, numbers, between, arguments, traits, found);
      judge.TraverseStmt(body);
      if (const auto *constructor = dyn_cast<CXXConstructorDecl>(next))
        for (const CXXCtorInitializer *member : constructor->inits())
          judge.TraverseStmt(member->getInit());
      pending.insert(pending.end(), judge.callees.begin(), judge.callees.end());
    }
    judgeRepeated(repeatedProducts(ast, numbers, function, found.multiplied),
                  found, traits);
    judgeLate(found.byDifferences, found, traits);
    if (found.signs.turnsSums()) {
      judgeLate(found.bySums, found, traits);
      traits.contractsAnywhere |= !found.bySums.all.empty();
    }
  }
  traits.sharedProducts |= traits.ambiguousSums;
  return traits;
}

} // namespace kfuse
