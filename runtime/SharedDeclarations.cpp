//===- SharedDeclarations.cpp - `extern __shared__` -----------------------===//

#include "runtime/SharedDeclarations.h"

#include "runtime/Launches.h"

#include <algorithm>
#include <array>

namespace kfuse {
namespace {

using Index = std::optional<std::size_t>;

/// Returns the tokens of the declaration that contains `__shared__` at
/// `shared`, from `extern` on and without the semicolon; none if it isn't
/// extern.
std::optional<TokenRange> externDeclaration(const TokenList &tokens,
                                            std::size_t shared) {
  constexpr int FarEnough = 16; // specifiers, attributes and a type's name
  TokenRange range{shared, shared + 1};
  bool isExtern = false;
  Index at = tokens.previous(shared);
  for (int i = 0; at && i < FarEnough && !isExtern; ++i) {
    const std::string_view text = tokens[*at].text;
    if (text == ";" || text == "{" || text == "}")
      break;
    if (text == "extern") {
      isExtern = true;
      range.first = *at;
    }
    at = tokens.previous(*at);
  }
  for (at = tokens.next(shared); at && !tokens.is(*at, ";");
       at = tokens.next(*at)) {
    if (tokens.is(*at, "{") || tokens.is(*at, "}"))
      return std::nullopt;
    isExtern |= tokens.is(*at, "extern");
    range.last = *at + 1;
  }
  return isExtern ? std::optional(range) : std::nullopt;
}

/// Checks whether the token is a specifier that the replacement has no use for.
/// If it has arguments, `last` is set to their closing parenthesis.
bool isDropped(const TokenList &tokens, std::size_t i, std::size_t &last) {
  constexpr std::array Plain = {"extern", "__shared__", "static", "__device__"};
  constexpr std::array WithArguments = {"__align__", "alignas", "__attribute__",
                                        "__builtin_align__"};
  last = i;
  if (std::find(Plain.begin(), Plain.end(), tokens[i].text) != Plain.end())
    return true;
  if (std::find(WithArguments.begin(), WithArguments.end(), tokens[i].text) ==
      WithArguments.end())
    return false;
  const Index open = tokens.next(i);
  const Index close =
      open && tokens.is(*open, "(") ? tokens.closing(*open) : std::nullopt;
  if (!close)
    return false;
  last = *close;
  return true;
}

/// Describes the parts of a declaration: the names that it declares and the
/// tokens of their type.
struct Declaration {
  std::vector<std::size_t> names;
  std::vector<std::size_t> type; ///< tokens before the first name
};

Declaration partsOf(const TokenList &tokens, TokenRange range,
                    TokenReplacements &replacements) {
  Declaration parts;
  int angles = 0, brackets = 0;
  for (std::size_t i = range.first; i < range.last; ++i) {
    std::size_t last = i;
    if (isDropped(tokens, i, last)) {
      for (; i < last; ++i)
        replacements[i] = "";
      replacements[i] = "";
      continue;
    }
    const std::string_view text = tokens[i].text;
    angles += text == "<" ? 1 : 0;
    angles -= text == ">" ? 1 : text == ">>" ? 2 : 0;
    brackets += text == "[" || text == "(" ? 1 : 0;
    brackets -= text == "]" || text == ")" ? 1 : 0;
    const bool endsDeclarator =
        i + 1 == range.last || tokens.is(i + 1, "[") || tokens.is(i + 1, ",");
    if (tokens.isIdentifier(i) && angles == 0 && brackets == 0 &&
        endsDeclarator)
      parts.names.push_back(i);
    else if (parts.names.empty())
      parts.type.push_back(i);
  }
  return parts;
}

/// Writes `float (&s)[] = ::kfuse_cpu::dynamicShared();`.
void replaceLocal(const TokenList &tokens, TokenRange range,
                  const Declaration &parts, TokenReplacements &replacements) {
  const std::string initializer = " = ::kfuse_cpu::dynamicShared()";
  for (std::size_t i = 0; i < parts.names.size(); ++i) {
    const std::size_t name = parts.names[i];
    const bool isLast = i + 1 == parts.names.size();
    const std::size_t end = isLast ? range.last : parts.names[i + 1];
    std::string declarator = "(&" + std::string(tokens[name].text) + ")";
    // The declarator's last token is before the comma or before the end.
    std::size_t last = name;
    while (last + 1 < end && !tokens.is(last + 1, ","))
      ++last;
    if (last == name) {
      replacements[name] = declarator + initializer;
    } else {
      replacements[name] = declarator;
      replacements[last] = std::string(tokens[last].text) + initializer;
    }
  }
}

/// Writes `static ::kfuse_cpu::DynamicShared<float> s;` for a single name,
/// whose first dimension is the unknown one.
void replaceGlobal(const TokenList &tokens, TokenRange range,
                   const Declaration &parts, TokenReplacements &replacements) {
  std::string type;
  for (std::size_t i : parts.type) {
    type += (type.empty() ? "" : " ") + std::string(tokens[i].text);
    replacements[i] = "";
  }
  const std::size_t name = parts.names.front();
  const Index open = tokens.next(name);
  const Index close =
      open && tokens.is(*open, "[") ? tokens.closing(*open) : std::nullopt;
  std::size_t from = close ? *close + 1 : name + 1;
  const std::string dimensions(tokens.textOf(from, range.last));
  for (std::size_t i = name; i < range.last; ++i)
    replacements[i] = "";
  replacements[range.first] = "static ::kfuse_cpu::DynamicShared<" + type +
                              dimensions + "> " +
                              std::string(tokens[name].text);
}

/// Returns which tokens are inside braces other than those of a namespace.
std::vector<bool> insideFunctions(const TokenList &tokens) {
  std::vector<bool> result(tokens.size());
  std::vector<bool> braces; // true: not a namespace's
  int depth = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    result[i] = depth > 0 || tokens[i].directive != 0;
    if (tokens[i].directive != 0)
      continue;
    if (tokens.is(i, "{")) {
      Index before = tokens.previous(i);
      bool isNamespace = false;
      for (int steps = 0; before && steps < 8; ++steps) {
        if (tokens.is(*before, "namespace") || tokens.is(*before, "extern")) {
          isNamespace = true;
          break;
        }
        if (!tokens.isIdentifier(*before) && !tokens.is(*before, "::") &&
            tokens[*before].kind != RawTokenKind::Literal)
          break;
        before = tokens.previous(*before);
      }
      braces.push_back(!isNamespace);
      depth += !isNamespace;
    } else if (tokens.is(i, "}") && !braces.empty()) {
      depth -= braces.back();
      braces.pop_back();
    }
  }
  return result;
}

} // namespace

void replaceExternShared(const TokenList &tokens,
                         TokenReplacements &replacements) {
  std::vector<bool> inFunction;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!tokens.is(i, "__shared__"))
      continue;
    const std::optional<TokenRange> range = externDeclaration(tokens, i);
    if (!range)
      continue;
    TokenReplacements changes;
    const Declaration parts = partsOf(tokens, *range, changes);
    if (parts.names.empty())
      continue;
    if (inFunction.empty())
      inFunction = insideFunctions(tokens);
    if (inFunction[i])
      replaceLocal(tokens, *range, parts, changes);
    else
      replaceGlobal(tokens, *range, parts, changes);
    replacements.insert(changes.begin(), changes.end());
  }
}

} // namespace kfuse
