//===- BodyText.cpp - Pieces of kernels' bodies as text -------------------===//
#include "codegen/text/BodyText.h"

#include "codegen/text/ParameterText.h"
#include "text/Layout.h"
#include "text/Tokens.h"

#include <algorithm>
#include <array>

namespace kfuse {

std::vector<TextToken> codeOf(std::string_view text) {
  std::vector<TextToken> tokens = tokensOf(text);
  std::erase_if(tokens, [](const TextToken &token) {
    return token.kind == TokenKind::Comment;
  });
  return tokens;
}

namespace {

/// Checks whether the token before `i` makes it a member's or a qualified name.
bool isMember(std::string_view text, const std::vector<TextToken> &code,
              std::size_t i) {
  if (i == 0)
    return false;
  const std::string_view before = spelling(text, code[i - 1]);
  return before == "." || before == "->" || before == "::";
}

/// Finds the places of `word` outside of all brackets.
std::vector<TextToken> topLevel(std::string_view text, std::string_view word) {
  std::vector<TextToken> found;
  int depth = 0;
  for (const TextToken &token : codeOf(text)) {
    const std::string_view each = spelling(text, token);
    depth += each == "(" || each == "[" || each == "{" ? 1 : 0;
    depth -= each == ")" || each == "]" || each == "}" ? 1 : 0;
    if (depth == 0 && each == word)
      found.push_back(token);
  }
  return found;
}

/// Returns the text without parentheses around it: `((a))` as `a`.
std::string_view withoutParentheses(std::string_view text) {
  while (true) {
    const std::vector<TextToken> code = codeOf(text);
    if (code.size() < 2 || spelling(text, code.front()) != "(" ||
        spelling(text, code.back()) != ")")
      return text;
    int depth = 0;
    for (std::size_t i = 0; i + 1 < code.size(); ++i) {
      depth += spelling(text, code[i]) == "(" ? 1 : 0;
      depth -= spelling(text, code[i]) == ")" ? 1 : 0;
      if (depth == 0)
        return text;
    }
    text = text.substr(code.front().end, code.back().begin - code.front().end);
  }
}

/// Checks whether any of the words stands outside of all brackets.
template <typename Words>
bool hasAtTop(std::string_view text, const Words &words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return !topLevel(text, word).empty();
  });
}

/// Operators that bind less than a comparison does.
constexpr std::array<std::string_view, 15> LooseWords = {
    "?",  ":",   ",",  "=",   "&",   "|",      "^",    "&&",
    "||", "and", "or", "xor", "not", "bitand", "bitor"};

/// Returns the comparison that holds, with its sides swapped, if `word`
/// doesn't.
std::string_view negation(std::string_view word) {
  return word == "=="       ? "!="
         : word == "!="     ? "=="
         : word.size() == 1 ? "<="
                            : "<";
}

std::string conjunct(std::string_view text, bool isNegated);

/// Negates the condition, which is no comparison.
std::string negated(std::string_view text) {
  const std::vector<TextToken> code = codeOf(text);
  if (code.size() == 2 && spelling(text, code[0]) == "!")
    return trimmed(text.substr(code[0].end)); // one name
  if (code.size() == 1)
    return "!" + trimmed(text);
  const std::array<std::string_view, 8> looser = {"||",  "?",  ",",   "=",
                                                  "and", "or", "not", ":"};
  const std::vector<TextToken> parts = topLevel(text, "&&");
  if (parts.empty() || hasAtTop(text, looser))
    return "!(" + trimmed(text) + ")";
  std::string either;
  std::uint32_t begin = 0;
  for (const TextToken &part : parts) {
    either += conjunct(text.substr(begin, part.begin - begin), true) + " || ";
    begin = part.end;
  }
  return "(" + either + conjunct(text.substr(begin), true) + ")";
}

