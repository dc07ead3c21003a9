//===- Expressions.cpp - Texts that may be evaluated later ----------------===//

#include "frontend/host/Expressions.h"
#include "frontend/syntax/Lvalues.h"

#include "frontend/api/Callees.h"
#include "frontend/api/OpenClCalls.h"
#include "frontend/api/Swaps.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

#include "llvm/ADT/StringExtras.h"

#include <set>

namespace kfuse {

using namespace clang;

std::vector<RecordLeaf> recordLeaves(QualType record) {
  std::vector<RecordLeaf> result;
  if (record.isNull()) // of an initialiser with an error
    return result;
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

/// Checks whether the constructor only puts its arguments into an object.
bool isShape(const CXXConstructExpr &made) {
  const CXXRecordDecl *record = made.getConstructor()->getParent();
  return (record->getIdentifier() && record->getName() == "dim3") ||
         openClClass(made.getType()) == "NDRange";
}

bool isValue(const Expr &expression, unsigned depth);

bool areValues(const Stmt &statement, unsigned depth) {
  for (const Stmt *child : statement.children()) {
    const auto *operand = dyn_cast_or_null<Expr>(child);
    if (!operand || !isValue(*operand, depth))
      return false;
  }
  return true;
}

bool isValueCall(const CallExpr &call, unsigned depth) {
  const FunctionDecl *callee = call.getDirectCallee();
  if (!callee || depth == 0)
    return false;
  const std::string name = plainName(*callee);
  const bool isChoice =
      callee->isInStdNamespace() && (name == "min" || name == "max");
  const auto *method = dyn_cast<CXXMethodDecl>(callee);
  if (!isChoice && !(method && isGetter(*method)) &&
      !helperBody(*callee, depth))
    return false;
  if (const auto *member = dyn_cast<CXXMemberCallExpr>(&call)) {
    const Expr &object = *member->getImplicitObjectArgument();
    if (!isa<CXXThisExpr>(object.IgnoreParenImpCasts()) &&
        !isValue(object, depth - 1))
      return false;
  }
  for (const Expr *argument : call.arguments())
    if (!isValue(*argument, depth - 1))
      return false;
  return true;
}

/// Checks whether the expression only computes, and reads no memory but
/// variables and members of objects.
bool isValue(const Expr &expression, unsigned depth) {
  if (expression.getType().isVolatileQualified())
    return false;
  if (const auto *call = dyn_cast<CallExpr>(&expression))
    return isValueCall(*call, depth);
  if (const auto *unary = dyn_cast<UnaryOperator>(&expression)) {
    if (unary->getOpcode() == UO_Deref)
      return isa<CXXThisExpr>(unary->getSubExpr()->IgnoreParenImpCasts());
    return !unary->isIncrementDecrementOp() &&
           unary->getOpcode() != UO_AddrOf && areValues(expression, depth);
  }
  if (const auto *binary = dyn_cast<BinaryOperator>(&expression))
    return !binary->isAssignmentOp() && areValues(expression, depth);
  if (const Expr *bound = boundBy(expression))
    return isValue(*bound, depth);
  if (const auto *name = dyn_cast<DeclRefExpr>(&expression))
    return isa<VarDecl>(name->getDecl()) ||
           isa<EnumConstantDecl>(name->getDecl());
  if (const auto *member = dyn_cast<MemberExpr>(&expression)) {
    const Expr &object = *member->getBase()->IgnoreParenImpCasts();
    if (isa<CXXThisExpr>(object))
      return true;
    return !member->isArrow() && isValue(object, depth);
  }
  if (const auto *made = dyn_cast<CXXConstructExpr>(&expression))
    return (isShape(*made) ||
            (made->getConstructor()->isTrivial() &&
             made->getConstructor()->isCopyOrMoveConstructor())) &&
           areValues(expression, depth);
  if (const auto *argument = dyn_cast<CXXDefaultArgExpr>(&expression))
    return isValue(*argument->getExpr(), depth);
  if (const auto *list = dyn_cast<InitListExpr>(&expression))
    return areValues(*list, depth);
  return (isa<IntegerLiteral>(expression) ||
          isa<CharacterLiteral>(expression) || isa<CastExpr>(expression) ||
          isa<ParenExpr>(expression) || isa<FloatingLiteral>(expression) ||
          isa<ConditionalOperator>(expression) ||
          isa<CXXBoolLiteralExpr>(expression) ||
          isa<CXXNullPtrLiteralExpr>(expression) ||
          isa<UnaryExprOrTypeTraitExpr>(expression) ||
          isa<MaterializeTemporaryExpr>(expression) ||
          isa<ConstantExpr>(expression) ||
          isa<SubstNonTypeTemplateParmExpr>(expression) ||
          isa<ExprWithCleanups>(expression)) &&
         areValues(expression, depth);
}

bool isPureCall(const CallExpr &call, const FileTable &files) {
  const FunctionDecl *callee = call.getDirectCallee();
  if (!callee)
    return false;
  bool isSystemFunction = isSystem(*callee, files.sources());
  static const std::set<std::string> known = {
      "min",   "max", "ceil",  "ceilf", "floor", "floorf", "sqrt",
      "sqrtf", "pow", "log2f", "round", "abs",   "log2"};
  return (isSystemFunction && known.count(plainName(*callee))) ||
         isValueFunction(*callee);
}

void collectUses(const Stmt &statement, HostModel &model,
                 std::set<VariableId> &uses, unsigned depth) {
  auto use = [&](const ValueDecl &declaration) {
    const auto *variable = dyn_cast<VarDecl>(&declaration);
    if (variable && variable->getType()->isReferenceType()) {
      const bool isLocal = !isa<ParmVarDecl>(variable) && variable->getInit();
      if (isLocal)
        collectUses(*variable->getInit(), model, uses, depth);
      if (!isLocal || !baseOf(*variable->getInit()))
        uses.insert({model.variable(*variable), model.memory()});
      return;
    }
    uses.insert(model.variable(declaration));
  };
  if (const auto *name = dyn_cast<DeclRefExpr>(&statement)) {
    const auto *variable = dyn_cast<VarDecl>(name->getDecl());
    // A helper's own variables aren't part of the text.
    const bool isInner =
        depth < HelperDepth && variable && variable->hasLocalStorage();
    // A constant stays what it is.
    if (variable && !isInner &&
        !variable->isUsableInConstantExpressions(model.ast))
      use(*variable);
    else if (const Expr *bound = boundBy(*name))
      collectUses(*bound, model, uses, depth);
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
    const auto *method = dyn_cast_or_null<CXXMethodDecl>(callee);
    if (method && isElementAccess(*method))
      uses.insert(model.memory());
    const auto body = callee && depth > 0 ? helperBody(*callee) : std::nullopt;
    if (body) {
      collectUses(*body->value, model, uses, depth - 1);
      for (const VarDecl *constant : body->constants)
        collectUses(*constant->getInit(), model, uses, depth - 1);
    }
  } else if (const auto *argument = dyn_cast<CXXDefaultArgExpr>(&statement)) {
    collectUses(*argument->getExpr(), model, uses, depth);
  }
  for (const Stmt *child : statement.children())
    if (child)
      collectUses(*child, model, uses, depth);
}

/// Adds the constants that a statement declares; returns false if it does
/// anything else.
bool addConstants(const Stmt &statement, HelperBody &body, unsigned depth) {
  const auto *declarations = dyn_cast<DeclStmt>(&statement);
  if (!declarations)
    return false;
  for (const Decl *declaration : declarations->decls()) {
    const auto *constant = dyn_cast<VarDecl>(declaration);
    if (!constant || !constant->getInit() || constant->isStaticLocal() ||
        constant->getType()->isReferenceType() ||
        constant->getType().isDestructedType() != QualType::DK_none ||
        !isValue(*constant->getInit(), depth))
      return false;
    body.constants.push_back(constant);
  }
  return true;
}

} // namespace

std::optional<HelperBody> helperBody(const FunctionDecl &function,
                                     unsigned depth) {
  const auto *method = dyn_cast<CXXMethodDecl>(&function);
  const QualType type = function.getReturnType();
  // Through a reference the caller may change what it refers to.
  if (type->isReferenceType() && !type->getPointeeType().isConstQualified())
    return std::nullopt;
  // A lambda that captures something depends on more than its arguments.
  if (depth == 0 || (method && (method->isVirtual() ||
                                (method->getParent()->isLambda() &&
                                 method->getParent()->capture_size() != 0))))
    return std::nullopt;
  const FunctionDecl *definition = function.getDefinition();
  const auto *statements =
      definition ? dyn_cast_or_null<CompoundStmt>(definition->getBody())
                 : nullptr;
  const auto *result = statements && !statements->body_empty()
                           ? dyn_cast<ReturnStmt>(statements->body_back())
                           : nullptr;
  if (!result || !result->getRetValue() ||
      !isValue(*result->getRetValue(), depth - 1))
    return std::nullopt;
  HelperBody body{{}, result->getRetValue()};
  for (const Stmt *statement : statements->body())
    if (statement != result && !addConstants(*statement, body, depth - 1))
      return std::nullopt;
  return body;
}

bool isGetter(const CXXMethodDecl &method) {
  if (method.isStatic() || method.getNumParams() != 0 ||
      !method.getDeclName().isIdentifier())
    return false;
  const llvm::StringRef name = method.getName();
  const std::string owner = method.getParent()->getQualifiedNameAsString();
  // PyTorch's, of which only declarations may be there.
  if (owner == "at::Tensor" || owner == "at::TensorBase")
    return name == "data_ptr" || name == "mutable_data_ptr" ||
           name == "const_data_ptr" || name == "numel";
  if (!method.getParent()->isInStdNamespace())
    return false;
  if (name == "size")
    return method.isConst();
  // A stream and a future have a get() that changes them.
  static const std::set<std::string> pointers = {
      "std::unique_ptr", "std::shared_ptr", "std::__shared_ptr"};
  return method.getReturnType()->isPointerType() &&
         (name == "data" || (name == "get" && pointers.count(owner) != 0));
}

/// Checks whether keys are equal if what is written for them is, and only then:
/// numbers, or texts that the library compares.
static bool hasPlainKeys(const ClassTemplateSpecializationDecl &map,
                         bool isSorted) {
  const TemplateArgumentList &arguments = map.getTemplateArgs();
  const unsigned comparison = isSorted ? 2 : 3;
  if (arguments.size() <= comparison)
    return false;
  const QualType key = arguments[0].getAsType();
  const auto *text = key->getAsCXXRecordDecl();
  const auto *compared =
      arguments[comparison].getAsType()->getAsCXXRecordDecl();
  return compared && compared->isInStdNamespace() &&
         compared->getName() == (isSorted ? "less" : "equal_to") &&
         (key->isIntegralOrEnumerationType() ||
          (text && text->isInStdNamespace() &&
           text->getName() == "basic_string"));
}

bool isElementAccess(const CXXMethodDecl &method) {
  if (method.getOverloadedOperator() != OO_Subscript)
    return false;
  const std::string container = method.getParent()->getQualifiedNameAsString();
  static const std::set<std::string> sequences = {"std::vector", "std::array",
                                                  "std::span"};
  const bool isSorted = container == "std::map";
  const auto *map =
      isSorted || container == "std::unordered_map"
          ? dyn_cast<ClassTemplateSpecializationDecl>(method.getParent())
          : nullptr;
  return map ? hasPlainKeys(*map, isSorted) : sequences.count(container) != 0;
}

std::optional<std::string> writtenKey(const Expr &key) {
  const auto *literal =
      dyn_cast<StringLiteral>(key.IgnoreUnlessSpelledInSource());
  // A string ends before its first zero.
  if (!literal || literal->getCharByteWidth() != 1 ||
      literal->getString().contains('\0'))
    return std::nullopt;
  return llvm::toHex(literal->getString());
}

bool isValueFunction(const FunctionDecl &function) {
  const auto *method = dyn_cast<CXXMethodDecl>(&function);
  return isDeviceAddress(function) ||
         (method && (isGetter(*method) || isElementAccess(*method))) ||
         helperBody(function);
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
        if (!isShape(*construct) && !construct->getConstructor()->isTrivial())
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
    const auto swapped = swappedBy(*call);
    return swapped && swapped->first->getType()->isScalarType() &&
           baseOf(*swapped->first) && baseOf(*swapped->second) &&
           isPure(*swapped->first, files) && isPure(*swapped->second, files);
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
