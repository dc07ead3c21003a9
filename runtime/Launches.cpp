//===- Launches.cpp - Kernel launches among tokens ------------------------===//

#include "runtime/Launches.h"

#include <algorithm>
#include <array>

namespace kfuse {
namespace {

using Index = std::optional<std::size_t>;

/// Checks whether the word, before a parenthesis or a name, can't be part of an
/// expression.
bool isStatementWord(std::string_view word) {
  constexpr std::array Words = {"return", "if",     "else",      "do",
                                "while",  "for",    "switch",    "case",
                                "throw",  "define", "co_return", "constexpr"};
  return std::find(Words.begin(), Words.end(), word) != Words.end();
}

/// Returns how many template argument lists the token closes.
int closedAngles(std::string_view text) {
  if (text == ">")
    return 1;
  if (text == ">>")
    return 2;
  return text == ">>>" ? 3 : 0;
}

/// Returns the `<` of the template argument list whose last closing token is
/// `i`.
Index openingAngle(const TokenList &tokens, std::size_t i) {
  int depth = 0;
  for (Index at = i; at; at = tokens.previous(*at)) {
    const std::string_view text = tokens[*at].text;
    if (text == ")" || text == "]" || text == "}") {
      at = tokens.opening(*at);
      if (!at)
        return std::nullopt;
    } else if (int closed = closedAngles(text)) {
      depth += closed;
    } else if (text == "<") {
      if (--depth == 0)
        return at;
    } else if (text == ";" || text == "{" || text == "(" || text == "[") {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

/// Returns the token after the template argument list that starts with the `<`
/// at `i`; none if it isn't one.
Index afterAngles(const TokenList &tokens, std::size_t i) {
  int depth = 0;
  for (Index at = i; at; at = tokens.next(*at)) {
    const std::string_view text = tokens[*at].text;
    if (text == "(" || text == "[" || text == "{") {
      at = tokens.closing(*at);
      if (!at)
        return std::nullopt;
    } else if (text == "<") {
      ++depth;
    } else if (int closed = closedAngles(text)) {
      depth -= closed;
      if (depth <= 0)
        return depth == 0 ? tokens.next(*at) : std::nullopt;
    } else if (text == ")" || text == "]" || text == "}" || text == ";" ||
               text == "&&" || text == "||") {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

/// Returns the first token of the expression that ends at token `last`. It may
/// have qualified names, members, subscripts, calls, template argument lists
/// and pasted tokens.
Index expressionStart(const TokenList &tokens, std::size_t last) {
  Index at = last;
  while (at) {
    if (closedAngles(tokens[*at].text)) {
      at = openingAngle(tokens, *at);
      at = at ? tokens.previous(*at) : at;
      if (!at || !tokens.isIdentifier(*at))
        return std::nullopt;
    } else if (tokens.is(*at, ")") || tokens.is(*at, "]")) {
      at = tokens.opening(*at);
      if (!at)
        return std::nullopt;
      const Index before = tokens.previous(*at);
      const bool isOperand =
          before && ((tokens.isIdentifier(*before) &&
                      !isStatementWord(tokens[*before].text)) ||
                     tokens.is(*before, "]") ||
                     (tokens.is(*at, "[") && tokens.is(*before, ")")));
      if (!isOperand)
        return at;
      at = before;
      continue;
    } else if (!tokens.isIdentifier(*at) || isStatementWord(tokens[*at].text)) {
      return std::nullopt;
    }
    // Check whether the name continues to the left.
    Index before = tokens.previous(*at);
    if (before && tokens.is(*before, "template")) {
      at = before;
      before = tokens.previous(*before);
    }
    if (!before)
      return at;
    if (tokens.is(*before, "::")) {
      const Index qualifier = tokens.previous(*before);
      const bool isQualified =
          qualifier && ((tokens.isIdentifier(*qualifier) &&
                         !isStatementWord(tokens[*qualifier].text)) ||
                        closedAngles(tokens[*qualifier].text));
      if (!isQualified)
        return before;
      at = qualifier;
    } else if (tokens.is(*before, ".") || tokens.is(*before, "->") ||
               tokens.is(*before, "##")) {
      at = tokens.previous(*before);
    } else {
      return at;
    }
  }
  return std::nullopt;
}

/// Checks whether the tokens before `less` are only a macro's head:
/// `#define k <<<...` has no callee.
bool isMacroHead(const TokenList &tokens, std::size_t first, std::size_t less) {
  Index before = tokens.previous(first);
  if (!before || !tokens.is(*before, "define"))
    return false;
  // The callee would be the macro's own name, or its parameter list.
  return tokens.next(first) == less || tokens.is(*tokens.next(first), "(");
}

} // namespace

std::vector<TokenRange> argumentsBetween(const TokenList &tokens,
                                         std::size_t open, std::size_t close) {
  std::vector<TokenRange> ranges;
  std::size_t first = open + 1;
  for (Index at = tokens.next(open); at && *at < close;) {
    const std::string_view text = tokens[*at].text;
    Index end;
    if (text == "(" || text == "[" || text == "{") {
      end = tokens.closing(*at);
    } else if (text == "<" && tokens.isIdentifier(*at - 1)) {
      // This is a template argument list rather than a comparison if the next
      // token can only follow a template's name.
      end = afterAngles(tokens, *at);
      if (end && *end < close &&
          (tokens.is(*end, "(") || tokens.is(*end, "::") ||
           tokens.is(*end, "{"))) {
        at = end;
        continue;
      }
      end.reset();
    } else if (text == ",") {
      ranges.push_back({first, *at});
      first = *at + 1;
    }
    at = tokens.next(end.value_or(*at));
  }
  if (first < close)
    ranges.push_back({first, close});
  return ranges;
}

std::optional<LaunchSyntax> launchAt(const TokenList &tokens,
                                     std::size_t less) {
  LaunchSyntax launch;
  launch.less = less;
  Index at = tokens.next(less);
  while (at && !tokens.is(*at, ">>>")) {
    const std::string_view text = tokens[*at].text;
    if (text == "(" || text == "[" || text == "{")
      at = tokens.closing(*at);
    else if (text == ")" || text == "]" || text == "}" || text == ";")
      return std::nullopt;
    else if (text == "<" && tokens.isIdentifier(*at - 1))
      if (Index after = afterAngles(tokens, *at);
          after && (tokens.is(*after, "(") || tokens.is(*after, "::") ||
                    tokens.is(*after, "{"))) {
        at = after;
        continue;
      }
    at = at ? tokens.next(*at) : at;
  }
  if (!at)
    return std::nullopt;
  launch.greater = *at;

  const Index before = tokens.previous(less);
  const Index callee = before ? expressionStart(tokens, *before) : std::nullopt;
  const Index open = tokens.next(launch.greater);
  const Index close =
      open && tokens.is(*open, "(") ? tokens.closing(*open) : std::nullopt;
  if (!callee || !close || isMacroHead(tokens, *callee, less)) {
    launch.partial = true;
    return launch;
  }
  launch.callee = *callee;
  launch.open = *open;
  launch.close = *close;
  launch.arguments = argumentsBetween(tokens, *open, *close);
  return launch;
}

bool needsSingleEvaluation(const TokenList &tokens, TokenRange range) {
  constexpr std::array Assignments = {
      "++", "--", "=",  "+=", "-=",  "*=",  "/=",
      "%=", "&=", "|=", "^=", "<<=", ">>=", "new"};
  if (range.first >= range.last || tokens.is(range.first, "{"))
    return false; // a braced list has no type of its own
  for (std::size_t i = range.first; i < range.last; ++i) {
    const std::string_view text = tokens[i].text;
    if (std::find(Assignments.begin(), Assignments.end(), text) !=
        Assignments.end())
      return true;
    if (i == range.first || !(text == "(" || text == "{"))
      continue;
    const std::string_view before = tokens[i - 1].text;
    if ((tokens.isIdentifier(i - 1) && before != "sizeof") || before == "]" ||
        before == ")" || closedAngles(before))
      return true;
  }
  return false;
}

bool mayReadMemory(const TokenList &tokens, TokenRange range) {
  if (range.first >= range.last || tokens.is(range.first, "{") ||
      tokens.is(range.last - 1, "..."))
    return false;
  for (std::size_t i = range.first; i < range.last; ++i) {
    const bool isInType = tokens.is(i + 1, ")") || tokens.is(i + 1, ">") ||
                          tokens.is(i + 1, "*") || tokens.is(i + 1, ",");
    if (tokens.is(i, "->") || tokens.is(i, "[") || tokens.is(i, ".") ||
        (tokens.is(i, "*") && !isInType))
      return true;
  }
  return false;
}

} // namespace kfuse
