//===- UniqueOwners.cpp - Variables that alone name an array --------------===//
//
// A pointer that is known by one variable can be swapped with another: whoever
// uses the storage looks into the variable anew.
//
//===----------------------------------------------------------------------===//

#include "frontend/host/variables/UniqueOwners.h"

#include "frontend/api/Callees.h"
#include "frontend/api/DeviceLibraries.h"
#include "frontend/api/RuntimeRoles.h"
#include "frontend/host/CollectFunctions.h"
#include "frontend/host/Unit.h"
#include "frontend/syntax/Lvalues.h"
#include "frontend/syntax/SourceVisitor.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace kfuse {

using namespace clang;

namespace {

bool mentions(const Stmt *statement, const VarDecl &variable) {
  if (!statement)
    return false;
  if (const auto *name = dyn_cast<DeclRefExpr>(statement))
    if (name->getDecl()->getCanonicalDecl() == &variable)
      return true;
  for (const Stmt *child : statement->children())
    if (mentions(child, variable))
      return true;
  return false;
}

/// Checks the mentions of one variable.
class OwnerCheck {
public:
  OwnerCheck(HostUnit &unit, const VarDecl &variable)
      : Unit(unit), Variable(variable) {}

  /// Checks whether each mention of the variable in `statement` keeps it the
  /// only name of its array.
  bool allows(const Stmt *statement, bool isWhole = false) const {
    if (!statement || isa<UnaryExprOrTypeTraitExpr>(statement))
      return true;
    if (const auto *name = dyn_cast<DeclRefExpr>(statement))
      return name->getDecl()->getCanonicalDecl() != &Variable;
    if (const auto *each = dyn_cast<ForStmt>(statement))
      return !isIn({each->getInit(), each->getCond(), each->getInc()}) &&
             allows(each->getBody());
    if (const auto *each = dyn_cast<WhileStmt>(statement))
      return !isIn({each->getConditionVariableDeclStmt(), each->getCond()}) &&
             allows(each->getBody());
    if (const auto *each = dyn_cast<DoStmt>(statement))
      return !isIn({each->getCond()}) && allows(each->getBody());
    if (isa<CXXForRangeStmt>(statement) || isa<LambdaExpr>(statement))
      return !mentions(statement, Variable);
    const auto *value = dyn_cast<Expr>(statement);
    if (const auto borrowed =
            value
                ? borrowedBy(*value, isWhole, Unit.runtimeNames, Unit.model.ast)
                : std::nullopt)
      return allowsBorrowing(*value, *borrowed);
    if (const auto *call = dyn_cast<CallExpr>(statement))
      return allowsCall(*call);
    for (const Stmt *child : statement->children()) {
      const auto *whole = isa<CompoundStmt>(statement)
                              ? dyn_cast_or_null<Expr>(child)
                              : nullptr;
      if (whole ? !allows(&withoutCleanups(*whole), /*isWhole=*/true)
                : !allows(child))
        return false;
    }
    return true;
  }

private:
  bool isIn(std::initializer_list<const Stmt *> parts) const {
    for (const Stmt *part : parts)
      if (mentions(part, Variable))
        return true;
    return false;
  }

  /// Checks whether each mention in a library's call is a pointer that it
  /// borrows, or may be made there as elsewhere.
  bool allowsBorrowing(const Expr &use, const Borrowing &borrowed) const {
    const auto isBorrowed = [&](const Expr &part) {
      return llvm::any_of(borrowed.pointers,
                          [&](const Borrowing::Argument &each) {
                            return each.value == &part && isValue(part);
                          });
    };
    std::vector<const Stmt *> work(use.child_begin(), use.child_end());
    while (!work.empty()) {
      const Stmt *part = work.back();
      work.pop_back();
      const auto *value = dyn_cast_or_null<Expr>(part);
      if (!part || (value && isBorrowed(*value)))
        continue;
      if (isa<DeclRefExpr>(part) && mentions(part, Variable))
        return false;
      // Other calls in it are on their own.
      if (value && borrowed.wrappers.count(value) == 0 &&
          (isa<CallExpr>(value) || isa<CXXConstructExpr>(value) ||
           isa<LambdaExpr>(value))) {
        if (!allows(value))
          return false;
        continue;
      }
      work.insert(work.end(), part->child_begin(), part->child_end());
    }
    return true;
  }

  bool allowsCall(const CallExpr &call) const {
    const bool isLaunch = isa<CUDAKernelCallExpr>(call);
    const FunctionDecl *callee = call.getDirectCallee();
    std::optional<RuntimeCall> role;
    if (!isLaunch && callee)
      role = runtimeRole(*callee, Unit.model.files.sources());
    const HostFunction *own =
        callee && !isa<CXXMethodDecl>(callee) ? Unit.find(*callee) : nullptr;
    if (isLaunch && !allows(cast<CUDAKernelCallExpr>(call).getConfig()))
      return false;
    for (unsigned i = 0; i < call.getNumArgs(); ++i) {
      const Expr &argument = *call.getArg(i);
      const bool isPassed = isLaunch || (own && !mayKeep(*own, i)) ||
                            (role && passesPointer(*role, call, i));
      if (!(isPassed && isValue(argument)) &&
          !(role && i == 0 && role->role == RuntimeCall::Role::Allocate &&
            isAddress(argument)) &&
          !allows(&argument))
        return false;
    }
    return allows(call.getCallee());
  }

