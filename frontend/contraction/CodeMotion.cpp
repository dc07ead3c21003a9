//===- CodeMotion.cpp - Sums that compilers leave in place ----------------===//

#include "frontend/contraction/CodeMotion.h"

#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"

#include <algorithm>

namespace kfuse {

using namespace clang;

namespace {

/// Checks whether `loop` is `other`, or around it.
bool isAround(const Stmt *loop, const Stmt *other, const FunctionFacts &facts) {
  while (other && other != loop)
    other = facts.around.lookup(other).loop;
  return other == loop;
}

/// Checks whether compilers don't know how often the loop runs.
bool isOpen(const Stmt &loop, const CallFrame &in, const LeafFinder &finder) {
  const auto *counted = dyn_cast<ForStmt>(&loop);
  return counted && counted->getCond() &&
         finder.isGiven(*counted->getCond(), in);
}

/// Checks whether `arm` is `other`, or in it.
bool isIn(const Stmt *arm, const Stmt *other, const FunctionFacts &facts) {
  while (arm && arm != other)
    arm = facts.around.lookup(arm).arm;
  return arm == other;
}

/// Checks whether `variable` is read after `at`, whenever `at` runs.
bool isReadBeside(const VarDecl &variable, const Position &at,
                  const FunctionFacts &facts) {
  const auto reads = facts.readsOf(variable);
  return std::any_of(reads.begin(), reads.end(), [&](const auto *read) {
    const Position where = facts.positions.lookup(read);
    return where.order > at.last && isIn(at.arm, where.arm, facts);
  });
}

} // namespace

const Position &positionOf(const Expr &expression, const CallFrame &in) {
  static const Position nowhere;
  const auto found = in.facts->positions.find(&expression);
  return found == in.facts->positions.end() ? nowhere : found->second;
}

std::pair<const Stmt *, const CallFrame *> loopAround(const Expr &sum,
                                                      const CallFrame &in) {
  const Expr *inner = &sum;
  for (const CallFrame *frame = &in; frame; frame = frame->caller) {
    if (const Stmt *loop = positionOf(*inner, *frame).loop)
      return {loop, frame};
    inner = frame->call;
  }
  return {};
}

bool isPartOf(const ProductUses &one, const ProductUses &other) {
  return one.in == other.in && positionOf(*other.product, *other.in)
                                   .contains(positionOf(*one.product, *one.in));
}

bool areInLoopsApart(const ProductUses &one, const ProductUses &other,
                     const LeafFinder &finder) {
  const auto [loop, frame] = loopAround(*one.product, *one.in);
  const auto [otherLoop, otherFrame] = loopAround(*other.product, *other.in);
  return loop && otherLoop && frame == otherFrame && loop != otherLoop &&
         !isAround(loop, otherLoop, *frame->facts) &&
         !isAround(otherLoop, loop, *frame->facts) &&
         (isOpen(*loop, *frame, finder) || isOpen(*otherLoop, *frame, finder));
}

namespace {

bool isAround(const CallFrame &frame, const CallFrame *inner) {
  while (inner && inner != &frame)
    inner = inner->caller;
  return inner == &frame;
}

/// Checks whether nothing of the kind of a branch is around `at`, nor in the
/// function's part before or behind it.
bool isStraight(const Position &at, const CallFrame &in, bool isBehind) {
  const auto &branches = in.facts->branches;
  return !at.arm && !at.loop && llvm::none_of(branches, [&](unsigned branch) {
    return isBehind ? branch > at.last : branch < at.order;
  });
}

} // namespace

const Expr &computedIn(const CallFrame &frame, const Source &value) {
  auto [expression, in] = value;
  for (; in != &frame && in->caller; in = in->caller)
    expression = in->call;
  return *expression;
}

bool isNear(const ProductUses &product, bool isHeld, const Source &sum) {
  auto [value, in] = product;
  auto [taker, takerIn] = sum;
  // Out of the functions that they are in, until one has both.
  for (; !isAround(*in, takerIn); in = in->caller) {
    if (!isStraight(positionOf(*value, *in), *in, /*isBehind=*/true))
      return false;
    value = in->call;
  }
  const bool isTakenInside = takerIn != in;
  for (; takerIn != in; takerIn = takerIn->caller) {
    if (!isStraight(positionOf(*taker, *takerIn), *takerIn, /*isBehind=*/false))
      return false;
    taker = takerIn->call;
  }
  const Position &from = positionOf(*value, *in), &to = positionOf(*taker, *in);
  if (from.arm != to.arm || from.loop != to.loop)
    return false;
  const auto &branches = in->facts->branches;
  const auto next =
      std::upper_bound(branches.begin(), branches.end(), from.last);
  // Arguments come before the function's text, whose call counts as a branch.
  if (isTakenInside)
    return next == branches.end() || *next >= to.last;
  return next == branches.end() || *next > (isHeld ? to.order : to.last);
}

bool staysInPlace(const Expr &sum, const CallFrame &in, const CallTree &tree) {
  const FunctionFacts &facts = *in.facts;
  const Position &at = positionOf(sum, in);
  for (const Stmt *arm = at.arm; arm; arm = facts.around.lookup(arm).arm)
    if (const Stmt *other = facts.otherArm.lookup(arm);
        other && facts.armsWithSums.contains(other))
      return false;
  for (const Nest::Item *value : facts.values.containing(at))
    if (!isReadBeside(*value->variable, at, facts))
      return false;
  for (const Nest::Item *call : facts.callNest.containing(at))
    if (const CallFrame *callee =
            tree.calleeOf(*cast<CallExpr>(call->expression), in);
        !callee->facts->around.empty())
      return false;
  return !in.caller || staysInPlace(*in.call, *in.caller, tree);
}

} // namespace kfuse
