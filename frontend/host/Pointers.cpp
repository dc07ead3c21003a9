//===- Pointers.cpp - Places and pointers of the host ---------------------===//

#include "frontend/api/Callees.h"
#include "frontend/api/OpenClCalls.h"
#include "frontend/host/Scan.h"
#include "frontend/host/Values.h"
#include "frontend/syntax/Lvalues.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

namespace kfuse {

using namespace clang;

namespace {

bool isDeviceVariable(const VarDecl &variable) {
  return variable.hasAttr<CUDADeviceAttr>() ||
         variable.hasAttr<CUDAConstantAttr>() ||
         variable.hasAttr<HIPManagedAttr>();
}

const Expr &strip(const Expr &expression) {
  const Expr *result = expression.IgnoreParens();
  while (true) {
    const Expr *inner = result;
    if (const auto *cleanups = dyn_cast<ExprWithCleanups>(result))
      inner = cleanups->getSubExpr();
    else if (const auto *temporary = dyn_cast<MaterializeTemporaryExpr>(result))
      inner = temporary->getSubExpr();
    else if (const auto *bound = dyn_cast<CXXBindTemporaryExpr>(result))
      inner = bound->getSubExpr();
    else if (const auto *argument = dyn_cast<CXXDefaultArgExpr>(result))
      inner = argument->getExpr();
    else if (const auto *replaced =
                 dyn_cast<SubstNonTypeTemplateParmExpr>(result))
      inner = replaced->getReplacement();
    else if (const Expr *bound = boundBy(*result))
      inner = bound;
    inner = inner->IgnoreParens();
    if (inner == result)
      return *result;
    result = inner;
  }
}

/// Returns what the expression copies (or moves) member by member, or nullptr.
const Expr *copiedBy(const Expr &expression) {
  if (const auto *construct = dyn_cast<CXXConstructExpr>(&expression))
    if (construct->getConstructor()->isCopyOrMoveConstructor() &&
        construct->getConstructor()->isTrivial() &&
        construct->getNumArgs() == 1)
      return construct->getArg(0);
  if (const auto *cast = dyn_cast<CastExpr>(&expression))
    if (cast->getCastKind() == CK_NoOp ||
        cast->getCastKind() == CK_ConstructorConversion ||
        cast->getCastKind() == CK_LValueToRValue)
      return cast->getSubExpr();
  return nullptr;
}

} // namespace

std::optional<HostPlace> HostReader::element(const HostPlace &array,
                                             const Expr &index) {
  Polynomial value = integer(index);
  std::optional<std::int64_t> constant = value.asConstant();
  std::string spelled =
      constant ? "[" + std::to_string(*constant) : "[?" + print(value);
  return HostPlace{array.base, array.path + spelled + "]"};
}

/// Returns the place `*pointer`, if the pointer is read from a place.
std::optional<HostPlace> HostReader::pointee(const Expr &pointer) {
  const auto *load = dyn_cast<ImplicitCastExpr>(pointer.IgnoreParens());
  if (const Frame::Variable *argument =
          bound(load ? *load->getSubExpr() : pointer))
    return within(argument->where,
                  [&] { return pointee(*argument->expression); });
  if (!load || load->getCastKind() != CK_LValueToRValue)
    return std::nullopt;
  std::optional<HostPlace> source = place(*load->getSubExpr());
  if (!source)
    return std::nullopt;
  return HostPlace{source->base, source->path + "->"};
}

std::optional<HostPlace> HostReader::place(const Expr &lvalue) {
  const Expr &expression = strip(lvalue);
  if (expression.getType().isVolatileQualified())
    return std::nullopt;
  if (const auto *name = dyn_cast<DeclRefExpr>(&expression)) {
    const auto *variable = dyn_cast<VarDecl>(name->getDecl());
    if (!variable || isDeviceVariable(*variable))
      return std::nullopt;
    if (const Frame::Variable *argument = bound(expression)) {
      const Expr *source = &strip(*argument->expression);
      while (const Expr *copied = copiedBy(*source))
        source = &strip(*copied);
      return within(argument->where, [&] { return place(*source); });
    }
    if (!variable->getType()->isReferenceType())
      return HostPlace{Model.variable(*variable), {}};
    if (variable->isLocalVarDecl() && variable->getInit()) {
      if (auto known = place(*variable->getInit()))
        return known;
      shareMentioned(*variable->getInit());
    }
    // Any memory: known until something is stored that may be there.
    Model.markShared(*variable);
    return HostPlace{Model.variable(*variable), "->"};
  }
  if (const auto *member = dyn_cast<MemberExpr>(&expression)) {
    const auto *field = dyn_cast<FieldDecl>(member->getMemberDecl());
    if (!field) {
      const auto *variable = dyn_cast<VarDecl>(member->getMemberDecl());
      return variable && !isDeviceVariable(*variable)
                 ? std::optional(HostPlace{Model.variable(*variable), {}})
                 : std::nullopt;
    }
    if (field->getParent()->isUnion() || !field->getDeclName() ||
        field->getType()->isReferenceType())
      return std::nullopt;
    const Expr *object = member->getBase()->IgnoreParens();
    if (isa<CXXThisExpr>(object->IgnoreParenImpCasts())) {
      if (!Current || Current->isOurObject)
        return HostPlace{Model.variable(*field), {}};
      if (!Current->object)
        return std::nullopt;
      return HostPlace{Current->object->base,
                       Current->object->path + "." + field->getNameAsString()};
    }
    std::optional<HostPlace> base = member->isArrow()
                                        ? pointee(*object)
                                        : place(*object->IgnoreParenImpCasts());
    if (!base)
      return std::nullopt;
    base->path += "." + field->getNameAsString();
    return base;
  }
  if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(&expression)) {
    const Expr *array = subscript->getBase()->IgnoreParenImpCasts();
    std::optional<HostPlace> base = array->getType()->isArrayType()
                                        ? place(*array)
                                        : pointee(*subscript->getBase());
    return base ? element(*base, *subscript->getIdx()) : std::nullopt;
  }
  if (const auto *call = dyn_cast<CXXOperatorCallExpr>(&expression)) {
    const auto *method =
        dyn_cast_or_null<CXXMethodDecl>(call->getDirectCallee());
    if (!method || !isElementAccess(*method) || call->getNumArgs() != 2)
      return std::nullopt;
    std::optional<HostPlace> object = place(*call->getArg(0));
    // An element that isn't there yet is made, and no other moves.
    if (const auto word = object ? writtenKey(*call->getArg(1)) : std::nullopt)
      return HostPlace{object->base, object->path + ".data()->[" + *word + "]"};
    return object ? element({object->base, object->path + ".data()->"},
                            *call->getArg(1))
                  : std::nullopt;
  }
  if (const auto *call = dyn_cast<CallExpr>(&expression))
    return call->isLValue()
               ? inHelper<std::optional<HostPlace>>(
                     *call, [&](const Expr &body) { return place(body); })
                     .value_or(std::nullopt)
               : std::nullopt;
  if (const auto *unary = dyn_cast<UnaryOperator>(&expression))
    if (unary->getOpcode() == UO_Deref)
      return pointee(*unary->getSubExpr());
  if (const auto *cast = dyn_cast<CastExpr>(&expression))
    if (cast->getCastKind() == CK_NoOp && cast->isLValue())
      return place(*cast->getSubExpr());
  return std::nullopt;
}

