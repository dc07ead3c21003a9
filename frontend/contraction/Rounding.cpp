//===- Rounding.cpp - What contraction leaves open in a kernel ------------===//

#include "frontend/contraction/Rounding.h"

#include "frontend/contraction/CodeMotion.h"
#include "frontend/contraction/DeviceArithmetic.h"
#include "frontend/contraction/Leaves.h"
#include "frontend/contraction/Operands.h"
#include "frontend/contraction/PathConstants.h"
#include "frontend/contraction/PlainFactors.h"
#include "frontend/contraction/PowerOfTwoProducts.h"
#include "frontend/syntax/VisibleCode.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"

#include <algorithm>

namespace kfuse {
namespace {

using namespace clang;

bool isDifference(const Expr &sum) {
  const auto *operation = dyn_cast<BinaryOperator>(&sum);
  return operation && (operation->getOpcode() == BO_Sub ||
                       operation->getOpcode() == BO_SubAssign);
}

class Rule {
public:
  Rule(const ASTContext &ast, const CallTree &tree)
      : Ast(ast), Tree(tree), Values(ast, tree), Finder(Values), Plain(Values),
        Constants(Values), Of(Values) {
    for (const CallFrame &frame : tree.frames) {
      HasBranches |= frame.facts->dividesOrCalls;
      for (const Expr *product : frame.facts->products)
        if (isMultiplied(*product, frame))
          add({product, &frame});
    }
  }

  RoundingTraits judge() {
    bool isTaken = false;
    for (const CallFrame &frame : Tree.frames) {
      Traits.sums[frame.function];
      Traits.integersToFloating |= makesNumbers(frame);
      for (const Expr *sum : frame.facts->sums)
        isTaken |= judge(*sum, frame);
      for (const Expr *product : frame.facts->products)
        if (const auto *operation = dyn_cast<BinaryOperator>(product);
            operation && mayDouble(*operation, frame))
          leaveOpen(*operation);
      for (const CallExpr *call : frame.facts->collectives)
        isTaken |= judgeCollective(*call, frame);
    }
    for (const Expr *operand : Taken)
      Traits.free.erase(operand);
    for (const Expr *operand : Inexact)
      Traits.exact.erase(operand);
    describe();
    for (const CallFrame &frame : Tree.frames)
      for (const Expr *product : frame.facts->products)
        addProduct(*product, frame);
    Traits.sharedProducts = Traits.ambiguousSums || (isTaken && Count > 1);
    return std::move(Traits);
  }

private:
  Ingredients ingredients(const Expr &value, const CallFrame &in) const {
    const Leaves &leaves = Finder.leavesOf(value, in);
    Ingredients result;
    result.isOpaque = leaves.isOpaque;
    for (const Root &root : leaves.names) {
      const auto *parameter = dyn_cast_or_null<ParmVarDecl>(root.first);
      const auto *named = dyn_cast_or_null<NamedDecl>(root.first);
      if (parameter &&
          parameter->getDeclContext() == Tree.frames.front().function)
        result.names.insert("#" +
                            std::to_string(parameter->getFunctionScopeIndex()));
      else if (named && !parameter)
        result.names.insert(named->getQualifiedNameAsString());
      else
        result.isOpaque = true;
    }
    return result;
  }

  void addProduct(const Expr &product, const CallFrame &in) {
    ProductTraits &traits = Traits.factors[&product];
    std::vector<ProductTraits::Names> factors;
    const auto add = [&](const Expr &value) {
      Ingredients of = ingredients(value, in);
      factors.push_back(of.isOpaque ? ProductTraits::Names()
                                    : std::move(of.names));
    };
    // On one path compilers may know a factor that is otherwise computed.
    traits.mayBeTrivial |= !Plain.contains(product, in, /*isStrict=*/false);
    if (const auto *operation = dyn_cast<BinaryOperator>(&product)) {
      const Expr *left = operation->getLHS(), *right = operation->getRHS();
      for (const Expr *factor : {left, right}) {
        add(*factor);
        traits.mayBeTrivial |= Constants.mayBeOneOrTwo(*factor, in);
      }
      traits.hidesProduct |=
          mayHide(*left, *right, in) || mayHide(*right, *left, in);
    } else {
      add(product);
    }
    traits.factors.insert(std::move(factors));
  }

