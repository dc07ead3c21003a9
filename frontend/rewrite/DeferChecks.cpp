//===- DeferChecks.cpp - Checks behind the launches they follow -----------===//

#include "frontend/rewrite/DeferChecks.h"

#include "frontend/api/Callees.h"
#include "frontend/parse/SourceUnit.h"
#include "frontend/rewrite/Rewriting.h"
#include "frontend/syntax/ControlFlow.h"
#include "frontend/syntax/ImplicitCalls.h"
#include "frontend/syntax/Lvalues.h"
#include "frontend/syntax/SourceVisitor.h"
#include "graphs/ExecutionGraph.h"
#include "graphs/program/Aliases.h"
#include "graphs/program/Effects.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

#include <algorithm>
#include <optional>

namespace kfuse {

using namespace clang;

namespace {

/// How control leaves a statement. A system's function in C doesn't throw.
class LeaveFinder : public SourceVisitor {
public:
  explicit LeaveFinder(const SourceManager &sources) : Sources(sources) {}

  bool ends = false;   ///< by a system's function that ends the program
  bool leaves = false; ///< otherwise, or it may

  bool VisitCallExpr(CallExpr *call) override {
    const FunctionDecl *callee = call->getDirectCallee();
    if (callee && callee->isNoReturn() && isSystem(*callee, Sources) &&
        endsProgram(plainName(*callee)))
      ends = true;
    else
      leaves |= !callee || callee->isNoReturn() || mayThrow(*callee, Sources);
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *made) override {
    leaves |= mayThrow(*made->getConstructor(), Sources);
    return true;
  }
  bool VisitCXXNewExpr(CXXNewExpr *) override { return stop(); }
  bool VisitCXXDynamicCastExpr(CXXDynamicCastExpr *) override { return stop(); }
  bool VisitCXXTypeidExpr(CXXTypeidExpr *) override { return stop(); }
  bool VisitReturnStmt(ReturnStmt *) override { return stop(); }
  bool VisitGotoStmt(GotoStmt *) override { return stop(); }
  bool VisitIndirectGotoStmt(IndirectGotoStmt *) override { return stop(); }
  bool VisitCXXThrowExpr(CXXThrowExpr *) override { return stop(); }
  bool VisitAsmStmt(AsmStmt *) override { return stop(); }
  bool VisitStmtExpr(StmtExpr *) override { return stop(); }
  bool VisitLambdaExpr(LambdaExpr *) override { return stop(); }

private:
  static bool endsProgram(const std::string &name) {
    static const std::set<std::string> names = {
        "exit", "_exit", "_Exit", "quick_exit", "abort", "terminate"};
    return names.count(name) != 0;
  }
  bool stop() {
    leaves = true;
    return false;
  }

  const SourceManager &Sources;
};

/// Whether the program says what is to run when it ends.
class ExitFinder : public SourceVisitor {
public:
  explicit ExitFinder(const SourceManager &sources) : Sources(sources) {}

  bool isFound = false;

  bool shouldVisitTemplateInstantiations() const override { return true; }
  bool VisitDeclRefExpr(DeclRefExpr *use) override {
    static const std::set<std::string> names = {
        "atexit",        "at_quick_exit", "on_exit",  "__cxa_atexit",
        "set_terminate", "signal",        "sigaction"};
    const auto *function = dyn_cast<FunctionDecl>(use->getDecl());
    isFound |= function && names.count(plainName(*function)) != 0;
    return true;
  }
  bool VisitVarDecl(VarDecl *variable) override {
    isFound |= variable->hasGlobalStorage() &&
               !destructorsRunFor(*variable, Sources).empty();
    return true;
  }
  bool VisitFunctionDecl(FunctionDecl *function) override {
    isFound |= function->hasAttr<DestructorAttr>();
    return true;
  }

private:
  const SourceManager &Sources;
};

/// Consecutive statements of a block: copies to the host and what looks at
/// them, the last of them a check, and the launches after it.
struct Passed {
  std::vector<const Stmt *> checks, launches;
};

class Deferrer {
public:
  Deferrer(Rewriting &rewriting, const Program &program, bool withChecks)
      : Text(rewriting), Code(program), Files(rewriting.files()),
        Sources(Files.sources()), WithChecks(withChecks) {
    for (std::uint32_t i = 0; i < program.steps.size(); ++i)
      if (program.steps[i].range.file == 0)
        Steps.emplace(program.steps[i].range.begin, StepId{i});
  }