void HostReader::escapeMentioned(const Stmt &expression) {
  const auto *value = dyn_cast<Expr>(&expression);
  if (value && Borrowings.count(value) != 0)
    return;
  const auto escapeAt = [this](const HostPlace &source) {
    if (std::optional<ObjectId> held = Env.knownPointer(source))
      Model.escape(*held);
  };
  if (value && value->isLValue())
    if (std::optional<HostPlace> source = place(*value)) {
      if (value->getType()->isAnyPointerType())
        escapeAt(*source);
      if (value->getType()->isRecordType())
        for (const RecordLeaf &leaf : recordLeaves(value->getType()))
          escapeAt({source->base, source->path + leaf.path});
    }
  for (const Stmt *child : expression.children())
    if (child)
      escapeMentioned(*child);
}

HostPointer HostReader::unknownPointer(const Expr &expression) {
  escapeMentioned(expression);
  return {Model.unknownObject(text(expression), expression.getType()),
          Polynomial{}};
}

HostPointer HostReader::displaced(const HostPointer &pointer, const Expr &index,
                                  QualType element, bool isNegative) {
  HostPointer result = pointer;
  const auto *offset = std::get_if<Polynomial>(&pointer.offset);
  std::int64_t size = 1;
  if (!element->isVoidType() && !element->isFunctionType()) {
    if (element->isIncompleteType() || element->isDependentType()) {
      result.offset = NotPolynomial::Unsupported;
      return result;
    }
    size = Model.ast.getTypeSizeInChars(element).getQuantity();
  }
  // Adding an unsigned number to a pointer isn't modular in its width.
  Polynomial count = exact(index);
  std::optional<Polynomial> bytes =
      multiply(count, Polynomial(isNegative ? -size : size));
  std::optional<Polynomial> sum;
  if (offset && bytes)
    sum = add(*offset, *bytes);
  if (sum)
    result.offset = *sum;
  else
    result.offset = NotPolynomial::Overflow;
  return result;
}

