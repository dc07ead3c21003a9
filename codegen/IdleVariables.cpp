//===- IdleVariables.cpp - Variables that nothing uses any more -----------===//
#include "codegen/IdleVariables.h"

#include "text/Edits.h"
#include "text/Layout.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

namespace kfuse {
namespace {

/// The words of types whose variables do nothing when they are made.
bool isPlainType(std::string_view word) {
  static const std::set<std::string_view> words = {
      "const",    "constexpr", "unsigned", "signed",  "int",
      "long",     "short",     "char",     "bool",    "float",
      "double",   "size_t",    "std",      "dim3",    "auto",
      "int8_t",   "int16_t",   "int32_t",  "int64_t", "uint8_t",
      "uint16_t", "uint32_t",  "uint64_t", "uint",    "ptrdiff_t"};
  return words.count(word) != 0;
}

bool startsOtherStatement(std::string_view word) {
  static const std::set<std::string_view> words = {
      "return", "delete", "static", "extern", "using", "typedef", "goto",
      "case",   "throw",  "new",    "else",   "do",    "public",  "default"};
  return words.count(word) != 0;
}

/// `size_t bytes = n * 4, *a, *b = nullptr;`
struct Declaration {
  struct Declarator {
    std::string name; ///< empty if it may do something
    std::uint32_t begin = 0, end = 0;
  };
  std::uint32_t begin = 0, end = 0;
  std::vector<Declarator> declarators;
};

class IdleFinder {
public:
  IdleFinder(const SourceText &source, const Names &names)
      : Source(source), Unique(names) {
    for (const TextToken &token : source.tokens) {
      if (token.kind == TokenKind::Directive)
        addIdentifiers(spelling(source.text, token).substr(1), InDirectives);
      if (token.kind != TokenKind::Comment)
        Code.push_back(token);
    }
  }

  /// Returns the idle variables, each by its declaration and name.
  std::set<std::string> find() {
    std::set<std::string> idle;
    forEach([&](const Declaration &found, std::size_t brace) {
      for (const Declaration::Declarator &each : found.declarators)
        if (isIdle(each.name, brace))
          idle.insert(keyOf(each));
    });
    return idle;
  }

  /// Returns the edits that delete these, except the variables `before`.
  Edits remove(const std::set<std::string> &before) {
    Edits edits;
    forEach([&](const Declaration &found, std::size_t brace) {
      edit(found, brace, before, edits);
    });
    return edits;
  }

private:
  std::string_view word(std::size_t i) const {
    return i < Code.size() ? spelling(Source.text, Code[i])
                           : std::string_view();
  }

  std::string keyOf(const Declaration::Declarator &declarator) const {
    return std::string(Source.text.substr(declarator.begin,
                                          declarator.end - declarator.begin));
  }

  /// Calls `take` with each declaration of plain variables, and the brace that
  /// it is in.
  template <typename Action> void forEach(Action take) const {
    std::vector<std::size_t> open; // the braces around
    for (std::size_t i = 0; i < Code.size(); ++i) {
      const std::string_view before = i == 0 ? "" : word(i - 1);
      if (before == "{")
        open.push_back(i - 1);
      if (before == "}" && !open.empty())
        open.pop_back();
      const bool isFirst = before == ";" || before == "{" || before == "}";
      if (isFirst && !open.empty() && isBlock(open.back()) &&
          Code[i].kind == TokenKind::Identifier)
        if (const auto found = parse(i))
          take(*found, open.back());
    }
  }

  /// Checks whether the brace begins statements, not members or values.
  bool isBlock(std::size_t brace) const {
    const std::string_view before = brace == 0 ? "" : word(brace - 1);
    return before == ")" || before == "{" || before == "}" || before == ";" ||
           before == "else" || before == "do" || before == "const" ||
           before == "noexcept" || before == "try";
  }

