//===- Layout.cpp - Where text can be put into a source file --------------===//
#include "text/Layout.h"

#include <algorithm>

namespace kfuse {
namespace {

bool isBlank(char c) { return c == ' ' || c == '\t'; }

std::uint32_t lineBegin(std::string_view text, std::uint32_t offset) {
  while (offset > 0 && text[offset - 1] != '\n')
    --offset;
  return offset;
}

/// Checks whether the brace at token `index` opens a namespace or `extern "C"`.
bool opensNamespace(const SourceText &source, std::size_t index) {
  while (index > 0) {
    const TextToken &token = source.tokens[--index];
    const std::string_view word = spelling(source.text, token);
    if (word == "namespace")
      return true;
    if (token.kind == TokenKind::Literal && index > 0 &&
        spelling(source.text, source.tokens[index - 1]) == "extern")
      return true;
    const bool inName = token.kind == TokenKind::Identifier || word == "::" ||
                        token.kind == TokenKind::Comment;
    if (!inName)
      return false;
  }
  return false;
}

/// Checks whether the innermost bracket open at `offset` is a brace: `;`
/// separates the parts of a `for` too.
bool isInBraces(const SourceText &source, std::uint32_t offset) {
  unsigned closed = 0;
  for (std::size_t i = tokenAt(source, offset); i > 0; --i) {
    const TextToken &token = source.tokens[i - 1];
    if (token.kind != TokenKind::Punctuator)
      continue;
    const char c = source.text[token.begin];
    if (c == ')' || c == ']' || c == '}')
      ++closed;
    else if ((c == '(' || c == '[' || c == '{') && closed-- == 0)
      return c == '{';
  }
  return false;
}

/// Returns a directive's text, without the `#`: `ifdef X`.
std::string_view directive(const SourceText &source, const TextToken &token) {
  std::string_view word = spelling(source.text, token).substr(1);
  word.remove_prefix(std::min(word.find_first_not_of(" \t"), word.size()));
  return word;
}

/// Returns the tokens of the braces open at `offset`, outermost first. The
/// branches of an `#if` may each open one: they all begin with what is open
/// before it.
std::vector<std::size_t> openBraces(const SourceText &source,
                                    std::uint32_t offset) {
  std::vector<std::size_t> open;
  std::vector<std::vector<std::size_t>> before; ///< by `#if` that is open
  for (std::size_t i = 0; i < source.tokens.size(); ++i) {
    if (source.tokens[i].begin >= offset)
      break;
    if (source.tokens[i].kind == TokenKind::Directive) {
      const std::string_view word = directive(source, source.tokens[i]);
      if (word.starts_with("if"))
        before.push_back(open);
      else if (!before.empty() && word.starts_with("endif"))
        before.pop_back();
      else if (!before.empty() && word.starts_with("el"))
        open = before.back();
      continue;
    }
    if (source.tokens[i].kind != TokenKind::Punctuator)
      continue;
    const std::string_view word = spelling(source.text, source.tokens[i]);
    if (word == "{")
      open.push_back(i);
    else if (word == "}" && !open.empty())
      open.pop_back();
  }
  return open;
}

/// Returns the tokens of the last branch of each conditional that is open at
/// `offset`, outermost first.
std::vector<std::size_t> branchesAt(const SourceText &source,
                                    std::uint32_t offset) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < source.tokens.size(); ++i) {
    if (source.tokens[i].begin >= offset)
      break;
    if (source.tokens[i].kind != TokenKind::Directive)
      continue;
    const std::string_view word = directive(source, source.tokens[i]);
    if (word.starts_with("if"))
      open.push_back(i);
    else if (!open.empty() && word.starts_with("endif"))
      open.pop_back();
    else if (!open.empty() && word.starts_with("el"))
      open.back() = i;
  }
  return open;
}

/// Returns the begin of the declaration that token `index` is part of.
std::uint32_t declarationBegin(const SourceText &source, std::size_t index) {
  while (index > 0) {
    const TextToken &before = source.tokens[index - 1];
    const std::string_view word = spelling(source.text, before);
    if (before.kind == TokenKind::Directive ||
        (before.kind == TokenKind::Punctuator &&
         (word == ";" || word == "{" || word == "}")))
      break;
    --index;
  }
  while (index + 1 < source.tokens.size() &&
         source.tokens[index].kind == TokenKind::Comment)
    ++index;
  return source.tokens[index].begin;
}

