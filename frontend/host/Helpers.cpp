//===- Helpers.cpp - Calls that are values --------------------------------===//
//
// A call of a helper (helperBody) has the value of the helper's expression, in
// which parameters stand for the arguments, and members are the object's.
//
//===----------------------------------------------------------------------===//

#include "frontend/host/Values.h"
#include "frontend/syntax/Lvalues.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

namespace kfuse {

using namespace clang;

void HostReader::bind(const VarDecl &variable, const Expr &expression,
                      const Frame *where, Frame &frame) {
  Frame::Variable bound{&expression, where, std::nullopt};
  const QualType type = variable.getType().getNonReferenceType();
  if (type->isIntegralOrEnumerationType())
    bound.data = within(where, [&] { return integer(expression); });
  else if (type->isAnyPointerType())
    bound.data = within(where, [&] { return pointer(expression); });
  frame.variables.emplace(&variable, std::move(bound));
}

/// Binds the variables of the call's helper; returns false if it takes other
/// arguments than it is given.
bool HostReader::enter(const CallExpr &call, const HelperBody &body,
                       Frame &frame) {
  const FunctionDecl &helper = *call.getDirectCallee()->getDefinition();
  const auto *method = dyn_cast<CXXMethodDecl>(&helper);
  const bool isMethod = method && method->isInstance();
  const auto *member = dyn_cast<CXXMemberCallExpr>(&call);
  // The first argument of an operator is its object.
  const unsigned first = isMethod && !member ? 1 : 0;
  if (helper.getNumParams() + first != call.getNumArgs())
    return false;
  frame.helper = &helper;
  frame.text = text(call);
  if (isMethod) {
    const Expr &object =
        member ? *member->getImplicitObjectArgument() : *call.getArg(0);
    const Expr &named = *object.IgnoreParenImpCasts();
    if (isa<CXXThisExpr>(named)) {
      frame.isOurObject = !Current || Current->isOurObject;
      frame.object = Current ? Current->object : std::nullopt;
    } else {
      frame.object =
          object.getType()->isAnyPointerType() ? pointee(object) : place(named);
    }
  }
  for (unsigned i = first; i < call.getNumArgs(); ++i)
    bind(*helper.getParamDecl(i - first), *call.getArg(i), Current, frame);
  for (const VarDecl *constant : body.constants)
    bind(*constant, *constant->getInit(), &frame, frame);
  return true;
}

const HostReader::Frame::Variable *
HostReader::bound(const Expr &expression) const {
  const auto *name = dyn_cast<DeclRefExpr>(expression.IgnoreParens());
  const auto *variable = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
  if (!Current || !variable)
    return nullptr;
  const auto found = Current->variables.find(variable);
  return found == Current->variables.end() ? nullptr : &found->second;
}

std::optional<HostData> HostReader::boundMember(const Expr &lvalue,
                                                QualType type) {
  std::string path;
  const Expr *record = lvalue.IgnoreParens();
  while (const auto *part = dyn_cast<MemberExpr>(record)) {
    if (part->isArrow() || !isa<FieldDecl>(part->getMemberDecl()))
      return std::nullopt;
    path = "." + part->getMemberDecl()->getNameAsString() + path;
    record = part->getBase()->IgnoreParens();
  }
  const Frame::Variable *variable = bound(*record);
  if (!variable || path.empty())
    return std::nullopt;
  return within(variable->where,
                [&] { return member(*variable->expression, path, type); });
}

/// Marks the variables that `expression` mentions as known by another name,
/// except those that a temporary object copies.
void HostReader::shareMentioned(const Stmt &expression) {
  if (isa<MaterializeTemporaryExpr>(expression))
    return;
  if (const auto *name = dyn_cast<DeclRefExpr>(&expression)) {
    if (const auto *variable = dyn_cast<VarDecl>(name->getDecl()))
      Model.markShared(*variable);
    else if (const Expr *bound = boundBy(*name))
      shareMentioned(*bound);
  }
  for (const Stmt *child : expression.children())
    if (child)
      shareMentioned(*child);
}

} // namespace kfuse
