//===- SinkIntoBranches.cpp - What stands before a branch, in its arms ----===//

#include "frontend/rewrite/branches/SinkIntoBranches.h"

#include "frontend/api/ErrorReports.h"
#include "frontend/rewrite/branches/BranchLaunches.h"
#include "frontend/syntax/SourceVisitor.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/StmtVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Preprocessor.h"

#include <algorithm>
#include <map>

namespace kfuse {

using namespace clang;

namespace {

/// A launch, the statements after it, and the branch after these.
struct Head {
  std::vector<const Stmt *> statements; ///< the launch first
  const IfStmt *branch = nullptr;
  const FunctionDecl *function = nullptr;
};

/// More would be hard to read twice.
constexpr std::size_t MostStatements = 4;

std::vector<Head> headsOf(const FunctionDecl &function,
                          const CompoundStmt &block, const Launches &launches) {
  const ASTContext &ast = function.getASTContext();
  std::vector<Head> heads;
  const std::vector<const Stmt *> body(block.body_begin(), block.body_end());
  for (std::size_t i = 0; i < body.size(); ++i) {
    const auto *branch = dyn_cast<IfStmt>(body[i]);
    if (!branch || !isChosenAtRunTime(*branch) || branch->hasInitStorage() ||
        branch->hasVarStorage() ||
        !(launches.isIn(branch->getThen()) || launches.isIn(branch->getElse())))
      continue;
    Head head{{}, branch, &function};
    for (std::size_t back = 1; back <= std::min(i, MostStatements); ++back) {
      const Stmt *statement = body[i - back];
      if (!isa<Expr, IfStmt, ForStmt, WhileStmt, NullStmt>(statement) &&
          !onlyReportsErrors(*statement, ast))
        break;
      head.statements.insert(head.statements.begin(), statement);
      if (!launches.has(*statement))
        continue;
      heads.push_back(std::move(head));
      break;
    }
  }
  return heads;
}

/// Returns the object of which `place` is a member, or a member of one.
const Expr *wholeOf(const Expr &place) {
  const Expr *whole = place.IgnoreParens();
  while (const auto *member = dyn_cast<MemberExpr>(whole)) {
    if (member->isArrow() || !isa<FieldDecl>(member->getMemberDecl()) ||
        member->getMemberDecl()->getType()->isReferenceType())
      break;
    whole = member->getBase()->IgnoreParens();
  }
  return whole;
}

/// Whether an expression only computes with numbers of local variables, and
/// can't fail at it.
class PlainCondition : public ConstStmtVisitor<PlainCondition, bool> {
public:
  std::set<const VarDecl *> variables;

  bool VisitStmt(const Stmt *) { return false; }
  bool VisitIntegerLiteral(const IntegerLiteral *) { return true; }
  bool VisitFloatingLiteral(const FloatingLiteral *) { return true; }
  bool VisitCXXBoolLiteralExpr(const CXXBoolLiteralExpr *) { return true; }
  bool VisitParenExpr(const ParenExpr *parens) {
    return Visit(parens->getSubExpr());
  }
  bool VisitCastExpr(const CastExpr *cast) {
    return cast->getType()->isArithmeticType() && Visit(cast->getSubExpr());
  }
  bool VisitUnaryOperator(const UnaryOperator *unary) {
    return !unary->isIncrementDecrementOp() &&
           unary->getType()->isArithmeticType() && Visit(unary->getSubExpr());
  }
  bool VisitBinaryOperator(const BinaryOperator *binary) {
    const auto *divisor =
        dyn_cast<IntegerLiteral>(binary->getRHS()->IgnoreParenImpCasts());
    const bool divides =
        binary->getOpcode() == BO_Div || binary->getOpcode() == BO_Rem;
    return !binary->isAssignmentOp() &&
           (!divides || (divisor && divisor->getValue() != 0)) &&
           Visit(binary->getLHS()) && Visit(binary->getRHS());
  }
  bool VisitDeclRefExpr(const DeclRefExpr *use) {
    return isa<EnumConstantDecl>(use->getDecl()) || visitPlace(*use);
  }
  bool VisitMemberExpr(const MemberExpr *member) { return visitPlace(*member); }

private:
  /// Takes a variable, or a member of one.
  bool visitPlace(const Expr &place) {
    const auto *use = dyn_cast<DeclRefExpr>(wholeOf(place));
    const auto *variable = use ? dyn_cast<VarDecl>(use->getDecl()) : nullptr;
    if (!variable || !place.getType()->isArithmeticType() ||
        place.getType().isVolatileQualified() ||
        variable->getType().isVolatileQualified() ||
        variable->getType()->isReferenceType() ||
        variable->getType()->isAtomicType() || !variable->hasLocalStorage())
      return false;
    variables.insert(variable->getCanonicalDecl());
    return true;
  }
};

/// Counts the uses of variables, except those that only take the value, or are
/// what a statement assigns to or counts up or down.
class OtherUses : public SourceVisitor {
public:
  std::map<const VarDecl *, int> mentions;

