//===- CalleeEffects.cpp - What callees do to the device ------------------===//
//
// The effects of functions that a call has found. The unit's own functions have
// a summary once they were walked, and those of system headers touch what they
// are given. Any other may touch everything.
//
//===----------------------------------------------------------------------===//

#include "frontend/api/Callees.h"
#include "frontend/host/CollectFunctions.h"
#include "frontend/host/Walker.h"
#include "frontend/syntax/KnownFunctions.h"
#include "frontend/syntax/Lvalues.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

namespace kfuse {

using namespace clang;

namespace {

/// Checks whether `function` reads a clock.
bool isClock(const FunctionDecl &function) {
  if (isMarkedClock(function))
    return true;
  std::string name = function.getNameAsString();
  if (function.isInStdNamespace() ||
      function.getQualifiedNameAsString().starts_with("std::chrono"))
    return name == "now" || name == "clock" || name == "time";
  for (const char *clock :
       {"clock", "gettimeofday", "clock_gettime", "omp_get_wtime", "time",
        "MPI_Wtime", "ftime", "timespec_get"})
    if (name == clock)
      return true;
  return false;
}

/// Checks whether `function` prints to memory, as snprintf does: a printed
/// pointer can be read again.
bool printsToMemory(const FunctionDecl &function) {
  if (!function.isVariadic() || function.getNumParams() == 0)
    return false;
  const QualType target = function.getParamDecl(0)->getType()->getPointeeType();
  return !target.isNull() && !target.isConstQualified() &&
         (target->isCharType() || target->isPointerType());
}

bool isFunction(const Expr *argument) {
  const auto *name = dyn_cast<DeclRefExpr>(argument->IgnoreParenImpCasts());
  return name && isa<FunctionDecl>(name->getDecl());
}

} // namespace

bool mayKeep(const HostFunction &function, unsigned index) {
  return function.state != HostFunction::State::Done ||
         index >= function.declaration->getNumParams() ||
         !pointsToNumbers(*function.declaration->getParamDecl(index)) ||
         function.keeps.count(index) != 0;
}

void HostWalker::callUnknown(const std::vector<const Expr *> &arguments,
                             StepFacts &facts) {
  facts.touchesEverything = facts.assignsShared = true;
  facts.kinds.insert(StepKind::Opaque);
  ClobbersShared = RunsUnknown = true;
  facts.assigns.insert(Unit.ownOfOthers.begin(), Unit.ownOfOthers.end());
  invalidateArguments();
  for (const Expr *argument : arguments)
    escape(*argument);
}

void HostWalker::callSystem(const FunctionDecl &callee,
                            const std::vector<const Expr *> &arguments,
                            StepFacts &facts) {
  if (isDeviceLibrary(callee) || plainName(callee).starts_with("__sync_"))
    return callUnknown(arguments, facts);
  if (callee.isNoReturn())
    facts.exits = true;
  if (returnsTwice(callee)) {
    callUnknown(arguments, facts);
    Env.forgetEverything();
  }
  if (isClock(callee))
    facts.kinds.insert(StepKind::Timing);
  facts.exits |= Unit.catches && mayThrow(callee, Model.files.sources());
  if (Unit.mapsHostMemory)
    facts.touchesEverything = true;
  implicit(calledByTemplate(callee, Model.files.sources()), facts);
  // A template finds operators by itself.
  if (Unit.operatorsUseDevice && callee.isTemplateInstantiation())
    callUnknown({}, facts);
  // A function that it calls may keep what it is given.
  bool keepsNothing = (callee.isExternC() || callee.getBuiltinID() != 0) &&
                      !printsToMemory(callee) &&
                      llvm::none_of(arguments, isFunction);
  for (const Expr *argument : arguments) {
    // A callee that is given a function may call it.
    if (const auto *name =
            dyn_cast<DeclRefExpr>(argument->IgnoreParenImpCasts()))
      if (const auto *function = dyn_cast<FunctionDecl>(name->getDecl())) {
        const HostFunction *known = Unit.find(*function);
        if (!known || known->usesDevice) {
          if (!isSystem(*function, Model.files.sources()))
            callUnknown({}, facts);
        } else if (known->assignsShared) {
          ClobbersShared = true;
        }
        continue;
      }
    if (mayReachOpaqueCode(*argument, Model.ast))
      callUnknown({}, facts);
    if (const auto *record = argument->getType()->getAsCXXRecordDecl())
      if (record->isLambda() && record->getLambdaCallOperator()) {
        const HostFunction *body = Unit.find(*record->getLambdaCallOperator());
        if (!body || body->usesDevice)
          callUnknown({}, facts);
        else
          ClobbersShared = true;
      }
    if (isPointer(*argument)) {
      QualType type = argument->getType();
      bool writes =
          type->isArrayType() || !type->getPointeeType().isConstQualified();
      touchHostMemory(*argument, writes, facts);
      if (!keepsNothing)
        escape(*argument);
    } else if (!keepsNothing && argument->getType()->isRecordType()) {
      escape(*argument);
    }
  }
}

void HostWalker::follow(const FunctionDecl &callee,
                        const std::vector<const Expr *> &arguments,
                        StepFacts &facts) {
  const HostFunction *function = Unit.find(callee);
  if (!function)
    return callUnknown(arguments, facts);
  if (isValueFunction(callee))
    return measureGiven(*function, arguments);
  if (function->setsKernelArguments)
    invalidateArguments();
  facts.exits |= function->mayExit && !function->usesDevice;
  facts.exits |= Unit.catches && mayThrow(callee, Model.files.sources()) &&
                 !function->usesDevice;
  // It may reach managed memory that it isn't given.
  if ((Unit.managed || Unit.mapsHostMemory) && !function->usesDevice)
    facts.touchesEverything = true;
  facts.assignsShared |= function->assignsShared;
  if (function->assignsShared)
    ClobbersShared = true;
  if (!function->usesDevice) {
    measureGiven(*function, arguments);
    for (unsigned i = 0; i < arguments.size(); ++i) {
      const Expr &argument = *arguments[i];
      if (isPointer(argument) && !addressee(argument)) {
        bool writes = argument.getType()->isArrayType() ||
                      !argument.getType()->getPointeeType().isConstQualified();
        touchHostMemory(argument, writes, facts);
      }
      if (mayKeep(*function, i))
        escape(argument);
    }
    return;
  }
  if (function->state != HostFunction::State::Done) // recursive
    return callUnknown(arguments, facts);
  const StepFacts &inner = function->facts;
  facts.exits |= inner.exits;
  for (unsigned i = 0; i < arguments.size(); ++i)
    if (i < function->declaration->getNumParams() &&
        Unit.errors.sometimes.count(function->declaration->getParamDecl(i)))
      facts.exits |= !isErrorNow(*arguments[i]);
  // Members are tracked by class, not by object.
  const auto *method = dyn_cast<CXXMethodDecl>(&callee);
  facts.touchesEverything |=
      inner.everything() || (method && method->isInstance() &&
                             inner.kinds.count(StepKind::Free) != 0);
  facts.kinds.insert(inner.kinds.begin(), inner.kinds.end());
  for (const auto &[id, use] : inner.effects) {
    const MemoryObject &object = Model[id];
    if (object.parameter && *object.parameter < arguments.size()) {
      const Expr &argument = *arguments[*object.parameter];
      if (isPointer(argument))
        facts.use(Reader.pointer(argument).object, use.reads, use.writes);
    } else if ((object.array.origin != ArrayOrigin::Allocation ||
                object.array.escapes) &&
               !(function->gift && function->gift->storage == id)) {
      facts.use(id, use.reads, use.writes);
    }
  }
  for (std::size_t index = 0; index < arguments.size(); ++index) {
    const Expr &argument = *arguments[index];
    if (!isPointer(argument)) {
      escape(argument);
      continue;
    }
    // The parameters that the function keeps are known once it was walked.
    if (function->keeps.count(static_cast<std::uint32_t>(index)))
      escape(argument);
    if (function->measured.count(static_cast<std::uint32_t>(index)))
      Model.measure(Reader.pointer(argument).object);
  }
  // A launch inside is an effect of the call, not a member of this region.
  if (inner.kinds.count(StepKind::Launch)) {
    facts.kinds.erase(StepKind::Launch);
    facts.kinds.insert(StepKind::Call);
  }
}

} // namespace kfuse