/// Writes a condition, negated if `isNegated` is set. A comparison is `a < b`
/// whichever way it was written.
std::string conjunct(std::string_view text, bool isNegated) {
  text = withoutParentheses(text);
  // `!(a)` is what holds if `a` doesn't.
  if (const std::vector<TextToken> code = codeOf(text);
      code.size() > 3 && spelling(text, code.front()) == "!") {
    const std::string_view inner = text.substr(code.front().end);
    if (withoutParentheses(inner) != inner)
      return conjunct(inner, !isNegated);
  }
  std::vector<std::pair<TextToken, std::string_view>> comparisons;
  for (const std::string_view word :
       {"<=", ">=", "<", ">", "==", "!=", "<=>", "not_eq"})
    for (const TextToken &token : topLevel(text, word))
      comparisons.emplace_back(token, word);
  const bool isInvalidatedAtJoins = hasAtTop(text, LooseWords);
  const bool isSimple = comparisons.size() == 1 && !isInvalidatedAtJoins &&
                        comparisons[0].second != "<=>" &&
                        comparisons[0].second != "not_eq";
  if (!isSimple && isNegated)
    return negated(text);
  if (!isSimple)
    return isInvalidatedAtJoins ? "(" + trimmed(text) + ")" : trimmed(text);
  const auto &[at, written] = comparisons[0];
  std::string left = trimmed(text.substr(0, at.begin));
  std::string right = trimmed(text.substr(at.end));
  std::string_view word = written;
  const bool isEquality = word == "==" || word == "!=";
  if (word[0] == '>') {
    std::swap(left, right);
    word = word.size() == 1 ? "<" : "<=";
  }
  if (isNegated) {
    word = negation(word);
    if (!isEquality)
      std::swap(left, right);
  }
  return left + " " + std::string(word) + " " + right;
}

/// The columns at which the contents of open brackets begin.
using OpenBrackets = std::vector<std::size_t>;

struct LineBreak {
  std::size_t end = 0; ///< of the first part; 0 if there is none
  OpenBrackets open;   ///< there
};

/// Returns how closely the operator binds, as far as readers care.
int bindingOf(std::string_view word) {
  return word == "," || word == ";" ? 0 : word == "&&" || word == "||" ? 1 : 2;
}

/// Finds where a line can be broken so that its first part has at most
/// `columns` columns. This is after the last of the operators and commas that
/// are in the fewest brackets and bind the least. Brackets may be open at its
/// beginning.
LineBreak breakOf(std::string_view line, OpenBrackets open,
                  bool mayFollowAssignment, std::size_t columns) {
  const std::size_t indent = line.find_first_not_of(' ');
  LineBreak best;
  std::pair<std::size_t, int> least{line.size(), 0};
  for (const TextToken &token : tokensOf(line)) {
    const std::string_view word = spelling(line, token);
    if (token.kind == TokenKind::Comment || token.kind == TokenKind::Directive)
      return {};
    if (word == "(" || word == "[" || word == "{")
      open.push_back(token.end);
    else if ((word == ")" || word == "]" || word == "}") && !open.empty())
      open.pop_back();
    const bool isOperator =
        token.kind == TokenKind::Punctuator &&
        word.find_first_of("(){}[].!~") == std::string_view::npos;
    const std::pair<std::size_t, int> depth{open.size(), bindingOf(word)};
    if (!isOperator || token.end > columns || token.end <= indent + 8 ||
        token.end >= line.size() || line[token.end] != ' ' || depth > least)
      continue;
    // An assignment's right side may be too long for a line as well.
    if (word == "=" && !mayFollowAssignment &&
        line.size() - token.end + indent + 4 > columns)
      continue;
    least = depth;
    best = {token.end, open};
  }
  return best;
}

/// Returns the blanks and tabs that the text begins with.
std::string blanksBefore(std::string_view text) {
  return std::string(text.substr(0, text.find_first_not_of(" \t")));
}