HostPointer HostReader::addressOf(const Expr &lvalue) {
  const Expr &expression = strip(lvalue);
  if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(&expression))
    return changesNames(expression)
               ? unknownPointer(expression)
               : displaced(pointer(*subscript->getBase()), *subscript->getIdx(),
                           expression.getType(), false);
  if (const auto *unary = dyn_cast<UnaryOperator>(&expression))
    if (unary->getOpcode() == UO_Deref)
      return pointer(*unary->getSubExpr());
  if (const auto *name = dyn_cast<DeclRefExpr>(&expression)) {
    if (const auto *variable = dyn_cast<VarDecl>(name->getDecl())) {
      if (isDeviceVariable(*variable))
        return {Model.deviceVariable(*variable), Polynomial{}};
      if (!variable->getType()->isReferenceType())
        return {Model.hostObject(), Polynomial{}};
    }
    return unknownPointer(expression);
  }
  if (const auto *member = dyn_cast<MemberExpr>(&expression)) {
    const Expr &object = *member->getBase();
    HostPointer base = member->isArrow() ? pointer(object) : addressOf(object);
    base.offset = NotPolynomial::Unsupported;
    return base;
  }
  if (isa<StringLiteral>(expression))
    return {Model.hostObject(), Polynomial{}};
  if (const auto *cast = dyn_cast<CastExpr>(&expression))
    if (cast->getCastKind() == CK_NoOp && cast->isLValue())
      return addressOf(*cast->getSubExpr());
  return unknownPointer(expression);
}

HostPointer HostReader::pointerCast(const CastExpr &cast) {
  const Expr &operand = *cast.getSubExpr();
  switch (cast.getCastKind()) {
  case CK_UserDefinedConversion:
    return pointer(operand);
  case CK_LValueToRValue:
    if (const Frame::Variable *variable = bound(operand))
      if (variable->data &&
          std::holds_alternative<HostPointer>(*variable->data))
        return std::get<HostPointer>(*variable->data);
    if (std::optional<HostPlace> source = place(operand))
      return Env.readPointer(*source, cast.getType(), text(operand));
    if (const auto held = boundMember(operand, cast.getType());
        held && std::holds_alternative<HostPointer>(*held))
      return std::get<HostPointer>(*held);
    if (isa<ConditionalOperator>(strip(operand)))
      return pointer(operand);
    return unknownPointer(operand);
  case CK_ArrayToPointerDecay:
    return addressOf(operand);
  case CK_NullToPointer:
  case CK_FunctionToPointerDecay:
    return {Model.hostObject(), Polynomial{}};
  case CK_BitCast:
  case CK_NoOp:
  case CK_AddressSpaceConversion:
    return operand.getType()->isAnyPointerType() ? pointer(operand)
                                                 : unknownPointer(cast);
  default:
    return unknownPointer(cast);
  }
}