  RewrittenText run() {
    if (usesSeveralStreams(Code))
      return {};
    WithChecks = WithChecks && !mindsEnd();
    for (const FunctionDecl *function : Text.unit().order)
      if (Text.textObstacle(*function).empty() &&
          !Text.unit().functions[function].scan.hasLabel)
        for (const CompoundStmt *block : blocksOf(*function))
          visit(*block);
    return Text.finish();
  }

private:
  /// Checks whether something may look at the device when the program ends.
  bool mindsEnd() {
    ExitFinder finder(Sources);
    finder.TraverseAST(Text.unit().model.ast);
    return finder.isFound;
  }

  void visit(const CompoundStmt &block) {
    std::vector<Passed> found; // each after the one before
    const auto settle = [&] {
      if (!found.empty() && found.back().launches.empty())
        found.pop_back();
      if (!found.empty())
        move(found);
      found.clear();
    };
    for (const Stmt *statement : block.body()) {
      if (!found.empty() && isLast(*found.back().checks.back()) &&
          std::all_of(found.begin(), found.end(), [&](const Passed &each) {
            return mayPass(*statement, each.checks);
          })) {
        found.back().launches.push_back(statement);
        continue;
      }
      const bool isMoved = WithChecks
                               ? isFetch(*statement) || isCheck(*statement)
                               : isFetch(*statement) && isCopy(*statement);
      if (!isMoved) {
        settle();
        continue;
      }
      if (found.empty() || !found.back().launches.empty())
        found.emplace_back();
      found.back().checks.push_back(statement);
    }
    settle();
  }

  /// Checks whether launches may pass what ends with the statement.
  bool isLast(const Stmt &statement) {
    return isCopy(statement) || (WithChecks && isCheck(statement));
  }

  /// Checks whether the statement copies to the host and does nothing else.
  bool isCopy(const Stmt &statement) {
    const HostStep *step = stepOf(statement);
    const auto *value = dyn_cast<Expr>(&statement);
    const auto *call =
        value ? dyn_cast<CallExpr>(&withoutCleanups(*value)) : nullptr;
    const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
    return step && step->kind == StepKind::CopyToHost && callee &&
           isSystem(*callee, Sources);
  }

  const HostStep *stepOf(const Stmt &statement) {
    const SourceRange range = Files.statement(statement);
    const auto known = Steps.find(range.begin);
    if (!FileTable::isInputText(range) || known == Steps.end())
      return nullptr;
    const HostStep &step = Code[known->second];
    // The same statement in several analyses of its function.
    const bool isOne = Steps.count(range.begin) == 1 && step.editable &&
                       step.range.end == range.end &&
                       !Code[step.region].isShared;
    return isOne ? &step : nullptr;
  }

  bool isFetch(const Stmt &statement) {
    const HostStep *step = stepOf(statement);
    return step && !step->touchesEverything && !step->mayLeave &&
           (step->kind == StepKind::CopyToHost ||
            step->kind == StepKind::Synchronize ||
            step->kind == StepKind::ErrorCheck);
  }

  /// Checks whether `statement` does nothing with the device, and leaves only
  /// by ending the program.
  bool isCheck(const Stmt &statement) {
    const HostStep *step = stepOf(statement);
    if (!isa<IfStmt, ForStmt, WhileStmt>(statement) || !step ||
        !step->mayLeave || step->touchesEverything || !step->effects.empty() ||
        leavesLoop(statement))
      return false;
    LeaveFinder finder(Sources);
    finder.TraverseStmt(const_cast<Stmt *>(&statement));
    const HostScan scan = scanHost(statement, Sources);
    return finder.ends && !finder.leaves && !scan.usesDevice() &&
           std::none_of(scan.callees.begin(), scan.callees.end(),
                        [this](const FunctionDecl *callee) {
                          const HostFunction *known = Text.unit().find(*callee);
                          return !known || known->usesDevice || known->mayExit;
                        });
  }

