//===- Branches.cpp - Ways through a host function ------------------------===//
//
// Branches, and what was tested on the way to a statement: values have one
// meaning for good, so that a condition holds wherever only its one outcome
// leads.
//
//===----------------------------------------------------------------------===//

#include "frontend/host/AbstractState.h"
#include "frontend/host/Walker.h"

#include "frontend/syntax/ControlFlow.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

#include <utility>

namespace kfuse {

using namespace clang;

void HostWalker::suppose(const Expr *condition, bool holds, bool isGuess) {
  // More only make plans slow, and the inner ones say more.
  constexpr std::size_t MostConditions = 64;
  if (!condition || Function.scan.hasLabel || Given.size() >= MostConditions ||
      !condition->getType()->isIntegralOrEnumerationType() ||
      !isPure(*condition, Model.files))
    return;
  const Polynomial value = Reader.exact(*condition);
  const std::optional<Symbol> symbol = value.asSymbol();
  const bool isUnknown = symbol && symbol->kind == SymbolKind::Opaque &&
                         Model.program.terms[*symbol].kind == TermKind::Unique;
  if (isUnknown || value.asConstant())
    return;
  const std::string text =
      Model.files.text(Model.files.wholeText(condition->getSourceRange()));
  Given.push_back({{holds ? Relation::NonZero : Relation::Zero, value},
                   holds ? text : "!(" + text + ")",
                   isGuess});
}

void HostWalker::supposeAsserted(const Expr &statement) {
  const auto *choice =
      dyn_cast<ConditionalOperator>(statement.IgnoreParenCasts());
  if (choice && leaves(*choice->getFalseExpr()->IgnoreParenCasts()))
    suppose(choice->getCond()->IgnoreParenCasts(), true, true);
}

const Expr *HostWalker::conditionOf(const Stmt &loop) {
  if (const auto *each = dyn_cast<ForStmt>(&loop))
    return each->getCond();
  const auto *each = dyn_cast<WhileStmt>(&loop);
  return each ? each->getCond() : nullptr;
}

void HostWalker::branch(const IfStmt &statement, Context context) {
  StepFacts &facts = context.facts;
  if (statement.getInit())
    execute(*statement.getInit(), {facts, std::nullopt});
  if (statement.getConditionVariableDeclStmt())
    execute(*statement.getConditionVariableDeclStmt(), {facts, std::nullopt});
  const Expr &condition = *statement.getCond();
  const Stmt *then = statement.getThen(), *otherwise = statement.getElse();
  bool value = false;
  bool isKnown = statement.isConsteval() ||
                 (!condition.isValueDependent() &&
                  condition.EvaluateAsBooleanCondition(value, Model.ast));
  if (isKnown) {
    if (value ? then : otherwise)
      arm(value ? *then : *otherwise, RegionKind::BranchArm, context);
    return;
  }
  const bool isCheck = isErrorCheck(statement);
  if (isCheck && leaves(*then))
    FalseCondition = condition.IgnoreParens();
  expression(condition, facts);
  FalseCondition = nullptr;
  if (isCheck) {
    facts.kinds.insert(StepKind::ErrorCheck);
    // Nothing after an arm that leaves sees what it assigned.
    if (!leaves(*then))
      forgetAssigned(scanHost(*then, Model.files.sources()), facts);
    return;
  }
  AbstractState before = Env;
  const std::size_t given = Given.size();
  suppose(&condition, true);
  arm(*then, RegionKind::BranchArm, context);
  AbstractState after = Env;
  Env = before;
  Given.resize(given);
  suppose(&condition, false);
  if (otherwise)
    arm(*otherwise, RegionKind::BranchArm, context);
  if (leaves(*then))
    return;
  Given.resize(given);
  if (otherwise && leaves(*otherwise)) {
    std::swap(before, Env);
    suppose(&condition, true);
    std::swap(before, Env);
  }
  Env =
      otherwise && leaves(*otherwise) ? after : AbstractState::join(after, Env);
}

void HostWalker::choose(const SwitchStmt &statement, Context context) {
  StepFacts &facts = context.facts;
  if (statement.getInit())
    execute(*statement.getInit(), {facts, std::nullopt});
  if (statement.getConditionVariableDeclStmt())
    execute(*statement.getConditionVariableDeclStmt(), {facts, std::nullopt});
  expression(*statement.getCond(), facts);
  HostScan scan = scanHost(*statement.getBody(), Model.files.sources());
  forgetRepeated(scan, facts);
  AbstractState before = Env;
  const std::size_t given = Given.size();
  bool breaksBefore = facts.breaks;
  const auto *body = dyn_cast<CompoundStmt>(statement.getBody());
  bool makesRegions = context.step && body && holdsLaunch(*body);
  std::optional<RegionId> region;
  std::vector<const Stmt *> children;
  if (body)
    children.assign(body->body_begin(), body->body_end());
  else
    children.push_back(statement.getBody());
  for (const Stmt *child : children) {
    bool isDirect = true;
    // Each label starts a region, entered with any of the assigned values.
    const bool isLast = child == children.back();
    while (const auto *label = dyn_cast<SwitchCase>(child)) {
      Env = before;
      Given.resize(given);
      forgetRepeated(scan, facts);
      // A label needs a statement, if this one goes.
      isDirect = body && !isLast;
      child = label->getSubStmt();
      region.reset();
    }
    if (makesRegions && !region)
      region = addRegion(RegionKind::BranchArm, context.step, *child);
    if (region)
      step(*child, *region, facts, isDirect);
    else
      execute(*child, {facts, std::nullopt});
  }
  facts.breaks = breaksBefore;
  Env = before;
  Given.resize(given);
  forgetRepeated(scan, facts);
}

} // namespace kfuse
