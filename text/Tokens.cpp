//===- Tokens.cpp - Preprocessing tokens of a C++ text --------------------===//
#include "text/Tokens.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace kfuse {
namespace {

bool isDigit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// Longest first.
constexpr std::array<std::string_view, 26> Punctuators = {
    "<<=", ">>=", "...", "->*", "<=>", "++", "--", "+=", "-=",
    "*=",  "/=",  "%=",  "&=",  "|=",  "^=", "<<", ">>", "<=",
    ">=",  "==",  "!=",  "&&",  "||",  "->", "::", "##"};

class Lexer {
public:
  explicit Lexer(std::string_view text) : Text(text) {
    // A byte order mark is no part of the program.
    if (startsWith("\xEF\xBB\xBF"))
      At = 3;
  }

  std::vector<TextToken> run() {
    while (skipSpace()) {
      const std::size_t begin = At;
      const TokenKind kind = next();
      if (kind != TokenKind::Comment)
        LineStart = kind == TokenKind::Directive;
      All.push_back({kind, static_cast<std::uint32_t>(begin),
                     static_cast<std::uint32_t>(At)});
    }
    return std::move(All);
  }

private:
  char peek(std::size_t ahead = 0) const {
    return At + ahead < Text.size() ? Text[At + ahead] : '\0';
  }
  bool startsWith(std::string_view what) const {
    return Text.substr(At, what.size()) == what;
  }
  /// Returns the length of a line continuation here, or 0.
  std::size_t continuation() const {
    if (peek() != '\\')
      return 0;
    if (peek(1) == '\n')
      return 2;
    return peek(1) == '\r' && peek(2) == '\n' ? 3 : 0;
  }
  bool skipSpace() {
    while (At < Text.size()) {
      if (const std::size_t length = continuation()) {
        At += length;
      } else if (std::isspace(static_cast<unsigned char>(Text[At]))) {
        LineStart |= Text[At] == '\n';
        ++At;
      } else {
        return true;
      }
    }
    return false;
  }

  TokenKind next() {
    const char c = peek();
    if (startsWith("//") || startsWith("/*")) {
      comment();
      return TokenKind::Comment;
    }
    if (c == '#' && LineStart) {
      directive();
      return TokenKind::Directive;
    }
    if (c == '"' || c == '\'') {
      literal(c);
      return TokenKind::Literal;
    }
    if (isDigit(c) || (c == '.' && isDigit(peek(1)))) {
      number();
      return TokenKind::Number;
    }
    if (isIdentifierCharacter(c))
      return identifier();
    const auto *match =
        std::find_if(Punctuators.begin(), Punctuators.end(),
                     [this](std::string_view p) { return startsWith(p); });
    At += match == Punctuators.end() ? 1 : match->size();
    return TokenKind::Punctuator;
  }

  void comment() {
    if (startsWith("/*")) {
      const std::size_t close = Text.find("*/", At + 2);
      At = close == std::string_view::npos ? Text.size() : close + 2;
      return;
    }
    while (At < Text.size() && Text[At] != '\n')
      At += std::max<std::size_t>(continuation(), 1);
    if (At > 0 && At < Text.size() && Text[At - 1] == '\r')
      --At;
  }

  void directive() {
    while (At < Text.size() && Text[At] != '\n') {
      if (startsWith("/*") || startsWith("//"))
        comment();
      else
        At += std::max<std::size_t>(continuation(), 1);
      if (peek() == '\r' && peek(1) == '\n')
        return;
    }
  }

  void literal(char quote) {
    for (++At; At < Text.size() && Text[At] != '\n'; ++At) {
      if (Text[At] == quote) {
        ++At;
        return;
      }
      if (Text[At] == '\\' && At + 1 < Text.size())
        ++At;
    }
  }

  void rawString() {
    const std::size_t open = Text.find('(', At);
    if (open == std::string_view::npos) {
      At = Text.size();
      return;
    }
    const std::string close =
        ")" + std::string(Text.substr(At + 1, open - At - 1)) + "\"";
    const std::size_t end = Text.find(close, open);
    At = end == std::string_view::npos ? Text.size() : end + close.size();
  }

  void number() {
    while (At < Text.size()) {
      const char c = Text[At];
      const bool exponent =
          (c == '+' || c == '-') && At > 0 &&
          std::string_view("eEpP").find(Text[At - 1]) != std::string_view::npos;
      const bool separator = c == '\'' && isIdentifierCharacter(peek(1));
      if (!exponent && !separator && c != '.' && !isIdentifierCharacter(c))
        return;
      ++At;
    }
  }

  TokenKind identifier() {
    const std::size_t begin = At;
    while (At < Text.size() && isIdentifierCharacter(Text[At]))
      ++At;
    const std::string_view name = Text.substr(begin, At - begin);
    if (peek() == '"' && (name == "R" || name == "LR" || name == "uR" ||
                          name == "UR" || name == "u8R")) {
      rawString();
      return TokenKind::Literal;
    }
    const bool prefix =
        name == "L" || name == "u" || name == "U" || name == "u8";
    if (prefix && (peek() == '"' || peek() == '\'')) {
      literal(peek());
      return TokenKind::Literal;
    }
    return TokenKind::Identifier;
  }

  std::string_view Text;
  std::size_t At = 0;
  bool LineStart = true;
  std::vector<TextToken> All;
};

} // namespace

bool isIdentifierCharacter(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) || c == '_' || c == '$' || byte >= 0x80;
}

std::vector<TextToken> tokensOf(std::string_view text) {
  return Lexer(text).run();
}

bool mentions(std::string_view text, std::string_view name) {
  for (const TextToken &token : tokensOf(text)) {
    const std::string_view word = spelling(text, token);
    if (token.kind == TokenKind::Identifier && word == name)
      return true;
    if (token.kind == TokenKind::Directive && mentions(word.substr(1), name))
      return true;
  }
  return false;
}

} // namespace kfuse
