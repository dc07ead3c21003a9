//===- frontend/Products.cpp - Which values are products ------------------===//

#include "frontend/Products.h"

#include "frontend/DeviceArithmetic.h"
#include "frontend/Scalings.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

namespace kfuse {

using namespace clang;

namespace {

/// Beyond this a chain of variables is taken for the worst.
constexpr unsigned MaximumDepth = 8;

ProductUse operator|(ProductUse a, ProductUse b) {
  return {a.isProduct || b.isProduct, a.isUnclear || b.isUnclear};
}

} // namespace

bool Products::isMultiplication(const BinaryOperator &operation) const {
  if (const auto scaling = scalingOf(operation, Ast);
      scaling && scaling->isByOne())
    return false;
  switch (operation.getOpcode()) {
  case BO_Mul:
  case BO_MulAssign:
    return true;
  case BO_Div:
  case BO_DivAssign:
    return approximates(Ast, operation.getType()) ||
           hasExactInverse(Ast, *operation.getRHS())
               .value_or(!Numbers.isGiven(operation.getRHS()));
  default:
    return false;
  }
}

Products::Summand Products::found(ProductUse use) {
  if (!Reached.empty())
    Reached.insert(Reached.end(), Parameters.begin(), Parameters.end());
  Parameters.clear();
  Followed.clear();
  return {use, std::exchange(Reached, {}), std::exchange(Loads, {}),
          std::exchange(Calls, {})};
}

Products::Summand Products::useOf(const Expr *operand) {
  return found(use(operand, 0));
}

Products::Summand Products::useOfArgument(const Expr *argument) {
  return found(whole(argument, 0));
}

ProductUse Products::useOfCall(const CallExpr &called) {
  return found(call(called, 0)).use;
}

/// Of any of its values.
ProductUse Products::held(const VarDecl *variable, unsigned depth) {
  const auto lent = Values.open.find(variable);
  if (depth > MaximumDepth ||
      (lent != Values.open.end() && mayGive(lent->second)))
    return {true, true};
  ProductUse all;
  const auto *parameter = dyn_cast<ParmVarDecl>(variable);
  if (Arguments.product.count(parameter) != 0)
    all = {true, Arguments.shared.count(parameter) != 0};
  const auto found = Values.values.find(variable);
  // What was looked at for the same operand was found.
  if (found == Values.values.end() || !Followed.insert(variable).second)
    return all;
  all = all | anyOf(found->second, depth);
  all.isUnclear |=
      all.isProduct && found->second.size() + (parameter != nullptr) > 1;
  return all;
}

/// Whether others may give a product to a place, or one that they load.
bool Products::mayGive(const Lent &lent) const {
  return std::any_of(lent.begin(), lent.end(),
                     [&](const ParmVarDecl *reference) {
                       return !reference || mayGiveProduct(*reference);
                     });
}

bool Products::mayGiveProduct(const ParmVarDecl &reference) const {
  const auto [place, isNew] = Known.given.try_emplace(&reference, true);
  if (!isNew)
    return place->second;
  const auto &callee = *cast<FunctionDecl>(reference.getDeclContext());
  const GivenValues &values = Numbers.valuesIn(callee);
  const auto target = values.targets.find(&reference);
  if (target == values.targets.end())
    return place->second = false;
  Products inside(Ast, Numbers, values, Arguments, Known,
                  /*objectHoldsProduct=*/true);
  if (inside.anyOf(target->second.values, 0).isProduct ||
      !inside.Calls.empty() || inside.mayGive(target->second.lent))
    return true;
  // What the place itself holds was given to it by those who lent it.
  return place->second = std::any_of(
             inside.Loads.begin(), inside.Loads.end(),
             [&](const Expr *load) { return borrowerOf(load) != &reference; });
}

/// All are looked at, for what sums take.
template <typename Range>
ProductUse Products::anyOf(const Range &values, unsigned depth) {
  ProductUse all;
  for (const Stmt *value : values)
    all = all | whole(cast<Expr>(value), depth + 1);
  return all;
}

/// Of an aggregate too, or of what a pointer leads to.
ProductUse Products::whole(const Expr *expression, unsigned depth) {
  if (depth > MaximumDepth)
    return {true, true};
  if (const VarDecl *variable = addressed(expression))
    return held(variable, depth + 1);
  const Expr *value = sameBits(expression)->IgnoreParenCasts();
  if (expression->getType()->isPointerType())
    return pointee(value, depth);
  if (const auto *list = dyn_cast<InitListExpr>(value))
    return anyOf(list->inits(), depth);
  if (const auto *made = dyn_cast<CXXConstructExpr>(value)) {
    const CXXConstructorDecl *constructor = made->getConstructor();
    if (constructor->isTrivial() ||
        (constructor->isCopyOrMoveConstructor() && constructor->isDefaulted()))
      return anyOf(made->arguments(), depth);
    return {true, true};
  }
  return use(value, depth);
}

/// Of what a pointer leads to, wherever in an array.
ProductUse Products::pointee(const Expr *pointer, unsigned depth) {
  if (const auto *operation = dyn_cast<BinaryOperator>(pointer)) {
    ProductUse all;
    for (const Expr *operand : {operation->getLHS(), operation->getRHS()})
      if (const QualType type = operand->getType();
          type->isPointerType() || type->isArrayType())
        all = all | whole(operand, depth + 1);
    return all;
  }
  if (const auto *choice = dyn_cast<AbstractConditionalOperator>(pointer))
    return whole(choice->getTrueExpr(), depth + 1) |
           whole(choice->getFalseExpr(), depth + 1);
  if (const auto *step = dyn_cast<UnaryOperator>(pointer);
      step && step->getOpcode() != UO_Deref)
    return step->getOpcode() == UO_AddrOf
               ? use(step->getSubExpr(), depth + 1)
               : whole(step->getSubExpr(), depth + 1);
  return use(pointer, depth + 1);
}

ProductUse Products::call(const CallExpr &call, unsigned depth) {
  // INFINITY, the limits of a type: a number by the time of contraction.
  if (!call.isValueDependent() && call.isEvaluatable(Ast))
    return {};
  const FunctionDecl *callee = call.getDirectCallee();
  const bool isNamed = callee && callee->getDeclName().isIdentifier();
  // As of a half or a bfloat16 to a float.
  if (isa_and_nonnull<CXXConversionDecl>(callee) &&
      Ast.getSourceManager().isInSystemHeader(callee->getLocation()))
    return {};
  if (const FunctionDecl *inlined = callee ? callee->getDefinition() : nullptr;
      inlined && inlined->hasBody())
    return wrapsLibraryFunction(inlined) ? ProductUse()
                                         : returned(call, *inlined, depth);
  if (!isNamed)
    return noted(call, {true, false});
  if (viewsBits(callee))
    return noted(call, {true, true});
  const llvm::StringRef name = callee->getName();
  if (name.starts_with("make_"))
    return noted(call, anyOf(call.arguments(), depth));
  return noted(
      call, {libraryFunction(name).mayEndInProduct ||
                 (name.contains("sqrt") && approximates(Ast, call.getType())),
             false});
}

/// Whether products were reached from there on, and none is rounded.
bool Products::areExact(std::size_t before) const {
  return before < Reached.size() && Parameters.empty() &&
         std::all_of(
             Reached.begin() + static_cast<std::ptrdiff_t>(before),
             Reached.end(),
             [&](const Expr *each) {
               const auto *product = dyn_cast<BinaryOperator>(each);
               return product && isExact(*product, Ast);
             });
}

/// With the call, where it may be a product.
ProductUse Products::noted(const CallExpr &call, ProductUse use) {
  if (use.isProduct)
    Reached.push_back(&call);
  return use;
}

/// What an inlined function returns. One of several isn't followed to sums that
/// take it, so that the call stands for them, unless none is rounded.
ProductUse Products::returned(const CallExpr &call, const FunctionDecl &callee,
                              unsigned depth) {
  // What a lambda captures isn't of its own function.
  const auto *method = dyn_cast<CXXMethodDecl>(&callee);
  if (method && method->getParent()->isLambda())
    return noted(call, {true, false});
  const auto *member = dyn_cast<CXXMemberCallExpr>(&call);
  const bool isOfProduct =
      !member ||
      whole(member->getImplicitObjectArgument(), depth + 1).isProduct;
  const Returned &found = returnedBy(callee, isOfProduct);
  if (found.isLoaded)
    Calls.push_back(&call);
  if (found.exact.empty())
    return noted(call, found.use);
  Reached.insert(Reached.end(), found.exact.begin(), found.exact.end());
  return found.use;
}

const Returned &Products::returnedBy(const FunctionDecl &callee,
                                     bool isOfProduct) {
  const auto [place, isNew] = Known.returned.try_emplace(
      {&callee, isOfProduct}, Returned{{true, true}, {}, true});
  // Of a recursion nothing is known.
  if (!isNew)
    return place->second;
  Products inside(Ast, Numbers, Numbers.valuesIn(callee), Arguments, Known,
                  isOfProduct);
  const auto &values = Numbers.returnedBy(callee);
  ProductUse use = inside.anyOf(values, 0);
  use.isUnclear |= use.isProduct && values.size() > 1;
  Returned &found = place->second;
  found = {use, {}, !inside.Loads.empty() || !inside.Calls.empty()};
  if (!use.isUnclear && inside.areExact(0))
    found.exact = std::move(inside.Reached);
  return found;
}

ProductUse Products::use(const Expr *operand, unsigned depth) {
  const Expr *value = sameBits(operand);
  if (depth > MaximumDepth)
    return {true, true};
  if (const auto *operation = dyn_cast<BinaryOperator>(value);
      operation && operation->getOpcode() == BO_Assign) {
    const bool isProduct = whole(operation->getRHS(), depth + 1).isProduct;
    return {isProduct, isProduct};
  }
  if (const auto *operation = dyn_cast<BinaryOperator>(value)) {
    if (const auto scaling = scalingOf(*operation, Ast);
        scaling && scaling->isByOne())
      return use(scaling->number, depth + 1);
    const bool isProduct = isMultiplication(*operation);
    if (isProduct)
      Reached.push_back(operation);
    return {isProduct, isProduct && operation->isAssignmentOp()};
  }
  if (const auto *choice = dyn_cast<AbstractConditionalOperator>(value)) {
    const bool isProduct = (use(choice->getTrueExpr(), depth + 1) |
                            use(choice->getFalseExpr(), depth + 1))
                               .isProduct;
    return {isProduct, isProduct};
  }
  if (const auto *called = dyn_cast<CallExpr>(value))
    return call(*called, depth);
  if (const auto *list = dyn_cast<InitListExpr>(value))
    return anyOf(list->inits(), depth);
  if (const auto *converted = dyn_cast<CastExpr>(value);
      converted && converted->getCastKind() == CK_FloatingCast &&
      converted->getSubExpr()->IgnoreParenImpCasts()->isGLValue())
    return use(converted->getSubExpr(), depth + 1);
  if (const auto *converted = dyn_cast<CastExpr>(value);
      converted && !converted->isGLValue())
    switch (converted->getCastKind()) {
    // A number of another type is rounded again, or none, unless the compiler
    // multiplies in the narrower one.
    case CK_FloatingCast:
      if (mayNarrow(*converted, Ast))
        return {true, true};
      return {};
    case CK_IntegralToFloating:
    case CK_FloatingToIntegral:
    case CK_IntegralCast:
    case CK_FixedPointToFloating:
      return {};
    case CK_UserDefinedConversion:
      return use(converted->getSubExpr(), depth + 1);
    default:
      break;
    }
  if (const VarDecl *variable = localOf(value))
    return local(value, variable, depth);
  return through(value, depth);
}

/// Of a local variable or a part of it. Of parts it isn't counted who reads
/// which.
ProductUse Products::local(const Expr *place, const VarDecl *variable,
                           unsigned depth) {
  // What it was given may have been loaded.
  if (isa<ParmVarDecl>(variable) && !place->getType()->isPointerType())
    Loads.push_back(place);
  const auto *parameter = dyn_cast<ParmVarDecl>(variable);
  if (parameter && Arguments.product.count(parameter) != 0)
    Parameters.push_back(place);
  const std::size_t before = Reached.size();
  ProductUse found = held(variable, depth + 1);
  found.isUnclear |=
      found.isProduct && !areExact(before) &&
      (!isa<DeclRefExpr>(place) || Values.reads.lookup(variable) > 1);
  return found;
}

/// Of a value behind a pointer or a reference that leads to a variable, or of a
/// part of what is computed.
ProductUse Products::through(const Expr *value, unsigned depth) {
  if (value->isGLValue())
    Loads.push_back(value);
  const Expr *place = rootOf(value);
  if (isa<CXXThisExpr>(place))
    return {ObjectHoldsProduct, ObjectHoldsProduct};
  bool isProduct = false;
  if (const VarDecl *variable = variableOf(place)) {
    if (variable->isLocalVarDeclOrParm())
      isProduct = variable->getType()->isReferenceType()
                      ? refersToProduct(*variable, depth)
                      : held(variable, depth + 1).isProduct;
  } else if (place != value) {
    isProduct = whole(place, depth + 1).isProduct;
  } else {
    isProduct = !isNumber(*value);
  }
  return {isProduct, isProduct};
}

/// Whether it is one by itself, or something that is no floating-point number.
bool Products::isNumber(const Expr &value) {
  return isa<FloatingLiteral, IntegerLiteral, CharacterLiteral,
             CXXBoolLiteralExpr, CXXScalarValueInitExpr, ImplicitValueInitExpr,
             UnaryOperator, UnaryExprOrTypeTraitExpr, StringLiteral,
             CXXNullPtrLiteralExpr, DeclRefExpr, CastExpr>(value) ||
         !value.getType()->isFloatingType();
}

bool Products::refersToProduct(const VarDecl &reference, unsigned depth) {
  if (const auto *parameter = dyn_cast<ParmVarDecl>(&reference))
    return Arguments.product.count(parameter) != 0;
  return !reference.hasInit() || depth > MaximumDepth ||
         whole(reference.getInit(), depth + 1).isProduct;
}

} // namespace kfuse