  /// Checks whether argument `i` is a pointer that the call uses, in the order
  /// of the default stream, and doesn't keep.
  bool passesPointer(const RuntimeCall &role, const CallExpr &call,
                     unsigned i) const {
    using Role = RuntimeCall::Role;
    if (role.role != Role::Copy && role.role != Role::Move &&
        role.role != Role::Set && role.role != Role::Free)
      return false;
    const Expr &last = *call.getArg(call.getNumArgs() - 1);
    const bool hasStream =
        last.getType()->isPointerType() &&
        call.getNumArgs() - 1 >
            static_cast<unsigned>(std::max(role.pointer, role.source)) &&
        !isa<CXXDefaultArgExpr>(last) &&
        last.isNullPointerConstant(Unit.model.ast,
                                   Expr::NPC_ValueDependentIsNotNull) ==
            Expr::NPCK_NotNull;
    return !hasStream && (static_cast<int>(i) == role.pointer ||
                          static_cast<int>(i) == role.source);
  }

  bool isAddress(const Expr &argument) const {
    const auto *unary = dyn_cast<UnaryOperator>(argument.IgnoreParenCasts());
    const auto *name =
        unary && unary->getOpcode() == UO_AddrOf
            ? dyn_cast<DeclRefExpr>(unary->getSubExpr()->IgnoreParens())
            : nullptr;
    return name && name->getDecl()->getCanonicalDecl() == &Variable;
  }

  /// Checks whether `expression` is the variable's value, or the address of a
  /// place in its array.
  bool isValue(const Expr &expression) const {
    const Expr &plain = *expression.IgnoreParens();
    if (const auto *cast = dyn_cast<CastExpr>(&plain)) {
      const auto *name =
          cast->getCastKind() == CK_LValueToRValue
              ? dyn_cast<DeclRefExpr>(cast->getSubExpr()->IgnoreParens())
              : nullptr;
      if (name)
        return name->getDecl()->getCanonicalDecl() == &Variable;
      return plain.getType()->isAnyPointerType() &&
             isValue(*cast->getSubExpr());
    }
    if (const auto *sum = dyn_cast<BinaryOperator>(&plain))
      return sum->isAdditiveOp() && isValue(*sum->getLHS()) &&
             allows(sum->getRHS());
    const auto *address = dyn_cast<UnaryOperator>(&plain);
    const auto *element = address && address->getOpcode() == UO_AddrOf
                              ? dyn_cast<ArraySubscriptExpr>(
                                    address->getSubExpr()->IgnoreParens())
                              : nullptr;
    return element && isValue(*element->getBase()) && allows(element->getIdx());
  }

  HostUnit &Unit;
  const VarDecl &Variable;
};

/// The declarations in a function, and the statements that mention each. There
/// may be thousands of variables, each in a few of thousands of statements.
class Mentions : public SourceVisitor {
public:
  explicit Mentions(const FunctionDecl &function) {
    TraverseStmt(function.getBody());
    collect(*function.getBody());
  }

  bool VisitNamedDecl(NamedDecl *declared) override {
    Named[declared->getDeclName()].insert(declared->getCanonicalDecl());
    return true;
  }

  /// Checks whether nothing else in the function has the name of `variable`.
  /// The name will be written at other places, where another declaration could
  /// hide it.
  bool hasOwnName(const VarDecl &variable) const {
    const auto found = Named.find(variable.getDeclName());
    return found == Named.end() ||
           (found->second.size() == 1 &&
            *found->second.begin() == variable.getCanonicalDecl());
  }

  const std::vector<const Stmt *> &of(const VarDecl &variable) {
    return Statements[variable.getCanonicalDecl()];
  }

private:
  /// Collects the declarations that each statement mentions; the statements of
  /// blocks count one by one.
  void collect(const Stmt &statement) {
    if (isa<CompoundStmt>(statement)) {
      for (const Stmt *child : statement.children())
        collect(*child);
      return;
    }
    std::vector<const Stmt *> work = {&statement};
    while (!work.empty()) {
      const Stmt &next = *work.back();
      work.pop_back();
      if (const auto *name = dyn_cast<DeclRefExpr>(&next)) {
        auto &known = Statements[name->getDecl()->getCanonicalDecl()];
        if (known.empty() || known.back() != &statement)
          known.push_back(&statement);
      }
      for (const Stmt *child : next.children())
        if (child)
          work.push_back(child);
    }
  }

  std::map<DeclarationName, std::set<const Decl *>> Named;
  std::map<const Decl *, std::vector<const Stmt *>> Statements;
};

} // namespace

void findUniqueOwners(HostUnit &unit) {
  auto named = unit.allocations;
  for (const auto &[variable, objects] : unit.gifts)
    named[variable].insert(named[variable].end(), objects.begin(),
                           objects.end());
  std::map<const FunctionDecl *, Mentions> known;
  for (const auto &[variable, objects] : named) {
    const QualType type = variable->getType();
    const auto *function =
        dyn_cast_or_null<FunctionDecl>(variable->getParentFunctionOrMethod());
    if (objects.size() != 1 || !variable->isLocalVarDecl() ||
        !variable->hasLocalStorage() || !type->isPointerType() ||
        type.hasLocalQualifiers() || !function || !function->getBody() ||
        unit.model.isShared(unit.model.variable(*variable)))
      continue;
    Mentions &mentions = known.try_emplace(function, *function).first->second;
    const std::vector<const Stmt *> &statements = mentions.of(*variable);
    const OwnerCheck check(unit, *variable);
    if (!mentions.hasOwnName(*variable) ||
        !std::all_of(
            statements.begin(), statements.end(), [&](const Stmt *statement) {
              const auto *whole = dyn_cast<Expr>(statement);
              return check.allows(whole ? &withoutCleanups(*whole) : statement,
                                  /*isWhole=*/true);
            }))
      continue;
    unit.model[objects.front()].array.holder = {
        variable->getNameAsString(), type.getCanonicalType().getAsString()};
  }
}

} // namespace kfuse
