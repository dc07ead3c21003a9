//===- frontend/ValueKeys.cpp - Expressions that have one value -----------===//

#include "frontend/ValueKeys.h"

#include "frontend/DeviceArithmetic.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/Hashing.h"

#include <algorithm>

namespace kfuse {

using namespace clang;

namespace {

using Key = ValueKeys::Key;

/// What all values have beyond these limits.
constexpr Key Unknown = 0x6b66757365;
constexpr unsigned MaximumDepth = 200;
constexpr unsigned MaximumCount = 200000;
constexpr unsigned MaximumLevel = 16;

enum class Tag : std::uint8_t {
  Place,
  Field,
  Load,
  Constant,
  Cast,
  Sum,
  Product,
  Quotient,
  Call,
  Structure
};

template <typename... Parts> Key mix(Tag tag, const Parts &...parts) {
  return llvm::hash_combine(static_cast<unsigned>(tag), parts...);
}

Key magnitude(Key key) { return std::min(key, Key{0} - key); }
bool isNegative(Key key) { return magnitude(key) != key; }
Key withSign(bool isMinus, Key key) { return isMinus ? Key{0} - key : key; }

Key constantKey(llvm::APFloat number) {
  const bool isMinus = number.isNegative();
  number.clearSign();
  bool losesInformation = false;
  number.convert(llvm::APFloat::IEEEdouble(),
                 llvm::APFloat::rmNearestTiesToEven, &losesInformation);
  return withSign(
      isMinus,
      magnitude(mix(Tag::Constant, number.bitcastToAPInt().getLimitedValue())));
}

Key constantKey(double number) { return constantKey(llvm::APFloat(number)); }

Key divided(Key left, Key right) {
  return withSign(
      isNegative(left) != isNegative(right),
      magnitude(mix(Tag::Quotient, magnitude(left), magnitude(right))));
}

Key multiplied(Key left, Key right) {
  const bool isMinus = isNegative(left) != isNegative(right);
  const Key small = std::min(magnitude(left), magnitude(right));
  const Key large = std::max(magnitude(left), magnitude(right));
  const Key one = magnitude(constantKey(1.0));
  if (small == one || large == one)
    return withSign(isMinus, small == one ? large : small);
  return withSign(isMinus, magnitude(mix(Tag::Product, small, large)));
}

/// Odd, as -(a + b) is -a - b.
Key added(Key left, Key right) {
  const Key zero = magnitude(constantKey(0.0));
  if (magnitude(left) == zero || magnitude(right) == zero)
    return magnitude(left) == zero ? right : left;
  if (left == right)
    return multiplied(left, constantKey(2.0));
  const auto ordered = [](Key one, Key other) {
    return mix(Tag::Sum, std::min(one, other), std::max(one, other));
  };
  return ordered(left, right) - ordered(Key{0} - left, Key{0} - right);
}

/// What tells apart expressions of one class, but for their parts.
Key kindOf(const Stmt *value) {
  if (const auto *operation = dyn_cast<BinaryOperator>(value))
    return operation->getOpcode();
  if (const auto *operation = dyn_cast<UnaryOperator>(value))
    return operation->getOpcode();
  if (const auto *made = dyn_cast<CXXConstructExpr>(value))
    return mix(Tag::Structure, made->getConstructor());
  return 0;
}

} // namespace

std::optional<VisibleCall> visibleCall(const CallExpr &call) {
  const FunctionDecl *callee = call.getDirectCallee();
  const FunctionDecl *definition = callee ? callee->getDefinition() : nullptr;
  if (!definition)
    return std::nullopt;
  VisibleCall found{
      definition, {call.getArgs(), call.getNumArgs()}, nullptr, &call};
  if (const auto *member = dyn_cast<CXXMemberCallExpr>(&call)) {
    found.object = member->getImplicitObjectArgument();
  } else if (isa<CXXOperatorCallExpr>(call) && isa<CXXMethodDecl>(definition)) {
    found.object = found.arguments.front();
    found.arguments = found.arguments.drop_front();
  }
  return found;
}

ValueKeys::ValueKeys(const ASTContext &ast, KnownNumbers &numbers,
                     const FunctionDecl &function)
    : Ast(ast), Numbers(numbers), Function(function),
      Known(numbers.valuesIn(function)) {}

ValueKeys::ValueKeys(const VisibleCall &call, ValueKeys &caller)
    : Ast(caller.Ast), Numbers(caller.Numbers), Function(*call.callee),
      Known(caller.Numbers.valuesIn(*call.callee)), Called(call),
      Caller(&caller), Level(caller.Level + 1), Depth(caller.Depth),
      Count(caller.Count) {
  Instance = mix(Tag::Call, call.callee);
  if (call.object)
    Instance = mix(Tag::Call, Instance, caller.ofPlace(call.object));
  for (const Expr *argument : call.arguments)
    Instance = mix(Tag::Call, Instance, caller.of(argument));
}

Key ValueKeys::ofMagnitude(const Expr *expression) {
  return magnitude(of(expression));
}

Key ValueKeys::of(const Expr *expression) {
  const auto [value, in] = sourceOf(expression);
  // What is in the works depends on itself.
  const auto [found, isNew] = in->Values.try_emplace(value, Unknown);
  if (!isNew)
    return found->second;
  const Key key = compute(value, *in, &ValueKeys::compute);
  return in->Values[value] = key;
}

Key ValueKeys::ofPlace(const Expr *place) {
  return compute(place, *this, &ValueKeys::computePlace);
}

Key ValueKeys::compute(const Expr *value, ValueKeys &in,
                       Key (ValueKeys::*computed)(const Expr *)) {
  // The text of a generic lambda has no types yet.
  if (value->isInstantiationDependent() || Depth > MaximumDepth ||
      ++*Count > MaximumCount)
    return Unknown;
  const unsigned before = std::exchange(in.Depth, Depth + 1);
  const Key key = (in.*computed)(value);
  in.Depth = before;
  return key;
}

/// Where the value comes from: through variables and parameters.
ValueKeys::Source ValueKeys::sourceOf(const Expr *expression) {
  Source source{sameValue(expression), this};
  for (unsigned steps = 0; steps < MaximumSteps; ++steps) {
    const auto next = source.second->step(source.first);
    if (!next)
      break;
    source = {sameValue(next->first), next->second};
  }
  return source;
}

ValueKeys *ValueKeys::inside(const VisibleCall &call) {
  const auto known = Inside.find({call.whole, call.callee});
  if (known != Inside.end())
    return known->second.get();
  if (Level == MaximumLevel || ++*Count > MaximumCount)
    return nullptr;
  auto keys = std::make_unique<ValueKeys>(call, *this);
  return (Inside[{call.whole, call.callee}] = std::move(keys)).get();
}

std::optional<ValueKeys::Source> ValueKeys::step(const Expr *value) {
  if (const auto *call = dyn_cast<CallExpr>(value)) {
    const auto visible = visibleCall(*call);
    if (!visible)
      return std::nullopt;
    const auto &returned = Numbers.returnedBy(*visible->callee);
    ValueKeys *keys = returned.size() == 1 ? inside(*visible) : nullptr;
    return keys ? std::optional<Source>({returned.front(), keys})
                : std::nullopt;
  }
  if (const auto *made = dyn_cast<CXXConstructExpr>(value))
    if (made->getConstructor()->isCopyOrMoveConstructor() &&
        made->getNumArgs() == 1)
      return Source{made->getArg(0), this};
  if (const VarDecl *variable = variableOf(value))
    return variable->getType()->isArrayType()
               ? std::nullopt
               : ownerOf(*variable).valueOf(*variable);
  if (const auto *member = dyn_cast<MemberExpr>(value))
    if (const auto *field = dyn_cast<FieldDecl>(member->getMemberDecl());
        field && !field->getParent()->isUnion()) {
      const auto whole = member->isArrow() ? pointee(member->getBase())
                                           : Source{member->getBase(), this};
      return whole ? part(*whole, field->getFieldIndex()) : std::nullopt;
    }
  if (const auto *element = dyn_cast<ArraySubscriptExpr>(value)) {
    const Expr *array = element->getBase()->IgnoreParenImpCasts();
    Expr::EvalResult index;
    if (array->getType()->isArrayType() &&
        element->getIdx()->EvaluateAsInt(index, Ast))
      return part({array, this}, index.Val.getInt().getZExtValue());
  }
  return std::nullopt;
}

std::optional<ValueKeys::Source> ValueKeys::part(Source whole,
                                                 std::size_t index) {
  whole = whole.second->sourceOf(whole.first);
  if (const VarDecl *variable = variableOf(whole.first))
    if (const auto given = whole.second->ownerOf(*variable).valueOf(*variable))
      whole = {sameValue(given->first), given->second};
  const auto *list = dyn_cast<InitListExpr>(whole.first);
  if (!list || index >= list->getNumInits())
    return std::nullopt;
  return Source{list->getInit(index), whole.second};
}

/// The object that a pointer leads to, where the text tells.
std::optional<ValueKeys::Source> ValueKeys::pointee(const Expr *pointer) {
  const auto [value, in] = sourceOf(pointer);
  if (const auto *address = dyn_cast<UnaryOperator>(value);
      address && address->getOpcode() == UO_AddrOf)
    return Source{address->getSubExpr(), in};
  const Expr *object = in->Called.object;
  if (!isa<CXXThisExpr>(value) || !object)
    return std::nullopt;
  return object->getType()->isPointerType() ? in->Caller->pointee(object)
                                            : Source{object, in->Caller};
}

/// The one value that a variable has.
std::optional<ValueKeys::Source> ValueKeys::valueOf(const VarDecl &variable) {
  const bool isReference = variable.getType()->isReferenceType();
  const auto given = Known.values.find(&variable);
  if (const auto *parameter = dyn_cast<ParmVarDecl>(&variable)) {
    const unsigned index = parameter->getFunctionScopeIndex();
    if (!Caller || given != Known.values.end() ||
        Known.open.count(&variable) != 0 ||
        parameter->getDeclContext() != &Function ||
        index >= Called.arguments.size())
      return std::nullopt;
    return Source{Called.arguments[index], Caller};
  }
  if (isReference)
    return variable.hasInit()
               ? std::optional<Source>({variable.getInit(), this})
               : std::nullopt;
  if (given == Known.values.end() || given->second.size() != 1 ||
      Known.open.count(&variable) != 0)
    return std::nullopt;
  return Source{given->second.front(), this};
}

/// The keys of the function that declares the variable, as the lambda's caller.
ValueKeys &ValueKeys::ownerOf(const VarDecl &variable) {
  for (ValueKeys *each = this; each; each = each->Caller)
    if (variable.getParentFunctionOrMethod() == &each->Function)
      return *each;
  return *this;
}

Key ValueKeys::compute(const Expr *value) {
  if (const auto known = constant(value))
    return *known;
  if (const auto *operation = dyn_cast<BinaryOperator>(value))
    if (const auto found = arithmetic(*operation))
      return *found;
  if (const auto *operation = dyn_cast<UnaryOperator>(value)) {
    if (operation->getOpcode() == UO_Minus)
      return Key{0} - of(operation->getSubExpr());
    if (operation->getOpcode() == UO_AddrOf)
      return ofPlace(operation->getSubExpr());
  }
  if (const auto *converted = dyn_cast<CastExpr>(value))
    return cast(*converted);
  if (const auto *called = dyn_cast<CallExpr>(value))
    return call(*called);
  if (const auto *choice = dyn_cast<AbstractConditionalOperator>(value))
    if (const Key key = of(choice->getTrueExpr());
        key == of(choice->getFalseExpr()))
      return key;
  if (isa<CXXThisExpr>(value) && Called.object)
    return Called.object->getType()->isPointerType()
               ? Caller->of(Called.object)
               : Caller->ofPlace(Called.object);
  if (value->isGLValue())
    return mix(Tag::Load, computePlace(value));
  return structure(value);
}

std::optional<Key> ValueKeys::constant(const Expr *value) const {
  const QualType type = value->getType();
  if (value->isValueDependent())
    return std::nullopt;
  if (Expr::EvalResult number;
      type->isIntegralOrEnumerationType() && value->EvaluateAsInt(number, Ast))
    return number.Val.getInt().getLimitedValue();
  llvm::APFloat number(0.0);
  if (!type->isRealFloatingType() || !value->EvaluateAsFloat(number, Ast))
    return std::nullopt;
  return constantKey(number);
}

std::optional<Key> ValueKeys::arithmetic(const BinaryOperator &operation) {
  if (operation.getOpcode() == BO_Assign)
    return of(operation.getRHS());
  const BinaryOperatorKind kind =
      operation.isCompoundAssignmentOp()
          ? BinaryOperator::getOpForCompoundAssignment(operation.getOpcode())
          : operation.getOpcode();
  const Expr *left = operation.getLHS(), *right = operation.getRHS();
  if (operation.getType()->isRealFloatingType())
    return floating(kind, left, right);
  const bool isPointer = operation.getType()->isPointerType();
  switch (kind) {
  case BO_Add:
    return isPointer && left->getType()->isPointerType()
               ? of(left) + scaled(right, left)
           : isPointer ? of(right) + scaled(left, right)
                       : of(left) + of(right);
  case BO_Sub:
    if (left->getType()->isPointerType() && !isPointer)
      return std::nullopt;
    return of(left) - (isPointer ? scaled(right, left) : of(right));
  case BO_Mul:
    return of(left) * of(right);
  case BO_Shl: {
    Expr::EvalResult count;
    if (!right->EvaluateAsInt(count, Ast) ||
        count.Val.getInt().getLimitedValue() > 63)
      return std::nullopt;
    return of(left) << count.Val.getInt().getLimitedValue();
  }
  default:
    return std::nullopt;
  }
}

std::optional<Key> ValueKeys::floating(BinaryOperatorKind kind,
                                       const Expr *left, const Expr *right) {
  switch (kind) {
  case BO_Add:
    return added(of(left), of(right));
  case BO_Sub:
    return added(of(left), Key{0} - of(right));
  case BO_Mul:
    return multiplied(of(left), of(right));
  case BO_Div: {
    llvm::APFloat divisor(0.0), inverse(0.0);
    if (right->EvaluateAsFloat(divisor, Ast) &&
        divisor.getExactInverse(&inverse))
      return multiplied(of(left), constantKey(inverse));
    return divided(of(left), of(right));
  }
  default:
    return std::nullopt;
  }
}

/// In bytes, as elements may be looked at as others.
Key ValueKeys::scaled(const Expr *index, const Expr *pointer) {
  const QualType element = pointer->getType()->getPointeeType();
  const Key bytes =
      element->isIncompleteType() || element->isFunctionType()
          ? Key{1}
          : static_cast<Key>(Ast.getTypeSizeInChars(element).getQuantity());
  return of(index) * bytes;
}

Key ValueKeys::cast(const CastExpr &cast) {
  const Expr *from = cast.getSubExpr();
  switch (cast.getCastKind()) {
  case CK_ArrayToPointerDecay:
    return ofPlace(from);
  case CK_IntegralCast:
  case CK_FloatingCast:
  case CK_BitCast:
  case CK_AddressSpaceConversion:
    return of(from);
  default:
    return mix(Tag::Cast, static_cast<unsigned>(cast.getCastKind()),
               cast.getType().getCanonicalType().getTypePtr(), of(from));
  }
}

Key ValueKeys::call(const CallExpr &call) {
  const FunctionDecl *callee = call.getDirectCallee();
  if (viewsBits(callee))
    return of(call.getArg(0));
  Key key = isLibraryFunction(callee)
                ? mix(Tag::Call, libraryMeaning(callee->getName()))
                : mix(Tag::Call, callee ? callee->getCanonicalDecl() : nullptr);
  for (const Stmt *part : call.children())
    if (const auto *value = dyn_cast_or_null<Expr>(part);
        value && !(callee && value == call.getCallee()))
      key = mix(Tag::Call, key, of(value));
  if (const auto *member = dyn_cast<CXXMemberCallExpr>(&call))
    key = mix(Tag::Call, key, ofPlace(member->getImplicitObjectArgument()));
  return key;
}

Key ValueKeys::structure(const Stmt *value) {
  Key key = mix(Tag::Structure, static_cast<unsigned>(value->getStmtClass()),
                kindOf(value));
  bool isLeaf = true;
  for (const Stmt *part : value->children()) {
    if (!part)
      continue;
    isLeaf = false;
    const auto *operand = dyn_cast<Expr>(part);
    key = mix(Tag::Structure, key, operand ? of(operand) : structure(part));
  }
  if (!isLeaf)
    return key;
  llvm::FoldingSetNodeID id;
  value->Profile(id, Ast, /*Canonical=*/true);
  return mix(Tag::Structure, id.ComputeHash());
}

Key ValueKeys::ofVariable(const VarDecl &variable) const {
  return mix(Tag::Place, variable.getCanonicalDecl(),
             variable.hasLocalStorage() ? Instance : Key{0});
}

/// In bytes too.
Key ValueKeys::offset(const ValueDecl &member) const {
  const auto *field = dyn_cast<FieldDecl>(&member);
  return field && !field->isBitField() && !field->isInvalidDecl() &&
                 !field->getParent()->isDependentType()
             ? Key{Ast.getFieldOffset(field) / Ast.getCharWidth()}
             : mix(Tag::Field, &member);
}

Key ValueKeys::computePlace(const Expr *expression) {
  const Expr *place = sameValue(expression)->IgnoreParens();
  // A structure is what it is a copy of.
  if (place->getType()->isRecordType())
    if (const Source from = sourceOf(place);
        from.first != place && from.first->isGLValue())
      return compute(from.first, *from.second, &ValueKeys::computePlace);
  if (const VarDecl *variable = variableOf(place)) {
    ValueKeys &owner = ownerOf(*variable);
    if (variable->getType()->isReferenceType())
      if (const auto given = owner.valueOf(*variable))
        return compute(given->first, *given->second, &ValueKeys::computePlace);
    return owner.ofVariable(*variable);
  }
  if (const auto *element = dyn_cast<ArraySubscriptExpr>(place))
    return of(element->getBase()) +
           scaled(element->getIdx(), element->getBase());
  if (const auto *member = dyn_cast<MemberExpr>(place)) {
    const Key field = offset(*member->getMemberDecl());
    return field + (member->isArrow() ? of(member->getBase())
                                      : ofPlace(member->getBase()));
  }
  if (const auto *load = dyn_cast<UnaryOperator>(place);
      load && load->getOpcode() == UO_Deref)
    return of(load->getSubExpr());
  return structure(place);
}

} // namespace kfuse
