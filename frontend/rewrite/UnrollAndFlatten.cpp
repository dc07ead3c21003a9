//===- UnrollAndFlatten.cpp - Statements of inner blocks, in the outer ----===//

#include "frontend/rewrite/UnrollAndFlatten.h"

#include "frontend/rewrite/BlockCopies.h"
#include "frontend/rewrite/InlinableFunction.h"
#include "frontend/syntax/ControlFlow.h"
#include "frontend/syntax/SourceVisitor.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace kfuse {

using namespace clang;

namespace {

/// Loops that run longer are no few statements any more.
constexpr std::size_t MostPasses = 8;

/// The values that a loop's counter takes, one a pass.
struct LoopCounter {
  const VarDecl *variable = nullptr;
  std::vector<std::int64_t> values;
};

std::optional<std::int64_t> constant(const Expr *expression,
                                     const ASTContext &ast) {
  if (!expression || expression->isValueDependent())
    return std::nullopt;
  const auto value = expression->getIntegerConstantExpr(ast);
  // Far from where the comparison of two types could turn around.
  return value && value->getSignificantBits() <= 31
             ? std::optional(value->getExtValue())
             : std::nullopt;
}

bool isUseOf(const Expr *expression, const VarDecl &variable) {
  const auto *use = dyn_cast<DeclRefExpr>(expression->IgnoreParenImpCasts());
  return use && use->getDecl() == &variable;
}

/// Returns what `increment` adds to `variable` in each pass.
std::optional<std::int64_t>
stepOf(const Expr *increment, const VarDecl &variable, const ASTContext &ast) {
  if (const auto *unary = dyn_cast_or_null<UnaryOperator>(increment))
    if (isUseOf(unary->getSubExpr(), variable) &&
        unary->isIncrementDecrementOp())
      return unary->isIncrementOp() ? 1 : -1;
  if (const auto *assign = dyn_cast_or_null<CompoundAssignOperator>(increment))
    if (isUseOf(assign->getLHS(), variable) &&
        (assign->getOpcode() == BO_AddAssign ||
         assign->getOpcode() == BO_SubAssign))
      if (const auto step = constant(assign->getRHS(), ast))
        return assign->getOpcode() == BO_AddAssign ? *step : -*step;
  return std::nullopt;
}

bool compare(BinaryOperatorKind kind, std::int64_t lhs, std::int64_t rhs) {
  switch (kind) {
  case BO_LT:
    return lhs < rhs;
  case BO_LE:
    return lhs <= rhs;
  case BO_GT:
    return lhs > rhs;
  case BO_GE:
    return lhs >= rhs;
  default:
    return lhs != rhs;
  }
}

/// Returns the counter of `for (int i = 0; i < 3; ++i)`; nullopt for every
/// other `loop`, and if it runs once, never or often.
std::optional<LoopCounter> counterOf(const ForStmt &loop,
                                     const ASTContext &ast) {
  const auto *init = dyn_cast_or_null<DeclStmt>(loop.getInit());
  const auto *variable = init && init->isSingleDecl()
                             ? dyn_cast<VarDecl>(init->getSingleDecl())
                             : nullptr;
  const auto *condition = dyn_cast_or_null<BinaryOperator>(loop.getCond());
  if (!variable || !condition || !loop.getBody() ||
      !ast.hasSameType(variable->getType(), ast.IntTy) ||
      !(condition->isRelationalOp() || condition->getOpcode() == BO_NE) ||
      !isUseOf(condition->getLHS(), *variable))
    return std::nullopt;
  const auto first = constant(variable->getInit(), ast);
  const auto end = constant(condition->getRHS(), ast);
  const auto step = stepOf(loop.getInc(), *variable, ast);
  if (!first || !end || !step)
    return std::nullopt;
  const bool isSigned = condition->getLHS()->getType()->isSignedIntegerType();
  LoopCounter counter{variable, {}};
  for (std::int64_t value = *first;
       compare(condition->getOpcode(), value, *end); value += *step) {
    if (counter.values.size() == MostPasses ||
        (!isSigned && (value < 0 || *end < 0)))
      return std::nullopt;
    counter.values.push_back(value);
  }
  return counter.values.size() > 1 ? std::optional(std::move(counter))
                                   : std::nullopt;
}

/// Calls that launch, in a statement.
class LaunchFinder : public SourceVisitor {
public:
  explicit LaunchFinder(const std::set<const FunctionDecl *> &launching)
      : Launching(launching) {}

  std::vector<const CallExpr *> launches;
  bool isPlain = true; ///< no statement can be jumped to

  bool VisitCallExpr(CallExpr *call) override {
    const FunctionDecl *callee = call->getDirectCallee();
    if (isa<CUDAKernelCallExpr>(call) ||
        (callee && Launching.count(callee->getDefinition()) != 0))
      launches.push_back(call);
    return true;
  }
  bool VisitLabelStmt(LabelStmt *) override { return isPlain = false; }
  bool VisitSwitchStmt(SwitchStmt *) override { return isPlain = false; }

private:
  const std::set<const FunctionDecl *> &Launching;
};

class MentionFinder : public SourceVisitor {
public:
  std::set<const ValueDecl *> variables;
  bool VisitDeclRefExpr(DeclRefExpr *use) override {
    variables.insert(cast<ValueDecl>(use->getDecl()->getCanonicalDecl()));
    return true;
  }
};

class Flattener {
public:
  Flattener(Rewriting &rewriting, const std::set<std::string> &keptLoops)
      : Text(rewriting), Files(rewriting.files()), KeptLoops(keptLoops),
        Launching(launchingFunctions(rewriting.unit())) {}

