//===- Names.cpp - Names that collide with nothing ------------------------===//
#include "codegen/text/Names.h"

namespace kfuse {
namespace {

using WordSet = std::set<std::string>;

/// The words that macros mention, by the macros' names.
using MacroWords = std::map<std::string, WordSet>;

/// Returns the parameters of the macro that the tokens of a `#define` define.
WordSet macroParameters(std::string_view text,
                        const std::vector<TextToken> &tokens) {
  WordSet parameters;
  if (tokens.size() < 3 || spelling(text, tokens[2]) != "(" ||
      tokens[2].begin != tokens[1].end)
    return parameters;
  for (std::size_t i = 3; i < tokens.size() && spelling(text, tokens[i]) != ")";
       ++i)
    parameters.emplace(spelling(text, tokens[i]));
  return parameters;
}

/// Collects the identifiers of `text`, and those that a definition of a macro
/// mentions, except its parameters.
void collect(std::string_view text, const std::vector<TextToken> &tokens,
             WordSet &names, MacroWords &macros) {
  for (const TextToken &token : tokens) {
    const std::string_view word = spelling(text, token);
    if (token.kind == TokenKind::Identifier)
      names.emplace(word);
    if (token.kind != TokenKind::Directive)
      continue;
    const std::string_view rest = word.substr(1);
    const std::vector<TextToken> inner = tokensOf(rest);
    collect(rest, inner, names, macros);
    if (inner.size() < 2 || spelling(rest, inner.front()) != "define")
      continue;
    WordSet mentioned;
    MacroWords none;
    collect(rest, inner, mentioned, none);
    for (const std::string &parameter : macroParameters(rest, inner))
      mentioned.erase(parameter);
    macros[std::string(spelling(rest, inner[1]))].merge(mentioned);
  }
}

/// Returns `wanted`, or the first of `wanted2`, `wanted3`, ... that is free.
template <typename IsFree>
std::string numbered(const std::string &wanted, IsFree isFree) {
  std::string name = wanted;
  for (unsigned number = 2; !isFree(name); ++number)
    name = wanted + std::to_string(number);
  return name;
}

} // namespace

void addIdentifiers(std::string_view text, std::set<std::string> &names) {
  for (const TextToken &token : tokensOf(text))
    if (token.kind == TokenKind::Identifier)
      names.emplace(spelling(text, token));
}

Names::Names(const Sources &sources, const std::vector<std::string> &macros)
    : Used(macros.begin(), macros.end()), Macros(Used), Defined(Used),
      Elsewhere(Used) {
  for (std::uint32_t i = 0; i < sources.count(); ++i)
    collect(sources[i].text, sources[i].tokens, Used, Definitions);
  for (const auto &[macro, mentioned] : Definitions) {
    Defined.insert(macro);
    Macros.insert(mentioned.begin(), mentioned.end());
  }
}

std::set<std::string> Names::mentionedBy(const WordSet &words) const {
  WordSet result;
  std::vector<std::string> open(words.begin(), words.end());
  while (!open.empty()) {
    const std::string word = std::move(open.back());
    open.pop_back();
    if (!isMacro(word) || !result.insert(word).second)
      continue;
    const auto known = Definitions.find(word);
    const WordSet &mentioned =
        known == Definitions.end() ? Elsewhere : known->second;
    for (const std::string &each : mentioned)
      if (isMacro(each))
        open.push_back(each);
      else
        result.insert(each);
  }
  return result;
}

std::string Names::fresh(const std::string &wanted) {
  std::string name = numbered(
      wanted, [this](const std::string &n) { return Used.count(n) == 0; });
  Used.insert(name);
  return name;
}

std::string suffixed(std::string_view name, std::string_view suffix) {
  while (name.size() > 1 && name.back() == '_')
    name.remove_suffix(1);
  return std::string(name) + std::string(suffix);
}

std::string Names::local(const std::string &wanted,
                         std::set<std::string> &taken) const {
  std::string name = numbered(wanted, [&](const std::string &n) {
    return Used.count(n) == 0 && taken.count(n) == 0;
  });
  taken.insert(name);
  return name;
}

std::string Names::inner(const std::string &wanted,
                         std::set<std::string> &taken) const {
  std::string name = numbered(wanted, [&](const std::string &n) {
    return Macros.count(n) == 0 && taken.count(n) == 0;
  });
  taken.insert(name);
  return name;
}

std::string Names::plain(const std::string &wanted,
                         std::set<std::string> &taken) const {
  std::string name = numbered(wanted, [&](const std::string &n) {
    return !isMacro(n) && taken.count(n) == 0;
  });
  taken.insert(name);
  return name;
}

std::string Names::parameter(const std::string &wanted,
                             const std::string &suffix,
                             std::set<std::string> &taken) const {
  if (!isMacro(wanted) && taken.insert(wanted).second)
    return wanted;
  return local(wanted + "_" + suffix, taken);
}

} // namespace kfuse