/// Returns the line begin of `offset`, moved above comments that are directly
/// there.
std::uint32_t aboveComments(const SourceText &source, std::uint32_t offset) {
  std::uint32_t place = offset;
  while (place > 0 && isBlank(source.text[place - 1]))
    --place;
  if (place > 0 && source.text[place - 1] != '\n')
    return offset;
  for (std::size_t i = tokenAt(source, offset); i > 0; --i) {
    const TextToken &comment = source.tokens[i - 1];
    const std::string_view gap =
        source.text.substr(comment.end, place - comment.end);
    const std::uint32_t line = lineBegin(source.text, comment.begin);
    const std::string_view lead =
        source.text.substr(line, comment.begin - line);
    if (comment.kind != TokenKind::Comment ||
        std::count(gap.begin(), gap.end(), '\n') != 1 ||
        !std::all_of(lead.begin(), lead.end(), isBlank))
      break;
    place = line;
  }
  return place;
}

} // namespace

SourceText::SourceText(std::string_view input, std::uint32_t number)
    : text(input), file(number), tokens(tokensOf(input)) {
  const std::size_t newline = input.find('\n');
  crlf = newline != std::string_view::npos && newline > 0 &&
         input[newline - 1] == '\r';
}

bool SourceText::holds(const SourceRange &range) const {
  return range.file == file && range.begin <= range.end &&
         range.end <= text.size();
}

std::string_view SourceText::at(const SourceRange &range) const {
  return holds(range) ? text.substr(range.begin, range.end - range.begin)
                      : std::string_view();
}

std::size_t tokenAt(const SourceText &source, std::uint32_t offset) {
  return static_cast<std::size_t>(
      std::lower_bound(source.tokens.begin(), source.tokens.end(), offset,
                       [](const TextToken &token, std::uint32_t place) {
                         return token.begin < place;
                       }) -
      source.tokens.begin());
}

std::string shifted(const std::string &text, const std::string &indent) {
  std::string result;
  for (const char c : text) {
    result += c;
    if (c == '\n')
      result += indent;
  }
  return result;
}

std::string withLineEnds(const SourceText &source, std::string_view text) {
  if (!source.crlf)
    return std::string(text);
  std::string result;
  char previous = '\0';
  for (const char c : text) {
    if (c == '\n' && previous != '\r')
      result += '\r';
    result += previous = c;
  }
  return result;
}

std::string indentation(const SourceText &source, std::uint32_t offset) {
  const std::uint32_t begin = lineBegin(source.text, offset);
  std::uint32_t end = begin;
  while (end < offset && isBlank(source.text[end]))
    ++end;
  return std::string(source.text.substr(begin, end - begin));
}

/// Checks whether the `:` belongs to `case`, `default`.
static bool endsCase(const SourceText &source, std::size_t colon) {
  int depth = 0; // of `? :`
  for (std::size_t i = colon; i > 0; --i) {
    const std::string_view word = spelling(source.text, source.tokens[i - 1]);
    if (word == "case" || word == "default")
      return depth == 0;
    depth += word == ":" ? 1 : word == "?" ? -1 : 0;
    if (depth < 0 || word == ";" || word == "{" || word == "}")
      return false;
  }
  return false;
}

bool beginsStatement(const SourceText &source, std::uint32_t offset) {
  if (!isInBraces(source, offset))
    return false;
  for (std::size_t i = tokenAt(source, offset); i > 0; --i) {
    const TextToken &before = source.tokens[i - 1];
    const std::string_view word = spelling(source.text, before);
    if (before.kind == TokenKind::Comment)
      continue;
    if (before.kind == TokenKind::Directive) {
      if (mentions(word.substr(1), "pragma"))
        return false;
      continue;
    }
    return word == ";" || word == "{" || word == "}" ||
           (word == ":" && endsCase(source, i - 1));
  }
  return false;
}

TextRange removal(const SourceText &source, const SourceRange &statement) {
  const std::string_view text = source.text;
  const std::uint32_t begin = lineBegin(text, statement.begin);
  std::uint32_t end = statement.end;
  while (end < text.size() && isBlank(text[end]))
    ++end;
  const std::string_view lead = text.substr(begin, statement.begin - begin);
  const bool first = std::all_of(lead.begin(), lead.end(), isBlank);
  std::uint32_t after = end;
  if (after < text.size() && text[after] == '\r')
    ++after;
  const bool last = after >= text.size() || text[after] == '\n';
  if (first && last)
    return {begin,
            std::min(after + 1, static_cast<std::uint32_t>(text.size()))};
  return {statement.begin, last ? statement.end : end};
}

std::optional<std::vector<std::uint32_t>> namespacesAt(const SourceText &source,
                                                       std::uint32_t offset) {
  std::vector<std::uint32_t> places;
  for (const std::size_t brace : openBraces(source, offset)) {
    if (!opensNamespace(source, brace))
      return std::nullopt;
    places.push_back(source.tokens[brace].begin);
  }
  return places;
}

std::uint32_t placeBefore(const SourceText &source, std::uint32_t offset) {
  for (const std::size_t brace : openBraces(source, offset))
    if (!opensNamespace(source, brace))
      return aboveComments(source, declarationBegin(source, brace));
  // A lambda's operator begins within the declaration of a variable.
  return aboveComments(source,
                       declarationBegin(source, tokenAt(source, offset)));
}