  /// Checks whether a product with `number` may be `other`, which may be a
  /// product.
  bool mayHide(const Expr &number, const Expr &other, const CallFrame &in) {
    return Of.of(other, in).kind > Operand::Kind::Exact &&
           Constants.mayBeOneOrTwo(number, in);
  }

  /// Checks whether `value` may be a square root.
  bool mayBeRoot(const Expr &value, const CallFrame &in) const {
    const Source source = Values.sourceOf({&value, &in});
    const Expr *last = source.first->IgnoreParenCasts();
    if (const auto *call = dyn_cast<CallExpr>(last);
        call && isLibraryFunction(call->getDirectCallee()))
      return call->getDirectCallee()->getName().contains("sqrt");
    return !isa<BinaryOperator, FloatingLiteral, IntegerLiteral,
                ArraySubscriptExpr>(last);
  }

  bool isPlainUpdate(const Expr &value, const CallFrame &in) const {
    const auto *update = dyn_cast<CompoundAssignOperator>(&value);
    return update && Plain.contains(*update->getRHS(), in, /*isStrict=*/true) &&
           !Finder.leavesOf(*update->getRHS(), in).names.empty();
  }

  Factor factor(const Expr &value, const CallFrame &in) const {
    Factor result{ingredients(value, in)};
    llvm::APFloat number(0.0);
    if (!value.isValueDependent() && value.getType()->isRealFloatingType() &&
        Ast.getTypeSize(value.getType()) <= 64 &&
        value.EvaluateAsFloat(number, Ast))
      result.number = llvm::abs(number).convertToDouble();
    return result;
  }

  std::optional<std::array<Factor, 2>> factors(const Expr &product,
                                               const CallFrame &in) const {
    const auto *operation = dyn_cast<BinaryOperator>(&product);
    if (!operation || (operation->getOpcode() != BO_Mul &&
                       operation->getOpcode() != BO_MulAssign))
      return std::nullopt;
    return std::array<Factor, 2>{factor(*operation->getLHS(), in),
                                 factor(*operation->getRHS(), in)};
  }

  void describe() {
    const auto addAll = [this](const std::vector<ProductUses> &products) {
      for (const ProductUses &each : products) {
        Traits.products.push_back({ingredients(*each.product, *each.in),
                                   TakenProducts.count(each.product) != 0,
                                   factors(*each.product, *each.in)});
        Traits.expressions.push_back(each.product);
      }
    };
    for (const auto &[names, products] : Products)
      addAll(products);
    addAll(Opaque);
    for (const KernelValues::Store &store : Values.stores())
      if (!store.in->caller && isFloating(store.value->getType()))
        Traits.stores[store.value] = {
            ingredients(*store.value, *store.in),
            Of.of(*store.value, *store.in).kind > Operand::Kind::Free,
            Plain.contains(*store.value, *store.in, /*isStrict=*/true),
            HasBranches && mayBeRoot(*store.value, *store.in),
            isPlainUpdate(*store.value, *store.in),
            std::nullopt};
    Traits.hasBranches = HasBranches;
    Traits.isFollowed = true;
  }

  void leaveOpen(const Expr &sum) {
    Traits.ambiguousSums = true;
    if (!Traits.firstAmbiguous)
      Traits.firstAmbiguous = &sum;
  }

