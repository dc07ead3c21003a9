//===- Distances.cpp - How far arrays are apart ---------------------------===//
//
// If the program computes how far two arrays are apart, a pointer into one and
// that number lead to the other. C++ has no such differences, but on devices
// with one address space they work.
//
//===----------------------------------------------------------------------===//

#include "frontend/api/Callees.h"
#include "frontend/host/Scan.h"
#include "frontend/host/Walker.h"

#include "clang/AST/ExprCXX.h"

namespace kfuse {

using namespace clang;

/// Notes that the pointers, or their differences, become numbers.
void HostWalker::measure(const std::vector<const Expr *> &pointers) {
  std::set<ObjectId> objects;
  for (const Expr *pointer : pointers)
    objects.insert(Reader.pointer(*pointer).object);
  // `end - begin`
  if (objects.size() < pointers.size())
    return;
  bool areKnown = false;
  for (const ObjectId id : objects) {
    Model.measure(id);
    const MemoryObject &object = Model[id];
    areKnown |= object.isHost || object.isRecord || object.parameter ||
                object.array.origin != ArrayOrigin::Unknown ||
                !object.candidates.empty();
  }
  // They may be any two that can be reached.
  Model.measuresAll |= !areKnown;
}

/// Notes that `function`, which isn't followed, may make numbers of pointers
/// that it is given or can reach.
void HostWalker::measureGiven(const HostFunction &function,
                              const std::vector<const Expr *> &arguments) {
  std::set<ObjectId> objects;
  for (const Expr *argument : arguments)
    if (argument->getType()->isAnyPointerType())
      objects.insert(Reader.pointer(*argument).object);
  for (const ValueDecl *each : function.scan.measured)
    if (const auto held = Env.knownPointer({Model.variable(*each), {}}))
      objects.insert(*held);
  if (function.numbersPointers ||
      (function.subtractsPointers && objects.size() > 1))
    for (const ObjectId object : objects)
      Model.measure(object);
}

namespace {

/// Adds the casts and operations that make `number`, which leads to no array.
void overlook(const Expr &number, std::set<const Expr *> &overlooked) {
  const Expr *inner = number.IgnoreParens();
  while (const auto *cast = dyn_cast<CastExpr>(inner)) {
    overlooked.insert(cast);
    inner = cast->getSubExpr()->IgnoreParens();
  }
  if (const auto *binary = dyn_cast<BinaryOperator>(inner);
      binary && !binary->isAssignmentOp()) {
    overlooked.insert(binary);
    overlook(*binary->getLHS(), overlooked);
    overlook(*binary->getRHS(), overlooked);
  }
}

/// Checks whether `expression` is a number of bytes that data may be aligned
/// to, or one less.
bool isAlignment(const Expr &expression) {
  constexpr std::uint64_t Most = 4096;
  const Expr *number = expression.IgnoreParenCasts();
  if (const auto *literal = dyn_cast<IntegerLiteral>(number))
    return literal->getValue().getLimitedValue() <= Most;
  if (const auto *binary = dyn_cast<BinaryOperator>(number))
    return binary->getOpcode() == BO_Sub && isAlignment(*binary->getLHS()) &&
           isAlignment(*binary->getRHS());
  return isa<UnaryExprOrTypeTraitExpr>(number);
}

/// Checks whether `call` writes its arguments for people to read.
bool prints(const CallExpr &call) {
  const FunctionDecl *callee = call.getDirectCallee();
  if (!callee || !isSystem(*callee, callee->getASTContext().getSourceManager()))
    return false;
  const std::string name = plainName(*callee);
  return name == "printf" || name == "fprintf" ||
         (callee->getOverloadedOperator() == OO_LessLess &&
          libraryClass(call.getType()).contains("ostream"));
}

} // namespace

void overlookNumbers(const Stmt &statement,
                     std::set<const Expr *> &overlooked) {
  if (const auto *call = dyn_cast<CallExpr>(&statement)) {
    if (prints(*call))
      for (const Expr *argument : call->arguments())
        overlook(*argument, overlooked);
    return;
  }
  const auto *binary = dyn_cast<BinaryOperator>(&statement);
  if (!binary)
    return;
  const bool asksAlignment =
      (binary->getOpcode() == BO_Rem || binary->getOpcode() == BO_And) &&
      isAlignment(*binary->getRHS());
  if (binary->isComparisonOp() || asksAlignment)
    overlook(*binary->getLHS(), overlooked);
  if (binary->isComparisonOp())
    overlook(*binary->getRHS(), overlooked);
}

} // namespace kfuse