bool isCompiledWith(const SourceText &source, std::uint32_t place,
                    std::uint32_t offset) {
  const std::vector<std::size_t> here = branchesAt(source, place);
  const std::vector<std::size_t> there = branchesAt(source, offset);
  return here.size() <= there.size() &&
         std::equal(here.begin(), here.end(), there.begin());
}

std::uint32_t commentsAbove(const SourceText &source, std::uint32_t offset) {
  std::size_t next = tokenAt(source, offset);
  while (next > 0 && source.tokens[next - 1].kind == TokenKind::Comment) {
    const TextToken &comment = source.tokens[next - 1];
    const std::string_view gap =
        source.text.substr(comment.end, offset - comment.end);
    const std::size_t line = source.text.rfind('\n', comment.begin) + 1;
    const std::string_view before =
        source.text.substr(line, comment.begin - line);
    if (std::count(gap.begin(), gap.end(), '\n') > 1 ||
        before.find_first_not_of(" \t") != std::string_view::npos)
      break;
    offset = comment.begin;
    --next;
  }
  return offset;
}

std::uint32_t placeAtTop(const SourceText &source, std::uint32_t offset) {
  const std::vector<std::size_t> open = openBraces(source, offset);
  if (open.empty())
    return aboveComments(source, offset);
  return aboveComments(source, declarationBegin(source, open.front()));
}

bool mentionsAreElements(const SourceText &source, const SourceRange &range,
                         std::string_view name,
                         const std::set<std::uint32_t> &places) {
  const auto &tokens = source.tokens;
  for (std::size_t i = tokenAt(source, range.begin);
       i < tokens.size() && tokens[i].begin < range.end; ++i)
    if (spelling(source.text, tokens[i]) == name &&
        (i + 1 == tokens.size() ||
         spelling(source.text, tokens[i + 1]) != "[" ||
         places.count(tokens[i].begin) == 0))
      return false;
  return true;
}

bool dependsOnTypes(const SourceText &source, const SourceRange &range) {
  const auto &tokens = source.tokens;
  const auto at = [&](std::size_t i) -> std::string_view {
    return i < tokens.size() && tokens[i].begin < range.end
               ? spelling(source.text, tokens[i])
               : std::string_view();
  };
  for (std::size_t i = tokenAt(source, range.begin); !at(i).empty(); ++i) {
    const bool isChanging =
        at(i) == "auto" && (at(i + 1) == "&" || at(i + 1) == "&&") &&
        (i == 0 || spelling(source.text, tokens[i - 1]) != "const");
    if (isChanging || at(i) == "decltype" || at(i) == "typeof" ||
        at(i) == "__typeof__")
      return true;
    if ((at(i) != "." && at(i) != "->") || at(i + 2) != "<")
      continue;
    // A list of arguments, if it isn't a comparison.
    for (std::size_t k = i + 3; !at(k).empty() && at(k) != ";"; ++k)
      if ((at(k) == ">" || at(k) == ">>") && at(k + 1) == "(")
        return true;
  }
  return false;
}

std::optional<std::uint32_t> endOfLine(const SourceText &source,
                                       std::uint32_t end) {
  const std::size_t next = tokenAt(source, end);
  const auto isOnLine = [&](std::size_t token) {
    return token < source.tokens.size() &&
           source.text.substr(end, source.tokens[token].begin - end)
                   .find('\n') == std::string_view::npos;
  };
  if (!isOnLine(next))
    return end;
  const TextToken &comment = source.tokens[next];
  const bool isLast = comment.kind == TokenKind::Comment && !isOnLine(next + 1);
  return isLast ? std::optional(comment.end) : std::nullopt;
}

bool hasWholeConditionals(const SourceText &source, const SourceRange &range) {
  unsigned depth = 0;
  for (std::size_t i = tokenAt(source, range.begin);
       i < source.tokens.size() && source.tokens[i].begin < range.end; ++i) {
    if (source.tokens[i].kind != TokenKind::Directive)
      continue;
    const std::string_view word = directive(source, source.tokens[i]);
    if (word.starts_with("if"))
      ++depth;
    else if (depth == 0 ||
             !(word.starts_with("el") || word.starts_with("endif")))
      return false;
    else if (word.starts_with("endif"))
      --depth;
  }
  return depth == 0;
}

bool hasDirective(std::string_view text) {
  for (std::size_t end = text.find('\n'); end != std::string_view::npos;
       end = text.find('\n', end + 1)) {
    const std::size_t first = text.find_first_not_of(" \t", end + 1);
    if (first != std::string_view::npos && text[first] == '#')
      return true;
  }
  return false;
}

} // namespace kfuse
