//===- Calls.cpp - What expressions do to the device ----------------------===//
//
// Visits an expression's calls in order of evaluation. CUDA's functions are
// known by name, the unit's own by their summaries, those of system headers
// touch no device storage; everything else may do anything.
//
//===----------------------------------------------------------------------===//

#include "frontend/api/Callees.h"
#include "frontend/host/CollectFunctions.h"
#include "frontend/host/Walker.h"
#include "frontend/syntax/EvaluatedChildren.h"
#include "frontend/syntax/Lvalues.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

#include <algorithm>

namespace kfuse {

using namespace clang;

namespace {

bool isPointer(const Expr &expression) {
  return expression.getType()->isAnyPointerType() ||
         expression.getType()->isArrayType();
}

/// Reads a clock.
bool isClock(const FunctionDecl &function) {
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

/// Checks and waits touch nothing.
bool mayTouchDevice(const HostFunction *function) {
  return !function ||
         (function->usesDevice &&
          (function->state != HostFunction::State::Done ||
           function->facts.everything() || function->scan.hasLaunch ||
           !function->facts.effects.empty()));
}

} // namespace

void HostWalker::implicit(const FunctionDecl &callee, StepFacts &facts) {
  facts.exits |= Unit.catches && mayThrow(callee, Model.files.sources());
  if (isSystem(callee, Model.files.sources()))
    return;
  const HostFunction *function = Unit.find(callee);
  if (mayTouchDevice(function))
    callUnknown({}, facts);
  if (!function)
    return;
  facts.exits |= function->mayExit;
  if (function->assignsShared)
    facts.assignsShared = Clobbers = true;
}

void HostWalker::implicit(const FunctionList &functions, StepFacts &facts) {
  for (const FunctionDecl *each : functions)
    implicit(*each, facts);
}

void HostWalker::implicit(const ImplicitCalls &calls, StepFacts &facts) {
  implicit(calls.functions, facts);
  const bool isOutermost = Initialised.empty();
  for (const Expr *init : calls.initialisers)
    if (Initialised.insert(init).second)
      effects(*init, facts, true);
  if (isOutermost)
    Initialised.clear();
}

void HostWalker::escape(const Expr &expression) {
  if (isPointer(expression)) {
    Model.escape(Reader.pointer(expression).root);
    return;
  }
  if (!expression.getType()->isRecordType())
    return;
  // An object made of pointers here has no place to read them from.
  Reader.escapeMentioned(expression);
  for (const RecordLeaf &leaf : recordLeaves(expression.getType()))
    if (leaf.type->isAnyPointerType()) {
      HostData held = Reader.member(expression, leaf.path, leaf.type);
      if (const auto *pointer = std::get_if<HostPointer>(&held))
        Model.escape(pointer->root);
    }
}

void HostWalker::touchHostMemory(const Expr &pointer, bool writes,
                                 StepFacts &facts) {
  facts.use(Reader.pointer(pointer).root, true, writes);
}

void HostWalker::effects(const Stmt &statement, StepFacts &facts, bool isLoad) {
  overlookNumbers(statement, Overlooked);
  if (const auto *launched = dyn_cast<CUDAKernelCallExpr>(&statement))
    return launch(*launched, facts);
  if (const auto *called = dyn_cast<CallExpr>(&statement))
    return call(*called, facts);
  if (const auto *made = dyn_cast<CXXConstructExpr>(&statement))
    return construct(*made, facts);
  if (const auto *atomic = dyn_cast<AtomicExpr>(&statement)) {
    std::vector<const Expr *> operands;
    for (const Stmt *child : atomic->children()) {
      effects(*child, facts);
      operands.push_back(cast<Expr>(child));
    }
    return callUnknown(operands, facts);
  }
  // Arrays without a name: their elements have no names either.
  if (isa<CXXStdInitializerListExpr>(statement) || isa<CXXNewExpr>(statement))
    Reader.escapeMentioned(statement);
  if (const auto *made = dyn_cast<CXXInheritedCtorInitExpr>(&statement)) {
    const CXXConstructorDecl &constructor = *made->getConstructor();
    // Its arguments are the inheriting constructor's.
    return isSystem(constructor, Model.files.sources())
               ? callSystem(constructor, {}, facts)
               : callUnknown({}, facts);
  }
  if (const auto *lambda = dyn_cast<LambdaExpr>(&statement)) {
    for (const FunctionDecl *body : lambdaBodies(*lambda))
      if (mayTouchDevice(Unit.find(*body))) {
        // It may run at any time from here on.
        facts.touchesEverything = true;
        facts.kinds.insert(StepKind::Opaque);
      }
    for (const Expr *capture : lambda->capture_inits())
      if (capture) {
        effects(*capture, facts, true);
        escape(*capture);
      }
    return;
  }
  facts.exits |= Unit.catches && throwsByItself(statement);
  if (isa<CXXThrowExpr>(statement)) {
    facts.exits = true;
    Reader.escapeMentioned(statement);
  }
  if (const auto *temporary = dyn_cast<CXXBindTemporaryExpr>(&statement))
    implicit(destructorsOf(temporary->getType(), Model.files.sources()), facts);
  if (const auto *made = dyn_cast<CXXNewExpr>(&statement)) {
    if (const FunctionDecl *allocate = made->getOperatorNew())
      implicit(*allocate, facts);
    if (const Expr *init = made->getInitializer())
      Reader.escapeMentioned(*init);
  }
  if (const auto *deletion = dyn_cast<CXXDeleteExpr>(&statement)) {
    const QualType type = deletion->getDestroyedType();
    implicit(destructorsOf(type, Model.files.sources()), facts);
    if (const FunctionDecl *release = deletion->getOperatorDelete())
      implicit(*release, facts);
    const CXXRecordDecl *record = type->getAsCXXRecordDecl();
    // Which class's destructor runs isn't known.
    if (record && record->isPolymorphic())
      callUnknown({}, facts);
  }
  if (isa<RecoveryExpr>(statement) || isa<StmtExpr>(statement) ||
      isa<CoroutineSuspendExpr>(statement)) {
    facts.touchesEverything = true;
    facts.kinds.insert(StepKind::Opaque);
    Clobbers = true;
  }
  if (Unit.mapsHostMemory &&
      (isa<ArraySubscriptExpr>(statement) ||
       (isa<MemberExpr>(statement) && cast<MemberExpr>(statement).isArrow()) ||
       (isa<UnaryOperator>(statement) &&
        cast<UnaryOperator>(statement).getOpcode() == UO_Deref)))
    facts.touchesEverything = true;
  if (const auto *element = dyn_cast<ArraySubscriptExpr>(&statement)) {
    effects(*element->getBase(), facts);
    effects(*element->getIdx(), facts, true);
    if (!element->getBase()->IgnoreParenImpCasts()->getType()->isArrayType())
      touchHostMemory(*element->getBase(), !isLoad, facts);
    return;
  }
  if (const auto *unary = dyn_cast<UnaryOperator>(&statement)) {
    // `&p[i]` touches nothing.
    if (unary->getOpcode() == UO_AddrOf) {
      if (const auto *element = dyn_cast<ArraySubscriptExpr>(
              unary->getSubExpr()->IgnoreParens())) {
        effects(*element->getBase(), facts);
        return effects(*element->getIdx(), facts, true);
      }
      if (isa<DeclRefExpr>(unary->getSubExpr()->IgnoreParens()))
        return;
    }
    if (unary->getOpcode() == UO_Deref &&
        !unary->getSubExpr()->getType()->isFunctionPointerType())
      touchHostMemory(*unary->getSubExpr(), !isLoad, facts);
  }
  if (const auto *member = dyn_cast<MemberExpr>(&statement)) {
    const Expr *object = member->getBase();
    if (member->isArrow() && !isa<CXXThisExpr>(object->IgnoreParenImpCasts()) &&
        object->getType()->isAnyPointerType())
      touchHostMemory(*object, !isLoad, facts);
    return effects(*object, facts, isLoad);
  }
  if (const auto *choice = dyn_cast<AbstractConditionalOperator>(&statement)) {
    const auto *binary = dyn_cast<BinaryConditionalOperator>(choice);
    effects(binary ? *binary->getCommon() : *choice->getCond(), facts);
    effectsIfAny(*choice->getTrueExpr(), facts);
    return effectsIfAny(*choice->getFalseExpr(), facts);
  }
  if (const auto *binary = dyn_cast<BinaryOperator>(&statement);
      binary && binary->isLogicalOp()) {
    effects(*binary->getLHS(), facts);
    return isEvaluated(*binary) ? effects(*binary->getRHS(), facts)
                                : effectsIfAny(*binary->getRHS(), facts);
  }
  if (const auto *binary = dyn_cast<BinaryOperator>(&statement)) {
    // Storing a pointer where it can't be followed.
    if (binary->isAssignmentOp() && isPointer(*binary->getRHS()) &&
        (ExactAssignments.count(binary) == 0 ||
         !Reader.place(*binary->getLHS())))
      escape(*binary->getRHS());
    // The way from one array to another, as a number.
    if (binary->getOpcode() == BO_Sub && isPointer(*binary->getLHS()) &&
        isPointer(*binary->getRHS()) && Overlooked.count(binary) == 0)
      measure({binary->getLHS(), binary->getRHS()});
  }
  bool loads = false;
  if (const auto *cast = dyn_cast<CastExpr>(&statement)) {
    loads = cast->getCastKind() == CK_LValueToRValue;
    // A pointer that becomes a number can come back from it.
    if (cast->getCastKind() == CK_LValueBitCast)
      escape(*cast->getSubExpr());
    if (cast->getCastKind() == CK_PointerToIntegral &&
        Overlooked.count(cast) == 0)
      measure({cast->getSubExpr()});
  }
  bool isNeutral = isa<ParenExpr>(statement) || isa<CastExpr>(statement) ||
                   isa<CXXDefaultArgExpr>(statement) ||
                   isa<CXXDefaultInitExpr>(statement);
  for (const Stmt *part : evaluatedIn(statement))
    effects(*part, facts, loads || (isNeutral && isLoad));
}

/// Checks whether both operands of `alternative` are evaluated if the function
/// goes on.
bool HostWalker::isEvaluated(const BinaryOperator &alternative) const {
  const Stmt *known = FalseCondition;
  while (known && known != &alternative) {
    const auto *outer = dyn_cast<BinaryOperator>(known);
    known = outer && outer->getOpcode() == BO_LOr
                ? outer->getLHS()->IgnoreParens()
                : nullptr;
  }
  return known && alternative.getOpcode() == BO_LOr;
}

void HostWalker::effectsIfAny(const Stmt &statement, StepFacts &facts) {
  const std::size_t sure = Settled.size();
  effects(statement, facts);
  for (std::size_t i = sure; i < Settled.size(); ++i)
    Unsettled.push_back(Settled[i].first);
  // Values that the expression wrote before are no longer sure either.
  std::erase_if(Settled, [&](const auto &entry) {
    const auto &[place, data] = entry;
    const bool isLost = std::any_of(
        Unsettled.begin(), Unsettled.end(),
        [&](const HostPlace &other) { return other.base == place.base; });
    if (const auto *pointer = std::get_if<HostPointer>(&data);
        isLost && pointer)
      Model.escape(pointer->root);
    return isLost;
  });
}

void HostWalker::construct(const CXXConstructExpr &expression,
                           StepFacts &facts) {
  const CXXConstructorDecl &constructor = *expression.getConstructor();
  std::vector<const Expr *> arguments(expression.arg_begin(),
                                      expression.arg_end());
  for (const Expr *argument : arguments)
    effects(*argument, facts, true);
  bool isShape = constructor.getParent()->getIdentifier() &&
                 constructor.getParent()->getName() == "dim3";
  if (isShape)
    return;
  if (constructor.isImplicit() || constructor.isDefaulted()) {
    implicit(calledByImplicit(constructor, Model.files.sources()), facts);
    return;
  }
  if (const auto role = runtimeRole(constructor, Model.files.sources()))
    return constructOpenCl(expression, *role, facts);
  if (isSystem(constructor, Model.files.sources()))
    return callSystem(constructor, arguments, facts);
  follow(constructor, arguments, facts);
}

void HostWalker::callUnknown(const std::vector<const Expr *> &arguments,
                             StepFacts &facts) {
  facts.touchesEverything = facts.assignsShared = true;
  facts.kinds.insert(StepKind::Opaque);
  Clobbers = true;
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
  bool keepsNothing = (callee.isExternC() || callee.getBuiltinID() != 0) &&
                      !printsToMemory(callee);
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
          Clobbers = true;
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
          Clobbers = true;
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
  if (function->setsKernelArguments)
    invalidateArguments();
  facts.exits |= function->mayExit && !function->usesDevice;
  facts.exits |= Unit.catches && mayThrow(callee, Model.files.sources()) &&
                 !pureBody(callee) && !function->usesDevice;
  // It may reach managed memory that it isn't given.
  if ((Unit.managed || Unit.mapsHostMemory) && !function->usesDevice &&
      !pureBody(callee))
    facts.touchesEverything = true;
  facts.assignsShared |= function->assignsShared;
  if (function->assignsShared)
    Clobbers = true;
  if (!function->usesDevice) {
    measureGiven(*function, arguments);
    for (const Expr *argument : arguments) {
      if (isPointer(*argument) && !addressee(*argument)) {
        bool writes = argument->getType()->isArrayType() ||
                      !argument->getType()->getPointeeType().isConstQualified();
        touchHostMemory(*argument, writes, facts);
      }
      escape(*argument);
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
    const MemoryObject &root = Model[id];
    if (root.parameter && *root.parameter < arguments.size()) {
      const Expr &argument = *arguments[*root.parameter];
      if (isPointer(argument))
        facts.use(Reader.pointer(argument).root, use.reads, use.writes);
    } else if ((root.array.origin != ArrayOrigin::Allocation ||
                root.array.escapes) &&
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
      Model.measure(Reader.pointer(argument).root);
  }
  // A launch inside is an effect of the call, not a member of this region.
  if (inner.kinds.count(StepKind::Launch)) {
    facts.kinds.erase(StepKind::Launch);
    facts.kinds.insert(StepKind::Call);
  }
}

void HostWalker::call(const CallExpr &expression, StepFacts &facts) {
  std::vector<const Expr *> arguments(expression.arg_begin(),
                                      expression.arg_end());
  const FunctionDecl *callee = expression.getDirectCallee();
  const auto *member = dyn_cast<CXXMemberCallExpr>(&expression);
  if (member && member->getImplicitObjectArgument())
    effects(*member->getImplicitObjectArgument(), facts, true);
  else if (!callee)
    effects(*expression.getCallee(), facts, true);
  for (const Expr *argument : arguments)
    effects(*argument, facts, true);
  if (isa<CXXPseudoDestructorExpr>(
          expression.getCallee()->IgnoreParenImpCasts()))
    return;
  if (!callee)
    return callUnknown(arguments, facts);
  if (std::optional<RuntimeCall> role =
          runtimeRole(*callee, Model.files.sources()))
    return callRuntime(*callee, *role, expression, facts);
  const auto *method = dyn_cast<CXXMethodDecl>(callee);
  if (method && isa<CXXOperatorCallExpr>(expression) && !method->isStatic() &&
      !arguments.empty())
    arguments.erase(arguments.begin());
  // Which override runs isn't known.
  if (isOverridable(*callee, Model.files.sources()))
    return callUnknown(arguments, facts);
  if (callee->isImplicit() && callee->getBuiltinID() != 0)
    return callSystem(*callee, arguments, facts);
  if (callee->isDefaulted() || callee->isImplicit()) {
    if (ExactAssignments.count(&expression) == 0)
      for (const Expr *argument : arguments)
        escape(*argument);
    if (method)
      implicit(calledByImplicit(*method, Model.files.sources()), facts);
    return;
  }
  if (!isSystem(*callee, Model.files.sources())) {
    follow(*callee, arguments, facts);
    return receive(expression, facts);
  }
  // std::function and similar ones call what they hold.
  if (isa<CXXOperatorCallExpr>(expression) &&
      cast<CXXOperatorCallExpr>(expression).getOperator() == OO_Call)
    return callUnknown(arguments, facts);
  if (plainName(*callee) == "swap" && callee->isInStdNamespace() &&
      arguments.size() == 2 && isPointer(*arguments[0]) &&
      arguments[0]->getType()->isAnyPointerType()) {
    HostPointer one = Reader.pointer(*arguments[0]);
    HostPointer two = Reader.pointer(*arguments[1]);
    settle(*arguments[0], two);
    settle(*arguments[1], one);
    return;
  }
  callSystem(*callee, arguments, facts);
}

} // namespace kfuse
