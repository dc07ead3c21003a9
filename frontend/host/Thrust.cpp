//===- Thrust.cpp - Where Thrust's vectors have their storage -------------===//

#include "frontend/host/Expressions.h"
#include "frontend/host/Values.h"
#include "frontend/syntax/KnownFunctions.h"

#include "clang/AST/ExprCXX.h"

namespace kfuse {

using namespace clang;

bool isDeviceAddress(const FunctionDecl &function) {
  if (!isInNamespace(function, "thrust"))
    return false;
  switch (function.getOverloadedOperator()) {
  case OO_Plus:
  case OO_Minus:
  case OO_Amp:
  case OO_Subscript:
    return true;
  default:
    break;
  }
  const std::string name = function.getNameAsString();
  const bool isIterator =
      name == "begin" || name == "end" || name == "cbegin" || name == "cend";
  return name == "raw_pointer_cast" || name == "data" || name == "get" ||
         name == "size" || (isIterator && isa<CXXMethodDecl>(function));
}

/// Returns what an address of Thrust's leads to: `raw_pointer_cast(v.data() +
/// n)` of this `type`, or a part of it, which may be an object.
std::optional<HostPointer> HostReader::deviceAddress(const Expr &expression,
                                                     QualType type) {
  const Expr *bare = expression.IgnoreParens()->IgnoreImplicit();
  const auto *call = dyn_cast<CallExpr>(bare);
  const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  if (!callee || !isDeviceAddress(*callee))
    return std::nullopt;
  const auto start = [&](const Expr &vector) -> std::optional<HostPointer> {
    const auto object = place(*vector.IgnoreParenImpCasts());
    if (!object)
      return std::nullopt;
    return Env.readPointer({object->base, object->path + ".data()"}, type,
                           text(*bare));
  };
  const std::string name = callee->getNameAsString();
  if (const auto *method = dyn_cast<CXXMemberCallExpr>(call)) {
    const Expr &object = *method->getImplicitObjectArgument();
    return name == "data"  ? start(object)
           : name == "get" ? deviceAddress(object, type)
                           : std::nullopt;
  }
  const Expr *first = call->getNumArgs() != 0 ? call->getArg(0) : nullptr;
  if (first && call->getNumArgs() == 1 &&
      (name == "raw_pointer_cast" || callee->getOverloadedOperator() == OO_Amp))
    return deviceAddress(*first, type);
  if (!first || call->getNumArgs() != 2 ||
      !call->getArg(1)->getType()->isIntegerType())
    return std::nullopt;
  const auto base = callee->getOverloadedOperator() == OO_Subscript
                        ? start(*first)
                        : deviceAddress(*first, type);
  if (!base)
    return std::nullopt;
  return displaced(*base, *call->getArg(1), type->getPointeeType(),
                   callee->getOverloadedOperator() == OO_Minus);
}

} // namespace kfuse
