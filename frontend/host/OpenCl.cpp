//===- OpenCl.cpp - What calls of OpenCL do -------------------------------===//
//
// The arguments of a kernel object stay what they are until they are set anew.
// A variable of the walk's own stands for them: each clSetKernelArg gives its
// member a value that stands for nothing else. So wherever a launch finds that
// value, the argument is the one that was set there.
//
//===----------------------------------------------------------------------===//

#include "frontend/host/Walker.h"
#include "frontend/syntax/Lvalues.h"

#include "frontend/api/Callees.h"
#include "frontend/api/OpenClCalls.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

#include <algorithm>

namespace kfuse {

using namespace clang;

namespace {

/// cl_mem_flags that say which side uses a buffer and how it begins; with any
/// other one the host may have its storage under another name.
constexpr std::int64_t PlainFlags = 1 | 2 | 4 | 32 | 128 | 256 | 512;

} // namespace

/// Returns the kernel object that the variable holds. One at file scope that is
/// never copied holds it whatever runs in between.
std::optional<ObjectId> HostWalker::heldKernel(const ValueDecl &variable) {
  const auto own = Unit.kernelVariables.find(dyn_cast<VarDecl>(&variable));
  if (own != Unit.kernelVariables.end())
    return own->second;
  const bool isObject = !openClClass(variable.getType()).empty();
  return Env.knownPointer(
      {Model.variable(variable), isObject ? HandlePath : ""});
}

ObjectId HostWalker::kernelObject(const Expr &object) {
  const ValueDecl *variable = baseOf(object);
  const bool isVariable =
      variable && isa<DeclRefExpr>(object.IgnoreParenImpCasts());
  if (isVariable && Unit.kernelVariables.count(dyn_cast<VarDecl>(variable)))
    return *heldKernel(*variable);
  return Reader.handle(object).object;
}

void HostWalker::createBuffer(const Expr &call, const BufferRequest &request,
                              StepFacts &facts) {
  MemoryObject object;
  object.array.name = Reader.text(call);
  object.array.element = pointeeElement(Model.ast, request.handle);
  object.array.range = Model.files.wholeText(call.getSourceRange());
  object.array.origin =
      request.isPlain ? ArrayOrigin::Allocation : ArrayOrigin::Unknown;
  object.array.escapes = !request.isPlain;
  if (request.bytes)
    object.array.bytes = Reader.integer(*request.bytes);
  const ObjectId id = Model.addObject(std::move(object));
  facts.use(id, false, true);
  if (!request.isPlain)
    return callUnknown({}, facts);
  Reader.setResult(call, id);
}

bool HostWalker::arePlainFlags(const Expr &flags) {
  const auto known = Reader.integer(flags).asConstant();
  return known && (*known & ~PlainFlags) == 0;
}

void HostWalker::createKernel(const Expr &call, llvm::StringRef name,
                              const Expr *program) {
  MemoryObject object;
  object.array.name = Reader.text(call);
  object.isHost = true;
  const ObjectId id = Model.addObject(std::move(object));
  Unit.kernelObjects[id] = Unit.kernelNamed(name);
  if (program)
    KernelPrograms[id] = {program, Reader.handle(*program)};
  Reader.setResult(call, id);
}

/// Handles the construction of an OpenCL object, unless it is a copy.
void HostWalker::constructOpenCl(const CXXConstructExpr &made,
                                 const RuntimeCall &role, StepFacts &facts) {
  const std::vector<const Expr *> arguments(made.arg_begin(), made.arg_end());
  const auto named = [&](llvm::StringRef name) {
    return argumentNamed(name, *made.getConstructor(), arguments);
  };
  recordErrors(*made.getConstructor(), arguments);
  switch (role.role) {
  case RuntimeCall::Role::CreateBuffer: {
    const Expr *flags = named("flags"), *shares = named("useHostPtr");
    const bool isPlain = (!flags || arePlainFlags(*flags)) &&
                         (!shares || constantOf(*shares, Model.ast) == 0);
    facts.kinds.insert(role.kind);
    return createBuffer(made, {Model.ast.VoidPtrTy, isPlain, named("size")},
                        facts);
  }
  case RuntimeCall::Role::CreateKernel: {
    const Expr *name = named("name");
    const StringLiteral *literal = name ? literalIn(*name) : nullptr;
    return createKernel(made, literal ? literal->getString() : "",
                        named("program"));
  }
  case RuntimeCall::Role::Simple:
    return;
  default:
    return callUnknown(arguments, facts);
  }
}

/// Returns what a variable of any type holds; floating-point numbers are known
/// only to be what they were.
HostData HostWalker::variableData(const Expr &variable) {
  const QualType type = variable.getType();
  if (isBuffer(type))
    return Reader.handle(variable);
  if (!type->isFloatingType())
    return Reader.data(variable);
  if (variable.isEvaluatable(Model.ast))
    return Model.interned("constant " + Reader.text(variable));
  const std::optional<HostPlace> place = Reader.place(variable);
  // Stores through pointers are followed for integers and pointers only.
  if (!place || place->isIndirect() || Model.isShared(place->base))
    return Model.unknown();
  return Env.readInteger(*place, Reader.text(variable), type);
}

/// Returns the number of an argument, `k` or `k++`, if it is known.
std::optional<std::int64_t> HostWalker::numberOf(const Expr &expression) {
  const auto *step = dyn_cast<UnaryOperator>(expression.IgnoreParenImpCasts());
  if (!step || step->getOpcode() != UO_PostInc)
    return Reader.integer(expression).asConstant();
  const auto number = Reader.integer(*step->getSubExpr()).asConstant();
  if (number)
    update(*step->getSubExpr(), nullptr, true, false, false);
  return number;
}

/// Checks whether `lvalue` is a variable, or a part of one, that no pointer
/// leads to.
bool HostWalker::isOwn(const Expr &lvalue) {
  const std::optional<HostPlace> place = Reader.place(lvalue);
  return place && !place->isIndirect() && !place->hasOpenIndex();
}

/// Sets the argument of a kernel object that `call` names. Whatever its new
/// value is, the old one is lost.
void HostWalker::setArgument(const CallExpr &call) {
  const auto set = argumentSetting(call, Model.ast);
  if (!set)
    return invalidateArguments();
  const ObjectId object = kernelObject(*set->object);
  const auto index = numberOf(*set->index);
  const VariableId arguments = Model.argumentsOf(object);
  // An unknown object may be any of them.
  if (Unit.kernelObjects.count(object) == 0)
    invalidateArguments();
  if (!index) {
    PossibleWrites.push_back({arguments, {}});
    return;
  }
  const Polynomial value =
      Model.freshValue({arguments, {}}, "argument " + std::to_string(*index));
  KnownWrites.emplace_back(HostPlace{arguments, argumentPath(*index)}, value);
  if (set->isLocal) {
    if (isPure(*set->value, Model.files))
      Arguments[*value.asSymbol()] = {set->value, Reader.integer(*set->value),
                                      true};
    return;
  }
  if (!set->value ||
      !(isOwn(*set->value) || set->value->isEvaluatable(Model.ast)))
    return;
  const QualType type = set->value->getType();
  if (type->isArithmeticType() || isBuffer(type))
    Arguments[*value.asSymbol()] = {set->value, variableData(*set->value)};
}

void HostWalker::invalidateArguments() {
  for (const auto &[object, variable] : Model.kernelArguments())
    PossibleWrites.push_back({variable, {}});
}

/// Forgets the arguments that the scanned code may set again and again.
void HostWalker::forgetArguments(const HostScan &scan, StepFacts &facts) {
  std::set<VariableId> changed;
  const auto addAll = [&] {
    for (const auto &[object, variable] : Model.kernelArguments())
      changed.insert(variable);
  };
  for (const auto &[object, index] : scan.armed) {
    const auto held = object && scan.declared.count(object) == 0
                          ? heldKernel(*object)
                          : std::nullopt;
    if (!held || Unit.kernelObjects.count(*held) == 0) {
      addAll();
      continue;
    }
    const VariableId arguments = Model.argumentsOf(*held);
    if (index)
      Env.write({arguments, argumentPath(*index)}, Model.unknown());
    else
      changed.insert(arguments);
    facts.assigns.insert(arguments);
  }
  const bool callsArming =
      scan.callsUnknown || std::any_of(scan.callees.begin(), scan.callees.end(),
                                       [&](const FunctionDecl *callee) {
                                         const auto *known = Unit.find(*callee);
                                         return !known ||
                                                known->setsKernelArguments;
                                       });
  if (callsArming)
    addAll();
  for (const VariableId variable : changed) {
    Env.forget(variable);
    facts.assigns.insert(variable);
  }
}

void HostWalker::callOpenCl(const RuntimeCall &role, const CallExpr &call,
                            StepFacts &facts) {
  using Role = RuntimeCall::Role;
  const auto use = [&](int index, bool reads, bool writes) {
    const Expr &buffer = *call.getArg(static_cast<unsigned>(index));
    facts.use(Reader.handle(buffer).object, reads, writes);
  };
  switch (role.role) {
  case Role::CreateBuffer:
    return createBuffer(
        call, {call.getType(), arePlainFlags(*call.getArg(1)), call.getArg(2)},
        facts);
  case Role::CreateKernel:
    return createKernel(call, kernelNameIn(call), nullptr);
  case Role::ReleaseKernel:
    // No launch of it can be moved after this.
    if (const ValueDecl *object = baseOf(*call.getArg(0)))
      facts.assigns.insert(Model.variable(*object));
    return;
  case Role::SetArgument:
    return setArgument(call);
  case Role::Enqueue:
    return enqueue(call, facts);
  case Role::ReadBuffer:
    // Through iterators, elements that nobody can say.
    ClobbersShared |=
        plainName(*call.getDirectCallee()) == "cl::fromBuffer::copy";
    [[fallthrough]];
  case Role::CopyBuffer:
  case Role::WriteBuffer:
    if (role.source >= 0)
      use(role.source, true, false);
    if (role.pointer >= 0)
      use(role.pointer, false, true);
    return;
  default:
    return callUnknown({call.arg_begin(), call.arg_end()}, facts);
  }
}

HostPointer HostReader::handle(const Expr &expression) {
  const QualType type = expression.getType().getNonReferenceType();
  if (!type->isRecordType())
    return pointer(expression);
  const std::vector<RecordLeaf> leaves = recordLeaves(type);
  if (openClClass(type).empty() || leaves.size() != 1)
    return unknownPointer(expression);
  const HostData held = member(expression, HandlePath, leaves.front().type);
  const auto *handle = std::get_if<HostPointer>(&held);
  return handle ? *handle : unknownPointer(expression);
}

} // namespace kfuse
