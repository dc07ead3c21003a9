//===- Libraries.cpp - Functions of libraries in kernels ------------------===//
//
// Cooperative groups, CUB and cuRAND are known by what they do: their headers
// use inline assembly and tables, and change from release to release.
//
//===----------------------------------------------------------------------===//

#include "frontend/kernel/Executor.h"
#include "frontend/kernel/ThreadGroups.h"

#include "clang/AST/ASTContext.h"

#include "llvm/ADT/StringSwitch.h"

namespace kfuse {

using namespace clang;

namespace {

Polynomial ofBlock(SymbolKind kind, std::uint32_t axis) {
  return Polynomial(Symbol{kind, axis});
}

Value coordinates(SymbolKind kind) {
  Value result;
  result.kind = Value::Kind::Aggregate;
  for (const std::uint32_t axis : {0, 1, 2})
    result.members[std::string(".") + "xyz"[axis]] =
        integerValue(ofBlock(kind, axis));
  return result;
}

} // namespace

void KernelExecutor::warpOperation(const CallExpr &call, Reach reach) {
  const std::string name = call.getDirectCallee()->getNameAsString();
  if (reach == Reach::Some)
    note(KernelFeature::PartedWarp, call.getSourceRange(), name);
  if (reach == Reach::Warps)
    note(KernelFeature::WarpsOfRows, call.getSourceRange(), name);
  note(KernelFeature::WarpOperation, call.getSourceRange(), name);
}

/// Evaluates the arguments of a call that may do with them what it wants.
void KernelExecutor::lendArguments(const CallExpr &call, bool mayWrite) {
  for (const Expr *argument : call.arguments())
    clobber(argument->isGLValue() ? pointerValue(addressOf(place(argument)))
                                  : evaluate(argument),
            argument, mayWrite);
}

/// Evaluates what cooperative groups do with a block and its tiles: they name
/// them, tell their sizes and ranks, let them wait and exchange values.
std::optional<Value> KernelExecutor::groupCall(const CallExpr &call) {
  Value made;
  made.kind = Value::Kind::Aggregate;
  const FunctionDecl &callee = *call.getDirectCallee();
  const bool isConversion = isa<CXXConversionDecl>(callee);
  const auto group = groupOf(call);
  const bool isMade = threadGroup(call.getType()).has_value();
  if (isMade && !group && call.getNumArgs() == 0)
    return made;
  if (!group || !(isConversion || callee.getIdentifier()))
    return std::nullopt;
  const auto *member = dyn_cast<CXXMemberCallExpr>(&call);
  const Expr *named =
      (member ? member->getImplicitObjectArgument() : call.getArg(0))
          ->IgnoreParenImpCasts();
  if (!isa<DeclRefExpr>(named))
    evaluate(named);
  if (isConversion)
    return isMade ? std::optional(made) : std::nullopt;
  const llvm::StringRef name = callee.getName();
  // The ranks of tiles of tiles count within these.
  if (isMade)
    return name == "tiled_partition" && group->isBlock() ? std::optional(made)
                                                         : std::nullopt;
  const auto size = Arithmetic.multiply(
      ofBlock(SymbolKind::BlockDim, 0),
      Arithmetic.multiply(ofBlock(SymbolKind::BlockDim, 1),
                          ofBlock(SymbolKind::BlockDim, 2)));
  const auto rank = [&] {
    IndexExpr place = ofBlock(SymbolKind::ThreadIdx, 2);
    for (const std::uint32_t axis : {1, 0})
      place = Arithmetic.add(
          Arithmetic.multiply(place, ofBlock(SymbolKind::BlockDim, axis)),
          ofBlock(SymbolKind::ThreadIdx, axis));
    return place;
  };
  const Polynomial threads(group->threads);
  const auto told = [&](Value value) {
    note(KernelFeature::CoordinatesInCallee, call.getSourceRange(), name.str());
    return value;
  };
  if (name == "sync") {
    if (group->isBlock())
      barrier(call);
    else
      warpOperation(call, reachOf(call));
    return Value{};
  }
  if (name == "size" || name == "num_threads")
    return group->isBlock() ? told(integerValue(size)) : integerValue(threads);
  if (name == "thread_rank")
    return told(integerValue(
        group->isBlock()
            ? rank()
            : Arithmetic.term(TermKind::Remainder, rank(), threads)));
  if (group->isBlock()) {
    if (name == "group_index")
      return told(coordinates(SymbolKind::BlockIdx));
    if (name == "thread_index")
      return told(coordinates(SymbolKind::ThreadIdx));
    if (name == "group_dim" || name == "dim_threads")
      return told(coordinates(SymbolKind::BlockDim));
    return std::nullopt;
  }
  if (name == "meta_group_rank")
    return told(
        integerValue(Arithmetic.term(TermKind::Divide, rank(), threads)));
  if (name == "meta_group_size")
    return told(integerValue(Arithmetic.term(
        TermKind::Divide, Arithmetic.add(size, Polynomial(group->threads - 1)),
        threads)));
  const bool isExchange =
      name.starts_with("shfl") ||
      llvm::StringSwitch<bool>(name)
          .Cases("any", "all", "ballot", "match_any", "match_all", true)
          .Cases("reduce", "inclusive_scan", "exclusive_scan", !member)
          .Default(false);
  if (!isExchange)
    return std::nullopt;
  for (unsigned i = member ? 0 : 1; i < call.getNumArgs(); ++i) {
    const Expr *argument = call.getArg(i);
    if (!isPlainOperand(argument->getType()))
      return std::nullopt;
    clobber(argument->isGLValue() ? pointerValue(addressOf(place(argument)))
                                  : evaluate(argument),
            argument, /*mayWrite=*/true);
  }
  warpOperation(call, reachOf(call));
  return unknownValue(call.getType().getNonReferenceType(),
                      NotPolynomial::Call);
}

/// Evaluates a collective of CUB: besides its own storage it accesses what its
/// arguments refer to, and all threads come to it.
std::optional<Value> KernelExecutor::collectiveCall(const CallExpr &call) {
  const auto found = collective(call);
  if (!found || llvm::any_of(call.arguments(), [](const Expr *argument) {
        return !isPlainOperand(argument->getType());
      }))
    return std::nullopt;
  const Expr *object =
      cast<CXXMemberCallExpr>(call).getImplicitObjectArgument();
  if (object->isGLValue())
    place(object);
  else
    evaluate(object);
  lendArguments(call, /*mayWrite=*/!found->onlyLoads);
  // The results are in variables of the thread.
  if (found->onlyLoads)
    for (const Expr *argument : call.arguments())
      if (argument->isGLValue())
        assign(place(argument),
               unknownValue(argument->getType(), NotPolynomial::Call));
  if (found->isOfBlock)
    barrier(call);
  else
    warpOperation(call, reachOf(call));
  return unknownValue(call.getType().getNonReferenceType(),
                      NotPolynomial::Call);
}

/// Evaluates a function of cuRAND, which accesses the state that it is given a
/// pointer to.
Value KernelExecutor::randomCall(const CallExpr &call) {
  ++Effects;
  for (const Expr *argument : call.arguments()) {
    const Value value =
        argument->isGLValue() ? load(argument) : evaluate(argument);
    if (value.kind != Value::Kind::Pointer)
      continue;
    const QualType state = argument->getType()->getPointeeType();
    const RecordDecl *type = state->getAsRecordDecl();
    // Tables of directions and distributions have more than one element.
    if (!type || !type->getName().starts_with("curandState")) {
      clobber(value, argument, /*mayWrite=*/true);
      continue;
    }
    const Place where = pointee(value.pointer, state);
    if (where.kind == Place::Kind::Unknown)
      giveUp(argument->getSourceRange());
    else if (where.kind == Place::Kind::Memory)
      for (const AccessKind kind : {AccessKind::Read, AccessKind::Write})
        if (Access *access = record(kind, AccessForm::Other, where, argument))
          access->editable = false;
    if (where.kind == Place::Kind::Variable)
      assign(where, unknownValue(state, NotPolynomial::Call));
  }
  return unknownValue(call.getType(), NotPolynomial::Call);
}

} // namespace kfuse
