//===- UnusedFunctions.cpp - Functions that nothing calls any more --------===//
#include "codegen/UnusedFunctions.h"

#include <algorithm>
#include <string>

namespace kfuse {
namespace {

/// A function that may go.
struct UnusedFunction {
  std::string name;
  SourceRange range;
};

class FunctionUseFinder {
public:
  FunctionUseFinder(const Sources &sources, const Program &program,
                    const Edits &edits)
      : Texts(sources), Input(sources.input()), Code(program), Changes(edits) {}

  std::vector<SourceRange> find(bool withEdited) const {
    std::vector<UnusedFunction> found;
    for (const Region &region : Code.regions) {
      const SourceRange &range = region.functionRange;
      const std::string name =
          region.function.substr(region.function.rfind(':') + 1);
      if (region.isReplaced && !region.isShared && Input.holds(range) &&
          isWholeDefinition(Input, range) && isStatic(region, name) &&
          (withEdited || !Changes.touch(range.begin, range.end)))
        found.push_back({name, range});
    }
    // A function that stays names others.
    while (std::erase_if(found, [&](const UnusedFunction &each) {
             return isNamed(each.name, rangesOf(found));
           }) != 0)
      ;
    return rangesOf(found);
  }

private:
  static std::vector<SourceRange>
  rangesOf(const std::vector<UnusedFunction> &functions) {
    std::vector<SourceRange> ranges;
    for (const UnusedFunction &each : functions)
      ranges.push_back(each.range);
    return ranges;
  }

  /// Checks whether the text is a static function's of the name, and not a
  /// template's or a class's.
  bool isStatic(const Region &region, const std::string &name) const {
    const SourceRange &range = region.functionRange;
    if (region.range.begin < range.begin || range.end < region.range.end)
      return false;
    const std::string_view head =
        Input.text.substr(range.begin, region.range.begin - range.begin);
    const auto isIn = [head](std::string_view word) {
      return mentions(head, word);
    };
    return isIn("static") && isIn(name) && !isIn("template") &&
           head.find_first_of("{};#") == std::string_view::npos;
  }

  /// Checks whether something outside of the `gone` ranges has the name.
  bool isNamed(const std::string &name,
               const std::vector<SourceRange> &gone) const {
    for (std::uint32_t file = 1; file < Texts.count(); ++file)
      if (isNamedIn(Texts[file].text, name))
        return true;
    for (const Replacement &each : Code.replaced)
      if (isNamedIn(each.original, name) &&
          !Changes.touch(each.range.begin, each.range.end) &&
          !isIn(gone, each.range.begin, each.range.end))
        return true;
    return std::any_of(
        Input.tokens.begin(), Input.tokens.end(), [&](const TextToken &token) {
          if (token.kind == TokenKind::Comment ||
              isIn(gone, token.begin, token.end))
            return false;
          const std::string_view word = spelling(Input.text, token);
          return word == name || (token.kind == TokenKind::Directive &&
                                  isNamedIn(word.substr(1), name));
        });
  }

  const Sources &Texts;
  const SourceText &Input;
  const Program &Code;
  const Edits &Changes;
};

} // namespace

bool isNamedIn(std::string_view text, std::string_view name) {
  return text.find(name) != std::string_view::npos && mentions(text, name);
}

bool isIn(const std::vector<SourceRange> &ranges, std::uint32_t begin,
          std::uint32_t end) {
  return std::any_of(ranges.begin(), ranges.end(), [&](const auto &range) {
    return range.begin <= begin && end <= range.end;
  });
}

bool isWholeDefinition(const SourceText &input, const SourceRange &definition) {
  std::size_t before = tokenAt(input, definition.begin);
  while (before > 0 && input.tokens[before - 1].kind == TokenKind::Comment)
    --before;
  if (before == 0)
    return true;
  const TextToken &token = input.tokens[before - 1];
  const std::string_view word = spelling(input.text, token);
  return token.kind == TokenKind::Directive || word == ";" || word == "}" ||
         word == "{";
}

TextRange withComments(const SourceText &input, const SourceRange &definition,
                       std::uint32_t end) {
  std::uint32_t begin = commentsAbove(input, definition.begin);
  while (begin > 0 && std::string_view(" \t\r\n").find(input.text[begin - 1]) !=
                          std::string_view::npos)
    --begin;
  return {begin, end};
}

std::vector<SourceRange> unusedFunctions(const Sources &sources,
                                         const Program &program,
                                         const Edits &edits, bool withEdited) {
  return FunctionUseFinder(sources, program, edits).find(withEdited);
}

} // namespace kfuse
