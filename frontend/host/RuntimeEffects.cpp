//===- RuntimeEffects.cpp - What calls of the runtime do ------------------===//
//
// Allocations, copies and their kin, by the roles of RuntimeRoles.h.
//
//===----------------------------------------------------------------------===//

#include "frontend/host/Walker.h"
#include "frontend/syntax/Lvalues.h"

#include "frontend/api/Callees.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

#include <algorithm>

namespace kfuse {

using namespace clang;

void HostWalker::allocate(const RuntimeCall &role, const CallExpr &call,
                          StepFacts &facts) {
  const Expr &argument = *call.getArg(static_cast<unsigned>(role.pointer));
  MemoryObject object;
  const Expr *target = addressee(argument);
  QualType type = target ? target->getType() : QualType();
  const auto *named =
      target ? dyn_cast<DeclRefExpr>(target->IgnoreParens()) : nullptr;
  object.array.name = named    ? named->getDecl()->getNameAsString()
                      : target ? Reader.text(*target)
                               : Reader.text(argument);
  object.array.element = pointeeElement(Model.ast, type);
  object.array.origin = role.role == RuntimeCall::Role::AllocateManaged
                            ? ArrayOrigin::Managed
                            : ArrayOrigin::Allocation;
  object.array.range = Model.files.wholeText(call.getSourceRange());
  if (role.bytes >= 0 && static_cast<unsigned>(role.bytes) < call.getNumArgs())
    object.array.bytes =
        Reader.integer(*call.getArg(static_cast<unsigned>(role.bytes)));
  // Without a variable of its own it is known by whatever receives it.
  object.array.escapes =
      !target || role.role == RuntimeCall::Role::AllocateManaged;
  ObjectId id = Model.addObject(std::move(object));
  facts.use(id, false, true);
  if (!target)
    return;
  recordWrite(*target, HostPointer{id, Polynomial{}});
  if (const VarDecl *variable = namedVariable(*target))
    Unit.allocations[variable->getCanonicalDecl()].push_back(id);
}

/// Returns the direction of a copy; `Default` if it isn't known: the addresses
/// tell when the program runs.
CopyDirection HostWalker::directionOf(const RuntimeCall &role,
                                      const CallExpr &call) {
  const auto index = static_cast<unsigned>(role.direction);
  if (role.direction >= 0 && index < call.getNumArgs())
    if (const auto constant = Reader.integer(*call.getArg(index)).asConstant();
        constant && *constant >= 0 &&
        *constant < static_cast<std::int64_t>(CopyDirection::Default))
      return static_cast<CopyDirection>(*constant);
  return CopyDirection::Default;
}

/// Notes the stream of a call that the host doesn't wait for: an asynchronous
/// call, a memset, or a copy that stays on the device.
void HostWalker::noteStream(const RuntimeCall &role, const CallExpr &call) {
  using Role = RuntimeCall::Role;
  if (plainName(*call.getDirectCallee()).ends_with("Async")) {
    const Expr *last =
        call.getNumArgs() == 0 ? nullptr : call.getArg(call.getNumArgs() - 1);
    if (last &&
        last->getType().getAsString().find("cudaStream") != std::string::npos)
      Model.program.transferStreams.push_back(
          isa<CXXDefaultArgExpr>(last) ? HostExpr{} : Reader.describe(*last));
    return;
  }
  const CopyDirection direction = directionOf(role, call);
  const bool stays = direction == CopyDirection::DeviceToDevice ||
                     direction == CopyDirection::Default;
  if (role.role == Role::Set || (role.direction >= 0 && stays))
    Model.program.transferStreams.emplace_back();
}

/// Notes that the runtime reads or writes the object, which is storage of the
/// device, then, whatever the pointee.
void HostWalker::useOnDevice(ObjectId object, bool reads, bool writes,
                             StepFacts &facts) {
  Model[object].isRecord = false;
  facts.use(object, reads, writes);
}

void HostWalker::copy(const RuntimeCall &role, const CallExpr &call,
                      StepFacts &facts) {
  auto argument = [&](int index) -> const Expr & {
    return *call.getArg(static_cast<unsigned>(index));
  };
  ObjectId target = Reader.pointer(argument(role.pointer)).object;
  ObjectId source = Reader.pointer(argument(role.source)).object;
  auto isHost = [&](ObjectId id) { return Model[id].isHost; };
  const CopyDirection direction = directionOf(role, call);
  bool toDevice = direction == CopyDirection::HostToDevice;
  bool toHost = direction == CopyDirection::DeviceToHost;
  bool between = direction == CopyDirection::DeviceToDevice;
  if (!toDevice && !toHost && !between) {
    toDevice = isHost(source);
    toHost = !toDevice;
  }
  // The host's side is storage of the device too if memory is shared.
  if (!toHost || Unit.managed || direction == CopyDirection::Default)
    useOnDevice(target, false, true, facts);
  if (!toDevice || Unit.managed || direction == CopyDirection::Default)
    useOnDevice(source, true, false, facts);
  facts.kinds.insert(toDevice ? StepKind::CopyToDevice
                     : toHost ? StepKind::CopyToHost
                              : StepKind::CopyOnDevice);
}

/// Notes the transfer of a call that moves one range of bytes.
void HostWalker::noteTransfer(const RuntimeCall &role, const CallExpr &call,
                              StepFacts &facts) {
  const std::string name = plainName(*call.getDirectCallee());
  constexpr unsigned BytesArgument = 2;
  if (&call != WholeCall ||
      (name != "cudaMemcpy" && name != "cudaMemcpyAsync" &&
       name != "cudaMemset" && name != "cudaMemsetAsync"))
    return;
  HostTransfer transfer;
  transfer.target = Reader.pointer(*call.getArg(0));
  transfer.bytes = Reader.integer(*call.getArg(BytesArgument));
  if (facts.kinds.count(StepKind::CopyOnDevice))
    transfer.source =
        Reader.pointer(*call.getArg(static_cast<unsigned>(role.source)));
  facts.transfer = std::move(transfer);
}

void HostWalker::callRuntime(const FunctionDecl &callee,
                             const RuntimeCall &role, const CallExpr &call,
                             StepFacts &facts) {
  using Role = RuntimeCall::Role;
  std::vector<const Expr *> arguments(call.arg_begin(), call.arg_end());
  int last = std::max(role.pointer, role.source);
  if (role.role == Role::Unknown ||
      last >= static_cast<int>(arguments.size())) {
    if (const auto *method = dyn_cast<CXXMemberCallExpr>(&call))
      arguments.push_back(method->getImplicitObjectArgument());
    return callUnknown(arguments, facts);
  }
  auto object = [&](int index) {
    return Reader.handle(*arguments[static_cast<std::size_t>(index)]).object;
  };
  auto symbol = [&](int index) -> std::optional<ObjectId> {
    const Expr *expression = arguments[static_cast<std::size_t>(index)];
    if (const Expr *inner = addressee(*expression))
      expression = inner;
    const VarDecl *variable = namedVariable(*expression);
    if (!variable)
      return std::nullopt;
    return Model.deviceVariable(*variable);
  };
  std::string name = plainName(callee);
  if (name.starts_with("cl"))
    recordErrors(callee, arguments);
  // Events order streams if a stream waits for one.
  bool isEvent = name.starts_with("cudaEventRecord") && Unit.waitsForEvents;
  if (isEvent)
    return callUnknown({}, facts);
  const bool addsItself = role.role == Role::Copy || role.role == Role::Enqueue;
  if (role.kind != StepKind::Plain && !addsItself)
    facts.kinds.insert(role.kind);
  noteStream(role, call);
  switch (role.role) {
  case Role::CreateBuffer:
  case Role::CreateKernel:
  case Role::ReleaseKernel:
  case Role::SetArgument:
  case Role::Enqueue:
  case Role::ReadBuffer:
  case Role::WriteBuffer:
  case Role::CopyBuffer:
    return callOpenCl(role, call, facts);
  case Role::Allocate:
  case Role::AllocateManaged:
    return allocate(role, call, facts);
  case Role::Free:
    useOnDevice(object(role.pointer), false, true, facts);
    if (&call == WholeCall)
      facts.freed = object(role.pointer);
    return;
  case Role::Set:
    useOnDevice(object(role.pointer), false, true, facts);
    noteTransfer(role, call, facts);
    return;
  case Role::Copy:
    copy(role, call, facts);
    noteTransfer(role, call, facts);
    return;
  case Role::Move:
    useOnDevice(object(role.pointer), false, true, facts);
    useOnDevice(object(role.source), true, false, facts);
    facts.transfer = HostTransfer{Reader.pointer(*arguments[0]),
                                  Reader.pointer(*arguments[1]),
                                  NotPolynomial::Unsupported, true};
    return;
  case Role::CopyToSymbol:
  case Role::CopyFromSymbol: {
    bool writes = role.role == Role::CopyToSymbol;
    std::optional<ObjectId> variable =
        symbol(writes ? role.pointer : role.source);
    if (!variable)
      return callUnknown(arguments, facts);
    facts.use(*variable, !writes, writes);
    // The other side may be device storage as well.
    const ObjectId other = object(writes ? role.source : role.pointer);
    if (directionOf(role, call) ==
        (writes ? CopyDirection::HostToDevice : CopyDirection::DeviceToHost))
      facts.use(other, writes, !writes);
    else
      useOnDevice(other, writes, !writes, facts);
    return;
  }
  case Role::SymbolAddress:
  case Role::MappedAddress: {
    const Expr *target =
        addressee(*arguments[static_cast<std::size_t>(role.pointer)]);
    std::optional<ObjectId> source = role.role == Role::SymbolAddress
                                         ? symbol(role.source)
                                         : std::optional(object(role.source));
    if (target && source && !Model[*source].isHost)
      recordWrite(*target, HostPointer{*source, Polynomial{}});
    return;
  }
  case Role::Simple:
    if (name == "cudaFuncSetAttribute" && !arguments.empty())
      if (const auto *kernel = dyn_cast<DeclRefExpr>(
              arguments[0]->IgnoreParenCasts()->IgnoreUnlessSpelledInSource()))
        if (const auto *function = dyn_cast<FunctionDecl>(kernel->getDecl()))
          Unit.tuned.insert(function->getDefinition()
                                ? function->getDefinition()
                                : function->getCanonicalDecl());
    return;
  case Role::Unknown:
    return;
  }
}

} // namespace kfuse
