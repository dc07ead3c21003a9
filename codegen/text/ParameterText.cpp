//===- ParameterText.cpp - Parameters, their lists, comments --------------===//
#include "codegen/text/ParameterText.h"

#include "text/Layout.h"
#include "text/Tokens.h"

#include <algorithm>
#include <set>

namespace kfuse {
namespace {

bool isRestrictWord(std::string_view word) {
  return word == "__restrict__" || word == "__restrict" || word == "restrict";
}

/// Returns the text without the identifiers for which `drop` holds, and without
/// the blanks that would then stand there twice.
template <typename Drop>
std::string without(std::string_view text, const Drop &drop) {
  std::string result;
  std::uint32_t position = 0;
  for (const TextToken &token : tokensOf(text)) {
    if (token.kind != TokenKind::Identifier || !drop(spelling(text, token)))
      continue;
    result += text.substr(position, token.begin - position);
    position = token.end;
    const bool needsNoBlank = result.empty() || result.back() == '*' ||
                              result.back() == '&' || result.back() == ' ';
    while (needsNoBlank && position < text.size() && text[position] == ' ')
      ++position;
  }
  return result + std::string(text.substr(position));
}

} // namespace

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos)
    return {};
  return std::string(
      text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

std::string withoutRestrict(std::string_view declaration) {
  return without(declaration, isRestrictWord);
}

std::string withoutConst(std::string_view type) {
  return trimmed(
      without(type, [](std::string_view word) { return word == "const"; }));
}

std::string withoutDefault(std::string_view declaration) {
  for (const TextToken &token : tokensOf(declaration))
    if (spelling(declaration, token) == "=")
      return trimmed(declaration.substr(0, token.begin));
  return trimmed(declaration);
}

std::optional<std::string> pointeeText(std::string_view declaration) {
  std::optional<std::uint32_t> star;
  unsigned names = 0;
  for (const TextToken &token : tokensOf(declaration)) {
    const std::string_view word = spelling(declaration, token);
    const bool isQualifier = word == "const" || isRestrictWord(word);
    const bool isName = token.kind == TokenKind::Identifier && !isQualifier;
    if (word == "*" && !star) {
      star = token.begin;
    } else if (star) {
      if (!isName && !isQualifier)
        return std::nullopt;
      names += isName ? 1 : 0;
    } else if (word == "(" || word == "[" || word == "&" ||
               word == "volatile" || token.kind == TokenKind::Comment ||
               token.kind == TokenKind::Directive) {
      return std::nullopt;
    }
  }
  if (!star || names != 1)
    return std::nullopt;
  return withoutConst(declaration.substr(0, *star));
}

std::string declare(const std::string &type, const std::string &name,
                    bool isRestrict) {
  const std::string qualified = (isRestrict ? "__restrict__ " : "") + name;
  if (const std::size_t inner = type.find("(*"); inner != std::string::npos) {
    const std::size_t close = type.find(')', inner);
    if (close != std::string::npos)
      return type.substr(0, close) + qualified + type.substr(close);
  }
  const bool touches = !type.empty() && type.back() == '*';
  return type + (touches ? "" : " ") + qualified;
}

bool isSpellable(std::string_view type) {
  return !type.empty() && type.find("(lambda") == std::string_view::npos &&
         type.find("(anonymous") == std::string_view::npos &&
         type.find("(unnamed") == std::string_view::npos &&
         !mentions(type, "auto");
}

bool isBuiltinType(std::string_view type) {
  static const std::set<std::string_view> words = {
      "char",   "short", "int",    "long",    "float",
      "double", "bool",  "signed", "unsigned"};
  for (const TextToken &token : tokensOf(type))
    if (words.count(spelling(type, token)) == 0)
      return false;
  return !type.empty();
}

std::string commentLines(const std::string &sentence,
                         const std::string &indent) {
  std::string text, line = indent + "//";
  for (std::size_t at = 0; at < sentence.size();) {
    const std::size_t end = std::min(sentence.find(' ', at), sentence.size());
    if (line.size() + 1 + (end - at) > Columns) {
      text += line + "\n";
      line = indent + "//";
    }
    line += " " + sentence.substr(at, end - at);
    at = end + 1;
  }
  return text + line + "\n";
}

std::string inNamespaces(const std::vector<std::string> &namespaces,
                         const std::string &definition) {
  std::string open, close;
  for (const std::string &space : namespaces) {
    const std::string name = space.empty() ? "" : " " + space;
    open += "namespace" + name + " {\n";
    close = "\n} // namespace" + name + close;
  }
  return open + definition + close;
}

std::string indented(const std::string &lines, const std::string &indent) {
  std::string text;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size() - 1);
    if (lines[at] != '\n' && lines[at] != '#')
      text += indent;
    text += lines.substr(at, end + 1 - at);
    at = end + 1;
  }
  return text;
}

std::string listed(const std::string &before,
                   const std::vector<std::string> &items,
                   const std::string &after, const std::string &indent,
                   const std::string &separator) {
  std::string text = indent + before;
  std::string all;
  for (std::size_t i = 0; i < items.size(); ++i)
    all += (i == 0 ? "" : separator + " ") + items[i];
  if (text.size() + all.size() + after.size() <= Columns || items.empty())
    return text + all + after;
  // If little room is left the list begins on a line of its own.
  const bool isNarrow = text.size() > Columns / 2;
  const std::string hanging =
      indent + (isNarrow ? "    " : std::string(before.size(), ' '));
  std::size_t column = text.size();
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string item =
        items[i] + (i + 1 == items.size() ? after : separator);
    const bool breaks = i == 0 ? isNarrow : column + 1 + item.size() > Columns;
    if (breaks) {
      text += "\n" + hanging;
      column = hanging.size();
    } else if (i != 0) {
      text += " ";
      ++column;
    }
    text += item;
    column += item.size();
  }
  return text;
}

} // namespace kfuse
