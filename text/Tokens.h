//===- Tokens.h - Preprocessing tokens of a C++ text ----------------------===//
//
// Just enough lexing to tell code from comments, strings and directives, and to
// see which names a text mentions. No macro is expanded.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_TEXT_TOKENS_H
#define KFUSE_TEXT_TOKENS_H

#include <cstdint>
#include <string_view>
#include <vector>

namespace kfuse {

enum class TokenKind : std::uint8_t {
  Identifier, ///< keywords too
  Number,
  Literal, ///< string or character, raw strings too
  Comment,
  Directive, ///< `#...` to the end of its logical line, as one token
  Punctuator,
};

struct TextToken {
  TokenKind kind{};
  std::uint32_t begin = 0, end = 0; ///< bytes
};

/// Returns the tokens of `text` in order. Never fails: what is malformed
/// becomes some token that ends where the text or the line ends.
std::vector<TextToken> tokensOf(std::string_view text);

inline std::string_view spelling(std::string_view text,
                                 const TextToken &token) {
  return text.substr(token.begin, token.end - token.begin);
}

/// Checks whether `name` is one of the identifiers of `text`, directives
/// included.
bool mentions(std::string_view text, std::string_view name);

bool isIdentifierCharacter(char c);

} // namespace kfuse

#endif
