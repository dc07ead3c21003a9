//===- frontend/ValueAlternatives.cpp - What else a value may be ----------===//

#include "frontend/DeviceArithmetic.h"
#include "frontend/ValueKeys.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

#include <algorithm>
#include <utility>

namespace kfuse {

using namespace clang;

namespace {

/// Whether the value that the pointer is given is its own, a number further.
bool isStepOf(const VarDecl &pointer, const Expr *value) {
  if (const auto *step = dyn_cast<UnaryOperator>(value))
    return step->isIncrementDecrementOp();
  const auto *moved = dyn_cast<BinaryOperator>(sameValue(value));
  if (!moved)
    return false;
  const Expr *from = moved->getLHS()->getType()->isPointerType()
                         ? moved->getLHS()
                         : moved->getRHS();
  return moved->isCompoundAssignmentOp() ||
         variableOf(from->IgnoreParenImpCasts()) == &pointer;
}

} // namespace

bool ValueKeys::isOpen(const Expr *expression) {
  const auto [value, in] = sourceOf(expression);
  // In the works, a variable depends on itself.
  if (!in->Open.try_emplace(value, true).second)
    return in->Open[value];
  const bool isOpen = in->isOpenValue(value);
  return in->Open[value] = isOpen;
}

bool ValueKeys::isOpenValue(const Expr *value) {
  if (constant(value))
    return false;
  if (const auto *choice = dyn_cast<AbstractConditionalOperator>(value))
    return of(choice->getTrueExpr()) != of(choice->getFalseExpr()) ||
           isOpen(choice->getTrueExpr());
  if (value->isGLValue())
    return isOpenPlace(value);
  if (const auto *called = dyn_cast<CallExpr>(value);
      called && isOpenCall(*called))
    return true;
  if (value->getType()->isIntegralOrEnumerationType() && isOpenInteger(value))
    return true;
  return std::any_of(value->child_begin(), value->child_end(),
                     [&](const Stmt *part) {
                       const auto *operand = dyn_cast_or_null<Expr>(part);
                       return operand && isOpen(operand);
                     });
}

/// What has several forms: `i % 8u` and `i & 7`.
bool ValueKeys::isOpenInteger(const Expr *value) {
  if (const auto *operation = dyn_cast<BinaryOperator>(value))
    return !operation->isAssignmentOp() && !operation->isAdditiveOp() &&
           operation->getOpcode() != BO_Mul && operation->getOpcode() != BO_Shl;
  if (const auto *operation = dyn_cast<UnaryOperator>(value))
    return operation->getOpcode() == UO_Not ||
           operation->getOpcode() == UO_LNot;
  const auto *converted = dyn_cast<CastExpr>(value);
  return converted && (converted->getCastKind() == CK_FloatingToIntegral ||
                       converted->getCastKind() == CK_FloatingToBoolean ||
                       converted->getCastKind() == CK_IntegralToBoolean);
}

bool ValueKeys::isOpenCall(const CallExpr &call) {
  const FunctionDecl *callee = call.getDirectCallee();
  // Functions that return one of several values aren't followed.
  if (visibleCall(call))
    return true;
  if (!isLibraryFunction(callee) || viewsBits(callee) || call.getNumArgs() == 0)
    return false;
  // Compilers write some as what others become, or without one of two.
  const llvm::StringRef meaning = libraryMeaning(callee->getName());
  return !isFloating(call.getType()) ||
         isWrittenOut(Ast, callee->getName(), call.getType()) ||
         meaning == "rint" || meaning == "nearbyint" ||
         ((meaning == "min" || meaning == "max") &&
          (of(call.getArg(0)) == of(call.getArg(1)) ||
           std::any_of(call.arg_begin(), call.arg_end(),
                       [&](const Expr *argument) {
                         return isa<CallExpr>(sourceOf(argument).first);
                       })));
}

/// The variable that a place is a part of, or the object that it is in.
ValueKeys::Source ValueKeys::objectOf(const Expr *place) {
  Source object{place, this};
  for (unsigned steps = 0; steps < MaximumSteps; ++steps) {
    const Expr *whole = object.first->IgnoreParenImpCasts();
    const Source from = object.second->sourceOf(whole);
    if (from.first != whole && from.first->isGLValue()) {
      object = from;
    } else if (const auto *member = dyn_cast<MemberExpr>(whole)) {
      const auto led = member->isArrow()
                           ? object.second->pointee(member->getBase())
                           : Source{member->getBase(), object.second};
      if (!led)
        return {whole, object.second};
      object = *led;
    } else if (const auto *element = dyn_cast<ArraySubscriptExpr>(whole);
               element && element->getBase()
                              ->IgnoreParenImpCasts()
                              ->getType()
                              ->isArrayType()) {
      object.first = element->getBase();
    } else {
      return {whole, object.second};
    }
  }
  return object;
}

bool ValueKeys::isOpenPlace(const Expr *place) {
  const auto [object, in] = objectOf(place);
  if (const auto *member = dyn_cast<MemberExpr>(object);
      member && member->isArrow() &&
      isa<CXXThisExpr>(in->sourceOf(member->getBase()).first))
    return true;
  const VarDecl *variable = localOf(object);
  if (!variable || variable->hasAttr<CUDASharedAttr>())
    return false;
  const ValueKeys &owner = in->ownerOf(*variable);
  return owner.Known.values.count(variable) != 0 ||
         owner.Known.open.count(variable) != 0;
}

std::vector<ValueKeys::Key> ValueKeys::givenTo(const Expr *expression) {
  const auto [value, in] = sourceOf(expression);
  std::vector<Key> keys;
  if (!value->isGLValue())
    return keys;
  const auto [object, around] = in->objectOf(value);
  const VarDecl *variable = variableOf(object);
  if (!variable)
    return keys;
  ValueKeys &owner = around->ownerOf(*variable);
  std::vector<const Expr *> values = owner.Known.values.lookup(variable);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (const auto *list = dyn_cast<InitListExpr>(sameValue(values[i])))
      values.insert(values.end(), list->inits().begin(), list->inits().end());
    else
      keys.push_back(owner.ofMagnitude(values[i]));
  return keys;
}

std::optional<ValueKeys::Place> ValueKeys::placeOf(const Expr *expression) {
  const auto [value, in] = sourceOf(expression);
  const VarDecl *variable = variableOf(value);
  if (!value->isGLValue() ||
      (localOf(value) && variable && !variable->getType()->isArrayType()))
    return std::nullopt;
  // Of a structure any part may be meant.
  return Place{in->computePlace(value), in->arrayOf(value),
               in->hasOpenIndex(value) || value->getType()->isRecordType()};
}

/// The variable in which the place is, or that points to it; nothing where that
/// is a pointer with several values.
std::optional<ValueKeys::Key> ValueKeys::arrayOf(const Expr *place) {
  Source at{place, this};
  bool isPointedTo = false, isAddressLoaded = false;
  bool isPlace = true; ///< whose address is meant, not what is loaded from it
  for (unsigned steps = 0; steps < MaximumSteps; ++steps) {
    const Expr *whole = at.first->IgnoreParenCasts();
    // Where an integer points isn't followed.
    if (at.first->getType()->isPointerType() &&
        whole->getType()->isIntegralOrEnumerationType())
      return std::nullopt;
    isAddressLoaded |= !std::exchange(isPlace, false) && whole->isGLValue() &&
                       whole->getType()->isScalarType() && !variableOf(whole);
    const Source from = at.second->sourceOf(whole);
    ValueKeys &in = *at.second;
    if (from.first != whole) {
      at = from;
    } else if (const auto *member = dyn_cast<MemberExpr>(whole)) {
      const auto object =
          member->isArrow() ? in.pointee(member->getBase()) : std::nullopt;
      isPointedTo |= member->isArrow() && !object;
      at = object.value_or(Source{member->getBase(), &in});
    } else if (const auto *element = dyn_cast<ArraySubscriptExpr>(whole)) {
      at.first = element->getBase()->IgnoreParenImpCasts();
      isPointedTo |= at.first->getType()->isPointerType();
    } else if (const auto *operation = dyn_cast<UnaryOperator>(whole)) {
      isPointedTo |= operation->getOpcode() == UO_Deref;
      isPlace = operation->getOpcode() == UO_AddrOf;
      at.first = operation->getSubExpr();
    } else if (const auto *sum = dyn_cast<BinaryOperator>(whole)) {
      at.first = sum->getLHS()->getType()->isPointerType() ? sum->getLHS()
                                                           : sum->getRHS();
    } else {
      const VarDecl *variable = variableOf(whole);
      if (!variable)
        return std::nullopt;
      ValueKeys &owner = in.ownerOf(*variable);
      const bool isGiven =
          (variable->getType()->isArrayType() && !isAddressLoaded) ||
          (isa<ParmVarDecl>(variable)
               ? !owner.Caller && owner.Known.values.count(variable) == 0
               : !variable->hasLocalStorage() || !isPointedTo);
      return isGiven ? std::optional<Key>(in.ofPlace(whole))
                     : owner.arrayOfPointer(*variable);
    }
  }
  return std::nullopt;
}

/// The one array in which a pointer that has several values goes about.
std::optional<ValueKeys::Key>
ValueKeys::arrayOfPointer(const VarDecl &pointer) {
  const auto given = Known.values.find(&pointer);
  if (!pointer.getType()->isPointerType() || Known.open.count(&pointer) != 0 ||
      given == Known.values.end() || !Pointers.insert(&pointer).second)
    return std::nullopt;
  std::optional<Key> array;
  bool isOne = true;
  const auto take = [&](std::optional<Key> found) {
    isOne &= found && (!array || array == found);
    array = found;
  };
  for (const Expr *value : given->second)
    if (!isStepOf(pointer, value))
      take(arrayOf(value));
  if (const auto *parameter = dyn_cast<ParmVarDecl>(&pointer)) {
    const unsigned index = parameter->getFunctionScopeIndex();
    take(!Caller ? std::optional<Key>(ofVariable(pointer))
         : index < Called.arguments.size()
             ? Caller->arrayOf(Called.arguments[index])
             : std::nullopt);
  }
  Pointers.erase(&pointer);
  return isOne ? array : std::nullopt;
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
  if (!in->OpenIndices.try_emplace(value, true).second)
    return in->OpenIndices[value];
  const bool isOpen = in->isOpenNumber(value);
  return in->OpenIndices[value] = isOpen;
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