  /// Returns whether `sum` may take a product, and notes in the traits whether
  /// it is clear which one.
  bool judge(const Expr &sum, const CallFrame &in) {
    const auto *operation = dyn_cast<BinaryOperator>(&sum);
    const Operand left =
        Of.of(operation ? *operation->getLHS()
                        : *cast<UnaryOperator>(sum).getSubExpr(),
              in);
    const Operand right =
        operation ? Of.of(*operation->getRHS(), in) : Operand();
    const bool isRight = right.kind > Operand::Kind::Exact;
    Traits.adds = true;
    if (left.kind <= Operand::Kind::Exact && !isRight)
      return false;
    if (operation) {
      Traits.sums[in.function].insert(operation);
      note(*operation->getLHS(), left);
      note(*operation->getRHS(), right);
    }
    const Operand &taken = isRight ? right : left;
    const Operand &other = isRight ? left : right;
    if (taken.kind != Operand::Kind::Product ||
        other.kind != Operand::Kind::Free) {
      leaveOpen(sum);
      return true;
    }
    const bool isLate =
        isDifference(sum) ||
        (operation && (Of.mayBeNegated(*operation->getLHS(), in) ||
                       Of.mayBeNegated(*operation->getRHS(), in))) ||
        !Plain.contains(*taken.product, *taken.in, /*isStrict=*/true);
    TakenProducts.insert(taken.product);
    Traits.contractsLate |= isLate;
    if ((isLate && HasBranches) ||
        !isClear({taken.product, taken.in}, taken.isHeld, sum, in))
      leaveOpen(sum);
    const CallFrame &kernel = Tree.frames.front();
    const Expr &from = computedIn(kernel, {taken.product, taken.in});
    const Expr &to = computedIn(kernel, {&sum, &in});
    if (&from != &to)
      Traits.contractions.insert({&from, &to});
    Traits.contractsAnywhere |= isLate || loopAround(sum, in).first;
    return true;
  }

  /// Returns whether a collective may add a product that it is given.
  bool judgeCollective(const CallExpr &call, const CallFrame &in) {
    for (const Expr *argument : call.arguments())
      if (isFloating(argument->getType()) &&
          Of.of(*argument, in).kind > Operand::Kind::Exact) {
        leaveOpen(*argument);
        return true;
      }
    return false;
  }

  /// Checks whether compilers may compute `product` by a multiplication that
  /// rounds: quotients may be none, and exact products aren't rounded.
  bool isMultiplied(const Expr &product, const CallFrame &in) const {
    const auto *operation = dyn_cast<BinaryOperator>(&product);
    if (!operation)
      return true;
    const bool divides = operation->getOpcode() == BO_Div ||
                         operation->getOpcode() == BO_DivAssign;
    return !isExact(*operation, Ast) &&
           (!divides || approximates(Ast, operation->getType()) ||
            hasExactInverse(Ast, *operation->getRHS())
                .value_or(
                    Finder.leavesOf(*operation->getRHS(), in).names.empty()));
  }

  /// Checks whether compilers may add a product to itself, because they know
  /// one of its factors and that may be two.
  bool mayDouble(const BinaryOperator &product, const CallFrame &in) {
    const Expr *left = product.getLHS(), *right = product.getRHS();
    const auto isKnown = [&](const Expr *factor) {
      const auto scaling = scalingOf(product, Ast);
      if (scaling && scaling->factor == factor)
        return scaling->isByPowerOfTwo();
      return !factor->isEvaluatable(Ast) &&
             Finder.leavesOf(*factor, in).names.empty();
    };
    return (isKnown(right) && Of.of(*left, in).kind > Operand::Kind::Exact) ||
           (isKnown(left) && Of.of(*right, in).kind > Operand::Kind::Exact);
  }

  void note(const Expr &operand, const Operand &found) {
    if (found.kind != Operand::Kind::Free)
      Taken.insert(&operand);
    else
      Traits.free.insert(&operand);
    if (found.kind == Operand::Kind::Exact)
      Traits.exact.insert(&operand);
    else
      Inexact.insert(&operand);
  }

  bool isClear(const ProductUses &product, bool isHeld, const Expr &sum,
               const CallFrame &in) {
    return isAlone(product) &&
           Plain.contains(*product.product, *product.in, /*isStrict=*/false) &&
           isNear(product, isHeld, {&sum, &in}) &&
           changesInLoop(product, sum, in) && staysInPlace(sum, in, Tree);
  }

  void add(const ProductUses &product) {
    const Leaves &leaves = Finder.leavesOf(*product.product, *product.in);
    ++Count;
    (leaves.isOpaque ? Opaque : Products[leaves.names]).push_back(product);
  }

  /// Checks whether nothing else in the kernel may have the product's value.
  /// Returns false without a look if too many products may be alike.
  bool isAlone(const ProductUses &own) const {
    const auto isOther = [&](const ProductUses &each) {
      return isPartOf(each, own) || isPartOf(own, each) ||
             areInLoopsApart(each, own, Finder) ||
             !Finder.mayBeSame({each.product, each.in}, {own.product, own.in});
    };
    const auto areOthers = [&](const std::vector<ProductUses> &all) {
      return all.size() <= MostAlike && llvm::all_of(all, isOther);
    };
    const Leaves &leaves = Finder.leavesOf(*own.product, *own.in);
    if (!leaves.isOpaque)
      return areOthers(Opaque) && Products.count(leaves.names) != 0 &&
             areOthers(Products.at(leaves.names));
    return Count <= MostAlike && areOthers(Opaque) &&
           llvm::all_of(Products, [&](const auto &each) {
             return areOthers(each.second);
           });
  }

