//===- KernelFlag.cpp - A kernel that is told whether to run --------------===//

#include "frontend/rewrite/branches/KernelFlag.h"

#include "frontend/syntax/SourceVisitor.h"
#include "text/Edits.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace kfuse {

using namespace clang;

namespace {

/// Whether what is evaluated may load from memory, fail, or do more than to
/// compute a value.
class Doubts : public SourceVisitor {
public:
  bool areFound = false;

  bool VisitArraySubscriptExpr(ArraySubscriptExpr *) override { return add(); }
  bool VisitCallExpr(CallExpr *) override { return add(); }
  bool VisitLambdaExpr(LambdaExpr *) override { return add(); }
  bool VisitStmtExpr(StmtExpr *) override { return add(); }
  bool VisitMemberExpr(MemberExpr *member) override {
    return !member->isArrow() || add();
  }
  bool VisitUnaryOperator(UnaryOperator *unary) override {
    return (unary->getOpcode() != UO_Deref &&
            !unary->isIncrementDecrementOp()) ||
           add();
  }
  bool VisitBinaryOperator(BinaryOperator *binary) override {
    // A divisor may be 0 where nothing is launched.
    const bool divides =
        binary->isMultiplicativeOp() && binary->getOpcode() != BO_Mul;
    return (!binary->isAssignmentOp() && !divides) || add();
  }

private:
  bool add() {
    areFound = true;
    return false;
  }
};

bool isComputed(const Expr *expression) {
  Doubts doubts;
  doubts.TraverseStmt(const_cast<Expr *>(expression));
  return !doubts.areFound;
}

/// Checks whether the statement only declares numbers that are computed.
bool declaresNumbers(const Stmt &statement) {
  const auto *declaration = dyn_cast<DeclStmt>(&statement);
  return declaration &&
         llvm::all_of(declaration->decls(), [](const Decl *each) {
           const auto *variable = dyn_cast<VarDecl>(each);
           return variable &&
                  variable->getType()->isIntegralType(
                      variable->getASTContext()) &&
                  !variable->isStaticLocal() && variable->getInit() &&
                  isComputed(variable->getInit());
         });
}

/// Returns the statement that `branch` guards by numbers that are computed;
/// null if it does more.
const Stmt *guardedBy(const IfStmt &branch) {
  return branch.getElse() || branch.hasInitStorage() ||
                 branch.hasVarStorage() || branch.isConstexpr() ||
                 branch.isConsteval() || !isComputed(branch.getCond())
             ? nullptr
             : branch.getThen();
}

bool isReturn(const Stmt *statement) {
  if (const auto *block = dyn_cast_or_null<CompoundStmt>(statement))
    return block->size() == 1 && isReturn(block->body_front());
  const auto *end = dyn_cast_or_null<ReturnStmt>(statement);
  return end && !end->getRetValue();
}

/// Returns the body of a grid-stride loop, of which `header` is the text, if
/// the loop itself only computes numbers; else null.
const Stmt *repeatedBy(const ForStmt &loop, const SourceRange &header,
                       FileTable &files) {
  const bool isIt =
      files.statement(loop).begin == header.begin && !header.inMacro;
  return isIt && loop.getInit() && declaresNumbers(*loop.getInit()) &&
                 loop.getCond() && isComputed(loop.getCond())
             ? loop.getBody()
             : nullptr;
}

/// Returns the statements of the body that are to run under the flag.
std::vector<const Stmt *>
flaggedStatements(const Stmt &body, const Kernel &kernel, FileTable &files) {
  std::vector<const Stmt *> rest{&body};
  if (const auto *block = dyn_cast<CompoundStmt>(&body))
    rest.assign(block->body_begin(), block->body_end());
  const auto first =
      std::find_if(rest.begin(), rest.end(), [](const Stmt *each) {
        const auto *branch = dyn_cast<IfStmt>(each);
        return !declaresNumbers(*each) &&
               !(branch && isReturn(guardedBy(*branch)));
      });
  rest.erase(rest.begin(), first);
  if (rest.size() == 1) {
    const auto *branch = dyn_cast<IfStmt>(rest.front());
    const auto *loop = dyn_cast<ForStmt>(rest.front());
    const Stmt *inner = branch ? guardedBy(*branch) : nullptr;
    if (loop && kernel.gridStride)
      inner = repeatedBy(*loop, kernel.gridStride->header, files);
    if (inner)
      return flaggedStatements(*inner, kernel, files);
  }
  return rest;
}

/// Puts the statements under the flag; returns false if a part of them isn't
/// plain text.
bool askBefore(const std::vector<const Stmt *> &statements,
               const KernelText &text, const SourceText &source,
               FileTable &files, const std::string &flag, Edits &edits) {
  if (statements.empty())
    return false;
  SourceRange whole = files.statement(*statements.front());
  const SourceRange last = files.statement(*statements.back());
  const auto isPlain = [&](const SourceRange &range) {
    return source.holds(range) && range.line != 0 && !range.inMacro &&
           range.begin >= text.body.begin && range.end <= text.body.end;
  };
  if (!isPlain(whole) || !isPlain(last))
    return false;
  whole.end = last.end;
  const std::string own(source.at(whole));
  if (hasDirective(own) || own.find("R\"") != std::string::npos ||
      !(own.ends_with(';') || own.ends_with('}')))
    return false;
  const bool isSimple = statements.size() == 1 && isa<Expr>(statements.front());
  const std::string line =
      withLineEnds(source, "\n" + indentation(source, whole.begin));
  edits.replace(whole.begin, whole.end,
                isSimple ? "if (" + flag + ") " + own
                         : "if (" + flag + ") {" + line + "  " +
                               shifted(own, "  ") + line + "}");
  return true;
}

} // namespace

std::string withFlag(const FunctionDecl &function, const Kernel &kernel,
                     const SourceText &source, FileTable &files,
                     const std::string &name, const std::string &flag) {
  const KernelText &text = kernel.text;
  if (!text.copyable || !text.namespaces.empty() ||
      function.getTemplateSpecializationKind() == TSK_ExplicitSpecialization ||
      !source.holds(text.declaration) || function.isVariadic() ||
      llvm::any_of(function.parameters(), [](const ParmVarDecl *parameter) {
        return parameter->hasDefaultArg() || parameter->isParameterPack();
      }))
    return {};
  Edits edits;
  edits.replace(text.name.begin, text.name.end, name);
  const std::string own(source.at(text.parameters));
  edits.replace(text.parameters.begin, text.parameters.end,
                (kernel.parameters.empty() ? "" : own + ", ") + "bool " + flag);
  if (!askBefore(flaggedStatements(*function.getBody(), kernel, files), text,
                 source, files, flag, edits))
    edits.replace(text.body.begin + 1, text.body.begin + 1,
                  " if (!" + flag + ") return;");
  return edits.apply(source.text, text.declaration.begin, text.declaration.end)
      .value_or("");
}

} // namespace kfuse