HostPointer HostReader::pointer(const Expr &raw) {
  const Expr &expression = strip(raw);
  if (Depth > DepthLimit || expression.isValueDependent() ||
      expression.isTypeDependent() || expression.containsErrors())
    return unknownPointer(expression);
  if (expression.isLValue() && expression.getType()->isAnyPointerType() &&
      !isa<ConditionalOperator>(expression)) {
    if (std::optional<HostPlace> source = place(expression))
      return Env.readPointer(*source, expression.getType(), text(expression));
    return unknownPointer(expression);
  }
  if (expression.getType()->isArrayType())
    return addressOf(expression);
  if (const auto *cast = dyn_cast<CastExpr>(&expression))
    return pointerCast(*cast);
  if (const auto *unary = dyn_cast<UnaryOperator>(&expression)) {
    if (unary->getOpcode() == UO_AddrOf)
      return addressOf(*unary->getSubExpr());
    return unknownPointer(expression);
  }
  if (const auto *operation = dyn_cast<BinaryOperator>(&expression)) {
    const Expr &lhs = *operation->getLHS(), &rhs = *operation->getRHS();
    if (operation->getOpcode() == BO_Assign)
      return pointer(rhs);
    if (changesNames(expression))
      return unknownPointer(expression);
    if (operation->getOpcode() == BO_Comma)
      return pointer(rhs);
    bool isSum = operation->getOpcode() == BO_Add;
    if (!isSum && operation->getOpcode() != BO_Sub)
      return unknownPointer(expression);
    QualType element = expression.getType()->getPointeeType();
    return lhs.getType()->isAnyPointerType()
               ? displaced(pointer(lhs), rhs, element, !isSum)
               : displaced(pointer(rhs), lhs, element, false);
  }
  if (const auto *choice = dyn_cast<ConditionalOperator>(&expression)) {
    if (changesNames(expression))
      return unknownPointer(expression);
    HostPointer one = pointer(*choice->getTrueExpr());
    HostPointer two = pointer(*choice->getFalseExpr());
    if (one == two)
      return one;
    if (one.object == two.object)
      return {one.object, NotPolynomial::Unsupported};
    return {Model.merge(text(expression), {one.object, two.object}),
            Polynomial{}};
  }
  if (isa<CXXNewExpr>(expression) || isa<CXXNullPtrLiteralExpr>(expression) ||
      isa<CXXThisExpr>(expression) || isa<ImplicitValueInitExpr>(expression))
    return {Model.hostObject(), Polynomial{}};
  if (const auto *list = dyn_cast<InitListExpr>(&expression))
    return list->getNumInits() == 1
               ? pointer(*list->getInit(0))
               : HostPointer{Model.hostObject(), Polynomial{}};
  if (const auto *method = dyn_cast<CXXMemberCallExpr>(&expression)) {
    const CXXMethodDecl *callee = method->getMethodDecl();
    if (callee && isGetter(*callee))
      if (std::optional<HostPlace> object =
              place(*method->getImplicitObjectArgument()))
        return Env.readPointer(
            {object->base,
             object->path + "." + callee->getNameAsString() + "()"},
            expression.getType(), text(expression));
  }
  if (const auto *call = dyn_cast<CallExpr>(&expression)) {
    if (const auto address = deviceAddress(expression, expression.getType()))
      return *address;
    if (auto value = inHelper<HostPointer>(
            *call, [&](const Expr &body) { return pointer(body); }))
      return *value;
    if (const std::optional<ObjectId> storage = result(*call))
      return {*storage, Polynomial{}};
    if (const FunctionDecl *callee = call->getDirectCallee())
      for (const char *name :
           {"malloc", "calloc", "fopen", "strdup", "getenv", "aligned_alloc"})
        if (plainName(*callee) == name &&
            isSystem(*callee, Model.files.sources()))
          return {Model.hostObject(), Polynomial{}};
  }
  return unknownPointer(expression);
}

void HostReader::setResult(const Expr &call, ObjectId storage) {
  Results.insert_or_assign(&call, storage);
}

std::optional<ObjectId> HostReader::result(const Expr &call) const {
  const auto found = Results.find(&call);
  return found == Results.end() ? std::nullopt : std::optional(found->second);
}

HostData HostReader::data(const Expr &expression) {
  if (expression.getType()->isAnyPointerType() ||
      expression.getType()->isArrayType() ||
      expression.getType()->isNullPtrType())
    return pointer(expression);
  return integer(expression);
}

