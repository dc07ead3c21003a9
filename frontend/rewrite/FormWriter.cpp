//===- FormWriter.cpp - Texts with forms for operations -------------------===//

#include "frontend/rewrite/FormWriter.h"

#include "text/Layout.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/PrettyPrinter.h"
#include "clang/AST/StmtVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>
#include <set>

namespace kfuse {
namespace {

using namespace clang;

/// Returns the operand that is a part of the form. As an argument of a function
/// it needs no parentheses.
const Expr &operandOf(const ExplicitForm &form, std::size_t part) {
  const Expr &operand = *std::get<const Expr *>(form[part]);
  const auto *before =
      part > 0 ? std::get_if<std::string>(&form[part - 1]) : nullptr;
  const auto *after = part + 1 < form.size()
                          ? std::get_if<std::string>(&form[part + 1])
                          : nullptr;
  const bool isArgument =
      before && after &&
      (before->ends_with("_rn(") || before->ends_with(", ")) &&
      (after->starts_with(",") || after->starts_with(")"));
  const Expr &bare = *operand.IgnoreParenImpCasts();
  const auto *inner = dyn_cast<BinaryOperator>(&bare);
  return isArgument && !(inner && inner->isCommaOp()) ? bare : operand;
}

/// Prints expressions without macros, with the forms that replace operations.
class Printer : public PrinterHelper {
public:
  Printer(const Forms &forms, const ASTContext &ast)
      : All(forms), Ast(ast), Policy(ast.getLangOpts()) {}

  std::string print(const Expr &expression) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    expression.printPretty(stream, this, Policy);
    return text;
  }
  bool handledStmt(Stmt *statement, llvm::raw_ostream &stream) override {
    // In the user's digits: printed, 0.299f has others.
    if (const auto *number = dyn_cast<FloatingLiteral>(statement)) {
      const SourceManager &sources = Ast.getSourceManager();
      const llvm::StringRef text = Lexer::getSourceText(
          CharSourceRange::getTokenRange(
              sources.getSpellingLoc(number->getLocation())),
          sources, Ast.getLangOpts());
      stream << text;
      return !text.empty();
    }
    const auto found = All.operations.find(dyn_cast<BinaryOperator>(statement));
    if (found == All.operations.end())
      return false;
    printed.insert(found->first);
    const ExplicitForm &form = found->second;
    for (std::size_t i = 0; i < form.size(); ++i)
      if (const auto *words = std::get_if<std::string>(&form[i]))
        stream << *words;
      else
        stream << print(operandOf(form, i));
    return true;
  }