/// Returns the line broken, and whether some part is too long or isn't below
/// what it belongs to, because that is too far right. `mayFollowAssignment`
/// says whether a right side that needs several lines may begin on one of its
/// own.
std::pair<std::string, bool>
brokenLine(std::string line, bool mayFollowAssignment, std::size_t columns) {
  const std::string indent = blanksBefore(line);
  std::string result;
  bool isRagged = false;
  OpenBrackets open;
  while (line.size() > columns) {
    const LineBreak place = breakOf(line, open, mayFollowAssignment, columns);
    if (place.end == 0) {
      isRagged = true;
      break;
    }
    open = place.open;
    const bool isAligned = !open.empty() && open.back() <= columns / 2;
    isRagged |= !open.empty() && !isAligned;
    result += line.substr(0, place.end) + "\n";
    line = indent +
           std::string(isAligned ? open.back() - indent.size() : 4, ' ') +
           line.substr(place.end + 1);
  }
  return {result + line + "\n", isRagged};
}

/// Returns the length of the lines at the begin of `text` that one pair of
/// brackets holds together. It is that of the first line if it opens none, or
/// if some can't be joined.
std::size_t bracketedLines(std::string_view text) {
  int depth = 0;
  std::size_t end = 0;
  do {
    const std::size_t begin = end;
    end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    for (const TextToken &token : tokensOf(text.substr(begin, end - begin))) {
      const std::string_view word = spelling(text.substr(begin), token);
      depth += word == "(" || word == "[" ? 1 : 0;
      depth -= word == ")" || word == "]" ? 1 : 0;
      if (token.kind == TokenKind::Comment ||
          token.kind == TokenKind::Directive ||
          token.kind == TokenKind::Literal)
        return std::min(text.find('\n'), text.size() - 1) + 1;
    }
  } while (depth > 0 && end < text.size());
  return end;
}

bool hasLongLine(std::string_view text, std::size_t columns) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (end - at > columns)
      return true;
    at = end + 1;
  }
  return false;
}

} // namespace

std::string onOneLine(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool isBlank = c == ' ' || c == '\t' || c == '\r' || c == '\n';
    if (!isBlank)
      result += c;
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  }
  return result;
}

std::string wrapped(std::string_view text, std::size_t columns) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = std::min(text.find('\n', at), text.size());
    const std::size_t all = bracketedLines(text.substr(at));
    std::string line(text.substr(at, end - at));
    // One that is too long takes those with it that belong to it.
    if (at + all > end + 1 && hasLongLine(text.substr(at, all), columns)) {
      end = at + all - 1;
      line = blanksBefore(line) + onOneLine(trimmed(text.substr(at, all)));
    }
    const auto [plain, isRagged] = brokenLine(line, false, columns);
    const auto [other, isOtherRagged] = brokenLine(line, isRagged, columns);
    result += isOtherRagged ? plain : other;
    at = end + 1;
  }
  return result;
}

std::string
rewrapped(std::string_view text,
          const std::function<std::string(const std::string &)> &change) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::string part(text.substr(at, bracketedLines(text.substr(at))));
    std::string changed = change(part);
    // A lambda's statements keep their lines.
    const bool isStatement = std::count(part.begin(), part.end(), ';') <= 1 &&
                             std::count(part.begin(), part.end(), '\n') > 1;
    if (changed != part && isStatement)
      changed =
          wrapped(blanksBefore(changed) + onOneLine(trimmed(changed)) + "\n");
    result += changed;
    at += part.size();
  }
  return result;
}

std::set<std::string> plainIdentifiers(std::string_view text) {
  std::set<std::string> names;
  const std::vector<TextToken> code = codeOf(text);
  for (std::size_t i = 0; i < code.size(); ++i) {
    const std::string_view word = spelling(text, code[i]);
    if (code[i].kind == TokenKind::Identifier && !isMember(text, code, i))
      names.emplace(word);
    if (code[i].kind == TokenKind::Directive)
      names.merge(plainIdentifiers(word.substr(1)));
  }
  return names;
}