  bool VisitDeclRefExpr(DeclRefExpr *use) override { return count(use, 1); }
  bool VisitImplicitCastExpr(ImplicitCastExpr *cast) override {
    return cast->getCastKind() != CK_LValueToRValue ||
           count(cast->getSubExpr(), -1);
  }
  bool VisitCompoundStmt(CompoundStmt *block) override {
    for (const Stmt *child : block->body())
      addStatement(child);
    return true;
  }
  bool VisitForStmt(ForStmt *loop) override {
    addStatement(loop->getInc());
    return addStatement(loop->getBody());
  }
  bool VisitWhileStmt(WhileStmt *loop) override {
    return addStatement(loop->getBody());
  }
  bool VisitIfStmt(IfStmt *branch) override {
    addStatement(branch->getElse());
    return addStatement(branch->getThen());
  }

private:
  /// Adds `by` to the mentions; in a lambda, variables around it always count.
  bool count(const Expr *place, int by) {
    const auto *use = place ? dyn_cast<DeclRefExpr>(wholeOf(*place)) : nullptr;
    const auto *variable = use ? dyn_cast<VarDecl>(use->getDecl()) : nullptr;
    if (variable && (by > 0 || !use->refersToEnclosingVariableOrCapture()))
      mentions[variable->getCanonicalDecl()] += by;
    return true;
  }
  bool addStatement(const Stmt *statement) {
    if (const auto *binary = dyn_cast_or_null<BinaryOperator>(statement);
        binary && binary->isAssignmentOp())
      count(binary->getLHS(), -1);
    if (const auto *unary = dyn_cast_or_null<UnaryOperator>(statement);
        unary && unary->isIncrementDecrementOp())
      count(unary->getSubExpr(), -1);
    return true;
  }
};

class HeadCopier {
public:
  explicit HeadCopier(Rewriting &rewriting)
      : Text(rewriting), Files(rewriting.files()) {}

  RewrittenText run() {
    // A copy of it would have another number.
    if (mentionsCounter())
      return {};
    const Launches launches(Text.unit());
    std::vector<Head> heads;
    for (const FunctionDecl *function : Text.unit().order)
      if (Text.textObstacle(*function).empty())
        for (const CompoundStmt *block : blocksOf(*function)) {
          const auto own = headsOf(*function, *block, launches);
          heads.insert(heads.end(), own.begin(), own.end());
        }
    // A branch comes before those in its arms.
    for (const Head &head : heads)
      if (Text.isFree(range(head)) && isCopyable(head) && isSettled(head))
        copy(head);
    return Text.finish();
  }

private:
  /// Checks whether the user's text has `__COUNTER__`, which is another number
  /// in each copy.
  bool mentionsCounter() const {
    const auto isCounter = [](const clang::Token &token) {
      const IdentifierInfo *word = token.getIdentifierInfo();
      return word && word->isStr("__COUNTER__");
    };
    for (const auto &[name, state] : Text.macros().macros())
      if (const MacroInfo *macro = Text.macros().getMacroInfo(name);
          macro && !Files.isInSystemHeader(macro->getDefinitionLoc()) &&
          llvm::any_of(macro->tokens(), isCounter))
        return true;
    return Text.input().find("__COUNTER__") != std::string::npos;
  }

  SourceRange range(const Head &head) {
    SourceRange range = Files.statement(*head.statements.front());
    range.end = Files.range(head.branch->getSourceRange()).end;
    return Text.around(range);
  }

  /// Checks whether all of `head` is plain text, which may stand deeper.
  bool isCopyable(const Head &head) {
    for (const Stmt *statement : head.statements) {
      const SourceRange own = Files.statement(*statement);
      if (!FileTable::isInputText(own) ||
          !(Files.text(own).ends_with(';') || Files.text(own).ends_with('}')))
        return false;
    }
    const IfStmt &branch = *head.branch;
    const SourceRange own = Files.range(branch.getSourceRange());
    if (!FileTable::isInputText(own) || own.begin < range(head).begin)
      return false;
    for (const Stmt *arm : {branch.getThen(), branch.getElse()})
      if (arm && (!isa<CompoundStmt>(arm) ||
                  cast<CompoundStmt>(arm)->getLBracLoc().isMacroID()))
        return false;
    // A line that goes on in the next one, or text that is more than words.
    const std::string text = Files.text(range(head));
    return beginsStatement(Text.layout(), range(head).begin) &&
           endOfLine(Text.layout(),
                     Files.statement(*head.statements.back()).end) &&
           text.find("_Pragma") == std::string::npos &&
           text.find("\\\n") == std::string::npos &&
           text.find("R\"") == std::string::npos &&
           hasWholeConditionals(Text.layout(), range(head)) &&
           !Text.unit().functions[head.function].scan.hasLabel;
  }

