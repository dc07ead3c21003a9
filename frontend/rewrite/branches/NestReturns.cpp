//===- NestReturns.cpp - Early returns as branches ------------------------===//

#include "frontend/rewrite/branches/NestReturns.h"

#include "frontend/parse/SourceUnit.h"
#include "frontend/rewrite/InlinableFunction.h"
#include "frontend/rewrite/Rewriting.h"
#include "frontend/rewrite/SummingFunctions.h"
#include "frontend/syntax/SourceVisitor.h"
#include "frontend/syntax/VisibleCode.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Stmt.h"
#include "clang/Frontend/ASTUnit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace kfuse {

using namespace clang;

namespace {

/// Looks for what keeps a statement from standing in a block of its own.
class JumpFinder : public SourceVisitor {
public:
  unsigned returns = 0;
  bool hasLabels = false;

  bool VisitReturnStmt(ReturnStmt *) override {
    ++returns;
    return true;
  }
  bool VisitLabelStmt(LabelStmt *) override {
    hasLabels = true;
    return false;
  }
  bool TraverseLambdaExpr(LambdaExpr *) override { return true; }
};

/// `if (condition) { ...; return; }`
struct EarlyReturn {
  const IfStmt *branch = nullptr;
  const ReturnStmt *returned = nullptr;
  bool isBare = false; ///< it does nothing else
};

std::optional<EarlyReturn> earlyReturn(const Stmt &statement) {
  const auto *branch = dyn_cast<IfStmt>(&statement);
  if (!branch || branch->getElse() || branch->isConstexpr() ||
      branch->hasInitStorage() || branch->hasVarStorage())
    return std::nullopt;
  const auto *block = dyn_cast<CompoundStmt>(branch->getThen());
  const auto *last = dyn_cast_or_null<ReturnStmt>(
      block ? block->body_empty() ? nullptr : block->body_back()
            : branch->getThen());
  JumpFinder jumps;
  jumps.TraverseStmt(const_cast<IfStmt *>(branch));
  if (!last || jumps.returns != 1)
    return std::nullopt;
  return EarlyReturn{branch, last, !block || block->size() == 1};
}

class ReturnNester {
public:
  ReturnNester(Rewriting &rewriting, ASTContext &ast)
      : Text(rewriting), Files(rewriting.files()), Ast(ast) {}

  RewrittenText run() {
    for (const FunctionDecl *kernel : kernelsOf(Ast))
      visit(*kernel);
    for (const FunctionDecl *function : launchingFunctions(Text.unit()))
      visit(*function);
    return Text.finish();
  }

private:
  void visit(const FunctionDecl &function) {
    const auto *body = dyn_cast_or_null<CompoundStmt>(function.getBody());
    const bool isKernel = function.hasAttr<CUDAGlobalAttr>();
    if (!body || !function.getReturnType()->isVoidType() ||
        (function.isTemplateInstantiation() && !isOnlyInstance(function)) ||
        (isKernel && mayWait(function)))
      return;
    const SourceRange text = Files.range(body->getSourceRange());
    if (!FileTable::isInputText(text) ||
        Files.text(text).find("pragma") != std::string::npos)
      return;
    JumpFinder jumps;
    jumps.TraverseStmt(function.getBody());
    if (jumps.hasLabels)
      return;
    // The text after an early return is an arm already, after another round.
    for (const CompoundStmt *block = body; block; block = lastArm(*block))
      for (const Stmt *statement : block->body()) {
        const auto found = earlyReturn(*statement);
        if (found && statement != block->body_back() &&
            !(isKernel && found->isBare)) {
          nest(*found, *block);
          return;
        }
      }
  }

  /// Returns the block that ends `block`, as the second arm of a branch.
  static const CompoundStmt *lastArm(const CompoundStmt &block) {
    const auto *last =
        block.body_empty() ? nullptr : dyn_cast<IfStmt>(block.body_back());
    return last ? dyn_cast_or_null<CompoundStmt>(last->getElse()) : nullptr;
  }

