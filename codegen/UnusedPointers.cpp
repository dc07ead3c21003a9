//===- UnusedPointers.cpp - Variables of arrays that are gone -------------===//
#include "codegen/UnusedPointers.h"

#include <algorithm>
#include <map>
#include <optional>

namespace kfuse {
namespace {

/// `float host[9], *a, *b = nullptr;`: where the statement begins and ends, and
/// its declarators.
struct Declaration {
  std::uint32_t begin = 0, end = 0;
  struct Declarator {
    std::string name; ///< of a pointer that is given nothing; else empty
    std::uint32_t begin = 0, end = 0;
  };
  std::vector<Declarator> declarators;
};

class PointerUseFinder {
public:
  PointerUseFinder(const SourceText &source, const SourceRange &function,
                   const std::vector<TextRange> &gone)
      : Source(source) {
    for (std::size_t i = tokenAt(source, function.begin);
         i < source.tokens.size() && source.tokens[i].begin < function.end; ++i)
      if (source.tokens[i].kind != TokenKind::Comment)
        Code.push_back(source.tokens[i]);
    for (std::size_t i = 0; i < Code.size(); ++i)
      if (std::none_of(gone.begin(), gone.end(), [&](const TextRange &extent) {
            return extent.begin <= Code[i].begin && Code[i].end <= extent.end;
          }))
        Mentions[std::string(word(i))].push_back(i);
  }

  /// Returns the declaration of `name` if nothing else mentions the name;
  /// nullopt if something does, or if the declaration has another form.
  std::optional<Declaration> declarationOf(const std::string &name) const {
    const auto known = Mentions.find(name);
    if (known == Mentions.end() || known->second.size() != 1)
      return std::nullopt;
    for (const auto &[text, places] : Mentions)
      if (text.starts_with("#") && mentions(text.substr(1), name))
        return std::nullopt;
    return parse(known->second.front());
  }

private:
  std::string_view word(std::size_t i) const {
    return i < Code.size() ? spelling(Source.text, Code[i])
                           : std::string_view();
  }

  /// Checks whether the declaration has a comment, which belongs to one of the
  /// declarators.
  bool hasComment(const Declaration &found) const {
    for (std::size_t i = tokenAt(Source, found.begin);
         i < Source.tokens.size() && Source.tokens[i].begin < found.end; ++i)
      if (Source.tokens[i].kind == TokenKind::Comment)
        return true;
    return false;
  }

  std::optional<Declaration> parse(std::size_t inside) const {
    std::size_t i = inside;
    while (i > 0 && word(i - 1) != ";" && word(i - 1) != "{" &&
           word(i - 1) != "}")
      --i;
    Declaration found;
    found.begin = Code[i].begin;
    if (!beginsStatement(Source, found.begin))
      return std::nullopt;
    // The type: words alone.
    const std::size_t type = i;
    while (i < Code.size() &&
           (Code[i].kind == TokenKind::Identifier || word(i) == "::"))
      ++i;
    if (word(i) != "*" && i > type)
      --i; // the first declarator's name
    if (i == type || word(i - 1) == "::" || word(type) == "return" ||
        word(type) == "delete" || word(type) == "static" ||
        word(type) == "extern")
      return std::nullopt;
    while (true) {
      found.declarators.push_back(declarator(i));
      if (word(i) == ";") {
        found.end = Code[i].end;
        const bool isHere =
            std::any_of(found.declarators.begin(), found.declarators.end(),
                        [&](const Declaration::Declarator &each) {
                          return each.name == word(inside);
                        });
        return hasComment(found) || !isHere ? std::nullopt
                                            : std::optional(found);
      }
      if (word(i) != ",")
        return std::nullopt;
      ++i;
    }
  }

  /// Reads the declarator that begins at token `i`, and sets `i` to the token
  /// after it.
  Declaration::Declarator declarator(std::size_t &i) const {
    Declaration::Declarator found;
    found.begin = i < Code.size() ? Code[i].begin : 0;
    const std::size_t first = i;
    while (word(i) == "*")
      ++i;
    if (i > first && i < Code.size() && Code[i].kind == TokenKind::Identifier) {
      const std::size_t end =
          word(i + 1) == "=" && (word(i + 2) == "nullptr" ||
                                 word(i + 2) == "NULL" || word(i + 2) == "0")
              ? i + 3
              : i + 1;
      if (word(end) == "," || word(end) == ";")
        found.name = word(i);
    }
    int depth = 0;
    for (; i < Code.size(); ++i) {
      const std::string_view next = word(i);
      if (depth == 0 && (next == "," || next == ";"))
        break;
      depth += next == "(" || next == "[" || next == "{" ? 1 : 0;
      depth -= next == ")" || next == "]" || next == "}" ? 1 : 0;
      found.end = Code[i].end;
    }
    return found;
  }

  const SourceText &Source;
  std::vector<TextToken> Code;
  std::map<std::string, std::vector<std::size_t>> Mentions;
};

} // namespace

Edits withoutPointers(const SourceText &source, const SourceRange &function,
                      const std::set<std::string> &names,
                      const std::vector<TextRange> &gone) {
  const PointerUseFinder finder(source, function, gone);
  std::map<std::uint32_t, std::pair<Declaration, std::set<std::string>>> found;
  for (const std::string &name : names)
    if (auto declaration = finder.declarationOf(name)) {
      const std::uint32_t begin = declaration->begin;
      auto &entry = found[begin];
      entry.first = *std::move(declaration);
      entry.second.insert(name);
    }
  Edits edits;
  for (const auto &[begin, entry] : found) {
    const auto &[declaration, unused] = entry;
    std::string kept;
    for (const auto &each : declaration.declarators)
      if (unused.count(each.name) == 0)
        kept +=
            (kept.empty() ? "" : ", ") +
            std::string(source.text.substr(each.begin, each.end - each.begin));
    if (!kept.empty()) {
      edits.replace(declaration.declarators.front().begin,
                    declaration.declarators.back().end, kept);
      continue;
    }
    SourceRange statement = function;
    statement.begin = declaration.begin;
    statement.end = declaration.end;
    const TextRange extent = removal(source, statement);
    edits.replace(extent.begin, extent.end, "");
  }
  return edits;
}

} // namespace kfuse