  bool changesInLoop(const ProductUses &product, const Expr &sum,
                     const CallFrame &in) const {
    const auto [loop, frame] = loopAround(sum, in);
    return !loop ||
           Plain.changesIn(*product.product, *product.in, *loop, *frame);
  }

  /// Checks whether floating-point numbers come from integers: by conversion,
  /// from the library, or as a choice among known values, such as the elements
  /// of a table.
  bool makesNumbers(const CallFrame &in) const {
    for (const auto &[expression, position] : in.facts->positions) {
      const auto *value = dyn_cast<Expr>(expression);
      if (const auto *cast = dyn_cast<CastExpr>(value);
          cast && cast->getCastKind() == CK_IntegralToFloating &&
          !cast->getSubExpr()->isEvaluatable(Ast))
        return true;
      if (const auto *choice = dyn_cast<ConditionalOperator>(value);
          choice && isFloating(choice->getType()) &&
          !Finder.isGiven(*choice->getTrueExpr(), in) &&
          !Finder.isGiven(*choice->getFalseExpr(), in))
        return true;
      if (const auto *call = dyn_cast<CallExpr>(value);
          call && isFloating(call->getType()) &&
          isLibraryFunction(call->getDirectCallee()) &&
          !call->getDirectCallee()->getName().contains("shfl") &&
          std::any_of(call->arg_begin(), call->arg_end(),
                      [&](const Expr *each) {
                        return each->getType()->isIntegerType() &&
                               !each->isEvaluatable(Ast);
                      }))
        return true;
      // An element of a table is chosen by its index.
      if (const auto *element = dyn_cast<ArraySubscriptExpr>(value);
          element && isFloating(element->getType()) &&
          !element->getIdx()->isEvaluatable(Ast) && isTable(*element, in))
        return true;
    }
    const auto areChosen = [&](const std::vector<const Expr *> &values) {
      return std::count_if(values.begin(), values.end(), [&](const Expr *each) {
               return isFloating(each->getType()) && !Finder.isGiven(*each, in);
             }) > 1;
    };
    return areChosen(in.facts->returned) ||
           std::any_of(
               in.facts->given.begin(), in.facts->given.end(),
               [&](const auto &each) { return areChosen(each.second); });
  }

  bool isTable(const ArraySubscriptExpr &element, const CallFrame &in) const {
    const Expr *base = element.getBase()->IgnoreParenImpCasts();
    const ArrayType *array = Ast.getAsArrayType(base->getType());
    const VarDecl *variable = localVariable(element);
    if (!array || !isa<DeclRefExpr>(base))
      return false;
    llvm::ArrayRef<const Expr *> values;
    if (variable)
      values = in.facts->valuesOf(*variable);
    return array->getElementType().isConstQualified() ||
           (!values.empty() &&
            std::none_of(values.begin(), values.end(), [&](const Expr *each) {
              return Finder.isGiven(*each, in);
            }));
  }