  void nest(const EarlyReturn &early, const CompoundStmt &body) {
    const SourceRange branch = Files.statement(*early.branch);
    const SourceRange close = Files.point(body.getRBracLoc());
    const SourceRange left = Files.statement(*early.returned);
    const Expr *asked = early.branch->getCond()->IgnoreParenImpCasts();
    const auto *negation = dyn_cast<UnaryOperator>(asked);
    const bool isNegated = negation && negation->getOpcode() == UO_LNot;
    const SourceRange condition =
        Files.wholeText((isNegated ? negation->getSubExpr()->IgnoreParens()
                                   : early.branch->getCond())
                            ->getSourceRange());
    if (!FileTable::isInputText(branch) || !FileTable::isInputText(close) ||
        !FileTable::isInputText(left) || !FileTable::isInputText(condition))
      return;
    SourceRange all = branch;
    all.end = close.begin;
    SourceRange rest = all;
    rest.begin = branch.end;
    // A literal keeps its lines, and a line its two statements.
    const std::string behind = Files.text(rest);
    const llvm::StringRef first = llvm::StringRef(behind).split('\n').first;
    if (!Text.isFree(all) || has(behind, "R\"") || has(behind, "\\\n") ||
        !(first.trim().empty() || first.trim().starts_with("//")))
      return;
    const std::string &input = Text.input();
    const std::string line = Text.lineAt(branch.begin);
    MappedText text;
    if (early.isBare) {
      // A comment says why it returns.
      const std::string_view left = std::string_view(input).substr(
          condition.end, branch.end - condition.end);
      if (has(left, "//") || has(left, "/*"))
        return;
      const bool isWord = isa<DeclRefExpr, MemberExpr>(asked);
      text.write(isNegated ? "if ("
                 : isWord  ? "if (!"
                           : "if (!(",
                 branch.begin);
      text.copy(input, condition.begin, condition.end);
      text.write(isNegated || isWord ? ") {" : ")) {", condition.end);
    } else {
      const llvm::StringRef tail =
          llvm::StringRef(input).slice(left.end, branch.end).trim();
      if (tail != "}") // a comment, say
        return;
      copyArm(*cast<CompoundStmt>(early.branch->getThen()), branch, left, text);
      text.write(line + "} else {", left.begin);
    }
    copyIndented(rest, text);
    text.write(line + "}", close.begin);
    const llvm::StringRef gap = llvm::StringRef(behind).take_back(
        behind.size() - llvm::StringRef(behind).rtrim().size());
    text.write(gap.str(), close.begin);
    Text.replace(all, std::move(text));
  }

  static bool has(std::string_view text, std::string_view word) {
    return text.find(word) != std::string_view::npos;
  }

  /// Checks whether threads may wait for each other in the kernel.
  bool mayWait(const FunctionDecl &kernel) {
    return llvm::any_of(visibleCode(kernel), [&](const FunctionDecl *each) {
      const std::string text =
          Files.text(Files.range(each->getBody()->getSourceRange()));
      return has(text, "sync") || has(text, "shfl") || has(text, "barrier");
    });
  }

  /// Appends the branch as far as `left`, its return, with line ends around the
  /// arm's statements.
  void copyArm(const CompoundStmt &arm, const SourceRange &branch,
               const SourceRange &left, MappedText &text) const {
    const std::string &input = Text.input();
    const std::uint32_t brace = Files.point(arm.getLBracLoc()).begin + 1;
    const llvm::StringRef statements =
        llvm::StringRef(input).slice(brace, left.begin).rtrim();
    const std::uint32_t end =
        brace + static_cast<std::uint32_t>(statements.size());
    if (statements.contains('\n')) {
      text.copy(input, branch.begin, end);
      return;
    }
    text.copy(input, branch.begin, brace);
    const std::string line = Text.lineAt(branch.begin);
    text.write(line + unit(line.substr(line.find('\n') + 1)), brace);
    text.copy(input,
              end - static_cast<std::uint32_t>(statements.ltrim().size()), end);
  }

  /// Returns one more step of indentation for a line with `indent`.
  static const char *unit(std::string_view indent) {
    return !indent.empty() && indent.front() == '\t' ? "\t" : "  ";
  }

  /// Appends the lines of `range`, without the white space at its end, one step
  /// further to the right.
  void copyIndented(const SourceRange &range, MappedText &text) const {
    const std::string &input = Text.input();
    const std::uint32_t end =
        range.begin +
        static_cast<std::uint32_t>(llvm::StringRef(input)
                                       .slice(range.begin, range.end)
                                       .rtrim()
                                       .size());
    for (std::uint32_t at = range.begin; at < end;) {
      const std::size_t next = input.find('\n', at);
      const std::uint32_t stop = next == std::string::npos || next >= end
                                     ? end
                                     : static_cast<std::uint32_t>(next) + 1;
      const std::string_view own =
          std::string_view(input).substr(at, stop - at);
      const bool isBlank =
          own.find_first_not_of(" \t\r\n") == std::string_view::npos;
      if (at != range.begin && !isBlank && own.front() != '#')
        text.write(unit(own), at);
      text.copy(input, at, stop);
      at = stop;
    }
  }

  Rewriting &Text;
  FileTable &Files;
  ASTContext &Ast;
};

} // namespace

RewrittenText nestReturns(const SourceUnit &unit) {
  Rewriting rewriting(unit);
  return ReturnNester(rewriting, unit.ast().getASTContext()).run();
}

} // namespace kfuse
