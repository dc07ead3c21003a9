//===- MemoryLocations.cpp - Where glvalues live --------------------------===//

#include "frontend/kernel/Executor.h"
#include "frontend/syntax/SourceRanges.h"
#include "frontend/syntax/ThreadCoordinates.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecordLayout.h"
#include "clang/Basic/SourceManager.h"

namespace kfuse {

using namespace clang;

namespace {

/// Returns the part of `aggregate` below `path`.
Value memberOf(const Value &aggregate, const std::string &path) {
  if (path.empty())
    return aggregate;
  if (auto member = aggregate.members.find(path);
      member != aggregate.members.end())
    return member->second;
  Value part;
  for (const auto &[name, value] : aggregate.members)
    if (name.size() > path.size() && name.compare(0, path.size(), path) == 0 &&
        name[path.size()] == '.') {
      part.kind = Value::Kind::Aggregate;
      part.members[name.substr(path.size())] = value;
    }
  return part;
}

void setMember(Value &aggregate, const std::string &path, const Value &value) {
  if (path.empty()) {
    aggregate = value;
    return;
  }
  aggregate.kind = Value::Kind::Aggregate;
  std::erase_if(aggregate.members, [&](const auto &member) {
    return member.first == path || member.first.starts_with(path + ".");
  });
  if (value.kind != Value::Kind::Aggregate) {
    aggregate.members[path] = value;
    return;
  }
  for (const auto &[name, member] : value.members)
    aggregate.members[path + name] = member;
}

} // namespace

Value unknownValue(QualType type, NotPolynomial why) {
  if (type->isIntegralOrEnumerationType())
    return integerValue(why);
  if (type->isPointerType())
    return pointerValue({});
  Value result;
  if (type->isRecordType())
    result.kind = Value::Kind::Aggregate;
  return result;
}

PointerState KernelExecutor::addressOf(const Place &place) const {
  switch (place.kind) {
  case Place::Kind::Memory: {
    PointerState result = place.pointer;
    const Polynomial offset(std::int64_t{place.offset});
    result.bytes = Arithmetic.add(result.bytes, offset);
    for (PointerTarget &target : result.targets)
      target.bytes = Arithmetic.add(target.bytes, offset);
    return result;
  }
  case Place::Kind::Variable:
    return place.pointer;
  case Place::Kind::Private:
  case Place::Kind::Temporary: {
    PointerState result;
    result.base = PointerBase::Private;
    return result;
  }
  case Place::Kind::Unknown:
    break;
  }
  return {};
}

Place KernelExecutor::pointee(const PointerState &pointer,
                              QualType type) const {
  Place result;
  switch (pointer.base) {
  case PointerBase::Global:
  case PointerBase::Choice:
    result.kind = Place::Kind::Memory;
    result.pointer = pointer;
    result.elementBytes = result.width = sizeOf(type);
    break;
  case PointerBase::Private:
    result.kind = Place::Kind::Private;
    break;
  case PointerBase::Variable:
    result.kind = Place::Kind::Variable;
    result.pointer = pointer;
    break;
  case PointerBase::Unknown:
    break;
  }
  return result;
}

std::uint32_t KernelExecutor::devicePointer(const VarDecl &variable) {
  const VarDecl *canonical = variable.getCanonicalDecl();
  if (auto known = DevicePointers.find(canonical);
      known != DevicePointers.end())
    return known->second;
  QualType element = variable.getType();
  while (const ArrayType *array = ast().getAsArrayType(element))
    element = array->getElementType();
  PointerParameter pointer;
  pointer.global = Context.deviceVariable(*canonical);
  pointer.element = describeElement(ast(), element);
  pointer.pointsToConst =
      element.isConstQualified() || variable.hasAttr<CUDAConstantAttr>();
  Result.pointers.push_back(std::move(pointer));
  const auto index = static_cast<std::uint32_t>(Result.pointers.size() - 1);
  DevicePointers.emplace(canonical, index);
  return index;
}

Place KernelExecutor::variablePlace(const VarDecl &variable) {
  Place result;
  const bool isShared =
      variable.hasAttr<CUDASharedAttr>() ||
      variable.getType().getAddressSpace() == LangAS::opencl_local;
  if (isShared) {
    if (isRecording() &&
        SharedVariables.insert(variable.getCanonicalDecl()).second) {
      note(KernelFeature::SharedAddress, variable.getSourceRange(),
           variable.getNameAsString());
      if (variable.getType()->isIncompleteType())
        Result.usesDynamicShared = true;
      else
        Result.staticSharedBytes += sizeOf(variable.getType());
    }
    result.kind = Place::Kind::Private;
    return result;
  }
  // Nothing writes to an OpenCL program's constant memory.
  if (variable.getType().getAddressSpace() == LangAS::opencl_constant &&
      !variable.getType()->isScalarType()) {
    result.kind = Place::Kind::Private;
    return result;
  }
  if (variable.hasGlobalStorage()) {
    if (variable.hasAttr<CUDADeviceAttr>() ||
        variable.hasAttr<CUDAConstantAttr>() ||
        variable.hasAttr<HIPManagedAttr>()) {
      // A device constant with a known value is as good as a literal.
      if (variable.getType().isConstQualified() && variable.hasInit() &&
          variable.getType()->isArithmeticType()) {
        result.kind = Place::Kind::Temporary;
        result.temporary =
            unknownValue(variable.getType(), NotPolynomial::Unsupported);
        if (const APValue *value = variable.evaluateValue();
            value && value->isInt() && value->getInt().isRepresentableByInt64())
          result.temporary =
              integerValue(Polynomial(value->getInt().getExtValue()));
        return result;
      }
      PointerState pointer;
      pointer.base = PointerBase::Global;
      pointer.pointer = devicePointer(variable);
      return pointee(pointer, variable.getType());
    }
    if (variable.getType().isConstQualified() || variable.isConstexpr()) {
      result.kind = Place::Kind::Temporary;
      result.temporary =
          unknownValue(variable.getType(), NotPolynomial::Unsupported);
      if (variable.getType()->isIntegralOrEnumerationType())
        if (const APValue *value = variable.evaluateValue();
            value && value->isInt() && value->getInt().isRepresentableByInt64())
          result.temporary =
              integerValue(Polynomial(value->getInt().getExtValue()));
      return result;
    }
    return result;
  }
  if (variable.getType()->isArrayType()) {
    result.kind = Place::Kind::Private;
    return result;
  }
  result.kind = Place::Kind::Variable;
  result.pointer.base = PointerBase::Variable;
  result.pointer.variable = &variable;
  return result;
}

Place KernelExecutor::memberPlace(const MemberExpr &member) {
  const auto *field = dyn_cast<FieldDecl>(member.getMemberDecl());
  if (!field) {
    if (const auto *variable = dyn_cast<VarDecl>(member.getMemberDecl())) {
      evaluate(member.getBase());
      return variablePlace(*variable);
    }
    return {};
  }
  const Expr *base = member.getBase();
  Place result;
  if (member.isArrow()) {
    const Value pointer = evaluate(base);
    result = pointee(pointer.pointer, base->getType()->getPointeeType());
  } else if (base->isGLValue()) {
    result = place(base);
  } else {
    result.kind = Place::Kind::Temporary;
    result.temporary = evaluate(base);
  }
  const std::string path = "." + field->getNameAsString();
  if (field->getType()->isReferenceType())
    return {};
  const bool isUnion =
      field->getParent()->isUnion() || field->isAnonymousStructOrUnion();
  switch (result.kind) {
  case Place::Kind::Variable:
    // Members of a union share their storage: not followed by name.
    if (isUnion || field->getType()->isArrayType() || field->isBitField())
      result.kind = Place::Kind::Private;
    else
      result.pointer.path += path;
    return result;
  case Place::Kind::Temporary:
    result.temporary = memberOf(result.temporary, path);
    if (result.temporary.kind == Value::Kind::Other)
      result.temporary =
          unknownValue(field->getType(), NotPolynomial::Unsupported);
    return result;
  case Place::Kind::Memory: {
    if (field->isBitField()) {
      result.isWhole = false;
      return result;
    }
    const ASTRecordLayout &layout =
        ast().getASTRecordLayout(field->getParent());
    result.offset += static_cast<std::uint32_t>(
        layout.getFieldOffset(field->getFieldIndex()) / 8);
    result.width = sizeOf(field->getType());
    return result;
  }
  case Place::Kind::Private:
  case Place::Kind::Unknown:
    return result;
  }
  return result;
}

Place KernelExecutor::place(const Expr *expression) {
  if (const auto *e = dyn_cast<ParenExpr>(expression))
    return place(e->getSubExpr());
  if (const auto *e = dyn_cast<FullExpr>(expression))
    return place(e->getSubExpr());
  if (const auto *e = dyn_cast<SubstNonTypeTemplateParmExpr>(expression))
    return place(e->getReplacement());
  if (const auto *e = dyn_cast<OpaqueValueExpr>(expression);
      e && e->getSourceExpr())
    return place(e->getSourceExpr());
  if (const auto *e = dyn_cast<MaterializeTemporaryExpr>(expression)) {
    Place result;
    result.kind = Place::Kind::Temporary;
    result.temporary = evaluate(e->getSubExpr());
    return result;
  }
  if (const auto *e = dyn_cast<DeclRefExpr>(expression)) {
    const auto *variable = dyn_cast<VarDecl>(e->getDecl());
    // A lambda that runs reads what it captures of the kernel's own functions
    // as it is then (evaluate()).
    if (!variable ||
        (e->refersToEnclosingVariableOrCapture() &&
         llvm::none_of(Frames, [&](const Frame &frame) {
           return variable->getDeclContext()->Equals(frame.function);
         })))
      return {};
    if (coordinatesIn(*variable) && (Frames.size() > 1 || Defaults != 0))
      note(KernelFeature::CoordinatesInCallee, e->getSourceRange(),
           Frames.back().function->getNameAsString());
    if (auto bound = References.find(variable); bound != References.end())
      return bound->second;
    if (variable->getType()->isReferenceType())
      return {};
    return variablePlace(*variable);
  }
  if (const auto *e = dyn_cast<MemberExpr>(expression))
    return memberPlace(*e);
  if (const auto *e = dyn_cast<ArraySubscriptExpr>(expression)) {
    const Value base = evaluate(e->getBase());
    const Value index = evaluate(e->getIdx());
    if (base.kind != Value::Kind::Pointer)
      return {}; // A component of a vector.
    return pointee(
        addToPointer(base, displacement(index.integer, e->getIdx()->getType()),
                     e->getType())
            .pointer,
        e->getType());
  }
  if (const auto *e = dyn_cast<UnaryOperator>(expression)) {
    if (e->getOpcode() == UO_Deref)
      return pointee(evaluate(e->getSubExpr()).pointer, e->getType());
    if (e->isIncrementDecrementOp()) {
      evaluate(e);
      return place(e->getSubExpr());
    }
    if (e->getOpcode() == UO_Extension)
      return place(e->getSubExpr());
  }
  if (const auto *e = dyn_cast<ExtVectorElementExpr>(expression);
      e && !e->isArrow()) {
    Place result = place(e->getBase());
    if (result.kind == Place::Kind::Memory)
      result.isWhole = false;
    else if (result.kind == Place::Kind::Variable)
      result.kind = Place::Kind::Private;
    return result;
  }
  if (const auto *e = dyn_cast<CastExpr>(expression)) {
    if (e->getCastKind() == CK_NoOp)
      return place(e->getSubExpr());
    if (e->getCastKind() == CK_LValueBitCast) {
      const Place inner = place(e->getSubExpr());
      if (inner.kind == Place::Kind::Variable) {
        // A store through the cast would leave the variable's value unknown.
        const VarDecl &variable = *inner.pointer.variable;
        Place hidden;
        if (Pinned.contains(&variable) || !holdsNumbers(variable.getType()))
          hidden.kind = Place::Kind::Private;
        return hidden;
      }
      return inner.kind == Place::Kind::Memory
                 ? pointee(addressOf(inner), e->getType())
                 : inner;
    }
    if (e->getSubExpr()->isGLValue())
      place(e->getSubExpr());
    else
      evaluate(e->getSubExpr());
    return {};
  }
  if (const auto *e = dyn_cast<BinaryOperator>(expression)) {
    evaluate(e->isCommaOp() ? e->getLHS() : e);
    return place(e->isCommaOp() ? e->getRHS() : e->getLHS());
  }
  if (const auto *e = dyn_cast<CallExpr>(expression)) {
    LastReturned = {};
    evaluateCall(*e);
    return LastReturned;
  }
  if (const auto *e = dyn_cast<InitListExpr>(expression);
      e && e->getNumInits() == 1 && e->getInit(0)->isGLValue())
    return place(e->getInit(0));
  if (const auto *e = dyn_cast<CompoundLiteralExpr>(expression))
    evaluate(e->getInitializer());
  if (isa<clang::StringLiteral, CompoundLiteralExpr, PredefinedExpr>(
          expression)) {
    Place result;
    result.kind = Place::Kind::Private;
    return result;
  }
  // Such as `c ? a : b` that isn't loaded: what it evaluates isn't known.
  giveUp(expression->getSourceRange());
  return {};
}

Value KernelExecutor::read(const Place &place, QualType type) {
  switch (place.kind) {
  case Place::Kind::Variable: {
    const PointerState &where = place.pointer;
    Value value = unknownValue(type, NotPolynomial::Unsupported);
    if (Pinned.contains(where.variable))
      return value;
    if (const Value *known = Current.variables.find(where.variable)) {
      Value member = memberOf(*known, where.path);
      if (member.kind != Value::Kind::Other)
        return member;
      value.loaded = member.loaded;
      return value;
    }
    // A constant that is only named, not executed, such as a captured one.
    if (const APValue *constant =
            where.path.empty() && where.variable->isConstexpr()
                ? where.variable->evaluateValue()
                : nullptr;
        constant && constant->isInt() &&
        constant->getInt().isRepresentableByInt64())
      return integerValue(Polynomial(constant->getInt().getExtValue()));
    return value;
  }
  case Place::Kind::Temporary:
    return place.temporary;
  case Place::Kind::Memory:
  case Place::Kind::Private:
  case Place::Kind::Unknown:
    break;
  }
  return unknownValue(type, NotPolynomial::Indirect);
}

void KernelExecutor::assign(const Place &place, const Value &value) {
  const bool isVariable = place.kind == Place::Kind::Variable;
  const VarDecl *variable = place.pointer.variable;
  if (!isVariable || variable->hasGlobalStorage() ||
      variable->getParentFunctionOrMethod() != Frames.back().function)
    ++Effects;
  if (!isVariable)
    return;
  Changed.insert(variable);
  setMember(Current.variables[variable], place.pointer.path, value);
}

} // namespace kfuse
