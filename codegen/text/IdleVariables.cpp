//===- IdleVariables.cpp - Variables that nothing uses any more -----------===//
#include "codegen/text/IdleVariables.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace kfuse {
namespace {

using Declarator = VariableDeclaration::Declarator;
/// How often each name is mentioned.
using Mentions = std::map<std::string, unsigned, std::less<>>;

Mentions mentionsIn(std::string_view text) {
  Mentions found;
  for (const TextToken &token : tokensOf(text)) {
    const std::string_view word = spelling(text, token);
    if (token.kind == TokenKind::Identifier)
      ++found[std::string(word)];
    if (token.kind == TokenKind::Directive)
      for (const auto &[name, count] : mentionsIn(word.substr(1)))
        found[name] += count;
  }
  return found;
}

class Remover {
public:
  Remover(const SourceText &source,
          const std::vector<const VariableDeclaration *> &declarations,
          Edits &edits)
      : Source(source), All(edits) {
    for (const VariableDeclaration *each : declarations)
      addScope(each->scope);
  }

  /// Finds those of the declaration's variables that are idle now. Returns
  /// whether there are new ones.
  bool findIdle(const VariableDeclaration &declaration) {
    const auto scope =
        Known.find({declaration.scope.begin, declaration.scope.end});
    if (scope == Known.end() || hasCommentOrDirective(declaration.statement) ||
        !beginsStatement(Source, declaration.statement.begin))
      return false;
    bool isAny = false;
    for (const Declarator &each : declaration.declarators) {
      const auto count = scope->second.find(each.name);
      // Text that was replaced isn't the declaration any more.
      if (each.name.empty() || count == scope->second.end() ||
          count->second != 1 ||
          All.touch(each.range.begin + 1, each.range.end - 1) ||
          !Idle.insert(&each).second)
        continue;
      isAny = true;
      forget(each.range);
    }
    return isAny;
  }

  /// Deletes the idle variables of the declaration.
  void shorten(const VariableDeclaration &declaration) {
    std::string kept;
    bool isAny = false;
    for (const Declarator &each : declaration.declarators) {
      const bool isIdle = Idle.count(&each) != 0;
      isAny |= isIdle;
      if (!isIdle)
        kept += (kept.empty() ? "" : ", ") + std::string(textOf(each.range));
    }
    TextRange gone{declaration.declarators.front().range.begin,
                   declaration.declarators.back().range.end};
    if (kept.empty()) {
      SourceRange line = declaration.statement;
      line.end = endOfLine(Source, line.end).value_or(line.end);
      gone = removal(Source, line);
    }
    Edits next = All;
    next.replace(gone.begin, gone.end, kept);
    const auto all = static_cast<std::uint32_t>(Source.text.size());
    if (isAny && next.apply(Source.text, 0, all))
      All = std::move(next);
  }

private:
  std::string_view textOf(const SourceRange &range) const {
    return std::string_view(Source.text)
        .substr(range.begin, range.end - range.begin);
  }

  bool hasCommentOrDirective(const SourceRange &statement) const {
    for (std::size_t i = tokenAt(Source, statement.begin);
         i < Source.tokens.size() && Source.tokens[i].begin < statement.end;
         ++i)
      if (Source.tokens[i].kind == TokenKind::Comment ||
          Source.tokens[i].kind == TokenKind::Directive)
        return true;
    return false;
  }

  /// Notes the names in the scope as it will be, unless nothing changes there
  /// or all of it is replaced.
  void addScope(const SourceRange &scope) {
    if (!All.touch(scope.begin, scope.end) ||
        Known.count({scope.begin, scope.end}) != 0)
      return;
    const auto edits = All.within(scope.begin, scope.end);
    if (const auto text =
            edits ? edits->apply(Source.text, scope.begin, scope.end)
                  : std::nullopt)
      Known[{scope.begin, scope.end}] = mentionsIn(*text);
  }

  /// Takes the mentions in `range` from those of the scopes around it.
  void forget(const SourceRange &range) {
    const Mentions gone = mentionsIn(textOf(range));
    for (auto &[scope, mentions] : Known)
      if (scope.first <= range.begin && range.end <= scope.second)
        for (const auto &[name, count] : gone)
          mentions[name] -= std::min(mentions[name], count);
  }

  const SourceText &Source;
  Edits &All;
  std::set<const Declarator *> Idle;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Mentions>
      Known; ///< by scope
};

} // namespace

void removeIdleVariables(const SourceText &source, const Program &program,
                         const SourceRange &text, Edits &edits) {
  // A pragma in a string may name any of them.
  if (source.text.find("_Pragma") != std::string::npos)
    return;
  std::vector<const VariableDeclaration *> all;
  for (const VariableDeclaration &each : program.declarations)
    if (each.statement.file == text.file &&
        text.begin <= each.statement.begin && each.statement.end <= text.end)
      all.push_back(&each);
  Remover remover(source, all, edits);
  // A variable may be all that used another one.
  for (bool isAny = true; isAny;) {
    isAny = false;
    for (const VariableDeclaration *each : all)
      isAny |= remover.findIdle(*each);
  }
  for (const VariableDeclaration *each : all)
    remover.shorten(*each);
}

} // namespace kfuse
