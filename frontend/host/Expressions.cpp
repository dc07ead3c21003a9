//===- Expressions.cpp - Texts that may be evaluated later ----------------===//

#include "frontend/host/Expressions.h"
#include "frontend/syntax/Lvalues.h"

#include "frontend/api/Callees.h"
#include "frontend/api/OpenClCalls.h"
#include "frontend/host/Scan.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

#include <set>

namespace kfuse {

using namespace clang;

std::vector<RecordLeaf> recordLeaves(QualType record) {
  std::vector<RecordLeaf> result;
  const auto *declaration = record->getAsRecordDecl();
  if (!declaration || !declaration->getDefinition() || declaration->isUnion())
    return result;
  const auto add = [&](const std::string &path, QualType type) {
    if (type->isIntegralOrEnumerationType() || type->isAnyPointerType()) {
      result.push_back({path, type});
    } else if (type->isRecordType()) {
      for (RecordLeaf &leaf : recordLeaves(type))
        result.push_back({path + leaf.path, leaf.type});
    }
  };
  if (const auto *derived = dyn_cast<CXXRecordDecl>(declaration))
    for (const CXXBaseSpecifier &base : derived->getDefinition()->bases())
      add({}, base.getType());
  // Longer arrays aren't followed.
  constexpr std::uint64_t MostElements = 16;
  for (const FieldDecl *field : declaration->getDefinition()->fields()) {
    const std::string path = "." + field->getNameAsString();
    const QualType type = field->getType();
    const auto *array =
        dyn_cast_or_null<ConstantArrayType>(type->getAsArrayTypeUnsafe());
    if (!array) {
      add(path, type);
      continue;
    }
    for (std::uint64_t i = 0; i < std::min(array->getZExtSize(), MostElements);
         ++i)
      add(path + "[" + std::to_string(i) + "]", array->getElementType());
  }
  return result;
}

namespace {

bool isArithmetic(const Expr &expression, unsigned depth);

bool areArithmetic(const Stmt &statement, unsigned depth) {
  for (const Stmt *child : statement.children()) {
    const auto *operand = dyn_cast_or_null<Expr>(child);
    if (!operand || !isArithmetic(*operand, depth))
      return false;
  }
  return true;
}

bool isArithmetic(const Expr &expression, unsigned depth) {
  if (const auto *call = dyn_cast<CallExpr>(&expression)) {
    const FunctionDecl *callee = call->getDirectCallee();
    if (!callee || depth == 0)
      return false;
    std::string name = plainName(*callee);
    bool isChoice =
        callee->isInStdNamespace() && (name == "min" || name == "max");
    if (!isChoice && !pureBody(*callee, depth))
      return false;
    for (const Expr *argument : call->arguments())
      if (!isArithmetic(*argument, depth - 1))
        return false;
    return true;
  }
  if (const auto *unary = dyn_cast<UnaryOperator>(&expression))
    return !unary->isIncrementDecrementOp() && unary->getOpcode() != UO_Deref &&
           unary->getOpcode() != UO_AddrOf && areArithmetic(expression, depth);
  if (const auto *binary = dyn_cast<BinaryOperator>(&expression))
    return !binary->isAssignmentOp() && areArithmetic(expression, depth);
  if (const auto *name = dyn_cast<DeclRefExpr>(&expression))
    return isa<VarDecl>(name->getDecl()) ||
           isa<EnumConstantDecl>(name->getDecl());
  return (isa<IntegerLiteral>(expression) || isa<CastExpr>(expression) ||
          isa<ParenExpr>(expression) || isa<FloatingLiteral>(expression) ||
          isa<ConditionalOperator>(expression) ||
          isa<CXXBoolLiteralExpr>(expression) ||
          isa<UnaryExprOrTypeTraitExpr>(expression) ||
          isa<MaterializeTemporaryExpr>(expression) ||
          isa<ConstantExpr>(expression) ||
          isa<SubstNonTypeTemplateParmExpr>(expression) ||
          isa<ExprWithCleanups>(expression)) &&
         areArithmetic(expression, depth);
}

bool isPureCall(const CallExpr &call, const FileTable &files) {
  const FunctionDecl *callee = call.getDirectCallee();
  if (!callee)
    return false;
  bool isSystemFunction = isSystem(*callee, files.sources());
  const auto *method = dyn_cast<CXXMethodDecl>(callee);
  if (method && !method->getParent()->isLambda())
    return isSystemFunction && method->isConst() && call.getNumArgs() == 0 &&
           method->getDeclName().isIdentifier() &&
           (method->getName() == "size" || method->getName() == "data");
  static const std::set<std::string> known = {
      "min",   "max", "ceil",  "ceilf", "floor", "floorf", "sqrt",
      "sqrtf", "pow", "log2f", "round", "abs",   "log2"};
  return (isSystemFunction && known.count(plainName(*callee))) ||
         pureBody(*callee);
}

void collectUses(const Stmt &statement, HostModel &model,
                 std::set<VariableId> &uses, unsigned depth) {
  auto use = [&](const ValueDecl &declaration) {
    const auto *variable = dyn_cast<VarDecl>(&declaration);
    if (variable && variable->getType()->isReferenceType()) {
      if (!isa<ParmVarDecl>(variable) && variable->getInit())
        collectUses(*variable->getInit(), model, uses, depth);
      else
        uses.insert(model.memory());
      return;
    }
    uses.insert(model.variable(declaration));
  };
  if (const auto *name = dyn_cast<DeclRefExpr>(&statement)) {
    const auto *variable = dyn_cast<VarDecl>(name->getDecl());
    // A helper's own parameters aren't part of the text.
    bool isInner =
        depth < HelperDepth && variable && isa<ParmVarDecl>(variable);
    // A constant stays what it is.
    if (variable && !isInner &&
        !variable->isUsableInConstantExpressions(model.ast))
      use(*variable);
    else if (isa<BindingDecl>(name->getDecl()))
      uses.insert(model.memory());
  } else if (const auto *member = dyn_cast<MemberExpr>(&statement)) {
    const Expr *object = member->getBase()->IgnoreParenImpCasts();
    if (isa<CXXThisExpr>(object))
      use(*member->getMemberDecl());
    else if (member->isArrow())
      uses.insert(model.memory());
  } else if (const auto *element = dyn_cast<ArraySubscriptExpr>(&statement)) {
    if (!element->getBase()->IgnoreParenImpCasts()->getType()->isArrayType())
      uses.insert(model.memory());
  } else if (const auto *unary = dyn_cast<UnaryOperator>(&statement)) {
    if (unary->getOpcode() == UO_Deref)
      uses.insert(model.memory());
  } else if (const auto *call = dyn_cast<CallExpr>(&statement)) {
    const FunctionDecl *callee = call->getDirectCallee();
    const Expr *body = callee ? pureBody(*callee) : nullptr;
    if (body && depth > 0)
      collectUses(*body, model, uses, depth - 1);
  } else if (const auto *argument = dyn_cast<CXXDefaultArgExpr>(&statement)) {
    collectUses(*argument->getExpr(), model, uses, depth);
  }
  for (const Stmt *child : statement.children())
    if (child)
      collectUses(*child, model, uses, depth);
}

const Expr *singleReturn(const FunctionDecl &function) {
  const FunctionDecl *definition = function.getDefinition();
  const auto *body = definition
                         ? dyn_cast_or_null<CompoundStmt>(definition->getBody())
                         : nullptr;
  if (!body || body->size() != 1)
    return nullptr;
  const auto *result = dyn_cast<ReturnStmt>(body->body_front());
  return result ? result->getRetValue() : nullptr;
}

} // namespace

const Expr *pureBody(const FunctionDecl &function, unsigned depth) {
  const auto *method = dyn_cast<CXXMethodDecl>(&function);
  // A lambda that captures something depends on more than its arguments.
  const bool isPlainLambda = method && method->getParent()->isLambda() &&
                             method->getParent()->capture_size() == 0;
  if (method && method->isInstance() && !isPlainLambda)
    return nullptr;
  const Expr *value = singleReturn(function);
  return value && depth > 0 && isArithmetic(*value, depth - 1) ? value
                                                               : nullptr;
}

bool isPure(const Expr &expression, const FileTable &files) {
  struct Walk {
    const FileTable &files;
    bool operator()(const Stmt &statement) const {
      if (const auto *unary = dyn_cast<UnaryOperator>(&statement))
        if (unary->isIncrementDecrementOp())
          return false;
      if (const auto *binary = dyn_cast<BinaryOperator>(&statement))
        if (binary->isAssignmentOp())
          return false;
      if (const auto *call = dyn_cast<CallExpr>(&statement))
        if (!isPureCall(*call, files))
          return false;
      if (const auto *construct = dyn_cast<CXXConstructExpr>(&statement)) {
        const CXXConstructorDecl *constructor = construct->getConstructor();
        bool isShape = (constructor->getParent()->getIdentifier() &&
                        constructor->getParent()->getName() == "dim3") ||
                       openClClass(construct->getType()) == "NDRange";
        if (!isShape && !constructor->isTrivial())
          return false;
      }
      if (isa<CXXNewExpr>(statement) || isa<CXXDeleteExpr>(statement) ||
          isa<LambdaExpr>(statement) || isa<StmtExpr>(statement) ||
          isa<CXXThrowExpr>(statement) || isa<RecoveryExpr>(statement))
        return false;
      if (const auto *name = dyn_cast<DeclRefExpr>(&statement))
        if (name->getType().isVolatileQualified())
          return false;
      for (const Stmt *child : statement.children())
        if (child && !(*this)(*child))
          return false;
      return true;
    }
  };
  return Walk{files}(expression);
}

namespace {

/// Checks whether `expression` only assigns variables, such as `a = n / 2`,
/// `++a` or `std::swap(p, q)`.
bool isPlainAssignment(const Expr &expression, const FileTable &files) {
  if (const auto *unary = dyn_cast<UnaryOperator>(&expression))
    return unary->isIncrementDecrementOp() && baseOf(*unary->getSubExpr()) &&
           isPure(*unary->getSubExpr(), files);
  if (const auto *call = dyn_cast<CallExpr>(&expression)) {
    const FunctionDecl *callee = call->getDirectCallee();
    return callee && callee->isInStdNamespace() &&
           plainName(*callee) == "swap" && call->getNumArgs() == 2 &&
           call->getArg(0)->getType()->isScalarType() &&
           baseOf(*call->getArg(0)) && baseOf(*call->getArg(1));
  }
  const auto *binary = dyn_cast<BinaryOperator>(&expression);
  return binary && binary->isAssignmentOp() && baseOf(*binary->getLHS()) &&
         isPure(*binary->getLHS(), files) && isPure(*binary->getRHS(), files);
}

} // namespace

bool isCalculation(const Stmt &statement, const FileTable &files) {
  if (const auto *expression = dyn_cast<Expr>(&statement))
    return isPlainAssignment(*expression->IgnoreParens(), files);
  const auto *declarations = dyn_cast<DeclStmt>(&statement);
  if (!declarations)
    return isa<NullStmt>(statement);
  for (const Decl *declaration : declarations->decls()) {
    const auto *variable = dyn_cast<VarDecl>(declaration);
    if (!variable || variable->hasGlobalStorage() ||
        variable->getType()->isReferenceType() ||
        variable->getType().isDestructedType() != QualType::DK_none ||
        (variable->getInit() && !isPure(*variable->getInit(), files)))
      return false;
  }
  return true;
}

std::set<VariableId> usesOf(const Stmt &statement, HostModel &model) {
  std::set<VariableId> uses;
  collectUses(statement, model, uses, HelperDepth);
  return uses;
}

} // namespace kfuse