std::string renamed(std::string_view text, const Renames &names) {
  std::string result;
  std::uint32_t done = 0;
  const std::vector<TextToken> code = codeOf(text);
  for (std::size_t i = 0; i < code.size(); ++i) {
    const std::string_view word = spelling(text, code[i]);
    std::string other;
    if (code[i].kind == TokenKind::Directive)
      other = "#" + renamed(word.substr(1), names);
    else if (const auto found = names.find(std::string(word));
             code[i].kind == TokenKind::Identifier && found != names.end() &&
             !isMember(text, code, i))
      other = found->second;
    else
      continue;
    result += text.substr(done, code[i].begin - done);
    result += other;
    done = code[i].end;
  }
  return result + std::string(text.substr(done));
}

std::string normalised(std::string_view text) {
  std::string result;
  for (const TextToken &token : codeOf(text))
    result += (result.empty() ? "" : " ") + std::string(spelling(text, token));
  return result;
}

std::optional<std::string> withBlockIndex(std::string_view text, char axis,
                                          const std::string &replacement) {
  std::string result;
  std::uint32_t done = 0;
  const std::vector<TextToken> code = codeOf(text);
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (spelling(text, code[i]) != "blockIdx")
      continue;
    if (i + 2 >= code.size() || spelling(text, code[i + 1]) != ".")
      return std::nullopt;
    if (spelling(text, code[i + 2]) != std::string_view(&axis, 1))
      continue;
    result += text.substr(done, code[i].begin - done);
    result += replacement;
    done = code[i + 2].end;
  }
  return result + std::string(text.substr(done));
}

std::string reindented(std::string_view text, const std::string &indent) {
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
    lines.push_back(line);
    at = end + 1;
  }
  const auto isBlank = [](std::string_view line) { return line.empty(); };
  const auto first = std::find_if_not(lines.begin(), lines.end(), isBlank);
  const auto last = std::find_if_not(lines.rbegin(),
                                     std::make_reverse_iterator(first), isBlank)
                        .base();
  // The first line may begin in the middle of one.
  std::size_t common = std::string_view::npos;
  for (auto line = first; line != last; ++line)
    if (!line->empty() && line->front() != '#' &&
        (line != lines.begin() || line->front() == ' ' ||
         line->front() == '\t'))
      common = std::min(common, line->find_first_not_of(" \t"));
  std::string result;
  for (auto line = first; line != last; ++line) {
    const std::size_t own =
        std::min({common, line->find_first_not_of(" \t"), line->size()});
    const bool isFree = line->empty() || line->front() == '#';
    result +=
        isFree ? std::string(*line) : indent + std::string(line->substr(own));
    result += "\n";
  }
  return result;
}

std::vector<std::string> conjuncts(std::string_view condition, bool isExit) {
  condition = withoutParentheses(condition);
  // `!(i < n)` as an exit is `i < n` as a guard.
  if (const std::vector<TextToken> code = codeOf(condition);
      code.size() > 3 && spelling(condition, code.front()) == "!") {
    const std::string_view inner = condition.substr(code.front().end);
    if (withoutParentheses(inner) != inner)
      return conjuncts(inner, !isExit);
  }
  // These bind less than the operator that parts the conjuncts.
  const std::array<std::string_view, 7> looser = {
      isExit ? "," : "||", "?", ",", "=", "and", "or", "not"};
  std::vector<std::string> all;
  if (hasAtTop(condition, looser)) {
    all.push_back(isExit ? "!(" + trimmed(condition) + ")"
                         : "(" + trimmed(condition) + ")");
    return all;
  }
  std::uint32_t begin = 0;
  for (const TextToken &token : topLevel(condition, isExit ? "||" : "&&")) {
    for (std::string &each :
         conjuncts(condition.substr(begin, token.begin - begin), isExit))
      all.push_back(std::move(each));
    begin = token.end;
  }
  if (begin == 0)
    return {conjunct(condition, isExit)};
  for (std::string &each : conjuncts(condition.substr(begin), isExit))
    all.push_back(std::move(each));
  return all;
}

} // namespace kfuse
