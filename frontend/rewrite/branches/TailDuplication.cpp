//===- TailDuplication.cpp - What follows a branch, in both arms ----------===//

#include "frontend/rewrite/branches/TailDuplication.h"

#include "frontend/api/ErrorReports.h"
#include "frontend/rewrite/branches/BranchLaunches.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"

#include <algorithm>

namespace kfuse {

using namespace clang;

namespace {

/// Returns the blocks of the functions whose text can be changed.
std::vector<const CompoundStmt *> changeableBlocks(Rewriting &rewriting) {
  std::vector<const CompoundStmt *> all;
  for (const FunctionDecl *function : rewriting.unit().order)
    if (rewriting.obstacle(*function).empty()) {
      const auto own = blocksOf(*function);
      all.insert(all.end(), own.begin(), own.end());
    }
  return all;
}

/// A branch, and what follows it: checks for errors, and then a launch.
struct Tail {
  const IfStmt *branch = nullptr;
  std::vector<const Stmt *> statements;
};

/// The arms of `if`, `else if` and so on.
struct Chain {
  std::vector<const Stmt *> arms;
  bool isWhole = false; ///< ends with a plain `else`
  bool isPlain = true;  ///< each condition is chosen at run time
};

Chain chainOf(const IfStmt &branch) {
  Chain chain;
  const Stmt *rest = &branch;
  while (const auto *next = dyn_cast_or_null<IfStmt>(rest)) {
    chain.isPlain &= isChosenAtRunTime(*next);
    chain.arms.push_back(next->getThen());
    rest = next->getElse();
  }
  chain.isWhole = rest != nullptr;
  if (rest)
    chain.arms.push_back(rest);
  return chain;
}

std::vector<Tail> tailsOf(const CompoundStmt &block, const Launches &launches,
                          const ASTContext &ast) {
  std::vector<Tail> tails;
  Tail tail;
  for (const Stmt *child : block.body()) {
    if (const auto *branch = dyn_cast<IfStmt>(child)) {
      const Chain chain = chainOf(*branch);
      const bool isTaken = chain.isPlain && chain.arms.size() > 1 &&
                           llvm::all_of(chain.arms, [&](const Stmt *arm) {
                             return launches.isIn(arm);
                           });
      // A check of its own is part of the tail.
      if (isTaken || !onlyReportsErrors(*child, ast)) {
        tail = {isTaken ? branch : nullptr, {}};
        continue;
      }
    }
    if (!tail.branch)
      continue;
    tail.statements.push_back(child);
    if (launches.has(*child))
      tails.push_back(tail);
    if (launches.has(*child) ||
        !(isa<NullStmt>(child) || onlyReportsErrors(*child, ast)))
      tail = {};
  }
  return tails;
}

class TailCopier {
public:
  explicit TailCopier(Rewriting &rewriting)
      : Text(rewriting), Files(rewriting.files()) {}

  RewrittenText run() {
    const Launches launches(Text.unit());
    std::vector<Tail> tails;
    for (const CompoundStmt *block : changeableBlocks(Text)) {
      const auto own = tailsOf(*block, launches, Text.unit().model.ast);
      tails.insert(tails.end(), own.begin(), own.end());
    }
    std::sort(tails.begin(), tails.end(),
              [this](const Tail &lhs, const Tail &rhs) {
                return range(lhs).begin < range(rhs).begin;
              });
    for (const Tail &tail : tails)
      if (Text.isFree(range(tail)) && isCopyable(tail))
        copy(tail);
    return Text.finish();
  }

private:
  /// Returns the range from the branch to the launch.
  SourceRange range(const Tail &tail) {
    SourceRange range = Files.range(tail.branch->getSourceRange());
    range.end = std::max(range.end, copied(tail).end);
    return Text.around(range);
  }

  /// Returns the range of what is copied.
  SourceRange copied(const Tail &tail) {
    SourceRange range = Files.statement(*tail.statements.front());
    range.end = Files.statement(*tail.statements.back()).end;
    return range;
  }

