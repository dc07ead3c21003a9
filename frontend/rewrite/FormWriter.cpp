//===- FormWriter.cpp - Texts with forms for operations -------------------===//

#include "frontend/rewrite/FormWriter.h"

#include "text/Layout.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/PrettyPrinter.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

#include <algorithm>

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
    const ExplicitForm &form = found->second;
    for (std::size_t i = 0; i < form.size(); ++i)
      if (const auto *words = std::get_if<std::string>(&form[i]))
        stream << *words;
      else
        stream << print(operandOf(form, i));
    return true;
  }

private:
  const Forms &All;
  const ASTContext &Ast;
  PrintingPolicy Policy;
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
      return std::nullopt;
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