  /// Checks whether the launch `statement` does the same before `checks`.
  bool mayPass(const Stmt &statement, const std::vector<const Stmt *> &checks) {
    const HostStep *step = stepOf(statement);
    if (!step || step->kind != StepKind::Launch || step->touchesEverything ||
        step->mayLeave || step->launch == noneOf<LaunchId>() ||
        Code[step->launch].argumentsAct)
      return false;
    const HostScan scan = scanHost(statement, Sources);
    if (scan.readsMemory || scan.memoryStores != 0 || scan.callsUnknown)
      return false;
    const StepEffects own = effectsOf(Code, step->launch);
    return !own.everything &&
           std::all_of(checks.begin(), checks.end(), [&](const Stmt *check) {
             return areApart(*stepOf(*check), *step, own);
           });
  }

  static bool meet(const std::vector<VariableId> &lhs,
                   const std::vector<VariableId> &rhs) {
    return std::any_of(lhs.begin(), lhs.end(), [&rhs](VariableId id) {
      return std::find(rhs.begin(), rhs.end(), id) != rhs.end();
    });
  }

  bool areApart(const HostStep &check, const HostStep &launch,
                const StepEffects &effects) const {
    return check.declares.empty() && launch.declares.empty() &&
           !meet(check.assigns, launch.uses) &&
           !meet(check.uses, launch.assigns) &&
           !meet(check.assigns, launch.assigns) &&
           std::none_of(check.effects.begin(), check.effects.end(),
                        [&](const Effect &fetched) {
                          return fetched.writes ||
                                 std::any_of(effects.effects.begin(),
                                             effects.effects.end(),
                                             [&](const Effect &own) {
                                               return own.writes &&
                                                      alias(Code, own.array,
                                                            fetched.array) !=
                                                          Alias::Never;
                                             });
                        });
  }

  /// Puts the launches first, with the comments before them, then the checks.
  void move(const std::vector<Passed> &found) {
    const std::string &input = Text.input();
    SourceRange whole = Files.statement(*found.front().checks.front());
    const std::string line = Text.lineAt(whole.begin);
    MappedText launches, checks;
    std::uint32_t begin = whole.begin;
    for (const Passed &each : found) {
      const auto behind = endOf(each.checks), end = endOf(each.launches);
      if (!behind || !end)
        return;
      checks.write(line, begin);
      checks.copy(input, begin, *behind);
      begin = afterBlanks(*behind);
      if (&each != &found.front())
        launches.write(line, begin);
      launches.copy(input, begin, *end);
      whole.end = *end;
      begin = afterBlanks(*end);
    }
    if (hasDirective(whole) || !Text.isFree(whole) ||
        !beginsStatement(Text.layout(), whole.begin))
      return;
    launches.append(checks);
    Text.replace(whole, std::move(launches));
  }

  /// Returns the end of the last statement's line if nothing else is on it.
  std::optional<std::uint32_t>
  endOf(const std::vector<const Stmt *> &statements) {
    return endOfLine(Text.layout(), Files.statement(*statements.back()).end);
  }
  std::uint32_t afterBlanks(std::uint32_t offset) const {
    return static_cast<std::uint32_t>(
        std::min(Text.input().find_first_not_of(" \t\r\n", offset),
                 Text.input().size()));
  }
  bool hasDirective(const SourceRange &range) const {
    const SourceText &source = Text.layout();
    for (std::size_t i = tokenAt(source, range.begin);
         i < source.tokens.size() && source.tokens[i].begin < range.end; ++i)
      if (source.tokens[i].kind == TokenKind::Directive)
        return true;
    return false;
  }

  Rewriting &Text;
  const Program &Code;
  FileTable &Files;
  const SourceManager &Sources;
  bool WithChecks;
  std::multimap<std::uint32_t, StepId> Steps; ///< by where they begin
};

} // namespace

RewrittenText deferChecks(const SourceUnit &unit, const Program &program,
                          bool withChecks) {
  Rewriting rewriting(unit);
  return Deferrer(rewriting, program, withChecks).run();
}

} // namespace kfuse