  /// Checks that all is plain text, and means the same in the arms.
  bool isCopyable(const Tail &tail) {
    const SourceRange branch = Files.range(tail.branch->getSourceRange());
    if (!FileTable::isInputText(branch) || copied(tail).begin < branch.end)
      return false;
    for (const Stmt *each : tail.statements) {
      const SourceRange own = Files.statement(*each);
      const std::string text = Files.text(own);
      if (!FileTable::isInputText(own) ||
          !(text.ends_with(';') || text.ends_with('}')))
        return false;
    }
    SourceRange all = branch;
    all.end = copied(tail).end;
    for (const Stmt *arm : chainOf(*tail.branch).arms)
      if (cast<CompoundStmt>(arm)->getRBracLoc().isMacroID())
        return false;
    if (!hasWholeConditionals(Text.layout(), all))
      return false;
    const StatementNames arms = namesOf(*tail.branch);
    return arms.isPlain && llvm::all_of(tail.statements, [&](const Stmt *each) {
             const StatementNames used = namesOf(*each);
             return used.isPlain &&
                    std::none_of(used.mentioned.begin(), used.mentioned.end(),
                                 [&arms](DeclarationName name) {
                                   return arms.declared.count(name) != 0;
                                 });
           });
  }

  void copy(const Tail &tail) {
    const SourceRange launch = copied(tail);
    const SourceRange branch = Files.range(tail.branch->getSourceRange());
    const SourceRange whole = range(tail);
    MappedText text;
    std::uint32_t done = whole.begin;
    const Chain chain = chainOf(*tail.branch);
    for (const Stmt *arm : chain.arms)
      done = append(*cast<CompoundStmt>(arm), launch, done, text);
    text.copy(Text.input(), done, branch.end);
    if (!chain.isWhole) {
      const std::string line = Text.lineAt(branch.begin);
      const auto &first = *cast<CompoundStmt>(chain.arms.front());
      text.write(
          " else {" + line.substr(0, line.find('\n') + 1) +
              indentation(
                  Text.layout(),
                  Files.range(first.body_front()->getSourceRange()).begin),
          launch.begin);
      copyDeeper(
          Text.input(), launch.begin, launch.end,
          stepTo(indentation(
                     Text.layout(),
                     Files.range(first.body_front()->getSourceRange()).begin),
                 launch),
          text);
      text.write(line + "}", launch.begin);
    }
    text.copy(Text.input(), launch.end, whole.end);
    Text.replace(whole, std::move(text));
  }

  /// Copies `arm` from `copied` up to its last line, and `launch` before its
  /// brace; returns how far it came.
  std::uint32_t append(const CompoundStmt &arm, const SourceRange &launch,
                       std::uint32_t copied, MappedText &text) {
    const std::string &input = Text.input();
    const std::uint32_t first =
        Files.range(arm.body_front()->getSourceRange()).begin;
    const std::uint32_t brace = Files.point(arm.getRBracLoc()).begin;
    std::uint32_t end = brace; // of the line before the brace's
    while (input[end - 1] == ' ' || input[end - 1] == '\t')
      --end;
    const bool isAlone = input[end - 1] == '\n';
    const std::uint32_t reached = isAlone ? end : brace;
    text.copy(input, copied, reached);
    const std::string inner = indentation(Text.layout(), first);
    text.write(isAlone ? inner : "", launch.begin);
    copyDeeper(input, launch.begin, launch.end, stepTo(inner, launch), text);
    text.write(isAlone ? withLineEnds(Text.layout(), "\n") : " ", launch.begin);
    return reached;
  }

  /// Returns how much deeper than the range lines with the indentation `inner`
  /// stand.
  std::string stepTo(const std::string &inner, const SourceRange &range) const {
    const std::string outer = indentation(Text.layout(), range.begin);
    return inner.starts_with(outer) ? inner.substr(outer.size()) : "";
  }

  Rewriting &Text;
  FileTable &Files;
};

} // namespace

RewrittenText duplicateTails(const SourceUnit &unit) {
  Rewriting rewriting(unit);
  return TailCopier(rewriting).run();
}

} // namespace kfuse
