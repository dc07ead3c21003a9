//===- frontend/Products.cpp - Which values are products ------------------===//

#include "frontend/Products.h"

#include "frontend/DeviceArithmetic.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

namespace kfuse {

using namespace clang;

namespace {

/// Beyond this a chain of variables is taken for the worst.
constexpr unsigned MaximumDepth = 8;

bool isPowerOfTwo(const Expr *expression) {
  const Expr *factor = expression->IgnoreParenImpCasts();
  if (const auto *literal = dyn_cast<FloatingLiteral>(factor))
    return literal->getValue().getExactLog2() >= 0;
  const auto *literal = dyn_cast<IntegerLiteral>(factor);
  return literal && literal->getValue().isPowerOf2();
}

ProductUse operator|(ProductUse a, ProductUse b) {
  return {a.isProduct || b.isProduct, a.isUnclear || b.isUnclear};
}

} // namespace

bool Products::isMultiplication(const BinaryOperator &operation) const {
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

bool Products::isExact(const BinaryOperator &operation) {
  return operation.getOpcode() == BO_Mul &&
         (isPowerOfTwo(operation.getLHS()) || isPowerOfTwo(operation.getRHS()));
}

Products::Summand Products::found(ProductUse use) {
  Followed.clear();
  return {use, std::exchange(Reached, {}), std::exchange(Loads, {})};
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
  if (depth > MaximumDepth || Known.open.count(variable) != 0)
    return {true, true};
  ProductUse all;
  const auto *parameter = dyn_cast<ParmVarDecl>(variable);
  if (Arguments.product.count(parameter) != 0)
    all = {true, Arguments.shared.count(parameter) != 0};
  const auto found = Known.values.find(variable);
  // What was looked at for the same operand was found.
  if (found == Known.values.end() || !Followed.insert(variable).second)
    return all;
  all = all | anyOf(found->second, depth);
  all.isUnclear |=
      all.isProduct && found->second.size() + (parameter != nullptr) > 1;
  return all;
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
  if (const auto *list = dyn_cast<InitListExpr>(value))
    return anyOf(list->inits(), depth);
  if (const auto *made = dyn_cast<CXXConstructExpr>(value)) {
    const CXXConstructorDecl *constructor = made->getConstructor();
    if (!constructor->isTrivial() && !constructor->isDefaulted() &&
        !constructor->isCopyOrMoveConstructor() && made->getNumArgs() != 0)
      return {true, true};
    return anyOf(made->arguments(), depth);
  }
  return use(value, depth);
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
  // An inlined function may return a product.
  if (!isNamed || callee->hasBody())
    return {!wrapsLibraryFunction(callee), false};
  if (viewsBits(callee))
    return {true, true};
  const llvm::StringRef name = callee->getName();
  if (name.starts_with("make_"))
    return {anyOf(call.arguments(), depth).isProduct, false};
  return {libraryFunction(name).mayEndInProduct ||
              (name.contains("sqrt") && approximates(Ast, call.getType())),
          false};
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
  if (const auto *called = dyn_cast<CallExpr>(value)) {
    const ProductUse found = call(*called, depth);
    if (found.isProduct)
      Reached.push_back(called);
    return found;
  }
  if (const auto *converted = dyn_cast<CastExpr>(value);
      converted && converted->getCastKind() == CK_FloatingCast &&
      converted->getSubExpr()->IgnoreParenImpCasts()->isGLValue())
    return use(converted->getSubExpr(), depth + 1);
  if (const VarDecl *variable = localOf(value))
    return local(value, variable, depth);
  return through(value, depth);
}

/// Of a local variable or a part of it. Of parts it isn't counted who reads
/// which.
ProductUse Products::local(const Expr *place, const VarDecl *variable,
                           unsigned depth) {
  ProductUse found = held(variable, depth + 1);
  found.isUnclear |= found.isProduct && (!isa<DeclRefExpr>(place) ||
                                         Known.reads.lookup(variable) > 1);
  return found;
}

/// Of a value behind a pointer or a reference that leads to a variable.
ProductUse Products::through(const Expr *value, unsigned depth) {
  if (value->isGLValue())
    Loads.push_back(value);
  const Expr *place = rootOf(value);
  // What a method's object holds isn't followed.
  if (isa<CXXThisExpr>(place))
    return {true, true};
  const VarDecl *variable = variableOf(place);
  if (!variable || !variable->isLocalVarDeclOrParm())
    return {};
  if (const auto *parameter = dyn_cast<ParmVarDecl>(variable))
    return {Arguments.product.count(parameter) != 0,
            Arguments.product.count(parameter) != 0};
  bool leadsToLocal = variable->getType()->isReferenceType() &&
                      variable->hasInit() && localOf(variable->getInit()) &&
                      held(localOf(variable->getInit()), depth + 1).isProduct;
  const auto found = Known.values.find(variable);
  if (variable->getType()->isPointerType() && found != Known.values.end())
    for (const Expr *given : found->second)
      if (const VarDecl *target = addressed(given))
        leadsToLocal |= held(target, depth + 1).isProduct;
  return {leadsToLocal, leadsToLocal};
}

} // namespace kfuse