  const ASTContext &Ast;
  const CallTree &Tree;
  KernelValues Values;
  LeafFinder Finder;
  PlainFactors Plain;
  PathConstants Constants;
  Operands Of;
  static constexpr std::size_t MostAlike = 64;
  std::map<std::set<Root>, std::vector<ProductUses>> Products;
  std::vector<ProductUses> Opaque; ///< with unknown inputs
  std::size_t Count = 0;           ///< of both
  bool HasBranches = false;        ///< in what is computed
  RoundingTraits Traits;
  std::set<const Expr *> Taken; ///< operands that may be products in some call
  std::set<const Expr *> Inexact; ///< those that aren't in each call
  std::set<const Expr *> TakenProducts;
};

/// Returns what `value` is, whatever code it is in: Free for constants and what
/// was an integer, Exact for products of such that are never rounded.
Operand::Kind kindAnywhere(const Expr &value, const ASTContext &ast,
                           unsigned depth = 0) {
  constexpr unsigned MostCalls = 4;
  const Expr *same = sameValue(&value);
  // Sums in sums would be evaluated from each of them on.
  const auto *sum = dyn_cast<BinaryOperator>(same);
  if (sum && sum->isAdditiveOp())
    return Operand::Kind::Unknown;
  if (same->isEvaluatable(ast))
    return Operand::Kind::Free;
  if (const auto *cast = dyn_cast<CastExpr>(same))
    return cast->getCastKind() == CK_IntegralToFloating
               ? Operand::Kind::Free
               : Operand::Kind::Unknown;
  if (const auto *product = dyn_cast<BinaryOperator>(same))
    return isExact(*product, ast) &&
                   kindAnywhere(*scalingOf(*product, ast)->number, ast,
                                depth) <= Operand::Kind::Exact
               ? Operand::Kind::Exact
               : Operand::Kind::Unknown;
  const auto *call = dyn_cast<CallExpr>(same);
  const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  const FunctionDecl *definition = nullptr;
  const auto *method = dyn_cast_or_null<CXXMethodDecl>(callee);
  if (!callee || !callee->hasBody(definition) || depth > MostCalls ||
      (method && method->isVirtual()))
    return Operand::Kind::Unknown;
  const FunctionFacts facts = functionFacts(ast, *definition);
  Operand::Kind all = Operand::Kind::Free;
  for (const Expr *returned : facts.returned)
    all = std::max(all, kindAnywhere(*returned, ast, depth + 1));
  return facts.returned.empty() ? Operand::Kind::Unknown : all;
}

/// Returns the traits of code that isn't followed: each sum may take any
/// product.
RoundingTraits worst(const ASTContext &ast, const FunctionDecl &function) {
  RoundingTraits traits;
  traits.integersToFloating = true;
  bool multiplies = false, areKnown = false;
  std::map<const FunctionDecl *, FunctionFacts> all;
  for (const FunctionDecl *each : visibleCode(function)) {
    const auto facts = all.emplace(each, functionFacts(ast, *each)).first;
    areKnown |= givesOneOrTwo(facts->second, ast);
  }
  const auto mayHide = [&](const Expr &number, const Expr &other) {
    return (areKnown || mayBeOneOrTwoAnywhere(number, ast)) &&
           kindAnywhere(other, ast) > Operand::Kind::Exact;
  };
  for (const auto &[each, facts] : all) {
    multiplies |= !facts.products.empty() || facts.hasUnseen;
    traits.contractsAnywhere |= !facts.collectives.empty();
    for (const Expr *product : facts.products) {
      ProductTraits &known = traits.factors[product];
      known.factors.insert({std::nullopt});
      known.mayBeTrivial = true;
      if (const auto *operation = dyn_cast<BinaryOperator>(product))
        known.hidesProduct =
            mayHide(*operation->getLHS(), *operation->getRHS()) ||
            mayHide(*operation->getRHS(), *operation->getLHS());
    }
    auto &sums = traits.sums[each];
    for (const Expr *sum : facts.sums) {
      const auto *operation = dyn_cast<BinaryOperator>(sum);
      if (!operation) {
        traits.contractsAnywhere = true;
        continue;
      }
      Operand::Kind most = Operand::Kind::Free;
      for (const Expr *operand : {operation->getLHS(), operation->getRHS()}) {
        const Operand::Kind kind = kindAnywhere(*operand, ast);
        most = std::max(most, kind);
        if (kind == Operand::Kind::Free)
          traits.free.insert(operand);
        else if (kind == Operand::Kind::Exact)
          traits.exact.insert(operand);
      }
      if (most > Operand::Kind::Exact && sums.insert(operation).second)
        traits.contractsAnywhere = true;
    }
  }
  traits.contractsAnywhere &= multiplies;
  traits.ambiguousSums = traits.sharedProducts = traits.contractsAnywhere;
  return traits;
}

} // namespace

RoundingTraits roundingTraits(const ASTContext &ast,
                              const FunctionDecl &function) {
  const CallTree tree = callTree(ast, function);
  return tree.isPlain ? Rule(ast, tree).judge() : worst(ast, function);
}

} // namespace kfuse
