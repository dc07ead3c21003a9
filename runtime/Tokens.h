//===- Tokens.h - A source text as tokens ---------------------------------===//
//
// Uses Clang's raw lexer in CUDA mode. Nothing is preprocessed, so the bodies
// of macros are tokens like all others. A token knows the directive that it
// belongs to; searches for a matching bracket never leave or enter a directive.
//===----------------------------------------------------------------------===//
#ifndef KFUSE_RUNTIME_TOKENS_H
#define KFUSE_RUNTIME_TOKENS_H

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace kfuse {

enum class RawTokenKind { Identifier, Literal, Punctuation, Other };

struct SourceToken {
  RawTokenKind kind = RawTokenKind::Other;
  std::size_t begin = 0, end = 0; ///< byte offsets in the source
  unsigned directive = 0;         ///< counted from 1; 0 if none
  std::string_view text;
};

class TokenList {
public:
  TokenList(std::string_view source, std::vector<SourceToken> tokens)
      : Source(source), Tokens(std::move(tokens)) {}

  std::size_t size() const { return Tokens.size(); }
  const SourceToken &operator[](std::size_t i) const { return Tokens[i]; }
  bool is(std::size_t i, std::string_view text) const {
    return i < Tokens.size() && Tokens[i].text == text;
  }
  bool isIdentifier(std::size_t i) const {
    return i < Tokens.size() && Tokens[i].kind == RawTokenKind::Identifier;
  }

  /// Returns the neighbouring token within the same directive, or outside all
  /// of them.
  std::optional<std::size_t> next(std::size_t i) const;
  std::optional<std::size_t> previous(std::size_t i) const;

  /// Returns the matching bracket (round, square or curly) of the one at `i`.
  std::optional<std::size_t> closing(std::size_t i) const;
  std::optional<std::size_t> opening(std::size_t i) const;

  /// Returns the text of the tokens [first, last), with the gaps between them.
  std::string_view textOf(std::size_t first, std::size_t last) const;
  /// Returns the white space and comments before token i (i may be the size).
  std::string_view gapBefore(std::size_t i) const;
  std::string_view source() const { return Source; }

private:
  std::string_view Source;
  std::vector<SourceToken> Tokens;
};

/// Returns the tokens of the text, which must outlive them.
TokenList lexRaw(std::string_view source);

} // namespace kfuse

#endif
