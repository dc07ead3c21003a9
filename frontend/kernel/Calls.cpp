//===- Calls.cpp - Calls in device code -----------------------------------===//
//
// What a callee means is known by its name for CUDA's own functions; functions
// with visible bodies are executed in place; scalar functions of the system are
// pure. Nothing is known of anything else.
//
//===----------------------------------------------------------------------===//

#include "frontend/kernel/Executor.h"
#include "frontend/kernel/resources/OperationCounts.h"
#include "frontend/syntax/KnownFunctions.h"
#include "frontend/syntax/SourceRanges.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/Builtins.h"
#include "llvm/ADT/StringSwitch.h"

namespace kfuse {

using namespace clang;

namespace {

enum class CallMeaning : std::uint8_t {
  Ordinary,
  Barrier,
  Fence,
  Warp,
  Load,
  Store,
  Atomic,
  Print,
  Assertion,
  Clock,
  Allocation,
  Texture,
  Minimum,
  Maximum,
  Absolute,
  Multiply24,
  Coordinate,      ///< of OpenCL: `get_global_id(0)`
  Collective,      ///< by a sub-group, the whole work-group or a cluster
  WritesArguments, ///< `sincos(x, &s, &c)`: scalars through pointers
};

CallMeaning meaningOf(llvm::StringRef name) {
  using enum CallMeaning;
  const CallMeaning exact =
      llvm::StringSwitch<CallMeaning>(name)
          .Cases("__syncthreads", "__syncthreads_count", "__syncthreads_and",
                 "__syncthreads_or", "barrier", "work_group_barrier", Barrier)
          .Cases("__threadfence", "__threadfence_block", "__threadfence_system",
                 "mem_fence", "read_mem_fence", "write_mem_fence", Fence)
          .Cases("__syncwarp", "__activemask", "__all", "__any", "__ballot",
                 Warp)
          .Cases("__ldg", "__ldcg", "__ldca", "__ldcs", "__ldlu", "__ldcv",
                 Load)
          .Cases("__stwb", "__stcg", "__stcs", "__stwt", Store)
          .Cases("printf", "vprintf", "puts", "putchar", Print)
          .Cases("__assert_fail", "__assertfail", "__trap", "__brkpt", "abort",
                 Assertion)
          .Cases("clock", "clock64", "globaltimer", "__nanosleep",
                 "__globaltimer", Clock)
          .Cases("malloc", "free", "__nv_malloc", "alloca", "__builtin_alloca",
                 Allocation)
          .Cases("min", "umin", "llmin", "ullmin", Minimum)
          .Cases("max", "umax", "llmax", "ullmax", Maximum)
          .Cases("abs", "labs", "llabs", Absolute)
          .Cases("__mul24", "__umul24", "mul24", Multiply24)
          .Cases("sincos", "sincosf", "sincospi", "sincospif", "__sincosf",
                 "modf", "modff", "frexp", "frexpf", WritesArguments)
          .Cases("remquo", "remquof", WritesArguments)
          .Cases("get_global_id", "get_local_id", "get_group_id",
                 "get_global_size", "get_local_size", "get_num_groups",
                 "get_global_offset", Coordinate)
          .Cases("get_local_linear_id", "get_global_linear_id", Coordinate)
          .Cases("get_work_dim", "get_enqueued_local_size", Collective)
          .Default(Ordinary);
  if (exact != Ordinary)
    return exact;
  if (name.starts_with("atomic"))
    return Atomic;
  if (name.starts_with("work_group_") || name.contains("sub_group") ||
      name.starts_with("__cluster") || name.starts_with("__barrier_sync"))
    return Collective;
  if (name.starts_with("__shfl") || name.starts_with("__match_") ||
      name.starts_with("__reduce_") ||
      (name.starts_with("__") && name.ends_with("_sync")))
    return Warp;
  if (name.starts_with("tex1D") || name.starts_with("tex2D") ||
      name.starts_with("tex3D") || name.starts_with("texCubemap") ||
      name.starts_with("surf1D") || name.starts_with("surf2D") ||
      name.starts_with("surf3D") || name.starts_with("read_image") ||
      name.starts_with("write_image"))
    return Texture;
  return Ordinary;
}

bool isCudaFunction(const FunctionDecl &function, FileTable &files) {
  const DeclContext *context = function.getDeclContext();
  const bool isFree = context->isTranslationUnit() ||
                      context->isExternCContext() || context->isStdNamespace();
  return isFree && (function.getBuiltinID() != 0 || !function.hasBody() ||
                    files.isInSystemHeader(function.getLocation()));
}

/// Checks whether the compiler declares `function`, in as many variants as the
/// program uses.
bool isOpenClBuiltin(const FunctionDecl &function) {
  const auto *overloadable = function.getAttr<OverloadableAttr>();
  return overloadable && overloadable->isImplicit() && !function.hasBody() &&
         function.getASTContext().getLangOpts().OpenCL;
}

/// Checks that `function` can't touch memory: it handles plain values only.
bool isScalarFunction(const FunctionDecl &function) {
  auto isPlain = [](QualType type) {
    if (type->isReferenceType())
      return type->getPointeeType().isConstQualified() &&
             !type->getPointeeType()->isPointerType();
    if (type->isPointerType())
      return false;
    return type->isArithmeticType() || type->isEnumeralType() ||
           type->isVectorType() || type->isRecordType();
  };
  const QualType result = function.getReturnType();
  return !isa<CXXMethodDecl>(function) && !result->isVoidType() &&
         !result->isReferenceType() && isPlain(result) &&
         !function.isVariadic() &&
         std::all_of(function.param_begin(), function.param_end(),
                     [&](const ParmVarDecl *parameter) {
                       return isPlain(parameter->getType());
                     });
}

} // namespace

void KernelExecutor::clobber(const Value &argument, const Expr *expression,
                             bool mayWrite) {
  if (argument.kind == Value::Kind::Aggregate) {
    for (const auto &[path, member] : argument.members)
      clobber(member, expression, mayWrite);
    return;
  }
  if (argument.kind != Value::Kind::Pointer)
    return;
  const PointerState &pointer = argument.pointer;
  ++Effects;
  if (pointer.base == PointerBase::Variable) {
    if (Value &value = Current.variables[pointer.variable];
        mayWrite && !Pinned.contains(pointer.variable)) {
      Changed.insert(pointer.variable);
      value = joinValues({}, value, {});
    }
    return;
  }
  if (!isGlobal(pointer))
    return;
  QualType type = expression->getType();
  if (type->isPointerType())
    type = type->getPointeeType();
  Place anywhere;
  anywhere.kind = Place::Kind::Memory;
  anywhere.pointer = pointer;
  anywhere.pointer.bytes = NotPolynomial::Call;
  for (PointerTarget &target : anywhere.pointer.targets)
    target.bytes = NotPolynomial::Call;
  anywhere.elementBytes = anywhere.width =
      std::max<std::uint32_t>(1, sizeOf(type));
  for (AccessKind kind : {AccessKind::Read, AccessKind::Write})
    if (kind == AccessKind::Read || mayWrite)
      if (Access *access =
              record(kind, AccessForm::Other, anywhere, expression))
        access->editable = false;
}

Value KernelExecutor::unknownCall(const CallExpr &call, llvm::StringRef name) {
  note(KernelFeature::UnknownCall, call.getSourceRange(), name.str());
  giveUp(call.getSourceRange());
  for (const Expr *argument : call.arguments()) {
    if (argument->isGLValue()) {
      const Place where = place(argument);
      clobber(pointerValue(addressOf(where)), argument, /*mayWrite=*/true);
    } else {
      clobber(evaluate(argument), argument, /*mayWrite=*/true);
    }
  }
  if (call.getType()->isIntegralOrEnumerationType())
    return integerValue(NotPolynomial::Call);
  if (call.getType()->isPointerType())
    return pointerValue({});
  return {};
}

Value KernelExecutor::pureCall(const CallExpr &call) {
  for (const Expr *argument : call.arguments()) {
    if (argument->isGLValue())
      load(argument);
    else
      evaluate(argument);
  }
  if (call.getType()->isFloatingType())
    count(operationsOf(call, call.getType()));
  if (call.getType()->isIntegralOrEnumerationType())
    return integerValue(NotPolynomial::Call);
  Value result;
  if (call.getType()->isRecordType())
    result.kind = Value::Kind::Aggregate;
  return result;
}

/// Evaluates a conversion of a system type, such as a half, to a number.
Value KernelExecutor::systemConversion(const CXXMemberCallExpr &call) {
  const Expr *object = call.getImplicitObjectArgument();
  if (object->getType()->isPointerType())
    return unknownCall(call, "");
  if (object->isGLValue())
    load(object);
  else
    evaluate(object);
  return call.getType()->isIntegralOrEnumerationType()
             ? integerValue(NotPolynomial::Call)
             : Value{};
}

/// Evaluates OpenCL's work-item function `name`. Launches with an offset are no
/// members of K, so the offset is 0.
Value KernelExecutor::openClCoordinate(const CallExpr &call,
                                       llvm::StringRef name) {
  Expr::EvalResult dimension;
  if (call.getNumArgs() != 1 || call.getArg(0)->isValueDependent() ||
      !call.getArg(0)->EvaluateAsInt(dimension, ast()) ||
      dimension.Val.getInt().getLimitedValue(3) > 2) {
    note(KernelFeature::GridShape, call.getSourceRange());
    note(KernelFeature::GridFactor, call.getSourceRange());
    note(KernelFeature::BlockPlace, call.getSourceRange());
    return integerValue(NotPolynomial::Call);
  }
  const auto axis =
      static_cast<std::uint32_t>(dimension.Val.getInt().getLimitedValue());
  const auto symbol = [axis](SymbolKind kind) {
    return Polynomial(Symbol{kind, axis});
  };
  if (name == "get_global_offset")
    return integerValue(Polynomial{});
  if (name == "get_global_id")
    return integerValue(
        Arithmetic.add(Arithmetic.multiply(symbol(SymbolKind::BlockIdx),
                                           symbol(SymbolKind::BlockDim)),
                       symbol(SymbolKind::ThreadIdx)));
  const bool isPlace = name == "get_local_id" || name == "get_group_id";
  note(isPlace ? KernelFeature::BlockPlace : KernelFeature::GridShape,
       call.getSourceRange());
  if (!isPlace)
    note(KernelFeature::GridFactor, call.getSourceRange());
  if (name == "get_global_size")
    return integerValue(Arithmetic.multiply(symbol(SymbolKind::GridDim),
                                            symbol(SymbolKind::BlockDim)));
  return integerValue(symbol(name == "get_local_id"     ? SymbolKind::ThreadIdx
                             : name == "get_group_id"   ? SymbolKind::BlockIdx
                             : name == "get_local_size" ? SymbolKind::BlockDim
                                                        : SymbolKind::GridDim));
}

std::optional<Value> KernelExecutor::intrinsic(const CallExpr &call,
                                               llvm::StringRef name) {
  auto withFeature = [&](KernelFeature feature) -> Value {
    note(feature, call.getSourceRange(), name.str());
    lendArguments(call, /*mayWrite=*/true);
    if (call.getType()->isPointerType())
      return pointerValue({});
    if (call.getType()->isIntegralOrEnumerationType())
      return integerValue(NotPolynomial::Call);
    return {};
  };
  auto operand = [&](unsigned i) {
    const Expr *argument = call.getArg(i);
    const Value value =
        argument->isGLValue() ? load(argument) : evaluate(argument);
    return value.integer;
  };
  const QualType type = call.getType().getNonReferenceType();
  const bool isInteger = type->isIntegralOrEnumerationType();
  switch (meaningOf(name)) {
  case CallMeaning::Ordinary:
    return std::nullopt;
  case CallMeaning::Barrier:
    for (const Expr *argument : call.arguments())
      evaluate(argument);
    barrier(call);
    return integerValue(NotPolynomial::Call);
  case CallMeaning::Fence:
    return withFeature(KernelFeature::Fence);
  case CallMeaning::Warp: {
    // Others ask which threads happen to be there.
    const bool isOfMask = name.ends_with("_sync") || name == "__syncwarp";
    warpOperation(call, isOfMask ? reachOf(call) : Reach::Some);
    return withFeature(KernelFeature::WarpOperation);
  }
  case CallMeaning::Print:
    return withFeature(KernelFeature::Printf);
  case CallMeaning::Assertion:
    return withFeature(KernelFeature::Assert);
  case CallMeaning::Clock:
    return withFeature(KernelFeature::Clock);
  case CallMeaning::Allocation:
    return withFeature(KernelFeature::DeviceAllocation);
  case CallMeaning::Texture:
    return withFeature(KernelFeature::Texture);
  case CallMeaning::Atomic:
    return atomic(call, name);
  case CallMeaning::Load:
  case CallMeaning::Store: {
    const auto kind = meaningOf(name) == CallMeaning::Load ? AccessKind::Read
                                                           : AccessKind::Write;
    return call.getNumArgs() == 0
               ? std::nullopt
               : std::optional(accessByCall(call, name, kind));
  }
  case CallMeaning::Minimum:
  case CallMeaning::Maximum: {
    if (!isInteger || call.getNumArgs() != 2)
      return std::nullopt;
    const IndexExpr left = exactly(operand(0), type);
    const IndexExpr right = exactly(operand(1), type);
    const TermKind kind = meaningOf(name) == CallMeaning::Minimum
                              ? TermKind::Minimum
                              : TermKind::Maximum;
    Value value = integerValue(Arithmetic.term(kind, left, right));
    // std::min returns a reference.
    LastReturned = {};
    LastReturned.kind = Place::Kind::Temporary;
    LastReturned.temporary = value;
    return value;
  }
  case CallMeaning::Absolute: {
    if (!isInteger || call.getNumArgs() != 1)
      return std::nullopt;
    const IndexExpr value = operand(0);
    return integerValue(Arithmetic.term(
        TermKind::Maximum, value, Arithmetic.subtract(Polynomial{}, value)));
  }
  case CallMeaning::Multiply24: {
    if (call.getNumArgs() != 2)
      return std::nullopt;
    // Only the low 24 bits of each factor count.
    const IntegerType factor{24, type->isUnsignedIntegerType()};
    const IndexExpr left = Arithmetic.fitted(operand(0), factor, Current.guard);
    return integerValue(Arithmetic.multiply(
        left, Arithmetic.fitted(operand(1), factor, Current.guard)));
  }
  case CallMeaning::Coordinate:
    return openClCoordinate(call, name);
  case CallMeaning::Collective:
    return unknownCall(call, name);
  case CallMeaning::WritesArguments:
    for (const Expr *argument : call.arguments()) {
      const Value value = evaluate(argument);
      if (value.kind == Value::Kind::Pointer &&
          value.pointer.base == PointerBase::Unknown)
        giveUp(argument->getSourceRange());
      clobber(value, argument, /*mayWrite=*/true);
    }
    count(operationsOf(call, call.getArg(0)->getType()));
    return Value{};
  }
  return std::nullopt;
}

Value KernelExecutor::evaluateCall(const CallExpr &call) {
  const std::size_t before = Effects;
  Value value = evaluateCallee(call);
  if (Effects == before)
    Computations.insert(&call);
  else
    Computations.erase(&call);
  return value;
}

Value KernelExecutor::evaluateCallee(const CallExpr &call) {
  if (isa<CUDAKernelCallExpr>(call)) {
    note(KernelFeature::DeviceLaunch, call.getSourceRange());
    giveUp(call.getSourceRange());
    return {};
  }
  const FunctionDecl *callee = call.getDirectCallee();
  if (!callee)
    return unknownCall(call, "");
  if (const auto *conversion = dyn_cast<CXXConversionDecl>(callee);
      conversion && conversion->isConst() &&
      conversion->getConversionType()->isArithmeticType() &&
      Context.files.isInSystemHeader(callee->getLocation()))
    return systemConversion(*cast<CXXMemberCallExpr>(&call));
  std::string name = callee->getNameAsString();
  const auto *method = dyn_cast<CXXMethodDecl>(callee);
  if (isInNamespace(*callee, "cooperative_groups")) {
    if (std::optional<Value> known = groupCall(call))
      return *known;
    note(KernelFeature::CooperativeGroups, call.getSourceRange(), name);
    giveUp(call.getSourceRange());
    return {};
  }
  if (isInNamespace(*callee, "cub"))
    if (std::optional<Value> known = collectiveCall(call))
      return *known;
  // A trivial assignment of a class is an assignment like any other.
  if (const auto *assignment = dyn_cast<CXXOperatorCallExpr>(&call);
      assignment && method && assignment->getOperator() == OO_Equal &&
      method->isTrivial()) {
    const Expr *right = call.getArg(1);
    const Value value = right->isGLValue() ? load(right) : evaluate(right);
    LastReturned = place(call.getArg(0));
    store(LastReturned, value, call.getArg(0), &call, right);
    return value;
  }
  if (isRandom(*callee))
    return randomCall(call);
  if (isCudaFunction(*callee, Context.files)) {
    if (std::optional<Value> known = intrinsic(call, name))
      return *known;
    if (isScalarFunction(*callee) &&
        (Context.files.isInSystemHeader(callee->getLocation()) ||
         callee->getBuiltinID() != 0 || isOpenClBuiltin(*callee)) &&
        (!callee->hasBody() || callee->getReturnType()->isArithmeticType()))
      return pureCall(call);
  }
  const FunctionDecl *definition = nullptr;
  if (!callee->hasBody(definition) || (method && method->isVirtual()) ||
      callee->isVariadic())
    return unknownCall(call, name);
  std::vector<const Expr *> arguments(call.arg_begin(), call.arg_end());
  // The right side of an assignment runs first.
  if (const auto *assignment = dyn_cast<CXXOperatorCallExpr>(&call);
      assignment && assignment->isAssignmentOp() &&
      mayChange(*call.getArg(1), *call.getArg(0)))
    giveUp(call.getSourceRange());
  std::optional<Place> object;
  if (const auto *member = dyn_cast<CXXMemberCallExpr>(&call)) {
    const Expr *base = member->getImplicitObjectArgument();
    if (base->getType()->isPointerType()) {
      object =
          pointee(evaluate(base).pointer, base->getType()->getPointeeType());
    } else if (base->isGLValue()) {
      object = place(base);
    } else {
      object = Place{};
      object->kind = Place::Kind::Temporary;
      object->temporary = evaluate(base);
    }
  } else if (const auto *named = dyn_cast<MemberExpr>(
                 call.getCallee()->IgnoreParenImpCasts())) {
    // A static function's object is evaluated too.
    if (named->getBase()->HasSideEffects(ast()))
      giveUp(call.getSourceRange());
  } else if (method && method->isInstance() && isa<CXXOperatorCallExpr>(call)) {
    object = place(call.getArg(0));
    arguments.erase(arguments.begin());
  }
  return follow(*definition, arguments, std::move(object), call);
}

} // namespace kfuse