  /// Checks whether copies of the statements do the same, and don't change what
  /// the condition asks.
  bool isSettled(const Head &head) {
    PlainCondition condition;
    if (!condition.Visit(head.branch->getCond()))
      return false;
    // Only the function's own statements may change these.
    OtherUses uses;
    uses.TraverseStmt(head.function->getBody());
    for (const VarDecl *variable : condition.variables)
      if (variable->getDeclContext() != head.function ||
          uses.mentions[variable] != 0)
        return false;
    for (const Stmt *statement : head.statements) {
      const StatementNames names = namesOf(*statement);
      const HostScan scan = scanHost(*statement, Files.sources());
      if (!names.isPlain || names.hasStatic ||
          std::any_of(scan.assigned.begin(), scan.assigned.end(),
                      [&](const ValueDecl *each) {
                        const auto *variable = dyn_cast<VarDecl>(each);
                        return variable && condition.variables.count(
                                               variable->getCanonicalDecl());
                      }))
        return false;
    }
    return true;
  }

  void copy(const Head &head) {
    const IfStmt &branch = *head.branch;
    const std::string &input = Text.input();
    const SourceRange whole = range(head);
    const std::uint32_t begin = Files.range(branch.getBeginLoc()).begin;
    const std::uint32_t last =
        *endOfLine(Text.layout(), Files.statement(*head.statements.back()).end);
    const std::string line = Text.lineAt(begin);
    const std::string step = stepInto(branch);
    MappedText text;
    // Comments before the branch.
    text.copy(
        input,
        static_cast<std::uint32_t>(input.find_first_not_of(" \t\r\n", last)),
        begin);
    std::uint32_t copied = begin;
    for (const Stmt *arm : {branch.getThen(), branch.getElse()})
      if (const auto *block = cast_or_null<CompoundStmt>(arm)) {
        const std::uint32_t brace = Files.point(block->getLBracLoc()).begin + 1;
        const std::uint32_t open =
            endOfLine(Text.layout(), brace).value_or(brace);
        const std::uint32_t close = Files.point(block->getRBracLoc()).begin;
        text.copy(input, copied, open);
        text.write(line + step, whole.begin);
        copyDeeper(input, whole.begin, last, step, text);
        copied = open;
        if (input.substr(open, close - open).find('\n') != std::string::npos)
          continue;
        // All of the arm stands on one line.
        const auto first = input.find_first_not_of(" \t", open);
        const auto limit = input.find_last_not_of(" \t", close - 1) + 1;
        if (first < limit) {
          text.write(line + step, whole.begin);
          text.copy(input, static_cast<std::uint32_t>(first),
                    static_cast<std::uint32_t>(limit));
        }
        text.write(line, whole.begin);
        copied = close;
      }
    const std::uint32_t end = Files.range(branch.getSourceRange()).end;
    text.copy(input, copied, end);
    if (!branch.getElse()) {
      text.write(" else {" + line + step, whole.begin);
      copyDeeper(input, whole.begin, last, step, text);
      text.write(line + "}", whole.begin);
    }
    // The rest of a part that is replaced as a whole.
    text.copy(input, end, whole.end);
    Text.replace(whole, std::move(text));
  }

  /// Returns how much deeper than the branch its arms' statements stand.
  std::string stepInto(const IfStmt &branch) {
    const auto indentationAt = [this](const Stmt &statement) {
      return indentation(Text.layout(),
                         Files.range(statement.getSourceRange()).begin);
    };
    const std::string outer = indentationAt(branch);
    for (const Stmt *arm : {branch.getThen(), branch.getElse()})
      if (const auto *block = cast_or_null<CompoundStmt>(arm);
          block && !block->body_empty())
        if (const std::string inner = indentationAt(*block->body_front());
            inner.size() > outer.size() && inner.starts_with(outer))
          return inner.substr(outer.size());
    return "  ";
  }

  Rewriting &Text;
  FileTable &Files;
};

} // namespace

RewrittenText sinkIntoBranches(const SourceUnit &unit) {
  Rewriting rewriting(unit);
  return HeadCopier(rewriting).run();
}

} // namespace kfuse
