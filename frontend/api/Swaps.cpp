//===- Swaps.cpp - Calls that exchange two values -------------------------===//
//
// A function of the program's own exchanges what its two parameters name if its
// statements, followed one by one, leave each with the other's value.
//
//===----------------------------------------------------------------------===//

#include "frontend/api/Swaps.h"

#include "frontend/api/Callees.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

#include <array>
#include <map>

namespace kfuse {

using namespace clang;

namespace {

/// Follows the values of one function's two places and of its own variables.
class SwapFollower {
public:
  explicit SwapFollower(const FunctionDecl &function) : Function(function) {}

  bool exchanges() {
    if (Function.getNumParams() != 2 || !Function.getReturnType()->isVoidType())
      return false;
    Type = placeType(0);
    if (Type.isNull() || placeType(1) != Type)
      return false;
    const auto *body = dyn_cast_or_null<CompoundStmt>(Function.getBody());
    if (!body)
      return false;
    for (const Stmt *statement : body->body())
      if (!follow(*statement))
        return false;
    return Places[0] == 1U && Places[1] == 0U;
  }

private:
  /// The number of the place whose first value a variable holds.
  using Held = std::optional<unsigned>;

  /// Returns the type of what parameter `index` names; null if it may name more
  /// than one number or pointer.
  QualType placeType(unsigned index) const {
    const QualType type = Function.getParamDecl(index)->getType();
    if (!type->isPointerType() && !type->isLValueReferenceType())
      return {};
    const QualType named = type->getPointeeType();
    return named.hasQualifiers() || !named->isScalarType()
               ? QualType()
               : named.getCanonicalType();
  }

  /// Returns what holds the value of `lvalue`; nullptr if that isn't followed.
  Held *holderOf(const Expr &lvalue) {
    const Expr *plain = lvalue.IgnoreParens();
    bool isPointee = false;
    if (const auto *unary = dyn_cast<UnaryOperator>(plain);
        unary && unary->getOpcode() == UO_Deref) {
      isPointee = true;
      const auto *load =
          dyn_cast<ImplicitCastExpr>(unary->getSubExpr()->IgnoreParens());
      if (!load || load->getCastKind() != CK_LValueToRValue)
        return nullptr;
      plain = load->getSubExpr()->IgnoreParens();
    }
    const auto *name = dyn_cast<DeclRefExpr>(plain);
    if (!name)
      return nullptr;
    for (unsigned index = 0; index < 2; ++index)
      if (const ParmVarDecl *place = Function.getParamDecl(index);
          name->getDecl() == place)
        return place->getType()->isPointerType() == isPointee ? &Places[index]
                                                              : nullptr;
    const auto local = Locals.find(name->getDecl());
    return isPointee || local == Locals.end() ? nullptr : &local->second;
  }

  Held valueOf(const Expr &value) {
    const auto *load = dyn_cast<ImplicitCastExpr>(value.IgnoreParens());
    if (!load || load->getCastKind() != CK_LValueToRValue)
      return std::nullopt;
    const Held *holder = holderOf(*load->getSubExpr());
    return holder ? *holder : std::nullopt;
  }

  bool follow(const Stmt &statement) {
    if (const auto *declared = dyn_cast<DeclStmt>(&statement)) {
      for (const Decl *each : declared->decls()) {
        const auto *local = dyn_cast<VarDecl>(each);
        if (!local || !local->hasLocalStorage() || local->hasAttrs() ||
            local->getType().getCanonicalType().getUnqualifiedType() != Type ||
            local->getType().isVolatileQualified())
          return false;
        const Held held =
            local->getInit() ? valueOf(*local->getInit()) : Held();
        if (local->getInit() && !held)
          return false;
        Locals[local] = held;
      }
      return true;
    }
    if (const auto *call = dyn_cast<CallExpr>(&statement)) {
      const auto inner =
          isStandardSwap(*call) ? swappedBy(*call) : std::nullopt;
      Held *const one = inner ? holderOf(*inner->first) : nullptr;
      Held *const other = inner ? holderOf(*inner->second) : nullptr;
      if (!one || !other)
        return false;
      std::swap(*one, *other);
      return true;
    }
    const auto *assignment = dyn_cast<BinaryOperator>(&statement);
    if (!assignment || assignment->getOpcode() != BO_Assign)
      return false;
    const Held held = valueOf(*assignment->getRHS());
    Held *const target = held ? holderOf(*assignment->getLHS()) : nullptr;
    if (!target)
      return false;
    *target = held;
    return true;
  }

  const FunctionDecl &Function;
  QualType Type;
  std::array<Held, 2> Places = {0U, 1U};
  std::map<const ValueDecl *, Held> Locals;
};

} // namespace

bool isStandardSwap(const CallExpr &call) {
  const FunctionDecl *callee = call.getDirectCallee();
  return callee && callee->isInStdNamespace() && plainName(*callee) == "swap" &&
         call.getNumArgs() == 2;
}

std::optional<SwappedPair> swappedBy(const CallExpr &call) {
  if (isStandardSwap(call))
    return SwappedPair{call.getArg(0), call.getArg(1)};
  const FunctionDecl *callee = call.getDirectCallee();
  const FunctionDecl *definition = callee ? callee->getDefinition() : nullptr;
  if (!definition || call.getNumArgs() != 2 ||
      definition->isDependentContext() ||
      (isa<CXXMethodDecl>(definition) &&
       !cast<CXXMethodDecl>(definition)->isStatic()) ||
      !SwapFollower(*definition).exchanges())
    return std::nullopt;
  std::array<const Expr *, 2> named = {nullptr, nullptr};
  for (unsigned index = 0; index < 2; ++index) {
    const Expr *argument = call.getArg(index)->IgnoreParens();
    const auto *address = dyn_cast<UnaryOperator>(argument);
    if (!definition->getParamDecl(index)->getType()->isPointerType())
      named[index] = argument;
    else if (address && address->getOpcode() == UO_AddrOf)
      named[index] = address->getSubExpr()->IgnoreParens();
    else
      return std::nullopt;
  }
  return SwappedPair{named[0], named[1]};
}

} // namespace kfuse
