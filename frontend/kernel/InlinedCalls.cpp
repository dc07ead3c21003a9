//===- InlinedCalls.cpp - Device functions executed in place --------------===//

#include "frontend/kernel/Executor.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"

#include <algorithm>

namespace kfuse {

using namespace clang;

namespace {

/// Calls within calls that are followed.
constexpr std::size_t MaximumDepth = 8;

} // namespace

/// Forgets numbers in `value` that depend on the counters of loops from number
/// `loops` on: these loops were left, so that their counters are no longer
/// known.
void KernelExecutor::leaveLoops(Value &value, std::size_t loops) const {
  std::vector<Symbol> counters;
  for (std::size_t i = loops; i < Result.loops.size(); ++i)
    counters.push_back(
        {SymbolKind::LoopCounter, static_cast<std::uint32_t>(i)});
  auto leave = [&](IndexExpr &number) {
    const auto *known = std::get_if<Polynomial>(&number);
    if (known && Arithmetic.mentions(*known, counters))
      number = NotPolynomial::LoopVariant;
  };
  leave(value.integer);
  leave(value.pointer.bytes);
  for (PointerTarget &target : value.pointer.targets) {
    leave(target.bytes);
    for (Constraint &constraint : target.guard)
      if (Arithmetic.mentions(constraint.expression, counters))
        constraint = {};
  }
  value.condition = nullptr;
  value.loaded.reset();
  for (auto &[path, member] : value.members)
    leaveLoops(member, loops);
}

Reach KernelExecutor::reachOf(const CallExpr &call) const {
  const Frame &frame = Frames.back();
  const auto known = frame.calls.find(&call);
  return known == frame.calls.end() ? Reach::Some
                                    : std::max(frame.reach, known->second);
}

Value KernelExecutor::follow(const FunctionDecl &function,
                             llvm::ArrayRef<const Expr *> arguments,
                             std::optional<Place> object, const Expr &call) {
  const bool isActive =
      std::any_of(Frames.begin(), Frames.end(), [&](const Frame &frame) {
        return frame.function->getCanonicalDecl() ==
               function.getCanonicalDecl();
      });
  if (isActive || Frames.size() > MaximumDepth) {
    note(isActive ? KernelFeature::Recursion : KernelFeature::UnknownCall,
         call.getSourceRange(), function.getNameAsString());
    giveUp(call.getSourceRange());
    return {};
  }
  // Bound when all are known: an argument may call the same function.
  std::vector<std::pair<const ParmVarDecl *, Value>> values;
  std::vector<std::pair<const ParmVarDecl *, Place>> references;
  for (unsigned i = 0; i < function.getNumParams() && i < arguments.size();
       ++i) {
    const ParmVarDecl *parameter = function.getParamDecl(i);
    const Expr *argument = arguments[i];
    const QualType type = parameter->getType();
    if (!type->isReferenceType()) {
      values.emplace_back(parameter, evaluate(argument));
      continue;
    }
    if (const auto *fallback = dyn_cast<CXXDefaultArgExpr>(argument))
      argument = fallback->getExpr();
    Place bound;
    if (argument->isGLValue()) {
      bound = place(argument);
    } else {
      bound.kind = Place::Kind::Temporary;
      bound.temporary = evaluate(argument);
    }
    // A constant reference to memory stands for the value there.
    if (bound.kind == Place::Kind::Memory &&
        type->getPointeeType().isConstQualified() &&
        !type->getPointeeType()->isArrayType()) {
      Place copy;
      copy.kind = Place::Kind::Temporary;
      copy.temporary = load(bound, argument);
      copy.temporary.loaded.reset(); // memory may change before it is used
      bound = std::move(copy);
    }
    references.emplace_back(parameter, std::move(bound));
  }
  for (auto &[parameter, value] : values)
    Current.variables[parameter] = std::move(value);
  for (auto &[parameter, bound] : references)
    References[parameter] = std::move(bound);

  for (const VarDecl *variable : pinnedVariables(function.getBody()))
    Pinned.insert(variable);
  const auto *known = dyn_cast<CallExpr>(&call);
  Frames.push_back({&function,
                    std::move(object),
                    Current.guard.size(),
                    Result.loops.size(),
                    LoopStack.size(),
                    {},
                    known ? reachOf(*known) : Reach::Some,
                    reachesIn(function)});
  const Expr *outerDiscarded = DiscardedValue;
  DiscardedValue = nullptr;
  if (const auto *constructor = dyn_cast<CXXConstructorDecl>(&function))
    for (const CXXCtorInitializer *initialiser : constructor->inits())
      evaluate(initialiser->getInit());
  execute(function.getBody());
  DiscardedValue = outerDiscarded;
  Frame frame = std::move(Frames.back());
  Frames.pop_back();

  // Every way out meets here; what they disagree on is uncertain.
  if (Current.ended && !frame.exits.empty()) {
    Current.variables = frame.exits.back().variables;
  }
  Current.ended = false;
  Current.guard.resize(frame.guardSize);
  for (const Frame::Exit &exit : frame.exits)
    meet(exit.variables);
  LastReturned = {};
  if (frame.exits.empty())
    return {};
  // `if (c) return a; return b;` is a selection.
  Value result = frame.exits.back().value;
  for (std::size_t i = frame.exits.size() - 1; i-- > 0;)
    result =
        joinValues(selectionBy({frame.exits[i].guard,
                                Arithmetic.negation(frame.exits[i].guard)}),
                   frame.exits[i].value, result);
  if (function.getReturnType()->isReferenceType()) {
    for (const Frame::Exit &exit : frame.exits)
      if (frame.exits.size() > 1 && exit.place.kind == Place::Kind::Memory)
        giveUp(call.getSourceRange());
    if (frame.exits.size() == 1) {
      LastReturned = frame.exits.front().place;
    } else if (function.getReturnType()->getPointeeType().isConstQualified()) {
      LastReturned.kind = Place::Kind::Temporary;
      LastReturned.temporary = result;
    }
  }
  return result;
}

} // namespace kfuse
