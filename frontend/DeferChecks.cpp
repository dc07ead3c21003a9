//===- frontend/DeferChecks.cpp - Checks behind the launches they follow --===//

#include "frontend/DeferChecks.h"

#include "frontend/Callees.h"
#include "frontend/ControlFlow.h"
#include "frontend/ImplicitCalls.h"
#include "frontend/Rewriting.h"
#include "frontend/SourceUnit.h"
#include "graphs/Effects.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"

#include <algorithm>
#include <optional>

namespace kfuse {

using namespace clang;

namespace {

/// How control leaves a statement.
class LeaveFinder : public RecursiveASTVisitor<LeaveFinder> {
public:
  explicit LeaveFinder(const SourceManager &sources) : Sources(sources) {}

  bool ends = false;   ///< by a system's function that ends the program
  bool leaves = false; ///< otherwise

  bool VisitCallExpr(CallExpr *call) {
    const FunctionDecl *callee = call->getDirectCallee();
    if (callee && callee->isNoReturn())
      (isSystem(*callee, Sources) ? ends : leaves) = true;
    return true;
  }
  bool VisitReturnStmt(ReturnStmt *) { return stop(); }
  bool VisitGotoStmt(GotoStmt *) { return stop(); }
  bool VisitIndirectGotoStmt(IndirectGotoStmt *) { return stop(); }
  bool VisitCXXThrowExpr(CXXThrowExpr *) { return stop(); }
  bool VisitAsmStmt(AsmStmt *) { return stop(); }
  bool VisitStmtExpr(StmtExpr *) { return stop(); }
  bool VisitLambdaExpr(LambdaExpr *) { return stop(); }

private:
  bool stop() {
    leaves = true;
    return false;
  }

  const SourceManager &Sources;
};

/// Whether the program says what is to run when it ends.
class ExitFinder : public RecursiveASTVisitor<ExitFinder> {
public:
  explicit ExitFinder(const SourceManager &sources) : Sources(sources) {}

  bool hasHandler = false, hasObject = false;

  bool VisitDeclRefExpr(DeclRefExpr *use) {
    const auto *function = dyn_cast<FunctionDecl>(use->getDecl());
    const std::string name = function ? plainName(*function) : "";
    hasHandler |= name == "atexit" || name == "at_quick_exit" ||
                  name == "on_exit" || name == "set_terminate" ||
                  name == "signal" || name == "sigaction";
    return true;
  }
  bool VisitVarDecl(VarDecl *variable) {
    hasObject |=
        variable->hasGlobalStorage() && !endersOf(*variable, Sources).empty();
    return true;
  }

private:
  const SourceManager &Sources;
};

/// Statements of a block: copies to the host and what looks at them, with a
/// check the last, and the launches behind.
struct Deferred {
  std::vector<const Stmt *> checks, launches;
};

class Deferrer {
public:
  Deferrer(Rewriting &rewriting, const Program &program)
      : Text(rewriting), Code(program), Files(rewriting.files()),
        Sources(Files.sources()) {
    for (std::uint32_t i = 0; i < program.steps.size(); ++i)
      if (program.steps[i].range.file == 0)
        Steps.emplace(program.steps[i].range.begin, StepId{i});
  }

  RewrittenText run() {
    if (mindsEnd())
      return {};
    for (const FunctionDecl *function : Text.unit().order)
      if (Text.textObstacle(*function).empty() &&
          !Text.unit().functions[function].scan.hasLabel)
        for (const CompoundStmt *block : blocksOf(*function))
          visit(*block);
    return Text.finish();
  }

private:
  /// Whether something may look at the device when the program ends.
  bool mindsEnd() {
    ExitFinder finder(Sources);
    finder.TraverseAST(Text.unit().model.ast);
    return finder.hasHandler || finder.hasObject;
  }

  void visit(const CompoundStmt &block) {
    Deferred found;
    const auto settle = [&] {
      if (!found.launches.empty())
        move(found);
      found = {};
    };
    for (const Stmt *statement : block.body()) {
      if (!found.checks.empty() && isCheck(*found.checks.back()) &&
          mayPass(*statement, found.checks)) {
        found.launches.push_back(statement);
        continue;
      }
      if (!found.launches.empty())
        settle();
      if (isFetch(*statement) || isCheck(*statement))
        found.checks.push_back(statement);
      else
        found = {};
    }
    settle();
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

  /// Whether the statement does nothing with the device, and leaves only by
  /// ending the program.
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

  /// Whether the launch does the same in front of the checks.
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

  void move(const Deferred &found) {
    const std::string &input = Text.input();
    SourceRange whole = Files.statement(*found.checks.front());
    const std::uint32_t behind = Files.statement(*found.checks.back()).end;
    whole.end = Files.statement(*found.launches.back()).end;
    for (std::size_t i = tokenAt(Text.layout(), whole.begin);
         i < Text.layout().tokens.size() &&
         Text.layout().tokens[i].begin < whole.end;
         ++i)
      if (Text.layout().tokens[i].kind == TokenKind::Directive)
        return;
    if (!Text.isFree(whole) || !beginsStatement(Text.layout(), whole.begin))
      return;
    const auto first =
        static_cast<std::uint32_t>(input.find_first_not_of(" \t\r\n", behind));
    DerivedText text;
    text.copy(input, first, whole.end);
    text.write(Text.lineAt(whole.begin), whole.begin);
    text.copy(input, whole.begin, behind);
    Text.replace(whole, std::move(text));
  }

  Rewriting &Text;
  const Program &Code;
  FileTable &Files;
  const SourceManager &Sources;
  std::multimap<std::uint32_t, StepId> Steps; ///< by where they begin
};

} // namespace

RewrittenText deferChecks(const SourceUnit &unit, const Program &program) {
  Rewriting rewriting(unit);
  return Deferrer(rewriting, program).run();
}

} // namespace kfuse
