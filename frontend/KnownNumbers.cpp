//===- frontend/KnownNumbers.cpp - What compilers know of a number --------===//

#include "frontend/KnownNumbers.h"

#include "frontend/SourceVisitor.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"

#include <algorithm>
#include <set>

namespace kfuse {

using namespace clang;

namespace {

/// What a function returns, without the lambdas in it.
class ReturnFinder : public SourceVisitor<ReturnFinder> {
public:
  std::vector<const Expr *> values;

  bool TraverseLambdaExpr(LambdaExpr *) { return true; }
  bool VisitReturnStmt(ReturnStmt *statement) {
    if (const Expr *value = statement->getRetValue())
      values.push_back(value);
    return true;
  }
};

class PartFinder : public SourceVisitor<PartFinder> {
public:
  explicit PartFinder(llvm::DenseSet<const Stmt *> &parts) : Parts(parts) {}

  bool VisitStmt(Stmt *statement) {
    Parts.insert(statement);
    return true;
  }

private:
  llvm::DenseSet<const Stmt *> &Parts;
};

/// What is run again and again; not what comes before.
std::vector<Stmt *> repeatedParts(const Stmt &loop) {
  Stmt *whole = const_cast<Stmt *>(&loop);
  if (auto *counted = dyn_cast<ForStmt>(whole))
    return {counted->getCond(), counted->getInc(), counted->getBody()};
  return {whole};
}

/// The function of which a call has the value, if its body is visible.
const FunctionDecl *calledBody(const Stmt *value) {
  const auto *call = dyn_cast<CallExpr>(value);
  const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  return callee && !callee->getReturnType()->isVoidType()
             ? callee->getDefinition()
             : nullptr;
}

template <typename Test> bool anyPart(const Stmt *whole, const Test &holds) {
  return std::any_of(whole->child_begin(), whole->child_end(),
                     [&](const Stmt *part) { return part && holds(part); });
}

bool isOfKernel(const ParmVarDecl &parameter) {
  const auto *function =
      dyn_cast_or_null<FunctionDecl>(parameter.getParentFunctionOrMethod());
  return function && function->hasAttr<CUDAGlobalAttr>();
}

const VarDecl *named(const Stmt *value) {
  const auto *name = dyn_cast<DeclRefExpr>(value);
  return name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
}

} // namespace

const KnownNumbers::Function &KnownNumbers::of(const FunctionDecl &definition) {
  const auto [found, isNew] = Functions.try_emplace(&definition);
  Function &function = found->second;
  if (!isNew)
    return function;
  function.values = givenValues(definition);
  ReturnFinder finder;
  finder.TraverseStmt(definition.getBody());
  function.returned = std::move(finder.values);
  // Variables that are given each other depend on what else they are given.
  for (std::size_t known = 1; known != function.known.size();) {
    known = function.known.size();
    const auto look = [&](const VarDecl *variable,
                          const std::vector<const Expr *> &values) {
      if (!std::all_of(values.begin(), values.end(),
                       [&](const Expr *each) { return isGiven(each); }))
        function.known.insert(variable);
    };
    for (const auto &[variable, values] : function.values.values)
      look(variable, values);
    // Of a kernel's compilers don't know which element is which.
    if (!definition.hasAttr<CUDAGlobalAttr>())
      for (const auto &[parameter, target] : function.values.targets)
        look(parameter, target.values);
  }
  return function;
}

const KnownNumbers::Function *KnownNumbers::around(const VarDecl &variable) {
  const auto *function =
      dyn_cast_or_null<FunctionDecl>(variable.getParentFunctionOrMethod());
  const FunctionDecl *definition =
      function ? function->getDefinition() : nullptr;
  return definition && definition->getBody() ? &of(*definition) : nullptr;
}

bool KnownNumbers::isGiven(const Stmt *value) {
  if (const auto *common = dyn_cast<OpaqueValueExpr>(value))
    return common->getSourceExpr() && isGiven(common->getSourceExpr());
  if (const auto *choice = dyn_cast<AbstractConditionalOperator>(value))
    return isGiven(choice->getTrueExpr()) && isGiven(choice->getFalseExpr());
  if (const VarDecl *variable = named(value))
    return isVariableGiven(*variable);
  if (const FunctionDecl *callee = calledBody(value);
      callee && !returnsGiven(*callee))
    return false;
  const auto isPartGiven = [&](const Stmt *part) { return isGiven(part); };
  // Parts of a variable count as all of it.
  if (isa<InitListExpr, CXXConstructExpr>(value))
    return value->child_begin() != value->child_end() &&
           std::all_of(value->child_begin(), value->child_end(), isPartGiven);
  return anyPart(value, isPartGiven);
}

bool KnownNumbers::returnsGiven(const FunctionDecl &callee) {
  // Of recursion nothing is known.
  if (!Active.insert(&callee).second)
    return false;
  const auto &returned = of(callee).returned;
  const bool areGiven =
      std::all_of(returned.begin(), returned.end(),
                  [&](const Expr *each) { return isGiven(each); });
  Active.erase(&callee);
  return areGiven;
}

bool KnownNumbers::isVariableGiven(const VarDecl &variable) {
  if (!variable.isLocalVarDeclOrParm())
    return !variable.getType().isConstQualified();
  const auto *parameter = dyn_cast<ParmVarDecl>(&variable);
  const Function *function = around(variable);
  if (!function)
    return parameter && Arguments.constant.count(parameter) == 0;
  const GivenValues &values = function->values;
  const bool isOpen = values.open.count(&variable) != 0;
  if (function->known.count(&variable) != 0 ||
      Arguments.constant.count(parameter) != 0 ||
      (!parameter && !isOpen && values.values.count(&variable) == 0))
    return false;
  // In the works, a variable depends on itself.
  if (!ActiveLent.insert(&variable).second)
    return true;
  const bool areGiven = areLentGiven(values.open.lookup(&variable)) &&
                        (!parameter || isOfKernel(*parameter) ||
                         areLentGiven(values.targets.lookup(parameter).lent));
  ActiveLent.erase(&variable);
  return areGiven;
}

bool KnownNumbers::areLentGiven(const Lent &lent) {
  Variables seen;
  std::vector<const Expr *> values;
  return gatherLent(lent, seen, values) &&
         std::all_of(values.begin(), values.end(),
                     [&](const Expr *each) { return isGiven(each); });
}

/// What those who are lent a variable give to it; false where others may, too.
/// Those who are looked at for another one are left out.
bool KnownNumbers::gatherLent(const Lent &lent, Variables &seen,
                              std::vector<const Expr *> &values) {
  for (const ParmVarDecl *borrower : lent) {
    const Function *function = borrower ? around(*borrower) : nullptr;
    if (!function)
      return false;
    const auto target = function->values.targets.find(borrower);
    if (target == function->values.targets.end() ||
        !seen.insert(borrower).second)
      continue;
    values.insert(values.end(), target->second.values.begin(),
                  target->second.values.end());
    if (!gatherLent(target->second.lent, seen, values))
      return false;
  }
  return true;
}

bool KnownNumbers::holdsChoice(const Stmt *value) {
  if (isa<AbstractConditionalOperator>(value))
    return true;
  if (const VarDecl *variable = named(value))
    return isVariableChosen(*variable);
  if (const FunctionDecl *callee = calledBody(value)) {
    const auto [found, isNew] = Chosen.try_emplace(callee, false);
    const auto &returned = of(*callee).returned;
    if (isNew &&
        (returned.size() > 1 ||
         std::any_of(returned.begin(), returned.end(),
                     [&](const Expr *each) { return holdsChoice(each); })))
      Chosen[callee] = true;
    if (Chosen.lookup(callee))
      return true;
  }
  return anyPart(value, [&](const Stmt *part) { return holdsChoice(part); });
}

bool KnownNumbers::isVariableChosen(const VarDecl &variable) {
  const auto *parameter = dyn_cast<ParmVarDecl>(&variable);
  const Function *function = around(variable);
  if (Arguments.chosen.count(parameter) != 0)
    return true;
  if (!function)
    return false;
  const auto [found, isNew] = Chosen.try_emplace(&variable, false);
  if (!isNew)
    return found->second;
  auto values = function->values.values.lookup(&variable);
  Variables seen;
  const bool isFollowed =
      gatherLent(function->values.open.lookup(&variable), seen, values);
  const bool isChoice =
      !isFollowed || values.size() + (parameter != nullptr) > 1 ||
      std::any_of(values.begin(), values.end(),
                  [&](const Expr *each) { return holdsChoice(each); });
  return Chosen[&variable] = isChoice;
}

bool KnownNumbers::mayBeTwo(const Expr &number, const FunctionDecl &in) {
  const ASTContext &ast = in.getASTContext();
  if (number.isValueDependent() || number.isEvaluatable(ast) ||
      isGiven(&number))
    return false;
  const VarDecl *variable = variableOf(sameBits(&number));
  const GivenValues &own = valuesIn(in);
  const auto values = own.values.lookup(variable);
  return !variable || !variable->hasLocalStorage() ||
         isa<ParmVarDecl>(variable) || own.open.count(variable) != 0 ||
         !std::all_of(values.begin(), values.end(), [&](const Expr *each) {
           llvm::APFloat value(0.0);
           return each->EvaluateAsFloat(value, ast) &&
                  value.getExactLog2Abs() != 1 && value.getExactLog2Abs() != -1;
         });
}

bool KnownNumbers::mayStay(const Stmt *value, const Stmt &loop) {
  // The statements in an expression aren't followed.
  if (isa<StmtExpr>(value))
    return true;
  if (const auto *common = dyn_cast<OpaqueValueExpr>(value))
    return !common->getSourceExpr() || mayStay(common->getSourceExpr(), loop);
  if (const auto *step = dyn_cast<UnaryOperator>(value);
      step && step->isIncrementDecrementOp())
    return false;
  if (const auto *assignment = dyn_cast<BinaryOperator>(value);
      assignment && assignment->isAssignmentOp())
    return !assignment->isCompoundAssignmentOp() &&
           mayStay(assignment->getRHS(), loop);
  if (const VarDecl *variable = named(value))
    return mayVariableStay(*variable, loop);
  if (const auto *operation = dyn_cast<BinaryOperator>(value);
      operation && mayCancel(*operation, loop))
    return true;
  return !anyPart(value,
                  [&](const Stmt *part) { return !mayStay(part, loop); });
}

/// Whether both integers change with one variable, as in `n + k - k`.
bool KnownNumbers::mayCancel(const BinaryOperator &operation,
                             const Stmt &loop) {
  const BinaryOperatorKind kind = operation.getOpcode();
  if (!operation.getType()->isIntegerType() || kind == BO_Add ||
      kind == BO_Mul || operation.isAssignmentOp())
    return false;
  llvm::DenseSet<const Stmt *> left, right;
  PartFinder(left).TraverseStmt(operation.getLHS());
  PartFinder(right).TraverseStmt(operation.getRHS());
  Variables changing;
  for (const Stmt *part : left)
    if (const VarDecl *variable = named(part);
        variable && !mayVariableStay(*variable, loop))
      changing.insert(variable);
  return std::any_of(right.begin(), right.end(), [&](const Stmt *part) {
    return changing.count(named(part)) != 0;
  });
}

bool KnownNumbers::mayVariableStay(const VarDecl &variable, const Stmt &loop) {
  if (of(loop).changing.count(&variable) != 0)
    return false;
  const auto *parameter = dyn_cast<ParmVarDecl>(&variable);
  const auto *function =
      parameter ? dyn_cast<FunctionDecl>(parameter->getDeclContext()) : nullptr;
  return !function || function->getBody() != &loop ||
         Arguments.fixed.count(parameter) != 0;
}

const KnownNumbers::Loop &KnownNumbers::of(const Stmt &loop) {
  const auto [place, isNew] = Loops.try_emplace(&loop);
  Loop &found = place->second;
  if (!isNew)
    return found;
  PartFinder finder(found.parts);
  for (Stmt *part : repeatedParts(loop))
    finder.TraverseStmt(part);
  // All that have a value in the loop, but for those that may stay.
  std::map<const VarDecl *, std::set<const Expr *>> given;
  for (const Stmt *part : found.parts)
    if (const VarDecl *variable = named(part))
      if (const Function *function = around(*variable);
          function && function->values.open.count(variable) == 0)
        for (const Expr *value : function->values.values.lookup(variable))
          if (found.parts.count(value) != 0)
            given[variable].insert(value);
  for (const auto &[variable, values] : given)
    found.changing.insert(variable);
  for (std::size_t before = 0; before != found.changing.size();) {
    before = found.changing.size();
    for (const auto &[variable, values] : given)
      if (std::any_of(values.begin(), values.end(),
                      [&](const Expr *each) { return mayStay(each, loop); }))
        found.changing.erase(variable);
  }
  return found;
}

} // namespace kfuse
