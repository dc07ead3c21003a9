//===- AssignedValues.cpp - What a host's variables are given -------------===//

#include "frontend/api/AssignedValues.h"

#include "frontend/api/Callees.h"
#include "frontend/syntax/Lvalues.h"
#include "frontend/syntax/SourceVisitor.h"

#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"

namespace kfuse {

using namespace clang;

namespace {

const DeclRefExpr *nameIn(const Expr *expression) {
  return expression ? dyn_cast<DeclRefExpr>(expression->IgnoreParens())
                    : nullptr;
}

const VarDecl *variableOf(const DeclRefExpr &name) {
  const auto *variable = dyn_cast<VarDecl>(name.getDecl());
  return variable ? variable->getCanonicalDecl() : nullptr;
}

class AssignedValueFinder : public SourceVisitor {
public:
  explicit AssignedValueFinder(const SourceManager &sources)
      : Sources(sources) {}

  AssignedValues result;

  bool shouldVisitTemplateInstantiations() const override { return true; }
  bool VisitVarDecl(VarDecl *variable) override {
    if (!isa<ParmVarDecl>(variable) && variable->getInit())
      give(variable->getCanonicalDecl(), *variable->getInit());
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *operation) override {
    const DeclRefExpr *name = nameIn(operation->getLHS());
    const BinaryOperatorKind kind = operation->getOpcode();
    if (name && (kind == BO_Assign || kind == BO_OrAssign)) {
      give(variableOf(*name), *operation->getRHS());
      Followed.insert(name);
      Targets.insert(name);
      result.reassigned.insert(variableOf(*name));
    }
    return true;
  }
  bool VisitImplicitCastExpr(ImplicitCastExpr *cast) override {
    if (cast->getCastKind() == CK_LValueToRValue)
      Followed.insert(nameIn(cast->getSubExpr()));
    return true;
  }
  bool VisitCallExpr(CallExpr *call) override {
    const FunctionDecl *callee = call->getDirectCallee();
    if (!callee)
      return true;
    Followed.insert(nameIn(call->getCallee()->IgnoreParenImpCasts()));
    const FunctionDecl *definition = callee->getDefinition();
    const bool isOpenCl =
        runtimeRole(*callee, Sources) && plainName(*callee).starts_with("cl");
    for (unsigned i = 0; i < call->getNumArgs(); ++i) {
      const Expr &argument = *call->getArg(i);
      if (isOpenCl)
        Passed.insert(nameIn(argument.IgnoreParenImpCasts()));
      if (definition && i < definition->getNumParams())
        give(definition->getParamDecl(i), argument);
      if (isOpenCl && i < callee->getNumParams() &&
          leavesNoValue(callee->getParamDecl(i)->getType())) {
        const DeclRefExpr *name = nameIn(addressee(argument));
        Followed.insert(name);
        const QualType pointee =
            callee->getParamDecl(i)->getType()->getPointeeType();
        if (name && !pointee.isConstQualified())
          result.received.insert(variableOf(*name));
      }
    }
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *name) override {
    Names.push_back(name);
    return true;
  }

  /// Completes the result once everything was seen.
  void finish() {
    for (const DeclRefExpr *name : Names) {
      if (Passed.count(name) == 0 && Targets.count(name) == 0)
        result.copied.insert(variableOf(*name));
      if (Followed.count(name) != 0)
        continue;
      if (const VarDecl *variable = variableOf(*name))
        result.others.insert(variable);
      // Indirect calls may pass anything.
      if (const auto *function = dyn_cast<FunctionDecl>(name->getDecl()))
        if (const FunctionDecl *definition = function->getDefinition())
          result.others.insert(definition->param_begin(),
                               definition->param_end());
    }
  }

private:
  void give(const VarDecl *variable, const Expr &value) {
    if (variable)
      result.values[variable].push_back(&value);
  }

  /// Checks whether OpenCL writes nothing but an error through `parameter`.
  static bool leavesNoValue(QualType parameter) {
    const QualType pointee = parameter->getPointeeType();
    return !pointee.isNull() &&
           (pointee.isConstQualified() ||
            pointee->isSpecificBuiltinType(BuiltinType::Int));
  }

  const SourceManager &Sources;
  std::set<const DeclRefExpr *> Followed, Passed, Targets;
  std::vector<const DeclRefExpr *> Names;
};

} // namespace

bool AssignedValues::isComplete(const VarDecl &variable) const {
  const bool isOwn =
      variable.hasLocalStorage() || !variable.isExternallyVisible();
  return isOwn && !variable.getType().isVolatileQualified() &&
         others.count(&variable) == 0;
}

AssignedValues
assignedValues(const std::vector<const FunctionDecl *> &functions,
               const SourceManager &sources) {
  AssignedValueFinder finder(sources);
  for (const FunctionDecl *function : functions)
    finder.TraverseStmt(function->getBody());
  finder.finish();
  for (auto &[variable, values] : finder.result.values)
    if (variable->isFileVarDecl())
      if (const Expr *init = variable->getAnyInitializer())
        values.push_back(init);
  return std::move(finder.result);
}

} // namespace kfuse
