//===- frontend/ValueAlternatives.cpp - What else a value may be ----------===//

#include "frontend/DeviceArithmetic.h"
#include "frontend/ValueKeys.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

namespace kfuse {

using namespace clang;

/// The object that a structure was copied from, when it is given nothing else.
const Expr *ValueKeys::copyOf(const VarDecl &variable) const {
  const auto given = Known.values.find(&variable);
  if (!variable.getType()->isRecordType() || given == Known.values.end() ||
      given->second.size() != 1 || Known.open.count(&variable) != 0)
    return nullptr;
  const Expr *value = sameValue(given->second.front());
  if (const auto *made = dyn_cast<CXXConstructExpr>(value))
    if (made->getConstructor()->isCopyOrMoveConstructor() &&
        made->getNumArgs() == 1)
      value = sameValue(made->getArg(0));
  return value->isGLValue() && value->getType()->getAsCXXRecordDecl() ==
                                   variable.getType()->getAsCXXRecordDecl()
             ? value
             : nullptr;
}

bool ValueKeys::isOpen(const Expr *expression) {
  const auto [value, in] = sourceOf(expression);
  const auto *operation = dyn_cast<BinaryOperator>(value);
  if (operation && isFloating(value->getType())) {
    // In the works, a variable depends on itself.
    if (in->Open.try_emplace(value, true).second)
      in->Open[value] =
          in->isOpen(operation->getLHS()) || in->isOpen(operation->getRHS());
    return in->Open[value];
  }
  const VarDecl *variable = localOf(value);
  if (!variable || variable->hasAttr<CUDASharedAttr>())
    return false;
  ValueKeys &owner = in->ownerOf(*variable);
  return (owner.Known.values.count(variable) != 0 ||
          owner.Known.open.count(variable) != 0) &&
         !owner.copyOf(*variable);
}

ValueKeys::Alternatives ValueKeys::alternativesOf(const Expr *expression) {
  Alternatives found;
  found.isOpen = isOpen(expression);
  const auto [value, in] = sourceOf(expression);
  if (!value->isGLValue())
    return found;
  found.isAnyElement = in->hasOpenIndex(value);
  const auto [array, owner] = in->arrayOf(value);
  const VarDecl *variable = variableOf(array);
  if (!variable)
    return found;
  found.array = owner->ofPlace(array);
  for (const auto *given : {&owner->Known.stored, &owner->Known.values})
    if (const auto values = given->find(variable); values != given->end())
      for (const Expr *each : values->second)
        found.stored.push_back(owner->ofMagnitude(each));
  return found;
}

/// The variable in which the place is, or that points to it.
ValueKeys::Source ValueKeys::arrayOf(const Expr *place) {
  Source array{rootOf(place), this};
  for (unsigned steps = 0; steps < MaximumSteps; ++steps) {
    const Source from = array.second->sourceOf(array.first);
    const Expr *root = from.first;
    if (const auto *sum = dyn_cast<BinaryOperator>(root))
      root = sum->getLHS()->getType()->isPointerType() ? sum->getLHS()
                                                       : sum->getRHS();
    root = rootOf(root);
    if (const auto *address = dyn_cast<UnaryOperator>(root))
      root = rootOf(address->getSubExpr());
    if (root == array.first)
      break;
    array = {root, from.second};
  }
  return array;
}

/// Whether an index of the place, or the pointer to it, takes several values.
bool ValueKeys::hasOpenIndex(const Expr *place) {
  while (true) {
    place = place->IgnoreParenCasts();
    if (const auto *member = dyn_cast<MemberExpr>(place)) {
      place = member->getBase();
    } else if (const auto *element = dyn_cast<ArraySubscriptExpr>(place)) {
      if (isOpenIndex(element->getIdx()))
        return true;
      place = element->getBase();
    } else if (const auto *load = dyn_cast<UnaryOperator>(place);
               load && load->getOpcode() == UO_Deref) {
      place = load->getSubExpr();
    } else {
      return place->getType()->isPointerType() && isOpenIndex(place);
    }
  }
}

bool ValueKeys::isOpenIndex(const Expr *index) {
  const auto [value, in] = sourceOf(index);
  // In the works, a variable depends on itself.
  if (!in->Open.try_emplace(value, true).second)
    return in->Open[value];
  const bool isOpen = in->isOpenNumber(value);
  return in->Open[value] = isOpen;
}

bool ValueKeys::isOpenNumber(const Expr *value) {
  if (constant(value))
    return false;
  if (const auto *operation = dyn_cast<BinaryOperator>(value))
    return (!operation->isAdditiveOp() && operation->getOpcode() != BO_Mul &&
            operation->getOpcode() != BO_Shl) ||
           isOpenIndex(operation->getLHS()) || isOpenIndex(operation->getRHS());
  if (const auto *converted = dyn_cast<CastExpr>(value))
    return isOpenIndex(converted->getSubExpr());
  if (const auto *step = dyn_cast<UnaryOperator>(value))
    return step->getOpcode() != UO_Minus || isOpenIndex(step->getSubExpr());
  const VarDecl *variable = localOf(value);
  if (!variable || value->getType()->isArrayType())
    return false;
  const ValueKeys &owner = ownerOf(*variable);
  return owner.Known.values.count(variable) != 0 ||
         owner.Known.open.count(variable) != 0;
}

} // namespace kfuse