  std::set<const BinaryOperator *> printed; ///< with their forms

protected:
  const Forms &All;
  const ASTContext &Ast;
  PrintingPolicy Policy;
};

/// Prints statements without macros, with the forms that replace operations.
class StatementPrinter : Printer,
                         public ConstStmtVisitor<StatementPrinter, bool> {
  using Visitor = ConstStmtVisitor<StatementPrinter, bool>;

public:
  using Printer::Printer;

  /// Returns the statements' lines, the first one without its indentation;
  /// nullopt if one of them isn't plain.
  std::optional<std::string> print(const std::vector<const Stmt *> &all,
                                   const std::string &indent) {
    Indent = indent;
    for (const Stmt *each : all) {
      Text += each == all.front() ? "" : "\n" + Indent;
      if (!Visitor::Visit(each))
        return std::nullopt;
    }
    const bool isWhole = llvm::all_of(
        all, [this](const Stmt *each) { return isPrinted(*each); });
    return isWhole ? std::optional(std::move(Text)) : std::nullopt;
  }

  bool VisitStmt(const Stmt *) { return false; }
  bool VisitNullStmt(const NullStmt *) { return add(";"); }
  bool VisitBreakStmt(const BreakStmt *) { return add("break;"); }
  bool VisitContinueStmt(const ContinueStmt *) { return add("continue;"); }
  bool VisitExpr(const Expr *value) {
    return add(Printer::print(*value) + ";");
  }
  bool VisitReturnStmt(const ReturnStmt *statement) {
    const Expr *value = statement->getRetValue();
    return add(value ? "return " + Printer::print(*value) + ";" : "return;");
  }
  bool VisitDeclStmt(const DeclStmt *statement) {
    for (const Decl *each : statement->decls()) {
      const auto *variable = dyn_cast<VarDecl>(each);
      if (!variable || !variable->isLocalVarDecl() || variable->hasAttrs() ||
          variable->getStorageClass() != SC_None ||
          All.declarators.count(variable) != 0 ||
          !(variable->getType()->isArithmeticType() ||
            variable->getType()->isPointerType()) ||
          (variable->hasInit() && variable->getInitStyle() != VarDecl::CInit))
        return false;
      std::string name = variable->getNameAsString();
      variable->getType().getAsStringInternal(name, Policy);
      add((each == *statement->decl_begin() ? "" : "\n" + Indent) + name);
      if (variable->hasInit())
        add(" = " + Printer::print(*variable->getInit()));
      add(";");
    }
    return true;
  }
  bool VisitCompoundStmt(const CompoundStmt *block) {
    add("{");
    Indent += "  ";
    for (const Stmt *each : block->body())
      if (!(add("\n" + Indent) && Visitor::Visit(each)))
        return false;
    Indent.resize(Indent.size() - 2);
    return add("\n" + Indent + "}");
  }
  bool VisitIfStmt(const IfStmt *branch) {
    if (branch->hasInitStorage() || branch->hasVarStorage() ||
        branch->getStatementKind() != IfStatementKind::Ordinary)
      return false;
    add("if (" + Printer::print(*branch->getCond()) + ")");
    return addPart(*branch->getThen()) &&
           (!branch->hasElseStorage() ||
            (add(isa<CompoundStmt>(branch->getThen())
                     ? " else"
                     : "\n" + Indent + "else") &&
             addPart(*branch->getElse())));
  }
  bool VisitForStmt(const ForStmt *loop) {
    if (loop->getConditionVariable())
      return false;
    add("for (");
    if (!(loop->getInit() ? Visitor::Visit(loop->getInit()) : add(";")))
      return false;
    if (const Expr *condition = loop->getCond())
      add(" " + Printer::print(*condition));
    add(";");
    if (const Expr *step = loop->getInc())
      add(" " + Printer::print(*step));
    // Two declarations of its head would be two statements.
    const auto *declared = dyn_cast_or_null<DeclStmt>(loop->getInit());
    return (!declared || declared->isSingleDecl()) && add(")") &&
           addPart(*loop->getBody());
  }
  bool VisitWhileStmt(const WhileStmt *loop) {
    return !loop->hasVarStorage() &&
           add("while (" + Printer::print(*loop->getCond()) + ")") &&
           addPart(*loop->getBody());
  }
  bool VisitDoStmt(const DoStmt *loop) {
    return add("do") && addPart(*loop->getBody()) &&
           add(" while (" + Printer::print(*loop->getCond()) + ");");
  }

private:
  /// Checks whether no form is left out.
  bool isPrinted(const Stmt &statement) const {
    const auto *operation = dyn_cast<BinaryOperator>(&statement);
    return (All.operations.count(operation) == 0 ||
            printed.count(operation) != 0) &&
           llvm::all_of(statement.children(), [this](const Stmt *part) {
             return !part || isPrinted(*part);
           });
  }

  bool add(const std::string &text) {
    Text += text;
    return true;
  }
  bool addPart(const Stmt &statement) {
    if (isa<CompoundStmt>(statement))
      return add(" ") && Visitor::Visit(&statement);
    Indent += "  ";
    const bool isPlain = !isa<DeclStmt>(statement) && add("\n" + Indent) &&
                         Visitor::Visit(&statement);
    Indent.resize(Indent.size() - 2);
    return isPlain;
  }

  std::string Text, Indent;
};

/// Finds the statements that a use of a macro stands for.
class MacroStatements {
public:
  MacroStatements(const Stmt &body, const SourceManager &sources,
                  SourceLocation within)
      : Sources(sources), Use(sources.getExpansionRange(within)) {
    if (!within.isMacroID() || !visit(body, nullptr))
      all.clear();
    const auto *loop = dyn_cast_or_null<ForStmt>(Around);
    const auto *branch = dyn_cast_or_null<IfStmt>(Around);
    const Stmt *only = all.size() == 1 ? all.front() : nullptr;
    const bool isPart =
        (loop && loop->getBody() == only) ||
        (branch && (branch->getThen() == only || branch->getElse() == only));
    if (!isa_and_nonnull<CompoundStmt>(Around) &&
        !(isPart && !isa<DeclStmt>(only)))
      all.clear();
  }

  /// Empty if the macro makes anything else too.
  std::vector<const Stmt *> all;

  clang::SourceRange use() const { return Use.getAsRange(); }

private:
  bool isInUse(SourceLocation location) const {
    return location.isMacroID() &&
           Sources.getExpansionRange(location).getAsRange() == Use.getAsRange();
  }

