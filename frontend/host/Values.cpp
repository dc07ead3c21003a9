//===- Values.cpp - The integer value of a host expression ----------------===//

#include "frontend/host/Values.h"

#include "frontend/api/Callees.h"
#include "frontend/api/ErrorConditions.h"
#include "frontend/host/Changes.h"
#include "frontend/host/Scan.h"
#include "frontend/kernel/Analysis.h"
#include "frontend/kernel/Types.h"
#include "graphs/program/LaunchRanges.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

namespace kfuse {

using namespace clang;

namespace {

/// Returns what is evaluated last, before conversions: `b + 1` of `a = b + 1`.
const Expr &resultOf(const Expr &expression) {
  const Expr *inner = expression.IgnoreParenCasts();
  if (const auto *cleanups = dyn_cast<ExprWithCleanups>(inner))
    return resultOf(*cleanups->getSubExpr());
  const auto *binary = dyn_cast<BinaryOperator>(inner);
  return binary && binary->getOpcode() == BO_Assign
             ? resultOf(*binary->getRHS())
             : *inner;
}

bool hasCall(const Stmt &statement) {
  return isa<CallExpr, CXXConstructExpr>(statement) ||
         llvm::any_of(statement.children(), [](const Stmt *child) {
           return child && hasCall(*child);
         });
}

unsigned mentions(const Stmt &statement, const ValueDecl &declaration) {
  const auto *name = dyn_cast<DeclRefExpr>(&statement);
  const auto *member = dyn_cast<MemberExpr>(&statement);
  const ValueDecl *named = name     ? name->getDecl()
                           : member ? member->getMemberDecl()
                                    : nullptr;
  unsigned count =
      named && named->getCanonicalDecl() == declaration.getCanonicalDecl();
  for (const Stmt *child : statement.children())
    if (child)
      count += mentions(*child, declaration);
  return count;
}

} // namespace

bool HostReader::changesNames(const Expr &expression) const {
  const HostChanges changes = changesOf(expression, Unit);
  if (!changes.any() || !mayReach(changes, usesOf(expression, Model), Model))
    return false;
  // If only the change mentions it, no other value depends on it.
  return changes.others || hasCall(expression) ||
         llvm::any_of(changes.variables, [&](const ValueDecl *changed) {
           return mentions(expression, *changed) > 1;
         });
}

Polynomial HostReader::term(TermKind kind, std::vector<Polynomial> operands,
                            std::int64_t detail) {
  return makeTerm(Model.program.terms, {kind, detail, std::move(operands)});
}

HostExpr HostReader::describe(const Expr &expression) {
  HostExpr result;
  result.range = Model.files.wholeText(expression.getSourceRange());
  result.text = Model.files.text(result.range);
  if (expression.getType()->isIntegralOrEnumerationType())
    result.value = integer(expression);
  const std::optional<std::string> key =
      expression.getType()->isRealFloatingType() ? floatKey(expression)
      : expression.getType()->isRecordType()     ? recordKey(expression)
                                                 : std::nullopt;
  if (key)
    result.value = Model.interned(*key);
  const std::set<VariableId> uses = usesOf(expression, Model);
  result.uses.assign(uses.begin(), uses.end());
  result.isPure = isPure(expression, Model.files);
  return result;
}

std::string HostReader::text(const Expr &expression) {
  // A helper's expression is known by the call.
  if (Current)
    return Current->text;
  return Model.files.text(Model.files.wholeText(expression.getSourceRange()));
}

Polynomial HostReader::unknown(const Expr &expression) {
  return Model.unknown(integerType(expression.getType(), Model.ast));
}

/// Returns the value converted to a type of so many bits, signed if `detail` is
/// negative.
static Polynomial narrowed(const Polynomial &value, std::int64_t detail,
                           Program &program) {
  const Term narrow{TermKind::Narrow, detail, {value}};
  Ranges ranges(program.terms, [&program](Symbol symbol) {
    return rangeOfHostValue(program.values, symbol);
  });
  return contains(rangeOfNarrow(narrow), ranges.of(value))
             ? value
             : makeTerm(program.terms, narrow);
}

Polynomial HostReader::convert(const Polynomial &value, QualType from,
                               QualType to) {
  if (to->isBooleanType() && !from->isBooleanType())
    return term(TermKind::Compare, {exact(value, from), Polynomial{}}, 1);
  auto width = [&](QualType type) {
    return static_cast<std::int64_t>(Model.ast.getIntWidth(type));
  };
  bool toUnsigned = to->isUnsignedIntegerOrEnumerationType();
  bool fromUnsigned = from->isUnsignedIntegerOrEnumerationType();
  std::int64_t detail = toUnsigned ? width(to) : -width(to);
  if (std::optional<std::int64_t> constant =
          wrapped(value, from).asConstant()) {
    llvm::APSInt number(llvm::APInt(64, static_cast<std::uint64_t>(*constant)),
                        false);
    number = number.extOrTrunc(static_cast<unsigned>(width(to)));
    number.setIsUnsigned(toUnsigned);
    if (number.getSignificantBits() <= 64 &&
        (!toUnsigned || number.getActiveBits() < 64))
      return Polynomial(number.getExtValue());
    return value;
  }
  if (width(to) < width(from))
    return narrowed(value, detail, Model.program);
  // An unsigned value is known up to a multiple of its range only.
  if (fromUnsigned && width(to) > width(from))
    return exact(value, from);
  const std::optional<Symbol> symbol = value.asSymbol();
  const bool isSigned = symbol && symbol->kind == SymbolKind::HostValue &&
                        !Model.isUnsigned(*symbol);
  if (fromUnsigned && !toUnsigned && !isSigned)
    return narrowed(value, detail, Model.program);
  return value;
}

Polynomial HostReader::exact(const Polynomial &value, QualType type) {
  if (value.asConstant() || !type->isUnsignedIntegerOrEnumerationType() ||
      type->isBooleanType())
    return value;
  const std::int64_t width = Model.ast.getIntWidth(type);
  if (const std::optional<Symbol> symbol = value.asSymbol()) {
    const Term *narrowed = symbol->kind == SymbolKind::Opaque
                               ? &Model.program.terms[*symbol]
                               : nullptr;
    const bool isNarrowed = narrowed && narrowed->kind == TermKind::Narrow &&
                            narrowed->detail > 0 && narrowed->detail <= width;
    if (isNarrowed || Model.isUnsigned(*symbol))
      return value;
  }
  return narrowed(value, width, Model.program);
}

Polynomial HostReader::exact(const Expr &expression) {
  return exact(integer(expression), expression.getType());
}

Polynomial HostReader::comparison(const BinaryOperator &expression) {
  const Expr &left = *expression.getLHS(), &right = *expression.getRHS();
  if (!left.getType()->isIntegralOrEnumerationType() ||
      !right.getType()->isIntegralOrEnumerationType()) {
    const auto isNull = [&](const Expr &side) {
      return side.isNullPointerConstant(Model.ast,
                                        Expr::NPC_ValueDependentIsNotNull);
    };
    if (expression.isEqualityOp() && (isNull(left) || isNull(right))) {
      const Polynomial isSet = truthOf(isNull(left) ? right : left);
      return expression.getOpcode() == BO_NE
                 ? isSet
                 : term(TermKind::Compare, {Polynomial{}, isSet}, 0);
    }
    std::optional<std::string> key = floatKey(expression);
    return key ? Model.interned(*key) : Model.unknown();
  }
  Polynomial lhs = exact(left), rhs = exact(right);
  switch (expression.getOpcode()) {
  case BO_EQ:
  case BO_NE:
    if (rhs < lhs)
      std::swap(lhs, rhs);
    return term(TermKind::Compare, {lhs, rhs},
                expression.getOpcode() == BO_EQ ? 0 : 1);
  case BO_LT:
    return term(TermKind::Compare, {lhs, rhs}, 2);
  case BO_LE:
    return term(TermKind::Compare, {lhs, rhs}, 3);
  case BO_GT:
    return term(TermKind::Compare, {rhs, lhs}, 2);
  default:
    return term(TermKind::Compare, {rhs, lhs}, 3);
  }
}

Polynomial HostReader::condition(const Expr &expression) {
  return expression.getType()->isIntegralOrEnumerationType() ? exact(expression)
                                                             : Model.unknown();
}

Polynomial HostReader::binary(const BinaryOperator &expression) {
  const Expr &left = *expression.getLHS(), &right = *expression.getRHS();
  if (expression.getOpcode() == BO_Assign)
    return convert(integer(right), right.getType(), expression.getType());
  if (expression.getOpcode() == BO_Comma)
    return integer(right);
  if (expression.isComparisonOp())
    return comparison(expression);
  if (!left.getType()->isIntegralOrEnumerationType() ||
      !right.getType()->isIntegralOrEnumerationType())
    return unknown(expression); // a difference of pointers, ...
  switch (expression.getOpcode()) {
  case BO_Add:
    return orUnknown(add(integer(left), integer(right)));
  case BO_Sub:
    return orUnknown(subtract(integer(left), integer(right)));
  case BO_Mul:
    return orUnknown(multiply(integer(left), integer(right)));
  case BO_Div:
    return term(TermKind::Divide, {exact(left), exact(right)});
  case BO_Rem:
    return term(TermKind::Remainder, {exact(left), exact(right)});
  case BO_Shl: {
    std::optional<std::int64_t> amount = integer(right).asConstant();
    if (amount && *amount >= 0 && *amount < 62)
      return orUnknown(
          multiply(integer(left), Polynomial(std::int64_t{1} << *amount)));
    return term(TermKind::ShiftLeft, {exact(left), exact(right)},
                Model.ast.getIntWidth(expression.getType()));
  }
  case BO_Shr:
    return term(TermKind::ShiftRight, {exact(left), exact(right)});
  case BO_And:
    return term(TermKind::BitAnd, {exact(left), exact(right)});
  case BO_Or:
    return term(TermKind::BitOr, {exact(left), exact(right)});
  case BO_Xor:
    return term(TermKind::BitXor, {exact(left), exact(right)});
  case BO_LAnd:
  case BO_LOr: {
    Polynomial zero, one(1), lhs = condition(left);
    Polynomial rhs = term(TermKind::Compare, {condition(right), zero}, 1);
    return expression.getOpcode() == BO_LAnd
               ? term(TermKind::Select, {lhs, rhs, zero})
               : term(TermKind::Select, {lhs, one, rhs});
  }
  default:
    return unknown(expression);
  }
}

Polynomial HostReader::integerCast(const CastExpr &cast) {
  const Expr &operand = *cast.getSubExpr();
  switch (cast.getCastKind()) {
  case CK_NoOp:
  case CK_ConstructorConversion:
    return integer(operand);
  case CK_LValueToRValue:
    if (const Frame::Variable *variable = bound(operand))
      if (variable->data && std::holds_alternative<Polynomial>(*variable->data))
        return std::get<Polynomial>(*variable->data);
    // It may hold less than what it was given.
    if (operand.refersToBitField())
      return unknown(cast);
    if (std::optional<HostPlace> source = place(operand))
      return Env.readInteger(*source, text(operand), operand.getType());
    if (const auto held = boundMember(operand, operand.getType());
        held && std::holds_alternative<Polynomial>(*held))
      return std::get<Polynomial>(*held);
    return unknown(cast);
  case CK_IntegralCast:
  case CK_IntegralToBoolean:
  case CK_BooleanToSignedIntegral:
    return convert(integer(operand), operand.getType(), cast.getType());
  case CK_PointerToBoolean:
    return truthOf(operand);
  case CK_FloatingToIntegral:
    if (std::optional<std::string> key = floatKey(operand))
      return Model.interned(
          "int" + std::to_string(Model.ast.getIntWidth(cast.getType())) + "(" +
              *key + ")",
          integerType(cast.getType(), Model.ast));
    return unknown(cast);
  default:
    return unknown(cast);
  }
}

Polynomial HostReader::call(const CallExpr &call) {
  const FunctionDecl *callee = call.getDirectCallee();
  if (!callee || Depth > DepthLimit)
    return unknown(call);
  if (returnsError(call, Model.files.sources()))
    return Model.errorValue();
  if (changesNames(call))
    return Model.unknown();
  std::string name = plainName(*callee);
  bool isStandard = callee->isInStdNamespace();
  if (isStandard && call.getNumArgs() == 2 &&
      (name == "min" || name == "max")) {
    Polynomial lhs = exact(*call.getArg(0)), rhs = exact(*call.getArg(1));
    if (rhs < lhs)
      std::swap(lhs, rhs);
    return term(name == "min" ? TermKind::Minimum : TermKind::Maximum,
                {lhs, rhs});
  }
  // `v.size()` is the same value until `v` changes.
  if (const auto *member = dyn_cast<CXXMemberCallExpr>(&call)) {
    const Expr *object = member->getImplicitObjectArgument();
    const auto *declaration = dyn_cast<CXXMethodDecl>(callee);
    if (object && declaration && declaration->isConst() &&
        call.getNumArgs() == 0 && isSystem(*callee, Model.files.sources()))
      if (std::optional<HostPlace> source = place(*object))
        return Env.readInteger(
            {source->base,
             source->path + "." + declaration->getNameAsString() + "()"},
            text(call), call.getType());
  }
  if (callee->getReturnType()
          .getNonReferenceType()
          ->isIntegralOrEnumerationType())
    if (auto value = inHelper<Polynomial>(
            call, [&](const Expr &body) { return integer(body); }))
      return *value;
  return unknown(call);
}

/// Returns a constant as a value of `type`, and other values as they are.
/// Constants of unsigned types wrap.
Polynomial HostReader::wrapped(const Polynomial &value, QualType type) {
  const std::optional<std::int64_t> constant = value.asConstant();
  if (!constant || !type->isUnsignedIntegerOrEnumerationType() ||
      type->isBooleanType())
    return value;
  const auto width = static_cast<unsigned>(Model.ast.getIntWidth(type));
  const auto bits = static_cast<std::uint64_t>(*constant);
  if (width < 64)
    return Polynomial(
        static_cast<std::int64_t>(bits & ((std::uint64_t{1} << width) - 1)));
  return *constant >= 0 ? value : Model.unknown();
}

Polynomial HostReader::integer(const Expr &expression) {
  return wrapped(unwrapped(expression), expression.getType());
}

Polynomial HostReader::unwrapped(const Expr &expression) {
  if (Depth > DepthLimit || expression.isValueDependent() ||
      expression.isTypeDependent() || expression.containsErrors())
    return unknown(expression);
  struct Level {
    unsigned &depth;
    explicit Level(unsigned &depth) : depth(depth) { ++depth; }
    ~Level() { --depth; }
  } level(Depth);
  if (const auto *parens = dyn_cast<ParenExpr>(&expression))
    return integer(*parens->getSubExpr());
  if (const auto *cleanups = dyn_cast<ExprWithCleanups>(&expression))
    return integer(*cleanups->getSubExpr());
  if (const auto *temporary = dyn_cast<MaterializeTemporaryExpr>(&expression))
    return integer(*temporary->getSubExpr());
  if (const auto *argument = dyn_cast<CXXDefaultArgExpr>(&expression))
    return integer(*argument->getExpr());
  if (const auto *replaced =
          dyn_cast<SubstNonTypeTemplateParmExpr>(&expression))
    return integer(*replaced->getReplacement());
  // A reference parameter's argument is an lvalue.
  if (expression.isLValue()) {
    if (const Frame::Variable *variable = bound(expression))
      if (variable->data && std::holds_alternative<Polynomial>(*variable->data))
        return std::get<Polynomial>(*variable->data);
    if (!expression.getType()->isIntegralOrEnumerationType())
      return unknown(expression);
  }
  if (!expression.getType()->isIntegralOrEnumerationType())
    return unknown(expression);
  Expr::EvalResult constant;
  if (expression.EvaluateAsInt(constant, Model.ast)) {
    const llvm::APSInt &number = constant.Val.getInt();
    if (std::optional<std::int64_t> value = number.tryExtValue())
      return Polynomial(*value);
    llvm::SmallString<40> digits;
    number.toString(digits, 10);
    return Model.interned("constant " + std::string(digits.str()));
  }
  if (const Expr &result = resultOf(expression);
      Depth == 1 && !isa<CallExpr>(result) && changesNames(result))
    return Model.unknown();
  if (expression.isLValue()) {
    if (std::optional<HostPlace> source = place(expression))
      return Env.readInteger(*source, text(expression), expression.getType());
    return unknown(expression);
  }
  if (const auto *cast = dyn_cast<CastExpr>(&expression))
    return integerCast(*cast);
  if (const auto *operation = dyn_cast<BinaryOperator>(&expression)) {
    if (operation->isCompoundAssignmentOp())
      return unknown(expression);
    return binary(*operation);
  }
  if (const auto *unary = dyn_cast<UnaryOperator>(&expression)) {
    const Expr &operand = *unary->getSubExpr();
    if (unary->getOpcode() == UO_Plus)
      return integer(operand);
    if (unary->getOpcode() == UO_Minus)
      return orUnknown(subtract(Polynomial{}, integer(operand)));
    if (unary->getOpcode() == UO_Not)
      return orUnknown(subtract(Polynomial(-1), integer(operand)));
    if (unary->getOpcode() == UO_LNot &&
        operand.getType()->isIntegralOrEnumerationType()) {
      const Polynomial value = exact(operand);
      return term(
          TermKind::Compare,
          {std::min(Polynomial{}, value), std::max(Polynomial{}, value)}, 0);
    }
    return unknown(expression);
  }
  if (const auto *choice = dyn_cast<ConditionalOperator>(&expression))
    return term(TermKind::Select,
                {condition(*choice->getCond()), integer(*choice->getTrueExpr()),
                 integer(*choice->getFalseExpr())});
  if (const auto *list = dyn_cast<InitListExpr>(&expression))
    return list->getNumInits() == 1 ? integer(*list->getInit(0)) : Polynomial{};
  if (const auto *callee = dyn_cast<CallExpr>(&expression))
    return call(*callee);
  return unknown(expression);
}

} // namespace kfuse
