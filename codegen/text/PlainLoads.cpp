//===- PlainLoads.cpp - Loads that see what the kernel stores -------------===//

#include "codegen/text/PlainLoads.h"

#include "codegen/text/Helpers.h"
#include "codegen/text/ParameterText.h"
#include "text/Tokens.h"

#include <string_view>
#include <vector>

namespace kfuse {
namespace {

using Tokens = std::vector<TextToken>;

/// The call's argument, between its parentheses.
struct Argument {
  std::size_t first = 0, close = 0; ///< tokens
};

/// Returns how much deeper in brackets the text is behind `word`.
int depthAfter(std::string_view word) {
  const bool opens = word == "(" || word == "[" || word == "{";
  const bool closes = word == ")" || word == "]" || word == "}";
  return opens ? 1 : closes ? -1 : 0;
}

/// Returns the argument of the call whose name is token `name`; an empty one if
/// that is no call.
Argument argumentOf(std::string_view text, const Tokens &tokens,
                    std::size_t name) {
  int depth = 0;
  for (std::size_t i = name + 1; i < tokens.size(); ++i) {
    depth += depthAfter(spelling(text, tokens[i]));
    if (depth == 0)
      return {name + 2, i};
  }
  return {};
}

/// Returns the element that `argument` leads to; `(*(argument))` if it has no
/// shorter form.
std::string elementText(std::string_view text, const Tokens &tokens,
                        const Argument &argument, const Helpers &helpers) {
  const auto between = [&](std::size_t first, std::size_t last) {
    return trimmed(text.substr(tokens[first].begin,
                               tokens[last].begin - tokens[first].begin));
  };
  const auto word = [&](std::size_t i) { return spelling(text, tokens[i]); };
  int depth = 0;
  std::size_t sums = 0, members = 0, others = 0; // outside of brackets
  bool hasMacro = false;
  for (std::size_t i = argument.first; i < argument.close; ++i) {
    hasMacro |= helpers.isMacro(word(i));
    if (depth == 0 && tokens[i].kind == TokenKind::Punctuator &&
        depthAfter(word(i)) == 0) {
      const bool isMember = word(i) == "." || word(i) == "->";
      ++(word(i) == "+" ? sums : isMember ? members : others);
    }
    depth += depthAfter(word(i));
  }
  const std::size_t second = argument.first + 1;
  const auto isName = [&](std::size_t i) {
    return i < argument.close && tokens[i].kind == TokenKind::Identifier;
  };
  if (word(argument.first) == "&" && isName(second) && sums == 0 &&
      others == 1 && word(argument.close - 1) == "]")
    return between(second, argument.close);
  // In `a + i - 1` the index might wrap around where the pointer doesn't.
  if (isName(argument.first) && word(second) == "+" && sums == 1 &&
      members + others == 0 && !hasMacro)
    return std::string(word(argument.first)) + "[" +
           between(second + 1, argument.close) + "]";
  return "(*(" + between(argument.first, argument.close) + "))";
}

} // namespace

std::string withPlainLoads(std::string text, const Helpers &helpers) {
  constexpr std::string_view Load = "__ldg";
  while (mentions(text, Load)) {
    const Tokens tokens = tokensOf(text);
    // Later loads first: they may be parts of an earlier one's index.
    std::size_t i = tokens.size();
    while (i > 0 && spelling(text, tokens[i - 1]) != Load)
      --i;
    const Argument argument =
        i == 0 ? Argument() : argumentOf(text, tokens, i - 1);
    if (argument.first >= argument.close)
      break;
    text.replace(tokens[i - 1].begin,
                 tokens[argument.close].end - tokens[i - 1].begin,
                 elementText(text, tokens, argument, helpers));
  }
  return text;
}

} // namespace kfuse
