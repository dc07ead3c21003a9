//===- Expressions.cpp - Values of expressions ----------------------------===//

#include "frontend/kernel/Executor.h"
#include "frontend/kernel/Scan.h"
#include "frontend/kernel/resources/OperationCounts.h"
#include "frontend/syntax/SourceRanges.h"
#include "frontend/syntax/SourceVisitor.h"
#include "frontend/syntax/ThreadCoordinates.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/RecordLayout.h"

namespace kfuse {

using namespace clang;

Value integerValue(IndexExpr value) {
  Value result;
  result.kind = Value::Kind::Integer;
  result.integer = std::move(value);
  return result;
}

Value pointerValue(PointerState pointer) {
  Value result;
  result.kind = Value::Kind::Pointer;
  result.pointer = std::move(pointer);
  return result;
}

bool isGlobal(const PointerState &pointer) {
  return pointer.base == PointerBase::Global ||
         pointer.base == PointerBase::Choice;
}

/// Checks whether `expression` names a coordinate with a qualifier, which would
/// refer past the parameters of a stage.
static bool isQualified(const Expr &expression) {
  class Visitor : public SourceVisitor {
  public:
    bool isFound = false;
    bool VisitDeclRefExpr(DeclRefExpr *use) override {
      isFound |= use->hasQualifier();
      return true;
    }
  } visitor;
  visitor.TraverseStmt(const_cast<Expr *>(&expression));
  return visitor.isFound;
}

/// Evaluates a default argument or a member's initializer, whose text isn't the
/// caller's.
Value KernelExecutor::evaluateDefault(const Expr *expression) {
  ++Defaults;
  Value result = evaluate(expression);
  --Defaults;
  return result;
}

Value KernelExecutor::evaluate(const Expr *expression) {
  if (!expression || isOver(expression->getSourceRange()))
    return {};
  if (std::optional<Coordinate> coordinate = coordinateOf(expression)) {
    if (Frames.size() > 1 || Defaults != 0 || isQualified(*expression))
      note(KernelFeature::CoordinatesInCallee, expression->getSourceRange(),
           Frames.back().function->getNameAsString());
    else if (expression->getBeginLoc().isMacroID())
      note(KernelFeature::CoordinatesInMacro, expression->getSourceRange());
    return integerValue(Polynomial(Symbol{coordinate->kind, coordinate->axis}));
  }
  if (const auto *e = dyn_cast<ParenExpr>(expression))
    return evaluate(e->getSubExpr());
  if (const auto *e = dyn_cast<FullExpr>(expression))
    return evaluate(e->getSubExpr());
  if (const auto *e = dyn_cast<SubstNonTypeTemplateParmExpr>(expression))
    return evaluate(e->getReplacement());
  if (const auto *e = dyn_cast<CXXDefaultArgExpr>(expression))
    return evaluateDefault(e->getExpr());
  if (const auto *e = dyn_cast<CXXDefaultInitExpr>(expression))
    return evaluateDefault(e->getExpr());
  if (const auto *e = dyn_cast<CXXBindTemporaryExpr>(expression)) {
    if (endsInCode(e->getType()))
      giveUp(e->getSourceRange());
    return evaluate(e->getSubExpr());
  }
  if (const auto *e = dyn_cast<OpaqueValueExpr>(expression))
    return evaluate(e->getSourceExpr());
  if (const auto *e = dyn_cast<GenericSelectionExpr>(expression))
    return evaluate(e->getResultExpr());
  if (const auto *e = dyn_cast<CastExpr>(expression))
    return evaluateCast(*e);
  if (const auto *e = dyn_cast<UnaryOperator>(expression))
    return evaluateUnary(*e);
  if (const auto *e = dyn_cast<BinaryOperator>(expression))
    return evaluateBinary(*e);
  if (const auto *e = dyn_cast<AbstractConditionalOperator>(expression))
    return evaluateConditional(*e);
  if (const auto *e = dyn_cast<CallExpr>(expression))
    return evaluateCall(*e);
  if (const auto *e = dyn_cast<CXXConstructExpr>(expression))
    return evaluateConstruct(*e);
  if (const auto *e = dyn_cast<InitListExpr>(expression))
    return evaluateInitList(*e);
  if (const auto *e = dyn_cast<CompoundLiteralExpr>(expression);
      e && !e->isGLValue())
    return evaluate(e->getInitializer());
  if (const auto *e = dyn_cast<LambdaExpr>(expression)) {
    if (!isReadOnlyClosure(*e, *Frames.back().function->getBody()))
      giveUp(e->getSourceRange(), "a lambda whose captures may change");
    return {};
  }
  if (const auto *e = dyn_cast<StmtExpr>(expression))
    return evaluateStatements(*e);
  if (isa<CXXThisExpr>(expression)) {
    if (!Frames.back().object)
      return pointerValue({});
    return pointerValue(addressOf(*Frames.back().object));
  }
  if (isa<CXXNullPtrLiteralExpr, GNUNullExpr>(expression)) {
    PointerState null;
    null.base = PointerBase::Private;
    return pointerValue(null);
  }
  if (isa<ImplicitValueInitExpr, CXXScalarValueInitExpr>(expression)) {
    if (expression->getType()->isIntegralOrEnumerationType())
      return integerValue(Polynomial{});
    return {};
  }
  if (isa<FloatingLiteral, clang::StringLiteral, PredefinedExpr>(expression))
    return {};
  if (expression->isGLValue())
    return load(expression);
  if (expression->getType()->isIntegralOrEnumerationType() &&
      !expression->isValueDependent()) {
    Expr::EvalResult constant;
    if (expression->EvaluateAsInt(constant, ast()) &&
        constant.Val.getInt().getBitWidth() <= 64)
      return integerValue(Polynomial(static_cast<std::int64_t>(
          constant.Val.getInt().isUnsigned()
              ? constant.Val.getInt().getZExtValue()
              : constant.Val.getInt().getSExtValue())));
  }
  // Whatever it is, its effects aren't known.
  giveUp(expression->getSourceRange());
  return {};
}

Value KernelExecutor::evaluateCast(const CastExpr &cast) {
  const Expr *inner = cast.getSubExpr();
  switch (cast.getCastKind()) {
  case CK_LValueToRValue:
    return loadValue(inner);
  case CK_LValueToRValueBitCast:
    return load(inner);
  case CK_ArrayToPointerDecay:
    return pointerValue(addressOf(place(inner)));
  case CK_IntegralCast:
  case CK_BooleanToSignedIntegral:
    return convert(evaluate(inner), inner->getType(), cast.getType());
  case CK_IntegralToBoolean:
    return booleanValue(evaluateCondition(inner));
  case CK_PointerToBoolean:
  case CK_FloatingToBoolean:
    evaluate(inner);
    return integerValue(NotPolynomial::Unsupported);
  case CK_FloatingToIntegral:
    evaluate(inner);
    return integerValue(NotPolynomial::Floating);
  case CK_PointerToIntegral: {
    const Value value = evaluate(inner);
    if (isGlobal(value.pointer))
      note(KernelFeature::EscapingPointer, cast.getSourceRange());
    return integerValue(NotPolynomial::Unsupported);
  }
  case CK_IntegralToPointer:
    evaluate(inner);
    return pointerValue({});
  case CK_NullToPointer: {
    evaluate(inner);
    PointerState null;
    null.base = PointerBase::Private;
    return pointerValue(null);
  }
  case CK_IntegralToFloating:
  case CK_FloatingCast:
  case CK_ToVoid:
    evaluate(inner);
    return {};
  case CK_FunctionToPointerDecay:
  case CK_BuiltinFnToFnPtr:
    nameFunction(inner);
    return {};
  case CK_BitCast:
    if (!cast.isGLValue())
      return viewed(evaluate(inner), cast.getType());
    return load(&cast);
  case CK_NoOp:
  case CK_AddressSpaceConversion:
  case CK_ConstructorConversion:
  case CK_UserDefinedConversion:
    if (cast.isGLValue())
      return load(&cast);
    return evaluate(inner);
  case CK_VectorSplat:
    evaluate(inner);
    return {};
  default:
    evaluate(inner);
    if (cast.getType()->isPointerType())
      return pointerValue({});
    if (cast.getType()->isIntegralOrEnumerationType())
      return integerValue(NotPolynomial::Unsupported);
    return {};
  }
}

/// Gives up unless `function` is a mere name, which does nothing.
void KernelExecutor::nameFunction(const Expr *function) {
  const Expr *name = function->IgnoreParens();
  if (!isa<DeclRefExpr>(name) && !isa<UnresolvedLookupExpr>(name))
    giveUp(function->getSourceRange());
}

/// Views `pointer` as `type`. Its variable isn't followed as another type.
Value KernelExecutor::viewed(Value pointer, QualType type) {
  PointerState &state = pointer.pointer;
  if (pointer.kind != Value::Kind::Pointer ||
      state.base != PointerBase::Variable || !type->isPointerType() ||
      type->getPointeeType()->isVoidType() ||
      ast().hasSameUnqualifiedType(type->getPointeeType(),
                                   typeAt(*state.variable, state.path)))
    return pointer;
  state.base = holdsNumbers(state.variable->getType()) ? PointerBase::Unknown
                                                       : PointerBase::Private;
  return pointer;
}

Value KernelExecutor::addToPointer(const Value &pointer,
                                   const IndexExpr &elements,
                                   QualType pointee) const {
  Value result = pointer;
  result.loaded.reset();
  if (pointer.kind != Value::Kind::Pointer)
    return pointerValue({});
  if (pointer.pointer.base == PointerBase::Variable) {
    // Past a single variable only itself can be meant; anything else isn't
    // followed.
    const auto *offset = std::get_if<Polynomial>(&elements);
    if (!offset || !offset->isZero())
      result.pointer.base = PointerBase::Unknown;
    return result;
  }
  const IndexExpr bytes =
      Arithmetic.multiply(elements, Polynomial(std::int64_t{sizeOf(pointee)}));
  result.pointer.bytes = Arithmetic.add(pointer.pointer.bytes, bytes);
  for (PointerTarget &target : result.pointer.targets)
    target.bytes = Arithmetic.add(target.bytes, bytes);
  return result;
}

/// Adds `change` to `before` in the promoted `type`, and converts the sum back.
Value KernelExecutor::stepped(const Value &before, const Polynomial &change,
                              QualType type) {
  const QualType promoted = ast().isPromotableIntegerType(type)
                                ? ast().getPromotedIntegerType(type)
                                : type;
  return convert(arithmetic(BO_Add, convert(before, type, promoted),
                            integerValue(change), promoted),
                 promoted, type);
}

Value KernelExecutor::step(const UnaryOperator &operation) {
  const Expr *operand = operation.getSubExpr();
  const Place target = place(operand);
  const QualType type = operand->getType();
  const Value before = target.kind == Place::Kind::Memory
                           ? read(target, type)
                           : load(target, operand);
  const Polynomial one(operation.isIncrementOp() ? 1 : -1);
  Value after;
  if (type->isPointerType())
    after = addToPointer(before, one, type->getPointeeType());
  else if (type->isIntegralOrEnumerationType())
    after = stepped(before, one, type);
  else
    count(operationOn(type));
  update(target, after, operand, &operation, nullptr);
  return operation.isPrefix() ? after : before;
}

Value KernelExecutor::evaluateUnary(const UnaryOperator &operation) {
  const Expr *operand = operation.getSubExpr();
  switch (operation.getOpcode()) {
  case UO_PostInc:
  case UO_PostDec:
  case UO_PreInc:
  case UO_PreDec:
    return step(operation);
  case UO_AddrOf:
    if (operand->getType()->isFunctionType()) {
      nameFunction(operand);
      return {};
    }
    return pointerValue(addressOf(place(operand)));
  case UO_Deref:
    return load(&operation);
  case UO_Plus:
  case UO_Extension:
    return evaluate(operand);
  case UO_LNot: {
    const Branch branch = evaluateCondition(operand);
    return booleanValue({branch.whenFalse, branch.whenTrue});
  }
  case UO_Minus: {
    const Value value = evaluate(operand);
    if (value.kind != Value::Kind::Integer) {
      count(operationOn(operation.getType()));
      return {};
    }
    return integerValue(Arithmetic.subtract(Polynomial{}, value.integer));
  }
  case UO_Not: {
    const Value value = evaluate(operand);
    if (value.kind != Value::Kind::Integer)
      return {};
    // ~x is -x - 1 in two's complement.
    return integerValue(Arithmetic.subtract(Polynomial(-1), value.integer));
  }
  default:
    evaluate(operand);
    return {};
  }
}

/// Checks whether the difference of two pointers may lead from one array to
/// another.
static bool leadsAway(const PointerState &lhs, const PointerState &rhs) {
  const auto isKnown = [](const PointerState &pointer) {
    return pointer.base == PointerBase::Private ||
           pointer.base == PointerBase::Variable;
  };
  const bool isOne = lhs.base == PointerBase::Global &&
                     rhs.base == PointerBase::Global &&
                     lhs.pointer == rhs.pointer;
  return !isOne && !(isKnown(lhs) && isKnown(rhs));
}

Value KernelExecutor::evaluateBinary(const BinaryOperator &operation) {
  if (operation.isAssignmentOp())
    return evaluateAssignment(operation);
  if (operation.isComparisonOp() || operation.isLogicalOp())
    return booleanValue(evaluateCondition(&operation));
  const Expr *left = operation.getLHS();
  const Expr *right = operation.getRHS();
  if (operation.isCommaOp()) {
    evaluate(left);
    return evaluate(right);
  }
  if (operation.isPtrMemOp()) {
    giveUp(operation.getSourceRange());
    return {};
  }
  const Value lhs = evaluate(left);
  Value rhs = evaluate(right);
  if (left->getType()->isPointerType() && right->getType()->isPointerType()) {
    if (leadsAway(lhs.pointer, rhs.pointer))
      note(KernelFeature::EscapingPointer, operation.getSourceRange());
    return integerValue(NotPolynomial::Unsupported);
  }
  if (left->getType()->isPointerType() || right->getType()->isPointerType()) {
    const bool leftIsPointer = left->getType()->isPointerType();
    const Value &pointer = leftIsPointer ? lhs : rhs;
    IndexExpr offset = displacement(leftIsPointer ? rhs.integer : lhs.integer,
                                    (leftIsPointer ? right : left)->getType());
    if (operation.getOpcode() == BO_Sub)
      offset = Arithmetic.subtract(Polynomial{}, offset);
    return addToPointer(pointer, offset, operation.getType()->getPointeeType());
  }
  if (operation.isShiftOp())
    rhs.integer = exactly(rhs.integer, right->getType());
  return arithmetic(operation.getOpcode(), lhs, rhs, operation.getType());
}

Value KernelExecutor::evaluateAssignment(const BinaryOperator &operation) {
  const Expr *left = operation.getLHS();
  const Expr *right = operation.getRHS();
  const QualType type = left->getType();
  Value value = evaluate(right);
  const Place target = place(left);
  if (operation.getOpcode() == BO_Assign) {
    store(target, value, left, &operation, right);
    return value;
  }
  const Value before = target.kind == Place::Kind::Memory ? read(target, type)
                                                          : load(target, left);
  const auto &compound = cast<CompoundAssignOperator>(operation);
  const BinaryOperatorKind opcode =
      BinaryOperator::getOpForCompoundAssignment(operation.getOpcode());
  if (type->isPointerType()) {
    IndexExpr offset = displacement(value.integer, right->getType());
    if (opcode == BO_Sub)
      offset = Arithmetic.subtract(Polynomial{}, offset);
    value = addToPointer(before, offset, type->getPointeeType());
  } else {
    if (compound.isShiftAssignOp())
      value.integer = exactly(value.integer, right->getType());
    const QualType computed = compound.getComputationResultType();
    value = convert(
        arithmetic(opcode,
                   convert(before, type, compound.getComputationLHSType()),
                   value, computed),
        computed, type);
    if (type->isIntegralOrEnumerationType() &&
        !computed->isIntegralOrEnumerationType())
      value = integerValue(NotPolynomial::Floating);
  }
  update(target, value, left, &operation, right);
  return value;
}

Value KernelExecutor::evaluateConditional(
    const AbstractConditionalOperator &select) {
  const Branch branch = evaluateCondition(select.getCond());
  const Value whenTrue = underGuard(
      branch.whenTrue, [&] { return evaluate(select.getTrueExpr()); });
  const Value whenFalse = underGuard(
      branch.whenFalse, [&] { return evaluate(select.getFalseExpr()); });
  return joinValues(selectionBy(branch), whenTrue, whenFalse);
}

/// Evaluates GNU's `({ ...; value; })`, as macros for min and max are written.
Value KernelExecutor::evaluateStatements(const StmtExpr &block) {
  Value result;
  for (const Stmt *statement : block.getSubStmt()->body())
    if (const auto *last = dyn_cast<Expr>(statement);
        last && statement == block.getSubStmt()->body_back())
      result = last->isGLValue() ? load(last) : evaluate(last);
    else
      execute(statement);
  return result;
}

} // namespace kfuse
