//===- OtherValues.cpp - Which host expressions that aren't integers agree ===//

#include "frontend/api/Callees.h"
#include "frontend/host/Values.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

#include <set>

namespace kfuse {

using namespace clang;

Polynomial HostReader::truthOf(const Expr &pointer) {
  const auto *read = dyn_cast<CastExpr>(pointer.IgnoreParens());
  if (!read || read->getCastKind() != CK_LValueToRValue ||
      !read->getType()->isPointerType())
    return Model.unknown();
  const std::optional<HostPlace> source = place(*read->getSubExpr());
  // Stores of null through other pointers aren't followed.
  if (!source || source->isIndirect() || Model.isShared(source->base))
    return Model.unknown();
  return Env.readInteger({source->base, source->path + TruthPath},
                         "(" + text(*read) + " != nullptr)", Model.ast.BoolTy);
}

/// Returns a text for a floating-point expression of pure operations, which is
/// equal for equal values; nullopt for other expressions.
std::optional<std::string> HostReader::floatKey(const Expr &raw) {
  const Expr &expression = *raw.IgnoreParens();
  if (Depth > DepthLimit || changesNames(expression))
    return std::nullopt;
  QualType type = expression.getType();
  if (type->isIntegralOrEnumerationType() && !expression.isLValue() &&
      !(isa<BinaryOperator>(expression) &&
        cast<BinaryOperator>(expression).isComparisonOp()))
    return "[" + print(integer(expression)) + "]";
  if (const auto *number = dyn_cast<FloatingLiteral>(&expression)) {
    llvm::SmallString<32> digits;
    number->getValue().toString(digits);
    return type.getAsString() + std::string(digits.str());
  }
  if (const auto *conversion = dyn_cast<CastExpr>(&expression)) {
    const Expr &operand = *conversion->getSubExpr();
    if (conversion->getCastKind() == CK_LValueToRValue) {
      std::optional<HostPlace> source = place(operand);
      // Stores through pointers are followed for integers and pointers only.
      if (!source || !type->isFloatingType() || source->isIndirect() ||
          Model.isShared(source->base))
        return std::nullopt;
      return print(Env.readInteger(*source, text(operand), type));
    }
    if (std::optional<std::string> key = floatKey(operand))
      return type.getCanonicalType().getAsString() + "(" + *key + ")";
    return std::nullopt;
  }
  if (const auto *operation = dyn_cast<BinaryOperator>(&expression)) {
    std::optional<std::string> lhs = floatKey(*operation->getLHS());
    std::optional<std::string> rhs = floatKey(*operation->getRHS());
    if (!lhs || !rhs)
      return std::nullopt;
    return "(" + *lhs + operation->getOpcodeStr().str() + *rhs + ")";
  }
  if (const auto *unary = dyn_cast<UnaryOperator>(&expression)) {
    std::optional<std::string> key = floatKey(*unary->getSubExpr());
    if (!key || unary->getOpcode() == UO_Deref)
      return std::nullopt;
    return UnaryOperator::getOpcodeStr(unary->getOpcode()).str() + *key;
  }
  if (const auto *function = dyn_cast<CallExpr>(&expression)) {
    static const std::set<std::string> pureFunctions = {
        "ceil",   "ceilf", "floor", "floorf", "sqrt", "sqrtf", "round",
        "roundf", "log2",  "log2f", "log",    "pow",  "fabs",  "trunc"};
    const FunctionDecl *callee = function->getDirectCallee();
    if (!callee || !pureFunctions.count(plainName(*callee)) ||
        !isSystem(*callee, Model.files.sources()))
      return std::nullopt;
    std::string key = callee->getType().getAsString() + plainName(*callee);
    for (const Expr *argument : function->arguments()) {
      std::optional<std::string> each = floatKey(*argument);
      if (!each)
        return std::nullopt;
      key += "," + *each;
    }
    return key;
  }
  return std::nullopt;
}

std::optional<std::string> HostReader::recordKey(const Expr &raw) {
  const Expr *copied = raw.IgnoreParenImpCasts();
  while (const auto *made = dyn_cast<CXXConstructExpr>(copied)) {
    if (made->getNumArgs() != 1 ||
        !made->getConstructor()->isCopyOrMoveConstructor() ||
        !made->getConstructor()->isTrivial())
      return std::nullopt;
    copied = made->getArg(0)->IgnoreParenImpCasts();
  }
  if (Depth > DepthLimit || !copied->isLValue() || changesNames(*copied))
    return std::nullopt;
  const std::optional<HostPlace> source = place(*copied);
  if (!source || source->isIndirect() || source->hasOpenIndex() ||
      Model.isShared(source->base))
    return std::nullopt;
  return memberKeys(*source, copied->getType(), text(*copied));
}

std::optional<std::string> HostReader::memberKeys(const HostPlace &place,
                                                  QualType type,
                                                  const std::string &text) {
  if (type->isIntegralOrEnumerationType() || type->isRealFloatingType())
    return type.getCanonicalType().getAsString() + " " +
           print(Env.readInteger(place, text, type));
  const RecordDecl *record = type->getAsRecordDecl();
  const auto *derived = dyn_cast_or_null<CXXRecordDecl>(record);
  if (!record || !record->getDefinition() || record->isUnion() ||
      !type.isTriviallyCopyableType(Model.ast) ||
      (derived && derived->getNumBases() != 0))
    return std::nullopt;
  std::string keys = type.getCanonicalType().getAsString() + "{";
  for (const FieldDecl *field : record->fields()) {
    const std::string name = "." + field->getNameAsString();
    const auto key = field->isBitField() || field->getName().empty()
                         ? std::nullopt
                         : memberKeys({place.base, place.path + name},
                                      field->getType(), text + name);
    if (!key)
      return std::nullopt;
    keys += *key + ";";
  }
  return keys + "}";
}

} // namespace kfuse
