//===- Loops.cpp - Loops of a kernel --------------------------------------===//
//
// A variable that every iteration changes by the same amount is linear in the
// loop's counter. To find these, the body first runs with a placeholder for
// each variable that it changes, without recording anything.
//
//===----------------------------------------------------------------------===//

#include "frontend/kernel/Executor.h"
#include "frontend/syntax/SourceRanges.h"
#include "frontend/syntax/SourceVisitor.h"

#include "clang/AST/ASTContext.h"

#include <bit>
#include <cstdlib>

namespace kfuse {

using namespace clang;

namespace {

/// Each takes at least twice the time, for what its runs change.
constexpr std::size_t MostNestedLoops = 12;

/// How often a loop of unknown length is taken to run, for operation counts.
constexpr double AssumedTrips = 16;

bool samePointerBase(const Value &lhs, const Value &rhs) {
  return lhs.kind == rhs.kind && lhs.pointer.base == rhs.pointer.base &&
         lhs.pointer.base != PointerBase::Choice &&
         lhs.pointer.pointer == rhs.pointer.pointer &&
         lhs.pointer.variable == rhs.pointer.variable &&
         lhs.pointer.path == rhs.pointer.path;
}

/// Returns the number that a variable's value has: for a pointer, its bytes.
IndexExpr &numberOf(Value &value) {
  return value.kind == Value::Kind::Pointer ? value.pointer.bytes
                                            : value.integer;
}

std::set<const VarDecl *> variablesIn(const Expr *code) {
  class Visitor : public SourceVisitor {
  public:
    std::set<const VarDecl *> found;
    bool VisitDeclRefExpr(DeclRefExpr *use) override {
      if (const auto *variable = dyn_cast<VarDecl>(use->getDecl()))
        found.insert(variable);
      return true;
    }
  } visitor;
  if (code)
    visitor.TraverseStmt(const_cast<Expr *>(code));
  return visitor.found;
}

/// Checks whether the loop goes on as long as one comparison holds, and nothing
/// else ends it.
bool endsByComparison(const Expr *condition, const CodeEffects &effects) {
  const auto *comparison =
      condition ? dyn_cast<BinaryOperator>(condition->IgnoreParenImpCasts())
                : nullptr;
  return comparison && comparison->isComparisonOp() && !effects.hasBreak &&
         !effects.hasReturn;
}

/// Checks whether a number that grows by `step` and wraps takes the values
/// again that it had before. A loop that they didn't end would then never end.
/// Steps by the size of a block or a grid are assumed to be such.
bool isPeriodic(const Polynomial &step) {
  const std::optional<std::int64_t> constant = step.asConstant();
  return !constant ||
         std::has_single_bit(static_cast<std::uint64_t>(std::abs(*constant)));
}

/// Checks whether the code declares a variable of this name.
bool declares(const Stmt *code, llvm::StringRef name) {
  class Visitor : public SourceVisitor {
  public:
    llvm::StringRef wanted;
    bool found = false;
    bool VisitVarDecl(VarDecl *variable) override {
      found |= variable->getDeclName().isIdentifier() &&
               variable->getName() == wanted;
      return !found;
    }
  } visitor;
  visitor.wanted = name;
  if (code)
    visitor.TraverseStmt(const_cast<Stmt *>(code));
  return visitor.found;
}

/// Checks whether only the loop's increment changes the variable, by its name,
/// and the body means nothing else by this.
bool isOwnVariable(const VarDecl &variable, const Stmt *body) {
  const auto *function = dyn_cast<FunctionDecl>(variable.getDeclContext());
  const Stmt *code = function ? function->getBody() : nullptr;
  return code && variable.getDeclName().isIdentifier() &&
         variable.getType()->isIntegerType() &&
         !variable.getType().isVolatileQualified() &&
         !effectsOf({body}).modified.contains(&variable) &&
         !exposedVariables(*code).contains(&variable) &&
         !declares(body, variable.getName());
}

} // namespace

void KernelExecutor::forget(const std::set<const VarDecl *> &variables,
                            NotPolynomial why) {
  for (const VarDecl *variable : variables)
    if (Current.variables.contains(variable)) {
      Value &value = Current.variables[variable];
      value.condition = nullptr;
      value.loaded.reset();
      if (value.kind == Value::Kind::Aggregate)
        value.members.clear();
      else if (value.kind == Value::Kind::Pointer)
        value = pointerValue({});
      else
        value.integer = why;
    }
}

bool KernelExecutor::summariseLoop(const Loop &loop,
                                   std::set<const VarDecl *> &modified,
                                   const Variables &start,
                                   std::uint32_t counter,
                                   KnownValues &uncertain,
                                   std::set<const VarDecl *> &wrapping) {
  // `uncertain` holds what is known of the modified variables at the head:
  // refined here until one more iteration doesn't contradict it.
  std::map<const VarDecl *, Symbol> placeholders;
  std::vector<Symbol> symbols;
  KnownValues head;
  for (const VarDecl *variable : modified) {
    const Value *known = start.find(variable);
    if (!known)
      continue;
    Value value = *known;
    if (auto doubtful = uncertain.find(variable); doubtful != uncertain.end())
      value = doubtful->second;
    value.condition = nullptr;
    value.loaded.reset();
    if (value.kind == Value::Kind::Aggregate) {
      value.members.clear();
    } else if (std::holds_alternative<Polynomial>(numberOf(value)) &&
               value.kind != Value::Kind::Other) {
      const Symbol symbol = Context.terms.unique();
      placeholders.emplace(variable, symbol);
      symbols.push_back(symbol);
      numberOf(value) = Polynomial(symbol);
    }
    head[variable] = std::move(value);
  }
  Variables after;
  auto iteration = [&] {
    for (auto &[variable, value] : head)
      Current.variables[variable] = value;
    assume({Constraint{}});
    Continues.emplace_back();
    Breaks.emplace_back();
    const unsigned switches = std::exchange(SwitchDepth, 0U);
    if (loop.testsFirst)
      evaluateCondition(loop.condition);
    execute(loop.body);
    for (const Variables &other : Continues.back()) {
      if (Current.ended)
        Current.variables = other;
      Current.ended = false;
      meet(other);
    }
    Current.ended = false;
    evaluate(loop.increment);
    if (!loop.testsFirst)
      evaluateCondition(loop.condition);
    SwitchDepth = switches;
    Continues.pop_back();
    Breaks.pop_back();
    after = std::move(Current.variables);
  };
  // A callee changes variables by other names than theirs, so that only the
  // run tells all of them.
  bool isStable = true;
  for (const VarDecl *variable : speculate(iteration))
    if (start.contains(variable))
      isStable &= !modified.insert(variable).second;
  for (const auto &[variable, symbol] : placeholders)
    if (WrappingSteps.contains(symbol))
      wrapping.insert(variable);
  for (auto &[variable, value] : head) {
    Value &now = after[variable];
    Value next = *start.find(variable);
    next.condition = nullptr;
    next.loaded.reset();
    const bool isPointer = value.kind == Value::Kind::Pointer;
    if (value.kind == Value::Kind::Aggregate ||
        value.kind == Value::Kind::Other) {
      uncertain[variable] = value;
      continue;
    }
    if (isPointer && !samePointerBase(value, now)) {
      isStable &= value.pointer.base == PointerBase::Unknown;
      uncertain[variable] = pointerValue({});
      continue;
    }
    if (auto doubtful = uncertain.find(variable);
        doubtful != uncertain.end() && isPointer &&
        doubtful->second.pointer.base == PointerBase::Unknown)
      continue;
    IndexExpr &number = numberOf(next);
    auto placeholder = placeholders.find(variable);
    if (placeholder == placeholders.end() || now.kind != value.kind) {
      number = NotPolynomial::LoopVariant;
      uncertain[variable] = std::move(next);
      continue;
    }
    const IndexExpr change =
        Arithmetic.subtract(numberOf(now), Polynomial(placeholder->second));
    const auto *step = std::get_if<Polynomial>(&change);
    auto isInnerCounter = [&](Symbol symbol) {
      return symbol.kind == SymbolKind::LoopCounter && symbol.index >= counter;
    };
    const std::vector<Symbol> used =
        step ? step->symbols() : std::vector<Symbol>();
    const bool isInvariant =
        step && !Arithmetic.mentions(*step, symbols) &&
        std::none_of(used.begin(), used.end(), isInnerCounter);
    number =
        isInvariant
            ? Arithmetic.add(
                  number, Arithmetic.multiply(
                              *step, Polynomial(Symbol{SymbolKind::LoopCounter,
                                                       counter})))
            : IndexExpr(NotPolynomial::LoopVariant);
    uncertain[variable] = std::move(next);
  }
  return isStable;
}

IndexExpr KernelExecutor::tripCount(const Guard &condition,
                                    Symbol counter) const {
  for (const Constraint &constraint : condition) {
    const std::optional<Polynomial::LinearSplit> split =
        constraint.expression.splitLinear(counter);
    if (!split || split->coefficient.isZero() ||
        Arithmetic.mentions(split->rest, {counter}) ||
        Arithmetic.mentions(split->coefficient, {counter}))
      continue;
    const std::optional<std::int64_t> constant =
        split->coefficient.asConstant();
    // `i != n` with steps of one, upwards or downwards.
    if (constraint.relation == Relation::NonZero && constant) {
      if (*constant == -1)
        return split->rest;
      if (*constant == 1)
        return Arithmetic.subtract(Polynomial{}, split->rest);
    }
    if (constraint.relation != Relation::NonNegative)
      continue;
    // rest - step*counter >= 0
    const IndexExpr step =
        Arithmetic.subtract(Polynomial{}, split->coefficient);
    const auto *value = std::get_if<Polynomial>(&step);
    const bool isPositive =
        value &&
        std::all_of(
            value->terms().begin(), value->terms().end(), [](const auto &term) {
              return term.second > 0 &&
                     std::all_of(term.first.begin(), term.first.end(),
                                 [](Symbol symbol) {
                                   return symbol.kind == SymbolKind::BlockDim ||
                                          symbol.kind == SymbolKind::GridDim;
                                 });
            });
    if (!isPositive)
      continue;
    return Arithmetic.term(TermKind::Divide, Arithmetic.add(split->rest, step),
                           step);
  }
  return NotPolynomial::Unsupported;
}

/// Checks whether a loop's condition, which compares `value` with `limit`, sees
/// the loop's variable itself, not the variable modulo 2^bits. It begins as a
/// number of its type. A loop whose variable wrapped would never end, unless
/// something else ends it or its steps come to other numbers then. In these
/// cases the variable has to stop before it wraps.
bool KernelExecutor::staysInType(const IndexExpr &value, const IndexExpr &limit,
                                 QualType type, bool isStrict) const {
  const auto *number = std::get_if<Polynomial>(&value);
  const auto split = Condition && number
                         ? number->splitLinear(Condition->counter)
                         : std::nullopt;
  if (!split || split->coefficient.isZero() ||
      Arithmetic.mentions(split->rest, {Condition->counter}) ||
      !Arithmetic.fits(split->rest, integerType(type), Current.guard))
    return false;
  if (Condition->mayLeave)
    return isStrict && split->coefficient == Polynomial(1);
  if (split->coefficient == Polynomial(-1))
    return true;
  if (!Arithmetic.fits(split->coefficient, {31, true}, Current.guard))
    return false;
  const IndexExpr next =
      Arithmetic.add(exactly(limit, type), split->coefficient);
  const auto *last = std::get_if<Polynomial>(&next);
  return isPeriodic(split->coefficient) ||
         (last && Arithmetic.fits(*last, integerType(type), Current.guard));
}

/// Makes signed variables that the loop steps by unsigned numbers wrap as those
/// do, except one that ends the loop.
void KernelExecutor::fitSteps(const Loop &loop, const CodeEffects &effects,
                              const std::set<const VarDecl *> &wrapping,
                              Symbol counter) {
  const std::set<const VarDecl *> compared = loop.testsFirst
                                                 ? variablesIn(loop.condition)
                                                 : std::set<const VarDecl *>();
  const bool endsByOne = endsByComparison(loop.condition, effects);
  for (const VarDecl *variable : wrapping) {
    const QualType type = variable->getType();
    Value &now = Current.variables[variable];
    if (now.kind != Value::Kind::Integer ||
        !type->isSignedIntegerOrEnumerationType())
      continue;
    const auto *number = std::get_if<Polynomial>(&now.integer);
    const auto split = number ? number->splitLinear(counter) : std::nullopt;
    if (!split || split->coefficient.isZero())
      continue;
    const bool isBound = compared.contains(variable) &&
                         (!split->coefficient.asConstant() ||
                          (endsByOne && isPeriodic(split->coefficient)));
    if (!isBound)
      now.integer =
          Arithmetic.fitted(now.integer, integerType(type), Current.guard);
  }
}

std::optional<LoopVariable> KernelExecutor::variableOf(const Loop &loop,
                                                       const KnownValues &head,
                                                       Symbol counter) const {
  std::optional<LoopVariable> found;
  const VarDecl *declared = nullptr;
  for (const VarDecl *variable : effectsOf({loop.increment}).modified) {
    const auto known = head.find(variable);
    const auto *value =
        known != head.end() && known->second.kind == Value::Kind::Integer
            ? std::get_if<Polynomial>(&known->second.integer)
            : nullptr;
    const auto split = value ? value->splitLinear(counter) : std::nullopt;
    const auto step = split ? split->coefficient.asConstant() : std::nullopt;
    const bool isEarlier =
        !declared || variable->getLocation() < declared->getLocation();
    if (!step || *step == 0 || !isEarlier ||
        !isOwnVariable(*variable, loop.body))
      continue;
    declared = variable;
    const std::string name = variable->getName().str();
    found = LoopVariable{
        variable->getType()->isSignedIntegerType() ? name : "(int)" + name,
        split->rest, *step};
  }
  return found;
}

void KernelExecutor::executeLoop(const Loop &loop) {
  if (LoopDepth == MostNestedLoops) {
    giveUpSize(loop.statement->getSourceRange(), MostNestedLoops,
               "loops within each other");
    return;
  }
  ++LoopDepth;
  const CodeEffects effects =
      effectsOf({loop.body, loop.condition, loop.increment});
  const auto counter = static_cast<std::uint32_t>(Result.loops.size());
  const Symbol symbol{SymbolKind::LoopCounter, counter};
  Result.loops.push_back(
      {NotPolynomial::Unsupported,
       Context.files.range(loop.statement->getSourceRange())});
  const State entry = Current;

  std::set<const VarDecl *> modified = effects.modified;
  KnownValues head;
  bool isStable = false;
  std::set<const VarDecl *> wrapping;
  // Each run that isn't the last finds a variable more, or gives one up.
  for (std::size_t i = 0; i <= 2 * modified.size() && !isStable; ++i)
    isStable =
        summariseLoop(loop, modified, entry.variables, counter, head, wrapping);
  for (auto &[variable, value] : head) {
    if (!isStable)
      value = value.kind == Value::Kind::Pointer
                  ? pointerValue({})
                  : integerValue(NotPolynomial::LoopVariant);
    Current.variables[variable] = value;
  }
  if (isStable)
    Result.loops[counter].variable = variableOf(loop, head, symbol);

  assume({{Relation::NonNegative, Polynomial(symbol)}});
  if (effects.hasBreak || effects.hasReturn || !loop.testsFirst)
    assume({Constraint{}});
  LoopStack.push_back(counter);
  Continues.emplace_back();
  Breaks.emplace_back();
  const unsigned switches = std::exchange(SwitchDepth, 0U);
  if (loop.testsFirst) {
    const auto outer = std::exchange(
        Condition,
        Counting{symbol, !endsByComparison(loop.condition, effects)});
    // The loop ends when its condition first fails, which says as much as the
    // condition alone only if that can't come to hold again.
    Guard goesOn;
    speculate([&] { goesOn = evaluateCondition(loop.condition).whenTrue; });
    const bool isPrefix = std::all_of(
        goesOn.begin(), goesOn.end(), [&](const Constraint &constraint) {
          return constraint.relation != Relation::Unknown &&
                 (!Arithmetic.mentions(constraint.expression, {symbol}) ||
                  std::holds_alternative<Polynomial>(
                      tripCount({constraint}, symbol)));
        });
    if (!isPrefix)
      assume({Constraint{}});
    const Branch branch = evaluateCondition(loop.condition);
    Condition = outer;
    assume(branch.whenTrue);
    Result.loops[counter].tripCount = tripCount(branch.whenTrue, symbol);
  }
  fitSteps(loop, effects, wrapping, symbol);
  double trips = AssumedTrips;
  if (const auto *count =
          std::get_if<Polynomial>(&Result.loops[counter].tripCount))
    if (std::optional<std::int64_t> constant = count->asConstant())
      trips = static_cast<double>(std::max<std::int64_t>(*constant, 0));
  Trips.push_back(trips);
  execute(loop.body);
  Current.ended = false;
  evaluate(loop.increment);
  if (!loop.testsFirst)
    evaluateCondition(loop.condition);
  Trips.pop_back();
  SwitchDepth = switches;
  Continues.pop_back();
  const std::vector<Variables> breaks = std::move(Breaks.back());
  Breaks.pop_back();
  LoopStack.pop_back();

  Current = entry;
  forget(modified, NotPolynomial::LoopVariant);
  // Iterations that end or break leave a pointer somewhere in one memory.
  for (auto &[variable, value] : head)
    if (value.kind == Value::Kind::Pointer &&
        std::all_of(breaks.begin(), breaks.end(), [&](const Variables &others) {
          const Value *other = others.find(variable);
          return other && samePointerBase(value, *other);
        })) {
      value.loaded.reset();
      value.pointer.bytes = NotPolynomial::LoopVariant;
      Current.variables[variable] = value;
    }
  if (effects.hasReturn)
    assume({Constraint{}});
  --LoopDepth;
}

} // namespace kfuse
