//===- Tokens.cpp - A source text as tokens -------------------------------===//

#include "runtime/Tokens.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Basic/SourceLocation.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Token.h"

#include <string>

namespace kfuse {
namespace {

clang::LangOptions cudaOptions() {
  clang::LangOptions options;
  options.CPlusPlus = options.CPlusPlus11 = options.CPlusPlus14 =
      options.CPlusPlus17 = options.CPlusPlus20 = true;
  options.CUDA = true; // `<<<` is one token
  options.LineComment = true;
  options.RawStringLiterals = true;
  return options;
}

RawTokenKind kindOf(const clang::Token &token) {
  if (token.is(clang::tok::raw_identifier))
    return RawTokenKind::Identifier;
  if (token.isLiteral())
    return RawTokenKind::Literal;
  return clang::tok::getPunctuatorSpelling(token.getKind())
             ? RawTokenKind::Punctuation
             : RawTokenKind::Other;
}

int depthChange(std::string_view text) {
  if (text == "(" || text == "[" || text == "{")
    return 1;
  return text == ")" || text == "]" || text == "}" ? -1 : 0;
}

/// Makes one token of each launch bracket with blanks in it, `<< <` or `>> >`,
/// which nvcc takes.
std::vector<SourceToken> joinBrackets(const std::vector<SourceToken> &tokens) {
  std::vector<SourceToken> joined;
  bool isInLaunch = false;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    SourceToken token = tokens[i];
    const auto isNext = [&](std::size_t ahead, std::string_view text) {
      return i + ahead < tokens.size() && tokens[i + ahead].text == text;
    };
    // `operator<< <int>` is a template's name.
    const bool opens = token.text == "<<" && isNext(1, "<") &&
                       (joined.empty() || joined.back().text != "operator");
    const bool closes =
        isInLaunch && token.text == ">>" && isNext(1, ">") && isNext(2, "(");
    if (opens || closes) {
      token.text = opens ? "<<<" : ">>>";
      token.end = tokens[++i].end;
    }
    if (token.text == "<<<")
      isInLaunch = true;
    else if (token.text == ">>>" || token.text == ";")
      isInLaunch = false;
    joined.push_back(token);
  }
  return joined;
}

} // namespace

TokenList lexRaw(std::string_view source) {
  // The lexer needs a null-terminated buffer; offsets are the same in both.
  const std::string buffer(source);
  const clang::LangOptions options = cudaOptions();
  clang::Lexer lexer(clang::SourceLocation(), options, buffer.data(),
                     buffer.data(), buffer.data() + buffer.size());
  std::vector<SourceToken> tokens;
  unsigned directives = 0, directive = 0;
  for (clang::Token token;;) {
    lexer.LexFromRawLexer(token);
    if (token.is(clang::tok::eof))
      break;
    const std::size_t end = lexer.getBufferLocation() - buffer.data();
    const std::size_t begin = end - token.getLength();
    if (token.isAtStartOfLine())
      directive = token.is(clang::tok::hash) ? ++directives : 0;
    const RawTokenKind kind = kindOf(token);
    tokens.push_back(
        {kind, begin, end, directive, source.substr(begin, end - begin)});
  }
  return {source, joinBrackets(tokens)};
}

std::optional<std::size_t> TokenList::next(std::size_t i) const {
  const unsigned directive = Tokens[i].directive;
  for (++i; i < Tokens.size(); ++i) {
    if (Tokens[i].directive == directive)
      return i;
    if (directive != 0)
      break;
  }
  return std::nullopt;
}

std::optional<std::size_t> TokenList::previous(std::size_t i) const {
  const unsigned directive = Tokens[i].directive;
  while (i-- > 0) {
    if (Tokens[i].directive == directive)
      return i;
    if (directive != 0)
      break;
  }
  return std::nullopt;
}

std::optional<std::size_t> TokenList::closing(std::size_t i) const {
  int depth = 0;
  for (std::optional<std::size_t> at = i; at; at = next(*at)) {
    depth += depthChange(Tokens[*at].text);
    if (depth == 0)
      return at;
  }
  return std::nullopt;
}

std::optional<std::size_t> TokenList::opening(std::size_t i) const {
  int depth = 0;
  for (std::optional<std::size_t> at = i; at; at = previous(*at)) {
    depth += depthChange(Tokens[*at].text);
    if (depth == 0)
      return at;
  }
  return std::nullopt;
}

std::string_view TokenList::textOf(std::size_t first, std::size_t last) const {
  if (first >= last)
    return {};
  const std::size_t begin = Tokens[first].begin;
  return Source.substr(begin, Tokens[last - 1].end - begin);
}

std::string_view TokenList::gapBefore(std::size_t i) const {
  const std::size_t begin = i == 0 ? 0 : Tokens[i - 1].end;
  const std::size_t end = i < Tokens.size() ? Tokens[i].begin : Source.size();
  return Source.substr(begin, end - begin);
}

} // namespace kfuse
