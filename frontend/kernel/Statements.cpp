//===- Statements.cpp - Statements of a kernel ----------------------------===//

#include "frontend/kernel/Executor.h"
#include "frontend/syntax/SourceRanges.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "llvm/Support/SaveAndRestore.h"

#include <tuple>

namespace kfuse {

using namespace clang;

namespace {

/// Checks whether a case is deeper than in the switch's block, so that not all
/// the code before it runs.
bool hasHiddenCases(const SwitchStmt &statement) {
  std::size_t all = 0, direct = 0;
  for (const SwitchCase *each = statement.getSwitchCaseList(); each;
       each = each->getNextSwitchCase())
    ++all;
  const auto count = [&](const Stmt *child) {
    while (const auto *each = dyn_cast<SwitchCase>(child)) {
      ++direct;
      child = each->getSubStmt();
    }
  };
  if (const auto *body = dyn_cast<CompoundStmt>(statement.getBody()))
    for (const Stmt *child : body->body())
      count(child);
  else
    count(statement.getBody());
  return direct != all;
}

/// Checks whether `variable` is a structured binding, whose names may be what
/// the user's `get` returns.
bool callsForNames(const VarDecl &variable) {
  const auto *names = dyn_cast<DecompositionDecl>(&variable);
  return names && llvm::any_of(names->bindings(), [](const BindingDecl *each) {
           return each->getHoldingVar() != nullptr;
         });
}

} // namespace

void KernelExecutor::execute(const Stmt *statement) {
  if (!statement || Current.ended)
    return;
  if (isOver(statement->getSourceRange()))
    return;
  const llvm::SaveAndRestore innermost(Statement, statement);
  if (const auto *expression = dyn_cast<Expr>(statement)) {
    DiscardedValue = expression->IgnoreParenCasts();
    if (const auto *full = dyn_cast<FullExpr>(DiscardedValue))
      DiscardedValue = full->getSubExpr()->IgnoreParenCasts();
    if (expression->isGLValue() && isa<DeclRefExpr>(DiscardedValue))
      return; // `x;` reads nothing.
    evaluate(expression);
    DiscardedValue = nullptr;
    return;
  }
  if (const auto *s = dyn_cast<CompoundStmt>(statement)) {
    for (const Stmt *child : s->body())
      execute(child);
    return;
  }
  if (const auto *s = dyn_cast<AttributedStmt>(statement))
    return execute(s->getSubStmt());
  if (const auto *s = dyn_cast<DeclStmt>(statement)) {
    for (const Decl *declaration : s->decls())
      if (const auto *variable = dyn_cast<VarDecl>(declaration))
        executeDeclaration(*variable);
    return;
  }
  if (const auto *s = dyn_cast<IfStmt>(statement))
    return executeIf(*s);
  if (const auto *s = dyn_cast<ForStmt>(statement)) {
    execute(s->getInit());
    if (s->getConditionVariable())
      return giveUp(s->getSourceRange());
    return executeLoop({s, s->getCond(), s->getInc(), s->getBody(), true});
  }
  if (const auto *s = dyn_cast<WhileStmt>(statement)) {
    if (s->getConditionVariable())
      return giveUp(s->getSourceRange());
    return executeLoop({s, s->getCond(), nullptr, s->getBody(), true});
  }
  if (const auto *s = dyn_cast<DoStmt>(statement))
    return executeLoop({s, s->getCond(), nullptr, s->getBody(), false});
  if (const auto *s = dyn_cast<CXXForRangeStmt>(statement))
    return giveUp(s->getSourceRange());
  if (const auto *s = dyn_cast<SwitchStmt>(statement))
    return executeSwitch(*s);
  if (const auto *s = dyn_cast<SwitchCase>(statement)) {
    // Reached from the head or from the arm before.
    forget(Switches.back(), NotPolynomial::Unsupported);
    return execute(s->getSubStmt());
  }
  if (const auto *s = dyn_cast<ReturnStmt>(statement))
    return executeReturn(*s);
  if (isa<ContinueStmt>(statement)) {
    if (!Continues.empty())
      Continues.back().push_back(Current.variables);
    Current.ended = true;
    return;
  }
  if (isa<BreakStmt>(statement)) {
    // A switch runs all of its arms under an unknown guard, so leaving one is
    // no news. A loop's variables are forgotten after it.
    if (SwitchDepth != 0)
      return;
    if (!Breaks.empty())
      Breaks.back().push_back(Current.variables);
    Current.ended = true;
    return;
  }
  if (isa<AsmStmt>(statement)) {
    note(KernelFeature::InlineAssembly, statement->getSourceRange());
    return giveUp(statement->getSourceRange());
  }
  if (isa<NullStmt>(statement))
    return;
  giveUp(statement->getSourceRange());
}

void KernelExecutor::executeDeclaration(const VarDecl &variable) {
  // Neither code that runs at the end of the scope nor a structured binding's
  // calls are followed.
  if (endsInCode(variable.getType()) || variable.hasAttr<CleanupAttr>() ||
      callsForNames(variable))
    giveUp(variable.getSourceRange());
  if (variable.hasAttr<CUDASharedAttr>() ||
      variable.getType().getAddressSpace() == LangAS::opencl_local) {
    // A kernel that calls another with local memory has it from somewhere.
    if (Frames.size() > 1 && !variable.hasAttr<CUDASharedAttr>())
      giveUp(variable.getSourceRange());
    variablePlace(variable); // Counts its bytes.
    return;
  }
  if (variable.hasGlobalStorage()) {
    if (!variable.getType().isConstQualified() && !variable.isConstexpr()) {
      note(KernelFeature::SideEffect, variable.getSourceRange(),
           variable.getNameAsString());
      giveUp(variable.getSourceRange());
    }
    return;
  }
  const Expr *init = variable.getInit();
  if (variable.getType()->isReferenceType()) {
    Place bound;
    if (init && init->isGLValue()) {
      bound = place(init);
    } else if (init) {
      bound.kind = Place::Kind::Temporary;
      bound.temporary = evaluate(init);
    }
    References[&variable] = std::move(bound);
    return;
  }
  Value value = init ? evaluate(init) : Value{};
  if (value.kind == Value::Kind::Other) {
    if (variable.getType()->isIntegralOrEnumerationType())
      value = integerValue(NotPolynomial::Unsupported);
    else if (variable.getType()->isPointerType())
      value = pointerValue({});
  }
  Current.variables[&variable] = std::move(value);
}

void KernelExecutor::executeIf(const IfStmt &statement) {
  execute(statement.getInit());
  if (const VarDecl *variable = statement.getConditionVariable())
    executeDeclaration(*variable);
  const Branch branch = evaluateCondition(statement.getCond());
  // A condition that is known at compile time, as in templates.
  const Constraint never{Relation::NonNegative, Polynomial(-1)};
  if (branch.whenTrue.empty())
    return execute(statement.getThen());
  if (branch.whenTrue == Guard{never})
    return execute(statement.getElse());
  const State before = Current;
  bool isWhole = true; // neither arm loses threads on its way
  const auto arm = [&](const Guard &guard, const Stmt *code, Arm &seen) {
    Current = before;
    seen.guardBegin = static_cast<std::uint32_t>(Current.guard.size());
    assume(guard);
    seen.guardEnd = static_cast<std::uint32_t>(Current.guard.size());
    seen.begin = Result.accesses.size();
    execute(code);
    seen.end = Result.accesses.size();
    isWhole &= Current.guard.size() == seen.guardEnd && !isGuardFull();
    return std::move(Current);
  };
  Arm first, second;
  State whenTrue = arm(branch.whenTrue, statement.getThen(), first);
  State whenFalse = arm(branch.whenFalse, statement.getElse(), second);
  const bool isKnown =
      first.guardEnd <= MostConjuncts && second.guardEnd <= MostConjuncts;
  join(before, branch, isWhole, std::move(whenTrue), std::move(whenFalse));
  if (!isKnown)
    return;
  const std::vector<std::size_t> stored = storedInBoth(first, second),
                                 too = storedInBoth(second, first);
  noteOtherArm(stored, first);
  noteOtherArm(too, second);
}

/// Checks for a store of all bits of its place.
static bool isWholeStore(const Access &access) {
  return access.kind == AccessKind::Write &&
         (access.form == AccessForm::Store ||
          access.form == AccessForm::Update);
}

/// Returns the stores of `arm` to elements to which `other` always stores.
std::vector<std::size_t> KernelExecutor::storedInBoth(const Arm &arm,
                                                      const Arm &other) const {
  const auto placeOf = [](const Access &access) {
    return std::tie(access.pointer, access.index, access.offset, access.width,
                    access.loops);
  };
  std::set<decltype(placeOf(Result.accesses.front()))> always;
  for (std::size_t i = other.begin; i < other.end; ++i)
    if (const Access &access = Result.accesses[i];
        isWholeStore(access) &&
        access.guard.size() - access.otherArm.size() == other.guardEnd)
      always.insert(placeOf(access));
  std::vector<std::size_t> stores;
  for (std::size_t i = arm.begin; i < arm.end; ++i)
    if (const Access &access = Result.accesses[i];
        isWholeStore(access) &&
        std::holds_alternative<Polynomial>(access.index) &&
        always.contains(placeOf(access)))
      stores.push_back(i);
  return stores;
}

void KernelExecutor::noteOtherArm(const std::vector<std::size_t> &stores,
                                  const Arm &arm) {
  for (const std::size_t store : stores)
    for (std::uint32_t conjunct = arm.guardBegin; conjunct < arm.guardEnd;
         ++conjunct)
      Result.accesses[store].otherArm.push_back(conjunct);
}

KernelExecutor::Selection KernelExecutor::selectionBy(Branch branch) const {
  std::optional<Polynomial> condition = Arithmetic.boolean(branch.whenTrue);
  return {std::move(branch), std::move(condition)};
}

Value KernelExecutor::joinValues(const Selection &selection, const Value &lhs,
                                 const Value &rhs) const {
  if (lhs.sameAs(rhs))
    return lhs;
  auto joined = [&](const IndexExpr &left,
                    const IndexExpr &right) -> IndexExpr {
    if (left == right)
      return left;
    if (selection.condition)
      return Arithmetic.select(*selection.condition, left, right);
    return std::holds_alternative<Polynomial>(left) &&
                   !std::holds_alternative<Polynomial>(right)
               ? right
           : std::holds_alternative<Polynomial>(left)
               ? IndexExpr(NotPolynomial::Unsupported)
               : left;
  };
  if (lhs.kind == Value::Kind::Aggregate &&
      rhs.kind == Value::Kind::Aggregate) {
    Value result;
    result.kind = Value::Kind::Aggregate;
    for (const auto &[path, member] : lhs.members)
      if (auto other = rhs.members.find(path); other != rhs.members.end())
        result.members[path] = joinValues(selection, member, other->second);
    return result;
  }
  if (lhs.kind == Value::Kind::Integer || rhs.kind == Value::Kind::Integer) {
    if (lhs.kind != rhs.kind)
      return integerValue(NotPolynomial::Unsupported);
    return integerValue(joined(lhs.integer, rhs.integer));
  }
  if (lhs.kind == Value::Kind::Pointer || rhs.kind == Value::Kind::Pointer) {
    const bool sameMemory = lhs.kind == rhs.kind &&
                            lhs.pointer.base == rhs.pointer.base &&
                            lhs.pointer.pointer == rhs.pointer.pointer &&
                            lhs.pointer.variable == rhs.pointer.variable &&
                            lhs.pointer.path == rhs.pointer.path;
    if (!sameMemory || lhs.pointer.base == PointerBase::Choice)
      return lhs.kind == rhs.kind
                 ? pointerValue(
                       joinPointers(selection.branch, lhs.pointer, rhs.pointer))
                 : pointerValue({});
    Value result = lhs;
    result.condition = nullptr;
    result.loaded.reset();
    result.pointer.bytes = joined(lhs.pointer.bytes, rhs.pointer.bytes);
    return result;
  }
  Value result;
  if (lhs.kind == Value::Kind::Aggregate || rhs.kind == Value::Kind::Aggregate)
    result.kind = Value::Kind::Aggregate;
  return result;
}

/// Returns what a pointer may point to that is `lhs` if the branch's condition
/// is true, and else `rhs`.
PointerState KernelExecutor::joinPointers(const Branch &branch,
                                          const PointerState &lhs,
                                          const PointerState &rhs) const {
  constexpr std::size_t MostTargets = 8;
  PointerState result;
  result.base = PointerBase::Choice;
  for (const PointerState *each : {&lhs, &rhs}) {
    const Guard &chosen = each == &lhs ? branch.whenTrue : branch.whenFalse;
    std::vector<PointerTarget> targets = each->targets;
    if (each->base == PointerBase::Global)
      targets.push_back({{}, each->pointer, each->bytes});
    else if (each->base != PointerBase::Choice &&
             each->base != PointerBase::Private)
      return {};
    for (PointerTarget &target : targets) {
      target.guard.insert(target.guard.end(), chosen.begin(), chosen.end());
      result.targets.push_back(std::move(target));
    }
  }
  return result.targets.size() <= MostTargets ? result : PointerState{};
}

void KernelExecutor::meet(const Variables &others) {
  Variables::compare(
      Current.variables, others,
      [&](const VarDecl *variable, const Value *now, const Value *other) {
        if (now && other && !now->sameAs(*other))
          Current.variables[variable] = joinValues({}, *now, *other);
      });
}

void KernelExecutor::assume(const Guard &guard) {
  const auto add = [this](Constraint constraint) {
    if (Current.guard.size() < MostConjuncts)
      Current.guard.push_back(std::move(constraint));
    else if (!isGuardFull())
      Current.guard.push_back({});
  };
  for (const Constraint &constraint : guard) {
    add(constraint);
    // `i != n - 1` says `i < n - 1` of what is less than n.
    if (constraint.relation == Relation::NonZero)
      for (const std::int64_t sign : {1, -1}) {
        const auto value = multiply(constraint.expression, Polynomial(sign));
        const auto more =
            value ? subtract(*value, Polynomial(1)) : std::nullopt;
        if (more && Arithmetic.isNonNegative(*value, Current.guard)) {
          add({Relation::NonNegative, *more});
          break;
        }
      }
  }
}

/// Checks whether the guard is full: its last conjunct, an unknown one,
/// represents any number of them.
bool KernelExecutor::isGuardFull() const {
  return Current.guard.size() > MostConjuncts;
}

void KernelExecutor::join(const State &before, const Branch &branch,
                          bool isWhole, State whenTrue, State whenFalse) {
  if (whenTrue.ended) {
    Current = std::move(whenFalse);
    return;
  }
  if (whenFalse.ended) {
    Current = std::move(whenTrue);
    return;
  }
  Current.guard = before.guard;
  if (!isWhole)
    assume({Constraint{}});
  const Selection selection = isWhole ? selectionBy(branch) : Selection{};
  Current.ended = false;
  Current.variables = whenTrue.variables;
  Variables::compare(
      std::move(whenTrue.variables), std::move(whenFalse.variables),
      [&](const VarDecl *variable, const Value *value, const Value *other) {
        if (value && !other)
          Current.variables.erase(variable);
        else if (value && !value->sameAs(*other))
          Current.variables[variable] = joinValues(selection, *value, *other);
      });
}

void KernelExecutor::executeSwitch(const SwitchStmt &statement) {
  if (hasHiddenCases(statement))
    giveUp(statement.getSourceRange());
  execute(statement.getInit());
  if (const VarDecl *variable = statement.getConditionVariable())
    executeDeclaration(*variable);
  evaluate(statement.getCond());
  const CodeEffects effects = effectsOf({statement.getBody()});
  const std::size_t size = Current.guard.size();
  auto arms = [&] {
    assume({Constraint{}});
    ++SwitchDepth;
    // An arm that returns or continues doesn't end the others.
    if (const auto *body = dyn_cast<CompoundStmt>(statement.getBody())) {
      for (const Stmt *child : body->body()) {
        execute(child);
        Current.ended = false;
      }
    } else {
      execute(statement.getBody());
      Current.ended = false;
    }
    --SwitchDepth;
  };
  // An arm may run more of the arms within it if less is known.
  Switches.push_back(effects.modified);
  for (bool isAll = false; !isAll;) {
    std::set<const VarDecl *> changed = speculate(arms);
    const std::size_t known = Switches.back().size();
    Switches.back().merge(changed);
    isAll = Switches.back().size() == known;
  }
  arms();
  forget(Switches.back(), NotPolynomial::Unsupported);
  Switches.pop_back();
  Current.guard.resize(size);
  if (effects.hasReturn || effects.hasContinue)
    assume({Constraint{}});
}

void KernelExecutor::executeReturn(const ReturnStmt &statement) {
  Frame::Exit exit;
  if (const Expr *value = statement.getRetValue()) {
    const QualType type = Frames.back().function->getReturnType();
    if (type->isReferenceType() && value->isGLValue()) {
      exit.place = place(value);
      if (exit.place.kind != Place::Kind::Memory &&
          type->getPointeeType().isConstQualified()) {
        exit.value = load(exit.place, value);
        exit.place.kind = Place::Kind::Temporary;
        exit.place.temporary = exit.value;
      }
    } else {
      exit.value = evaluate(value);
    }
  }
  const std::size_t start = Frames.back().guardSize;
  exit.guard.assign(Current.guard.begin() + static_cast<std::ptrdiff_t>(start),
                    Current.guard.end());
  if (isGuardFull())
    exit.guard.push_back({});
  exit.variables = Current.variables;
  if (LoopStack.size() > Frames.back().loopDepth) {
    const std::size_t loops = Frames.back().loops;
    leaveLoops(exit.value, loops);
    leaveLoops(exit.place.temporary, loops);
    Value where = pointerValue(exit.place.pointer);
    leaveLoops(where, loops);
    exit.place.pointer = where.pointer;
    Current.variables.forEach([&](const VarDecl *variable, const Value &value) {
      Value left = value;
      leaveLoops(left, loops);
      if (!left.sameAs(value))
        exit.variables[variable] = std::move(left);
    });
  }
  Frames.back().exits.push_back(std::move(exit));
  Current.ended = true;
}

} // namespace kfuse
