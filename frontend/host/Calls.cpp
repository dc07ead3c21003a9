//===- Calls.cpp - What expressions do to the device ----------------------===//
//
// Visits an expression's calls in order of evaluation. CUDA's functions are
// known by name, the unit's own by their summaries, those of system headers
// touch no device storage; everything else may do anything.
//
//===----------------------------------------------------------------------===//

#include "frontend/api/Callees.h"
#include "frontend/api/DeviceLibraries.h"
#include "frontend/api/Swaps.h"
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

/// Checks for functions of the runtime that launch a kernel, whose arguments
/// are in an array of pointers.
bool launchesKernel(llvm::StringRef name) {
  return name.starts_with("cudaLaunchKernel") ||
         name.starts_with("cudaLaunchCooperativeKernel") ||
         name.starts_with("cuLaunchKernel") ||
         name.starts_with("cuLaunchCooperativeKernel");
}

/// Checks whether a call of `function` may touch the device's arrays; nullptr
/// is a function that isn't known. Error checks and waits touch nothing.
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
    facts.assignsShared = ClobbersShared = true;
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
    Model.escape(Reader.pointer(expression).object);
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
        Model.escape(pointer->object);
    }
}

void HostWalker::touchHostMemory(const Expr &pointer, bool writes,
                                 StepFacts &facts) {
  facts.use(Reader.pointer(pointer).object, true, writes);
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
    ClobbersShared = true;
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
  const std::size_t sure = KnownWrites.size();
  effects(statement, facts);
  for (std::size_t i = sure; i < KnownWrites.size(); ++i)
    PossibleWrites.push_back(KnownWrites[i].first);
  // Values that the expression wrote before are no longer sure either.
  std::erase_if(KnownWrites, [&](const auto &entry) {
    const auto &[place, data] = entry;
    const bool isLost = std::any_of(
        PossibleWrites.begin(), PossibleWrites.end(),
        [&](const HostPlace &other) { return other.base == place.base; });
    if (const auto *pointer = std::get_if<HostPointer>(&data);
        isLost && pointer)
      Model.escape(pointer->object);
    return isLost;
  });
}

void HostWalker::construct(const CXXConstructExpr &expression,
                           StepFacts &facts) {
  const CXXConstructorDecl &constructor = *expression.getConstructor();
  const auto borrowed = borrowing(expression);
  std::vector<const Expr *> arguments(expression.arg_begin(),
                                      expression.arg_end());
  for (const Expr *argument : arguments)
    effects(*argument, facts, true);
  if (Wrappers.count(&expression) != 0)
    return;
  if (borrowed)
    return borrow(constructor, *borrowed, facts);
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

void HostWalker::call(const CallExpr &expression, StepFacts &facts) {
  std::vector<const Expr *> arguments(expression.arg_begin(),
                                      expression.arg_end());
  const FunctionDecl *callee = expression.getDirectCallee();
  const auto borrowed = borrowing(expression);
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
  if (Wrappers.count(&expression) != 0)
    return;
  if (!callee)
    return callUnknown(arguments, facts);
  if (borrowed)
    return borrow(*callee, *borrowed, facts);
  if (const std::string name = plainName(*callee);
      isSystem(*callee, Model.files.sources()) && launchesKernel(name))
    return ignoreLaunch(
        expression, "launched by '" + name + "' instead of <<<...>>>", facts);
  if (std::optional<RuntimeCall> role =
          runtimeRole(*callee, Model.files.sources()))
    return callRuntime(*callee, *role, expression, facts);
  const auto *method = dyn_cast<CXXMethodDecl>(callee);
  if (method && isa<CXXOperatorCallExpr>(expression) && !method->isStatic() &&
      !arguments.empty())
    arguments.erase(arguments.begin());
  if (isDeviceAddress(*callee) ||
      (method && (isGetter(*method) || isElementAccess(*method))))
    return;
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
  if (const auto swapped = swappedBy(expression);
      swapped && swapped->first->getType()->isScalarType()) {
    if (!swapped->first->getType()->isAnyPointerType())
      return;
    const HostPointer one = Reader.pointer(*swapped->first);
    const HostPointer two = Reader.pointer(*swapped->second);
    recordWrite(*swapped->first, two);
    recordWrite(*swapped->second, one);
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
  callSystem(*callee, arguments, facts);
}

} // namespace kfuse
