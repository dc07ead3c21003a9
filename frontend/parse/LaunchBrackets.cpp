//===- LaunchBrackets.cpp - Launches with blanks in their brackets --------===//

#include "frontend/parse/LaunchBrackets.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"

#include <algorithm>
#include <vector>

namespace kfuse {
namespace {

using namespace clang;

/// One token, by what it is and where.
struct BracketToken {
  tok::TokenKind kind;
  std::size_t begin, end;
  bool isOperator = false; ///< the word `operator`
};

std::vector<BracketToken> tokensOf(const std::string &text) {
  LangOptions language;
  language.CPlusPlus = language.CPlusPlus11 = language.CPlusPlus14 = true;
  language.CUDA = language.RawStringLiterals = true;
  Lexer lexer(SourceLocation(), language, text.data(), text.data(),
              text.data() + text.size());
  std::vector<BracketToken> tokens;
  Token token;
  for (bool isLast = false; !isLast;) {
    isLast = lexer.LexFromRawLexer(token);
    const std::size_t end = lexer.getCurrentBufferOffset();
    tokens.push_back({token.getKind(), end - token.getLength(), end,
                      token.is(tok::raw_identifier) &&
                          token.getRawIdentifier() == "operator"});
  }
  return tokens;
}

/// Moves what stands between two parts of a bracket behind it.
void joinBracket(std::string &text, const BracketToken &first,
                 const BracketToken &second) {
  std::rotate(text.begin() + static_cast<std::ptrdiff_t>(first.end),
              text.begin() + static_cast<std::ptrdiff_t>(second.begin),
              text.begin() + static_cast<std::ptrdiff_t>(second.end));
}

/// Returns the place in `tokens` of what closes the launch that opens in front
/// of `at`: `>>>`, or the first part of `>> >`. A bracket in parentheses is
/// another's.
std::size_t closingBracket(const std::vector<BracketToken> &tokens,
                           std::size_t at) {
  int depth = 0;
  for (; at < tokens.size(); ++at) {
    switch (tokens[at].kind) {
    case tok::l_paren:
    case tok::l_square:
    case tok::l_brace:
      ++depth;
      break;
    case tok::r_paren:
    case tok::r_square:
    case tok::r_brace:
      if (--depth < 0)
        return tokens.size();
      break;
    case tok::semi:
      return tokens.size();
    case tok::greatergreatergreater:
      if (depth == 0)
        return at;
      break;
    case tok::greatergreater:
      if (depth == 0 && at + 2 < tokens.size() &&
          tokens[at + 1].kind == tok::greater &&
          tokens[at + 2].kind == tok::l_paren)
        return at;
      break;
    default:
      break;
    }
  }
  return tokens.size();
}

} // namespace

std::string joinLaunchBrackets(std::string_view text) {
  std::string result(text);
  if (text.find("<<") == std::string_view::npos)
    return result;
  const std::vector<BracketToken> tokens = tokensOf(std::string(text));
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    // `operator<< <int>` is a template's name.
    const bool isSpaced = tokens[i].kind == tok::lessless &&
                          tokens[i + 1].kind == tok::less &&
                          (i == 0 || !tokens[i - 1].isOperator);
    if (!isSpaced && tokens[i].kind != tok::lesslessless)
      continue;
    const std::size_t close = closingBracket(tokens, i + (isSpaced ? 2 : 1));
    if (close == tokens.size())
      continue;
    if (isSpaced)
      joinBracket(result, tokens[i], tokens[i + 1]);
    if (tokens[close].kind == tok::greatergreater)
      joinBracket(result, tokens[close], tokens[close + 1]);
  }
  return result;
}

} // namespace kfuse