  bool visit(const Stmt &statement, const Stmt *around) {
    const bool begins = isInUse(statement.getBeginLoc()),
               ends = isInUse(statement.getEndLoc());
    if (begins && ends) {
      const bool isFirst = all.empty();
      all.push_back(&statement);
      return std::exchange(Around, around) == around || isFirst;
    }
    // `if (i < n) UPDATE(u)` ends where the statement in it does.
    const Stmt *last = nullptr;
    for (const Stmt *part : statement.children())
      last = part ? part : last;
    return !begins &&
           (!ends || (last && last->getEndLoc() == statement.getEndLoc())) &&
           llvm::all_of(statement.children(), [&](const Stmt *part) {
             return !part || visit(*part, &statement);
           });
  }

  const SourceManager &Sources;
  CharSourceRange Use;
  const Stmt *Around = nullptr; ///< what they are parts of
};

/// Adds the words and the operands of `form` to `piece`; returns false if an
/// operand isn't plain text within it.
bool addParts(const ExplicitForm &form, const Forms &all, TextPiece &piece,
              FileTable &files) {
  for (std::size_t i = 0; i < form.size(); ++i) {
    if (const auto *words = std::get_if<std::string>(&form[i])) {
      piece.parts.emplace_back(*words);
      continue;
    }
    // The text that replaces an operation takes the parentheses itself.
    const Expr &bare = operandOf(form, i);
    const auto *operation = dyn_cast<BinaryOperator>(&bare);
    const Expr &written = operation && all.operations.count(operation) != 0
                              ? *std::get<const Expr *>(form[i])
                              : bare;
    const SourceRange operand = files.wholeText(written.getSourceRange());
    if (!isTextOf(piece.whole.file, operand) ||
        operand.begin < piece.whole.begin || operand.end > piece.whole.end)
      return false;
    piece.parts.emplace_back(operand);
  }
  return true;
}

/// Makes the parentheses around an operation that becomes a call part of its
/// piece, since a call needs none.
void takeParentheses(const BinaryOperator &operation, const ExplicitForm &form,
                     const FmaForms &sums, FileTable &files, TextPiece &piece) {
  const auto *words = std::get_if<std::string>(&form.front());
  const Expr *outer = sums.around(operation);
  if (operation.isAssignmentOp() || !words || !words->ends_with("_rn(") ||
      !outer || !isa<ParenExpr>(outer))
    return;
  const SourceRange range = files.wholeText(outer->getSourceRange());
  if (!isTextOf(sums.file(), range))
    return;
  const std::string text = files.text(range);
  const llvm::StringRef inner =
      llvm::StringRef(text).drop_front().drop_back().trim();
  const bool isWord =
      range.begin > 0 &&
      isIdentifierCharacter(files.files()[range.file].text[range.begin - 1]);
  if (inner == files.text(piece.whole) && !isWord)
    piece.whole = range;
}

/// Returns the piece of the statements that the macro makes in which
/// `operation` stands.
std::optional<TextPiece> pieceOfMacro(const BinaryOperator &operation,
                                      const Forms &all, const FmaForms &sums,
                                      const ASTContext &ast, FileTable &files) {
  const MacroStatements made(sums.body(), ast.getSourceManager(),
                             operation.getOperatorLoc());
  TextPiece piece;
  piece.whole = files.range(made.use());
  if (made.all.empty() || !isTextOf(sums.file(), piece.whole) ||
      hasDirective(files.text(piece.whole)))
    return std::nullopt;
  const std::string_view text = files.files()[piece.whole.file].text;
  const std::size_t line = text.rfind('\n', piece.whole.begin) + 1;
  const std::size_t begin = text.find_first_not_of(" \t", line);
  auto printed = StatementPrinter(all, ast).print(
      made.all, std::string(text.substr(line, begin - line)));
  if (!printed)
    return std::nullopt;
  // The user may have written one more.
  const std::size_t next = text.find_first_not_of(" \t\r\n", piece.whole.end);
  if (next != text.npos && text[next] == ';' && printed->ends_with(';'))
    printed->pop_back();
  piece.parts.emplace_back(*std::move(printed));
  return piece;
}

/// Returns the piece of `operation`, or of all that a macro around it makes.
std::optional<TextPiece> pieceOf(const BinaryOperator &operation,
                                 const ExplicitForm &form, const Forms &all,
                                 const FmaForms &sums, const ASTContext &ast,
                                 FileTable &files) {
  TextPiece piece;
  piece.order = sums.order(&operation);
  const Expr *whole = &operation;
  piece.whole = files.wholeText(whole->getSourceRange());
  while (piece.whole.inMacro) {
    whole = sums.around(*whole);
    if (!whole)
      return pieceOfMacro(operation, all, sums, ast, files);
    piece.whole = files.wholeText(whole->getSourceRange());
  }
  if (!isTextOf(sums.file(), piece.whole) ||
      hasDirective(files.text(piece.whole)))
    return std::nullopt;
  const auto printed = [&](const Expr &expression) {
    piece.parts = {Printer(all, ast).print(expression)};
    return piece;
  };
  if (whole->IgnoreParens() != &operation)
    return printed(*whole);
  if (!addParts(form, all, piece, files))
    return printed(operation);
  takeParentheses(operation, form, sums, files, piece);
  return piece;
}

/// Writes the pieces of one function, those in operands of others too.
class Writer {
public:
  Writer(std::string_view input, std::vector<TextPiece> pieces)
      : Input(input), Pieces(std::move(pieces)) {
    std::sort(Pieces.begin(), Pieces.end(),
              [](const TextPiece &lhs, const TextPiece &rhs) {
                return std::tuple(lhs.whole.begin, rhs.whole.end, lhs.order) <
                       std::tuple(rhs.whole.begin, lhs.whole.end, rhs.order);
              });
  }

