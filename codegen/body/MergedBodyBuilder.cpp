//===- MergedBodyBuilder.cpp - A merged body while it is written ----------===//
#include "codegen/body/MergedBodyBuilder.h"

#include "codegen/text/ParameterText.h"
#include "codegen/text/PlainLoads.h"
#include "graphs/program/Aliases.h"

#include <algorithm>

namespace kfuse {

const GuardedBody &MergedBodyBuilder::bodyOf(std::size_t member) const {
  return *builder.kernelOf(member).guarded;
}

std::string MergedBodyBuilder::textAt(std::size_t member,
                                      const SourceRange &range) const {
  return withPlainLoads(member, std::string(members[member].source->at(range)));
}

std::string MergedBodyBuilder::withPlainLoads(std::size_t member,
                                              std::string text) const {
  return members[member].loadsPlainly
             ? kfuse::withPlainLoads(std::move(text), builder.helpers)
             : text;
}

SourceRange MergedBodyBuilder::statementsOf(std::size_t member) const {
  const auto &loop = builder.kernelOf(member).gridStride;
  if (!loop)
    return bodyOf(member).statements;
  SourceRange range = loop->body;
  if (members[member].source->at(range).starts_with("{")) {
    ++range.begin;
    --range.end;
  } else {
    range = withSemicolon(member, range);
  }
  return range;
}

MergedBodyBuilder::HeadComments
MergedBodyBuilder::headComments(std::size_t member) const {
  const SourceText &source = *members[member].source;
  const std::uint32_t begin = builder.kernelOf(member).text.body.begin;
  const std::uint32_t end = statementsOf(member).begin;
  HeadComments comments;
  for (std::size_t i = tokenAt(source, begin);
       i < source.tokens.size() && source.tokens[i].begin < end; ++i) {
    const TextToken &token = source.tokens[i];
    if (token.kind != TokenKind::Comment)
      continue;
    std::string text(trimmed(spelling(source.text, token)));
    const auto &coordinates = bodyOf(member).coordinates;
    const auto owner = std::find_if(
        coordinates.begin(), coordinates.end(),
        [&](const BodyCoordinate &each) {
          return each.value.end <= token.begin &&
                 source.text
                         .substr(each.value.end, token.begin - each.value.end)
                         .find_first_not_of("; \t") == std::string_view::npos;
        });
    if (owner == coordinates.end() || !text.starts_with("//"))
      comments.others.push_back(std::move(text));
    else
      comments.behind.emplace(owner->name, std::move(text));
  }
  return comments;
}

bool MergedBodyBuilder::isReplaced(std::size_t member,
                                   const Access &access) const {
  return std::any_of(
      builder.forwards.begin(), builder.forwards.end(),
      [&](const ForwardedArray &each) {
        const ForwardRole role = each.roles[member];
        return each.array == builder.arrayOf(member, access) &&
               (access.kind == AccessKind::Read
                    ? role.consumes || (role.produces && !each.stored)
                    : role.produces && (!each.stored || role.isOverwritten));
      });
}

bool MergedBodyBuilder::mayMeet(std::size_t member, const Access &access,
                                std::size_t other,
                                const Access &otherAccess) const {
  const ArrayId one = builder.arrayOf(member, access);
  const ArrayId two = builder.arrayOf(other, otherAccess);
  return one == two ||
         (member == other && alias(builder.program, one, two) != Alias::Never);
}

SourceRange MergedBodyBuilder::withSemicolon(std::size_t member,
                                             SourceRange range) const {
  const SourceText &source = *members[member].source;
  const std::size_t next = tokenAt(source, range.end);
  if (next < source.tokens.size() && source.at(range).ends_with(";") == false &&
      spelling(source.text, source.tokens[next]) == ";")
    range.end = source.tokens[next].end;
  return range;
}

bool MergedBodyBuilder::isOutermost(std::size_t member,
                                    std::uint32_t begin) const {
  const SourceText &source = *members[member].source;
  const SourceRange &statements = statementsOf(member);
  // The only statement of a guard has no braces around it.
  if (statements.begin == begin)
    return true;
  if (!beginsStatement(source, begin))
    return false;
  // A switch without braces has its only statement at this depth.
  const std::size_t first = tokenAt(source, begin);
  if (first == 0 || spelling(source.text, source.tokens[first - 1]) == ":")
    return false;
  int depth = 0;
  for (std::size_t i = tokenAt(source, statements.begin);
       i < source.tokens.size() && source.tokens[i].begin < begin; ++i) {
    const std::string_view word = spelling(source.text, source.tokens[i]);
    depth += word == "{" || word == "(" ? 1 : 0;
    depth -= word == "}" || word == ")" ? 1 : 0;
  }
  return depth == 0;
}

MergedBodyBuilder::Certainty
MergedBodyBuilder::certaintyOf(std::size_t member, const Access &access) const {
  const SourceText &source = *members[member].source;
  const SourceRange &statements = statementsOf(member);
  int depth = 0, braces = 0;
  bool isFirst = true, isConditional = false, isBehindMacro = false;
  bool isAttribute = false;
  for (std::size_t i = tokenAt(source, statements.begin);
       i < source.tokens.size() && source.tokens[i].begin < access.range.begin;
       ++i) {
    if (source.tokens[i].kind == TokenKind::Comment ||
        source.tokens[i].kind == TokenKind::Directive)
      continue;
    const std::string_view word = spelling(source.text, source.tokens[i]);
    isConditional |=
        word == "?" || word == "&&" || word == "||" || word == "and" ||
        word == "or" ||
        (isFirst && (word == "if" || word == "for" || word == "while" ||
                     word == "do" || word == "switch" || word == "else"));
    isBehindMacro |= builder.helpers.isMacro(word);
    isAttribute |= isFirst && depth == 0 && word == "[";
    braces += word == "{" ? 1 : word == "}" ? -1 : 0;
    depth += word == "(" || word == "[" || word == "{" ? 1 : 0;
    depth -= word == ")" || word == "]" || word == "}" ? 1 : 0;
    isFirst = depth == 0 && (word == ";" || word == "}" || word == ":" ||
                             (word == "]" && isAttribute));
    if (depth == 0)
      isAttribute = false;
    // A brace may end an initializer.
    if (depth == 0 && word == ";")
      isConditional = isBehindMacro = false;
  }
  if (braces != 0 || isConditional)
    return Certainty::None;
  return isBehindMacro ? Certainty::UnlessByMacro : Certainty::Full;
}

bool MergedBodyBuilder::isCertain(std::size_t member,
                                  const Access &load) const {
  const Certainty certainty = certaintyOf(member, load);
  if (certainty != Certainty::UnlessByMacro)
    return certainty == Certainty::Full;
  // A condition in a macro is in the guard, too.
  const std::vector<Access> &all = builder.kernelOf(member).accesses;
  return std::none_of(load.guard.begin(), load.guard.end(),
                      [](const Constraint &each) {
                        return each.relation == Relation::Unknown;
                      }) &&
         std::any_of(all.begin(), all.end(), [&](const Access &each) {
           return each.guard == load.guard && !each.range.inMacro &&
                  certaintyOf(member, each) == Certainty::Full;
         });
}

bool MergedBodyBuilder::isOfCoordinates(std::size_t member,
                                        const SourceRange &range) const {
  std::set<std::string> names = plainIdentifiers(textAt(member, range));
  for (const Parameter &each : builder.kernelOf(member).parameters)
    names.erase(each.name);
  for (const BodyCoordinate &each : bodyOf(member).coordinates)
    names.erase(each.name);
  return names.empty();
}

void MergedBodyBuilder::findCommonGuard() {
  const auto has = [](const std::vector<std::string> &guard,
                      const std::string &conjunct) {
    return std::any_of(guard.begin(), guard.end(),
                       [&](const std::string &each) {
                         return normalised(each) == normalised(conjunct);
                       });
  };
  const bool isOne =
      std::all_of(guards.begin(), guards.end(), [&](const auto &each) {
        return isSameGuard(each, guards.front());
      });
  for (const std::string &each : guards.front())
    if (isOne || (!mayDivide(each) &&
                  std::all_of(guards.begin(), guards.end(),
                              [&](const auto &own) { return has(own, each); })))
      commonGuard.push_back(each);
  for (std::vector<std::string> &own : guards)
    std::erase_if(
        own, [&](const std::string &each) { return has(commonGuard, each); });
}

bool MergedBodyBuilder::haveOneGuard() const {
  return std::all_of(guards.begin(), guards.end(),
                     [](const auto &each) { return each.empty(); });
}

bool MergedBodyBuilder::mayDivide(const std::string &value) const {
  const std::set<std::string> names = plainIdentifiers(value);
  return value.find_first_of("/%") != std::string::npos ||
         std::any_of(names.begin(), names.end(), [&](const std::string &name) {
           return builder.helpers.isMacro(name);
         });
}

bool MergedBodyBuilder::isSameGuard(std::vector<std::string> one,
                                    std::vector<std::string> other) {
  for (std::vector<std::string> *each : {&one, &other}) {
    for (std::string &conjunct : *each)
      conjunct = normalised(conjunct);
    std::sort(each->begin(), each->end());
  }
  return one == other;
}

bool MergedBodyBuilder::removeUnread(std::size_t member, std::size_t forward,
                                     const Access &store, Edits &edits) const {
  const ForwardedArray &value = builder.forwards[forward];
  const auto end = endOfStatement(member, store);
  if (value.stored || value.isUsedAfter(0) || !end)
    return false;
  const SourceText &source = *members[member].source;
  for (std::size_t i = tokenAt(source, store.whole.begin);
       source.tokens[i].begin < *end; ++i) {
    const std::string_view word = spelling(source.text, source.tokens[i]);
    const bool isCall = source.tokens[i].kind == TokenKind::Identifier &&
                        spelling(source.text, source.tokens[i + 1]) == "(";
    const bool isChange =
        (word.ends_with("=") && source.tokens[i].begin >= store.value.begin) ||
        word == "++" || word == "--";
    if (isCall || isChange || source.tokens[i].kind == TokenKind::Comment)
      return false;
  }
  // A comment takes the rest of its line.
  const std::size_t line = source.text.find('\n', *end);
  const std::uint32_t last =
      std::min(static_cast<std::uint32_t>(std::min(line, source.text.size())),
               statementsOf(member).end);
  if (!trimmed(source.text.substr(*end, std::max(last, *end) - *end)).empty())
    return false;
  edits.replace(store.whole.begin, *end,
                "// Nothing reads " + std::string(source.at(store.range)) +
                    ".");
  return true;
}

std::optional<std::uint32_t>
MergedBodyBuilder::endOfStatement(std::size_t member,
                                  const Access &store) const {
  const SourceText &source = *members[member].source;
  const std::size_t next = tokenAt(source, store.whole.end);
  if (next < source.tokens.size() &&
      spelling(source.text, source.tokens[next]) == ";")
    return source.tokens[next].end;
  return std::nullopt;
}

} // namespace kfuse
