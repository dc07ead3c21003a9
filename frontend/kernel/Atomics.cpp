//===- Atomics.cpp - Barriers and atomic operations -----------------------===//

#include "frontend/kernel/Executor.h"

#include "clang/AST/ASTContext.h"

#include "llvm/ADT/StringSwitch.h"

#include <algorithm>

namespace kfuse {

using namespace clang;

namespace {

/// Returns a code for the atomic operation `name`, or 0 if it has none.
/// Operations with the same code commute with each other.
std::uint32_t commutingOperation(llvm::StringRef name) {
  name.consume_back("_block");
  name.consume_back("_system");
  return llvm::StringSwitch<std::uint32_t>(name)
      .Cases("atomicAdd", "atomicSub", 1)
      .Case("atomicMin", 2)
      .Case("atomicMax", 3)
      .Case("atomicAnd", 4)
      .Case("atomicOr", 5)
      .Case("atomicXor", 6)
      .Default(0);
}

} // namespace

void KernelExecutor::barrier(const CallExpr &call) {
  if (!isRecording())
    return;
  ++Result.barriers;
  ++Effects;
  const bool varies =
      std::any_of(Current.guard.begin(), Current.guard.end(),
                  [&](const Constraint &constraint) {
                    return constraint.relation == Relation::Unknown ||
                           dependsOn(constraint.expression,
                                     SymbolKind::ThreadIdx, Context.terms) ||
                           dependsOn(constraint.expression,
                                     SymbolKind::GlobalIdx, Context.terms);
                  });
  if (varies && reachOf(call) != Reach::Block)
    note(KernelFeature::ReturnBeforeBarrier, call.getSourceRange());
}

Value KernelExecutor::atomic(const CallExpr &call, llvm::StringRef name) {
  Value pointer;
  for (unsigned i = 0; i < call.getNumArgs(); ++i) {
    const Value argument = evaluate(call.getArg(i));
    if (i == 0)
      pointer = argument;
    else
      clobber(argument, call.getArg(i), /*mayWrite=*/true);
  }
  Value result;
  if (call.getType()->isIntegralOrEnumerationType())
    result = integerValue(NotPolynomial::Indirect);
  if (call.getNumArgs() == 0)
    return result;
  const Expr *target = call.getArg(0);
  if (pointer.kind != Value::Kind::Pointer) {
    giveUp(call.getSourceRange());
    return result;
  }
  const Place where =
      pointee(pointer.pointer, target->getType()->getPointeeType());
  if (where.kind == Place::Kind::Variable)
    assign(where, result);
  if (where.kind == Place::Kind::Unknown)
    giveUp(call.getSourceRange());
  if (where.kind != Place::Kind::Memory)
    return result;
  if (Access *access =
          record(AccessKind::Atomic, AccessForm::Other, where, target)) {
    access->whole = Context.files.range(call.getSourceRange());
    // The order shows in the value that an atomic operation returns.
    access->atomicOperation =
        &call == DiscardedValue ? commutingOperation(name) : 0;
    access->editable = false;
  }
  return result;
}

} // namespace kfuse
