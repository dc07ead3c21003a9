//===- EvaluatedChildren.cpp - What a statement evaluates -----------------===//

#include "frontend/syntax/EvaluatedChildren.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

namespace kfuse {

using namespace clang;

namespace {

using Parts = std::vector<const Stmt *>;

void addPart(Parts &parts, const Stmt *part) {
  if (part)
    parts.push_back(part);
}

/// Adds the sizes of variable-length arrays in `type` as it is written.
void addSizes(Parts &parts, QualType type) {
  while (!type.isNull() && type->isVariablyModifiedType()) {
    // The sizes in a name's type were evaluated where it was made.
    if (type->getAs<TypedefType>())
      return;
    if (const auto *array = type->getAsArrayTypeUnsafe()) {
      if (const auto *variable = dyn_cast<VariableArrayType>(array))
        addPart(parts, variable->getSizeExpr());
      type = array->getElementType();
    } else {
      type = type->getPointeeType();
    }
  }
}

Parts childrenOf(const Stmt &statement) {
  Parts parts;
  for (const Stmt *child : statement.children())
    addPart(parts, child);
  return parts;
}

} // namespace

Parts evaluatedIn(const Stmt &statement) {
  Parts parts;
  if (const auto *argument = dyn_cast<CXXDefaultArgExpr>(&statement))
    return {argument->getExpr()};
  if (const auto *member = dyn_cast<CXXDefaultInitExpr>(&statement)) {
    addPart(parts, member->getExpr());
    return parts;
  }
  if (const auto *lambda = dyn_cast<LambdaExpr>(&statement)) {
    for (const Expr *capture : lambda->capture_inits())
      addPart(parts, capture);
    return parts;
  }
  if (const auto *query = dyn_cast<UnaryExprOrTypeTraitExpr>(&statement)) {
    if (query->getTypeOfArgument()->isVariablyModifiedType()) {
      if (query->isArgumentType())
        addSizes(parts, query->getArgumentType());
      else
        parts.push_back(query->getArgumentExpr());
    }
    return parts;
  }
  if (isa<TypeTraitExpr>(statement) || isa<CXXNoexceptExpr>(statement))
    return parts;
  parts = childrenOf(statement);
  if (const auto *cast = dyn_cast<ExplicitCastExpr>(&statement))
    addSizes(parts, cast->getTypeAsWritten());
  // The value of all elements that no text names.
  if (const auto *list = dyn_cast<InitListExpr>(&statement))
    addPart(parts, list->getArrayFiller());
  if (const auto *list = dyn_cast<CXXParenListInitExpr>(&statement))
    addPart(parts, list->getArrayFiller());
  return parts;
}

Parts alwaysEvaluatedIn(const Stmt &statement) {
  if (const auto *binary = dyn_cast<BinaryOperator>(&statement);
      binary && binary->isLogicalOp())
    return {binary->getLHS()};
  if (const auto *choice = dyn_cast<AbstractConditionalOperator>(&statement))
    return {choice->getCond()};
  return evaluatedIn(statement);
}

Parts evaluatedBy(const Decl &declaration) {
  Parts parts;
  if (const auto *name = dyn_cast<TypedefNameDecl>(&declaration))
    addSizes(parts, name->getUnderlyingType());
  if (const auto *variable = dyn_cast<VarDecl>(&declaration))
    addSizes(parts, variable->getType());
  if (const auto *names = dyn_cast<DecompositionDecl>(&declaration))
    for (const BindingDecl *each : names->bindings())
      if (const VarDecl *holding = each->getHoldingVar())
        addPart(parts, holding->getInit());
  return parts;
}

} // namespace kfuse