  RewrittenText run() {
    for (const FunctionDecl *function : Text.unit().order) {
      LaunchFinder finder(Launching);
      finder.TraverseStmt(function->getBody());
      // A jump must not come to stand before a declaration.
      if (finder.launches.empty() || !finder.isPlain ||
          !Text.obstacle(*function).empty())
        continue;
      for (const CompoundStmt *block : blocksOf(*function))
        visit(*block);
    }
    return Text.finish();
  }

private:
  void visit(const CompoundStmt &block) {
    unsigned launching = 0; // statements that do
    for (const Stmt *child : block.body())
      launching += !launchesIn(*child).empty();
    for (const Stmt *child : block.body()) {
      const auto *once = dyn_cast<DoStmt>(child);
      const Stmt *inner = isa<CompoundStmt>(child) ? child
                          : once && runsOnce(*once, Text.unit().model.ast)
                              ? once->getBody()
                              : nullptr;
      if (const auto *loop = dyn_cast<ForStmt>(child))
        unroll(*loop);
      else if (inner && launching > 1 && !launchesIn(*child).empty())
        open(*child, *inner);
    }
  }

  std::vector<const CallExpr *> launchesIn(const Stmt &statement) const {
    LaunchFinder finder(Launching);
    finder.TraverseStmt(const_cast<Stmt *>(&statement));
    return finder.launches;
  }

  /// Puts the statements of `block` in place of the whole `statement`.
  void open(const Stmt &statement, const Stmt &block) {
    const MovableBlock moved = analyseBlock(
        Files, Text.macros(), block, scanHost(block, Files.sources()), {});
    if (isMovable(statement, moved))
      write(statement, moved, {{}});
  }

  void unroll(const ForStmt &loop) {
    const auto counter = counterOf(loop, Text.unit().model.ast);
    const std::vector<const CallExpr *> launches = launchesIn(loop);
    const HostScan scan = scanHost(loop, Files.sources());
    if (!counter || launches.size() != 1 || leavesLoop(*loop.getBody()) ||
        !isStatement(*launches.front(), *loop.getBody()) ||
        !changes(*launches.front(), scan) ||
        KeptLoops.count(Text.original(Files.statement(loop))) != 0)
      return;
    // The loop itself steps its counter.
    const HostScan inside = scanHost(*loop.getBody(), Files.sources());
    const MovableBlock moved = analyseBlock(
        Files, Text.macros(), *loop.getBody(), inside, {counter->variable});
    if (!isMovable(loop, moved) || moved.values.count(counter->variable) == 0)
      return;
    std::vector<std::optional<std::int64_t>> passes(counter->values.begin(),
                                                    counter->values.end());
    write(loop, moved, passes);
  }

  /// Checks whether `launch` is one of the loop's own statements.
  static bool isStatement(const CallExpr &launch, const Stmt &body) {
    const auto *block = dyn_cast<CompoundStmt>(&body);
    const auto is = [&launch](const Stmt *statement) {
      const auto *expression = dyn_cast<Expr>(statement);
      return expression && expression->IgnoreImplicit() == &launch;
    };
    return block ? std::any_of(block->body_begin(), block->body_end(), is)
                 : is(&body);
  }

  /// Checks whether the loop changes a variable that `launch` mentions. A loop
  /// that repeats one launch as it is measures it, or warms up.
  static bool changes(const CallExpr &launch, const HostScan &scan) {
    MentionFinder mentions;
    mentions.TraverseStmt(const_cast<CallExpr *>(&launch));
    return std::any_of(scan.assigned.begin(), scan.assigned.end(),
                       [&](const ValueDecl *variable) {
                         return mentions.variables.count(cast<ValueDecl>(
                                    variable->getCanonicalDecl())) != 0;
                       });
  }

  bool isMovable(const Stmt &statement, const MovableBlock &moved) {
    const SourceRange range = Files.statement(statement);
    return moved.obstacle.empty() && FileTable::isInputText(range) &&
           Text.isFree(range);
  }

  void write(const Stmt &statement, const MovableBlock &moved,
             const std::vector<std::optional<std::int64_t>> &passes) {
    const SourceRange range = Files.statement(statement);
    const std::string line = Text.lineAt(range.begin);
    MappedText text;
    std::vector<std::uint32_t> begins;
    for (const auto &pass : passes) {
      NewNames names;
      for (const ValueDecl *variable : moved.variables)
        if (pass && variable == moved.variables.front())
          names[variable] = *pass < 0 ? "(" + std::to_string(*pass) + ")"
                                      : std::to_string(*pass);
        else
          names[variable] = Text.fresh(variable->getNameAsString());
      if (!text.text.empty()) {
        text.write(line, range.begin);
        begins.push_back(static_cast<std::uint32_t>(text.text.size()));
      }
      copyStatements(Text, moved, names, line, range.end, text);
    }
    Text.replaceLoop(range, std::move(text), std::move(begins));
  }

  Rewriting &Text;
  FileTable &Files;
  const std::set<std::string> &KeptLoops;
  std::set<const FunctionDecl *> Launching;
};

} // namespace

RewrittenText unrollAndFlatten(const SourceUnit &unit,
                               const std::set<std::string> &keptLoops) {
  Rewriting rewriting(unit);
  return Flattener(rewriting, keptLoops).run();
}

} // namespace kfuse