  std::optional<Declaration> parse(std::size_t i) const {
    Declaration found;
    found.begin = Code[i].begin;
    const std::size_t type = i;
    bool isPlain = true;
    while (Code[i].kind == TokenKind::Identifier || word(i) == "::") {
      if (++i >= Code.size())
        return std::nullopt;
    }
    if (word(i) != "*" && i > type)
      --i; // the first declarator's name
    if (i == type || word(i - 1) == "::" || startsOtherStatement(word(type)))
      return std::nullopt;
    for (std::size_t each = type; each < i; ++each)
      isPlain &= word(each) == "::" || isPlainType(word(each));
    for (;; ++i) {
      found.declarators.push_back(declarator(i, isPlain));
      if (word(i) == ";")
        break;
      if (word(i) != ",")
        return std::nullopt;
    }
    found.end = Code[i].end;
    const bool hasName = std::any_of(
        found.declarators.begin(), found.declarators.end(),
        [](const Declaration::Declarator &each) { return !each.name.empty(); });
    return hasName && !hasComment(found) && beginsStatement(Source, found.begin)
               ? std::optional(found)
               : std::nullopt;
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

  /// Reads the declarator that begins at token `i`, and sets `i` to the token
  /// after it.
  Declaration::Declarator declarator(std::size_t &i, bool isPlain) const {
    Declaration::Declarator found;
    found.begin = i < Code.size() ? Code[i].begin : 0;
    const std::size_t first = i;
    while (word(i) == "*")
      ++i;
    const bool isPointer = i > first;
    const std::size_t name = i++;
    int depth = 0;
    bool onlyComputes = true;
    for (; i < Code.size(); ++i) {
      const std::string_view next = word(i);
      if (depth == 0 && (next == "," || next == ";"))
        break;
      depth += next == "(" || next == "[" || next == "{" ? 1 : 0;
      depth -= next == ")" || next == "]" || next == "}" ? 1 : 0;
      onlyComputes &= i == name + 1 || computes(i);
    }
    const std::string_view start = word(name + 1);
    const bool isEmpty = i == name + 1;
    const bool isNull = start == "=" && i == name + 3 &&
                        (word(name + 2) == "nullptr" ||
                         word(name + 2) == "NULL" || word(name + 2) == "0");
    const bool isValue = isPlain && onlyComputes &&
                         (start == "=" || start == "(" || start == "{");
    if (name < Code.size() && Code[name].kind == TokenKind::Identifier &&
        (isPointer ? isEmpty || isNull : isValue))
      found.name = word(name);
    found.end = i == 0 || i > Code.size() ? 0 : Code[i - 1].end;
    return found;
  }

  /// Checks whether the token is a part of an expression without side effects.
  bool computes(std::size_t i) const {
    const std::string_view next = word(i), before = word(i - 1);
    const bool isAssignment = next.ends_with("=") && next != "==" &&
                              next != "!=" && next != "<=" && next != ">=";
    if (isAssignment || next == "++" || next == "--" || next == "[" ||
        next == "new" || next == "throw" ||
        Code[i].kind == TokenKind::Directive)
      return false;
    if (next != "(")
      return true;
    const bool isCall = Code[i - 1].kind == TokenKind::Identifier ||
                        before == ")" || before == "]" || before == ">";
    return !isCall || before == "sizeof" ||
           (before == "size" && word(i + 1) == ")") || isPlainType(before);
  }

  /// Returns how often the block has the name.
  std::size_t mentions(const std::string &name, std::size_t brace) const {
    std::size_t count = 0;
    int depth = 0;
    for (std::size_t i = brace; i < Code.size(); ++i) {
      depth += word(i) == "{" ? 1 : word(i) == "}" ? -1 : 0;
      if (depth == 0)
        break;
      count += word(i) == name ? 1 : 0;
    }
    return count;
  }

  bool isIdle(const std::string &name, std::size_t brace) const {
    return !name.empty() && InDirectives.count(name) == 0 &&
           !Unique.inMacro(name) && mentions(name, brace) == 1;
  }

  void edit(const Declaration &found, std::size_t brace,
            const std::set<std::string> &before, Edits &edits) const {
    std::string kept;
    std::size_t idle = 0;
    for (const Declaration::Declarator &each : found.declarators)
      if (isIdle(each.name, brace) && before.count(keyOf(each)) == 0)
        ++idle;
      else
        kept += (kept.empty() ? "" : ", ") + keyOf(each);
    if (idle == 0)
      return;
    if (!kept.empty()) {
      edits.replace(found.declarators.front().begin,
                    found.declarators.back().end, kept);
      return;
    }
    SourceRange statement;
    statement.line = 1;
    statement.begin = found.begin;
    statement.end = endOfLine(Source, found.end).value_or(found.end);
    const TextRange extent = removal(Source, statement);
    edits.replace(extent.begin, extent.end, "");
  }

  const SourceText &Source;
  const Names &Unique;
  std::set<std::string> InDirectives;
  std::vector<TextToken> Code;
};

bool isBlank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

/// Checks whether the line says which function the next ones are from
/// (frontend/rewrite/InlineCalls.cpp).
bool isOrigin(std::string_view line) {
  return line.find("// From ") != std::string_view::npos &&
         line.find_first_not_of(" \t") == line.find("//") &&
         line.ends_with("():");
}

/// Deletes lines on which only white space is left, and those that say of
/// nothing which function it is from.
std::string withoutEmptyLines(const std::string &text,
                              const std::string &before) {
  const auto linesOf = [](std::string_view all) {
    std::vector<std::string_view> lines;
    while (!all.empty()) {
      const std::size_t end = std::min(all.find('\n'), all.size() - 1);
      lines.push_back(all.substr(0, end + 1));
      all.remove_prefix(end + 1);
    }
    return lines;
  };
  const auto isLeft = [](std::string_view line) {
    return line.size() > 1 && line != "\r\n" &&
           isBlank(line.substr(0, line.size() - 1));
  };
  const auto old = linesOf(before);
  const bool hadBlanks = std::any_of(old.begin(), old.end(), isLeft);
  const auto lines = linesOf(text);
  std::string kept;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto content = [&](std::size_t line) {
      return line < lines.size() ? lines[line].substr(0, lines[line].size() - 1)
                                 : std::string_view();
    };
    if ((!hadBlanks && isLeft(lines[i])) ||
        (isOrigin(content(i)) && content(i) == content(i + 1)))
      continue;
    kept += lines[i];
  }
  return kept;
}

} // namespace

std::string withoutIdleVariables(std::string text, const std::string &before,
                                 const Names &names) {
  // A variable may be all that used another one.
  constexpr unsigned MostRounds = 4;
  const SourceText original(before);
  const std::set<std::string> known = IdleFinder(original, names).find();
  for (unsigned round = 0; round < MostRounds; ++round) {
    const SourceText source(text);
    const Edits edits = IdleFinder(source, names).remove(known);
    auto next = edits.apply(text, 0, static_cast<std::uint32_t>(text.size()));
    if (!next || *next == text)
      break;
    text = *std::move(next);
  }
  return withoutEmptyLines(text, before);
}

} // namespace kfuse
