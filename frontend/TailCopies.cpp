//===- frontend/TailCopies.cpp - What follows a branch, in both arms ------===//

#include "frontend/TailCopies.h"

#include "frontend/Wrapper.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"

#include <algorithm>

namespace kfuse {

using namespace clang;

namespace {

/// A branch and the launch behind it.
struct Tail {
  const IfStmt *branch = nullptr;
  const Expr *launch = nullptr;
};

class TailFinder : public RecursiveASTVisitor<TailFinder> {
public:
  explicit TailFinder(const std::set<const FunctionDecl *> &launching)
      : Launching(launching) {}

  std::vector<Tail> tails;

  bool TraverseLambdaExpr(LambdaExpr *) { return true; }
  bool VisitCompoundStmt(CompoundStmt *block) {
    const Stmt *before = nullptr;
    for (const Stmt *child : block->body()) {
      const auto *branch = dyn_cast_or_null<IfStmt>(before);
      if (branch && launches(*child) && armsLaunch(*branch))
        tails.push_back({branch, cast<Expr>(child)});
      before = child;
    }
    return true;
  }

private:
  bool launches(const Stmt &statement) const {
    const auto *call = dyn_cast<CallExpr>(&statement);
    const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
    return callee && (isa<CUDAKernelCallExpr>(call) ||
                      Launching.count(callee->getDefinition()) != 0);
  }

  bool armsLaunch(const IfStmt &branch) const {
    const Stmt *arms[] = {branch.getThen(), branch.getElse()};
    return !branch.isConstexpr() && !branch.isConsteval() &&
           std::all_of(std::begin(arms), std::end(arms), [&](const Stmt *arm) {
             const auto *block = dyn_cast_or_null<CompoundStmt>(arm);
             return block && std::any_of(block->body_begin(), block->body_end(),
                                         [&](const Stmt *child) {
                                           return launches(*child);
                                         });
           });
  }

  const std::set<const FunctionDecl *> &Launching;
};

/// Names that a statement mentions, or that it declares.
class NameFinder : public RecursiveASTVisitor<NameFinder> {
public:
  std::set<DeclarationName> mentioned, declared;
  bool isPlain = true; ///< a copy of it is the same

  bool VisitDeclRefExpr(DeclRefExpr *use) {
    mentioned.insert(use->getDecl()->getDeclName());
    return true;
  }
  bool VisitMemberExpr(MemberExpr *use) {
    mentioned.insert(use->getMemberDecl()->getDeclName());
    return true;
  }
  bool VisitVarDecl(VarDecl *variable) {
    // It would go only after what follows the branch.
    return isPlain &=
           variable->getType().isDestructedType() == QualType::DK_none;
  }
  bool VisitTagTypeLoc(TagTypeLoc use) {
    mentioned.insert(use.getDecl()->getDeclName());
    return true;
  }
  bool VisitTypedefTypeLoc(TypedefTypeLoc use) {
    mentioned.insert(use.getTypedefNameDecl()->getDeclName());
    return true;
  }
  bool VisitNamedDecl(NamedDecl *declaration) {
    declared.insert(declaration->getDeclName());
    return true;
  }
  bool VisitUsingDirectiveDecl(UsingDirectiveDecl *) { return isPlain = false; }
  bool VisitLambdaExpr(LambdaExpr *) { return isPlain = false; }
  bool VisitStmtExpr(StmtExpr *) { return isPlain = false; }
};

class Copier {
public:
  explicit Copier(Rewriting &rewriting)
      : Text(rewriting), Files(rewriting.files()) {}

  RewrittenText run() {
    const std::set<const FunctionDecl *> launching =
        launchingFunctions(Text.unit());
    std::vector<Tail> tails;
    for (const FunctionDecl *function : Text.unit().order)
      if (Text.obstacle(*function).empty()) {
        TailFinder finder(launching);
        finder.TraverseStmt(function->getBody());
        tails.insert(tails.end(), finder.tails.begin(), finder.tails.end());
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
  /// From the branch to the launch.
  SourceRange range(const Tail &tail) {
    SourceRange range = Files.range(tail.branch->getSourceRange());
    range.end = std::max(range.end, Files.statement(*tail.launch).end);
    return range;
  }

  /// All of it is plain text, and the launch means the same in the arms.
  bool isCopyable(const Tail &tail) {
    const SourceRange branch = Files.range(tail.branch->getSourceRange());
    const SourceRange launch = Files.statement(*tail.launch);
    if (!FileTable::isInputText(branch) || !FileTable::isInputText(launch) ||
        launch.begin < branch.end || !Files.text(launch).ends_with(';'))
      return false;
    SourceRange all = branch;
    all.end = launch.end;
    for (const Stmt *arm : {tail.branch->getThen(), tail.branch->getElse()})
      if (cast<CompoundStmt>(arm)->getRBracLoc().isMacroID())
        return false;
    // A directive, or a label that is jumped to.
    if (Files.text(all).find('#') != std::string::npos)
      return false;
    NameFinder used, arms;
    used.TraverseStmt(const_cast<Expr *>(tail.launch));
    arms.TraverseStmt(const_cast<IfStmt *>(tail.branch));
    return used.isPlain && arms.isPlain &&
           std::none_of(used.mentioned.begin(), used.mentioned.end(),
                        [&arms](DeclarationName name) {
                          return arms.declared.count(name) != 0;
                        });
  }

  void copy(const Tail &tail) {
    const SourceRange launch = Files.statement(*tail.launch);
    const SourceRange branch = Files.range(tail.branch->getSourceRange());
    DerivedText text;
    std::uint32_t copied = branch.begin;
    for (const Stmt *arm : {tail.branch->getThen(), tail.branch->getElse()})
      copied = append(*cast<CompoundStmt>(arm), launch, copied, text);
    text.copy(Text.input(), copied, branch.end);
    Text.replace(range(tail), std::move(text));
  }

  /// Copies from `copied` up to the arm's last line, and the launch in front of
  /// its brace; returns how far it came.
  std::uint32_t append(const CompoundStmt &arm, const SourceRange &launch,
                       std::uint32_t copied, DerivedText &text) {
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
    text.write(isAlone ? indentation(Text.layout(), first) : "", launch.begin);
    text.copy(input, launch.begin, launch.end);
    text.write(isAlone ? withLineEnds(Text.layout(), "\n") : " ", launch.begin);
    return reached;
  }

  Rewriting &Text;
  FileTable &Files;
};

} // namespace

RewrittenText copyTails(const SourceUnit &unit) {
  Rewriting rewriting(unit);
  return Copier(rewriting).run();
}

} // namespace kfuse