  MappedText write(const SourceRange &range) const {
    MappedText text;
    std::uint32_t place = range.begin;
    const auto first = std::partition_point(
        Pieces.begin(), Pieces.end(), [&](const TextPiece &piece) {
          return piece.whole.begin < range.begin;
        });
    for (auto piece = first; piece != Pieces.end(); ++piece) {
      // Not those around the range, nor those within what was written.
      if (piece->whole.begin < place || piece->whole.end > range.end)
        continue;
      text.copy(Input, place, piece->whole.begin);
      text.append(write(*piece));
      place = piece->whole.end;
    }
    text.copy(Input, place, range.end);
    return text;
  }

private:
  MappedText write(const TextPiece &piece) const {
    MappedText text;
    std::string words;
    std::uint32_t place = piece.whole.begin;
    const bool isInOrder = areInOrder(piece);
    for (const auto &part : piece.parts)
      if (const auto *more = std::get_if<std::string>(&part)) {
        words += *more;
      } else {
        const SourceRange &operand = std::get<SourceRange>(part);
        text.write(isInOrder ? broken(words, place, operand.begin) : words,
                   place);
        text.append(write(operand));
        place = operand.end;
        words.clear();
      }
    text.write(words, place);
    return text;
  }

  /// Checks whether the operands stand in the order of the input.
  static bool areInOrder(const TextPiece &piece) {
    std::uint32_t place = piece.whole.begin;
    return std::all_of(piece.parts.begin(), piece.parts.end(),
                       [&](const auto &part) {
                         const auto *operand = std::get_if<SourceRange>(&part);
                         const std::uint32_t before = place;
                         place = operand ? operand->end : place;
                         return !operand || before <= operand->begin;
                       });
  }

  /// Returns `words` with the line end, if any, of what they replace.
  std::string broken(llvm::StringRef words, std::uint32_t begin,
                     std::uint32_t end) const {
    if (begin >= end)
      return words.str();
    const std::string_view gap = Input.substr(begin, end - begin);
    const std::size_t line = gap.rfind('\n');
    if (line == std::string_view::npos)
      return words.str();
    std::size_t blanks = line + 1;
    while (blanks < gap.size() && (gap[blanks] == ' ' || gap[blanks] == '\t'))
      ++blanks;
    return words.rtrim().str() + std::string(gap.substr(line, blanks - line));
  }

  std::string_view Input;
  std::vector<TextPiece> Pieces;
};

} // namespace

std::optional<std::vector<TextPiece>> piecesOf(const FmaForms &sums,
                                               const Forms &forms,
                                               const ASTContext &ast,
                                               FileTable &files) {
  std::vector<TextPiece> pieces;
  for (const auto &[operation, form] : forms.operations) {
    auto piece = pieceOf(*operation, form, forms, sums, ast, files);
    if (!piece)
      return std::nullopt;
    pieces.push_back(*std::move(piece));
  }
  for (const auto &[variable, form] : forms.declarators) {
    TextPiece piece{declarator(*variable, files), 0, {}};
    if (!addParts(form, forms, piece, files))
      return std::nullopt;
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

MappedText writePieces(std::string_view input, std::vector<TextPiece> pieces,
                       const SourceRange &range) {
  return Writer(input, std::move(pieces)).write(range);
}

} // namespace kfuse
