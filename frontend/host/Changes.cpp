//===- Changes.cpp - What evaluating an expression changes ----------------===//

#include "frontend/host/Changes.h"

#include "frontend/api/Callees.h"
#include "frontend/api/Swaps.h"
#include "frontend/host/Expressions.h"
#include "frontend/host/Unit.h"
#include "frontend/syntax/EvaluatedChildren.h"
#include "frontend/syntax/Lvalues.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

#include <algorithm>

namespace kfuse {

using namespace clang;

namespace {

/// Checks whether `method` of a C++ library class changes nothing, although the
/// class has versions of it for objects that may change.
bool onlyLooks(const CXXMethodDecl &method) {
  const OverloadedOperatorKind kind = method.getOverloadedOperator();
  if (kind != OO_None)
    return kind == OO_Subscript || kind == OO_Star || kind == OO_Arrow;
  static const std::set<std::string> names = {
      "at",    "back", "begin", "data",   "end", "find",
      "front", "get",  "value", "rbegin", "rend"};
  return method.getDeclName().isIdentifier() &&
         names.count(method.getNameAsString()) != 0;
}

bool isLambda(const Expr &expression) {
  const auto *record = expression.getType()->getAsCXXRecordDecl();
  return record && record->isLambda();
}

class ChangeFinder {
public:
  explicit ChangeFinder(const HostUnit &unit)
      : Sources(unit.model.files.sources()), Unit(unit) {}

  HostChanges Found;

  void visit(const Stmt &statement) {
    if (const auto *binary = dyn_cast<BinaryOperator>(&statement);
        binary && binary->isAssignmentOp())
      change(*binary->getLHS());
    if (const auto *unary = dyn_cast<UnaryOperator>(&statement);
        unary && unary->isIncrementDecrementOp())
      change(*unary->getSubExpr());
    if (const auto *call = dyn_cast<CallExpr>(&statement))
      visitCall(*call);
    if (const auto *made = dyn_cast<CXXConstructExpr>(&statement))
      visitConstructor(*made);
    Found.others |= isa<CXXNewExpr>(statement) ||
                    isa<CXXDeleteExpr>(statement) || isa<StmtExpr>(statement) ||
                    isa<RecoveryExpr>(statement) ||
                    isa<CoroutineSuspendExpr>(statement);
    for (const Stmt *part : evaluatedIn(statement))
      visit(*part);
  }

private:
  void change(const Expr &lvalue) {
    for (const Expr *each : choicesOf(lvalue))
      if (const ValueDecl *variable = baseOf(*each))
        Found.variables.insert(variable);
      else
        Found.others = true;
  }

  /// Notes what a callee that is given the argument may change.
  void give(const Expr &argument, QualType parameter) {
    const QualType type = argument.getType();
    if (!parameter.isNull() && parameter->isReferenceType()) {
      if (!parameter->getPointeeType().isConstQualified() &&
          argument.isGLValue() && !isa<MaterializeTemporaryExpr>(argument))
        change(argument);
    } else if (const Expr *pointee = addressee(argument)) {
      change(*pointee);
    } else if (const Expr &given = *argument.IgnoreParenImpCasts();
               given.getType()->isArrayType() && !isa<StringLiteral>(given)) {
      change(given);
    } else if (type->isAnyPointerType() &&
               !type->getPointeeType().isConstQualified() &&
               !type->getPointeeType()->isRealFloatingType() &&
               !type->getPointeeType()->isRecordType()) {
      Found.others = true;
    }
    Found.others |= isLambda(argument);
  }

  void giveAll(const FunctionDecl &callee,
               llvm::ArrayRef<const Expr *> arguments) {
    for (unsigned i = 0; i < arguments.size(); ++i)
      give(*arguments[i], i < callee.getNumParams()
                              ? callee.getParamDecl(i)->getType()
                              : QualType());
  }

  void visitCall(const CallExpr &call) {
    const FunctionDecl *callee = call.getDirectCallee();
    if (!callee) {
      Found.others |= !isa<CXXPseudoDestructorExpr>(
          call.getCallee()->IgnoreParenImpCasts());
      return;
    }
    if (isValueFunction(*callee))
      return;
    if (const auto swapped = swappedBy(call)) {
      change(*swapped->first);
      return change(*swapped->second);
    }
    llvm::ArrayRef<const Expr *> arguments(call.getArgs(), call.getNumArgs());
    const auto *method = dyn_cast<CXXMethodDecl>(callee);
    const Expr *object = nullptr;
    if (const auto *member = dyn_cast<CXXMemberCallExpr>(&call)) {
      object = member->getImplicitObjectArgument();
    } else if (method && method->isInstance() && !arguments.empty()) {
      object = arguments.front();
      arguments = arguments.drop_front();
    }
    const bool isSystemFunction = isSystem(*callee, Sources);
    // std::function and similar ones call what they hold.
    Found.others |= isOverridable(*callee, Sources) ||
                    (isSystemFunction && method &&
                     method->getOverloadedOperator() == OO_Call);
    if (!isSystemFunction && !visitFunction(*callee))
      return;
    if (object && method && !method->isConst() &&
        !(isSystemFunction && onlyLooks(*method))) {
      if (object->getType()->isAnyPointerType())
        Found.others |= !isa<CXXThisExpr>(object->IgnoreParenImpCasts());
      else
        change(*object);
    }
    giveAll(*callee, arguments);
  }

  void visitConstructor(const CXXConstructExpr &made) {
    const CXXConstructorDecl &constructor = *made.getConstructor();
    if (constructor.isImplicit() || constructor.isDefaulted())
      return;
    if (isSystem(constructor, Sources) || visitFunction(constructor))
      giveAll(constructor, {made.getArgs(), made.getNumArgs()});
  }

  /// Notes what the user's function `callee` may change, apart from its
  /// arguments. Returns whether it may change anything.
  bool visitFunction(const FunctionDecl &callee) {
    const HostFunction *known = Unit.find(callee);
    if (!known) {
      Found.others = true;
      return true;
    }
    if (!known->assignsShared)
      return false;
    const HostScan &scan = known->scan;
    Found.others |= scan.callsUnknown || scan.hasLabel ||
                    scan.memoryStores > 0 || !scan.lambdas.empty() ||
                    llvm::any_of(scan.callees, [&](const FunctionDecl *each) {
                      const HostFunction *inner = Unit.find(*each);
                      return !inner || inner->assignsShared;
                    });
    Found.variables.insert(scan.assigned.begin(), scan.assigned.end());
    return true;
  }

  const SourceManager &Sources;
  const HostUnit &Unit;
};

} // namespace

HostChanges changesOf(const Expr &expression, const HostUnit &unit) {
  ChangeFinder finder(unit);
  finder.visit(expression);
  return std::move(finder.Found);
}

bool mayReach(const HostChanges &changes, const std::set<VariableId> &variables,
              HostModel &model) {
  std::set<VariableId> changed;
  for (const ValueDecl *variable : changes.variables) {
    const VariableId id = model.variable(*variable);
    changed.insert(id);
    if (model.isShared(id))
      changed.insert(model.memory());
  }
  return llvm::any_of(variables, [&](VariableId each) {
    return changed.count(each) != 0 || (changes.others && model.isShared(each));
  });
}

bool dependOnOrder(const std::vector<const Expr *> &expressions,
                   HostUnit &unit) {
  for (const Expr *one : expressions) {
    const HostChanges changes = changesOf(*one, unit);
    for (const Expr *other : expressions)
      if (changes.any() && other != one &&
          mayReach(changes, usesOf(*other, unit.model), unit.model))
        return true;
  }
  return false;
}

} // namespace kfuse