/// Returns the member `path` of `cl::NDRange(x, y)`, which has as many
/// dimensions as sizes.
Polynomial HostReader::ofRange(const CXXConstructExpr &range,
                               const std::string &path) {
  const unsigned dimensions = range.getNumArgs();
  for (unsigned axis = 0; axis < dimensions; ++axis)
    if (path == rangePath(axis))
      return integer(*range.getArg(axis));
  return path == RangeDimensions ? Polynomial(dimensions) : Polynomial(1);
}

HostData HostReader::member(const Expr &raw, const std::string &path,
                            QualType type) {
  const Expr &expression = strip(raw);
  auto read = [&](const HostPlace &source) -> HostData {
    std::string name = text(expression) + shownPath(path);
    if (type->isAnyPointerType())
      return Env.readPointer(source, type, name);
    return Env.readInteger(source, name, type);
  };
  if (path.empty())
    return data(expression);
  if (!expression.containsErrors() && !expression.isValueDependent()) {
    if (expression.isLValue())
      if (std::optional<HostPlace> source = place(expression))
        return read({source->base, source->path + path});
    if (const Frame::Variable *variable = bound(expression))
      return within(variable->where,
                    [&] { return member(*variable->expression, path, type); });
    if (const Expr *source = copiedBy(expression))
      return member(*source, path, type);
    if (const auto *call = dyn_cast<CallExpr>(&expression))
      if (auto value = inHelper<HostData>(*call, [&](const Expr &body) {
            return member(body, path, type);
          }))
        return *value;
    if (const auto *cast = dyn_cast<CXXFunctionalCastExpr>(&expression))
      return member(*cast->getSubExpr(), path, type);
    const auto *construct = dyn_cast<CXXConstructExpr>(&expression);
    const auto made = construct ? result(*construct) : std::nullopt;
    if (made && path == HandlePath)
      return HostPointer{*made, Polynomial{}};
    if (changesNames(expression))
      return unknownMember(expression, path, type);
    if (construct && openClClass(expression.getType()) == "NDRange")
      return ofRange(*construct, path);
    const auto *record = expression.getType()->getAsCXXRecordDecl();
    bool isDim3 =
        record && record->getIdentifier() && record->getName() == "dim3";
    if (construct && isDim3 && path.size() == 2) {
      auto axis = static_cast<unsigned>(path[1] - 'x');
      if (axis < construct->getNumArgs() &&
          construct->getArg(axis)->getType()->isIntegralOrEnumerationType())
        return integer(*construct->getArg(axis));
      if (construct->getNumArgs() == 0 || axis >= construct->getNumArgs())
        return Polynomial(1);
    }
    if (const auto *list = dyn_cast<InitListExpr>(&expression);
        list && record && list->isSemanticForm() &&
        record->getNumBases() == 0) {
      std::size_t end = path.find('.', 1);
      std::string name = path.substr(
          1, end == std::string::npos ? std::string::npos : end - 1);
      for (const FieldDecl *field : record->fields())
        if (field->getNameAsString() == name &&
            field->getFieldIndex() < list->getNumInits())
          return member(*list->getInit(field->getFieldIndex()),
                        end == std::string::npos ? "" : path.substr(end), type);
    }
  }
  return unknownMember(expression, path, type);
}

/// Returns an unknown value for the member at `path`. A pointer may be any that
/// `expression` mentions, so all of them escape.
HostData HostReader::unknownMember(const Expr &expression,
                                   const std::string &path, QualType type) {
  escapeMentioned(expression);
  if (type->isAnyPointerType())
    return HostPointer{
        Model.unknownObject(text(expression) + shownPath(path), type),
        Polynomial{}};
  return Model.unknown();
}

std::array<Polynomial, 3> HostReader::extent(const Expr &shape) {
  std::array<Polynomial, 3> result;
  const char *const axes[] = {".x", ".y", ".z"};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (shape.getType()->isIntegralOrEnumerationType()) {
      result[axis] = axis == 0 ? integer(shape) : Polynomial(1);
      continue;
    }
    HostData value = member(shape, axes[axis], Model.ast.UnsignedIntTy);
    const auto *number = std::get_if<Polynomial>(&value);
    result[axis] = number ? *number : Model.unknown();
  }
  return result;
}

} // namespace kfuse
