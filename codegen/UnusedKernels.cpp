//===- UnusedKernels.cpp - Kernels that nothing launches any more ---------===//
#include "codegen/UnusedKernels.h"

#include "codegen/UnusedFunctions.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>

namespace kfuse {
namespace {

class KernelUseFinder {
public:
  KernelUseFinder(const Sources &sources, const Program &program,
                  const std::set<LaunchId> &gone,
                  const std::vector<SourceRange> &functions)
      : Texts(sources), Input(sources.input()), Code(program), Gone(functions) {
    for (const LaunchId launch : gone) {
      const SourceRange &range = Code[Code[launch].step].range;
      if (Input.holds(range))
        Gone.push_back(range);
      Launched.insert(Code.kernelOf(launch).text.declaration.begin);
    }
    for (std::size_t i = 0; i + 1 < Input.tokens.size(); ++i)
      HasMain |= spelling(Input.text, Input.tokens[i]) == "main" &&
                 spelling(Input.text, Input.tokens[i + 1]) == "(";
  }

  std::vector<TextRange> find() const {
    std::map<std::uint32_t, TextRange> found;
    for (const Kernel &kernel : Code.kernels) {
      const KernelText &text = kernel.text;
      if (text.include.line != 0 || !text.copyable || !kernel.part.of.empty() ||
          !Input.holds(text.declaration) ||
          Launched.count(text.declaration.begin) == 0 || !isOwn(text))
        continue;
      const std::vector<SourceRange> family = familyOf(text.declaration);
      if (!family.empty() && isUnnamed(kernel, family)) {
        found[family.front().begin] =
            withComments(Input, family.front(), family.front().end);
        for (const SourceRange &instance : std::span(family).subspan(1))
          found[instance.begin] = {instance.begin, instance.end};
      }
      if (family.empty() && isWholeDefinition(Input, text.declaration) &&
          isUnnamed(kernel, {text.declaration}))
        found[text.declaration.begin] = withComments(
            Input, text.declaration,
            insertionPoint(Texts, text).value_or(text.declaration.end));
    }
    std::vector<TextRange> all;
    for (const auto &[begin, extent] : found)
      all.push_back(extent);
    return all;
  }

private:
  /// Checks whether no other file can launch the kernel: it is static, or the
  /// input has `main`.
  bool isOwn(const KernelText &text) const {
    const std::string_view head = Input.text.substr(
        text.declaration.begin, text.body.begin - text.declaration.begin);
    return HasMain || mentions(head, "static");
  }

  /// Returns the range of the template and those of its instances that got a
  /// text of their own behind it, if `declaration` is one of these; else none.
  std::vector<SourceRange> familyOf(const SourceRange &declaration) const {
    std::vector<SourceRange> family;
    for (const Replacement &each : Code.replaced) {
      if (!each.isContractionRewrite || each.atomicGroup.empty())
        continue;
      if (!family.empty() && family.back().end != each.range.begin) {
        if (holds(family, declaration))
          break;
        family.clear();
      }
      family.push_back(each.range);
    }
    if (!holds(family, declaration))
      return {};
    const auto whole = definitionBefore(family.front().begin);
    if (!whole)
      return {};
    family.insert(family.begin(), *whole);
    return family;
  }

  static bool holds(const std::vector<SourceRange> &ranges,
                    const SourceRange &range) {
    return std::any_of(ranges.begin(), ranges.end(), [&](const auto &each) {
      return each.begin <= range.begin && range.end <= each.end;
    });
  }

  /// Returns the range of the template of a function whose body ends at `end`.
  std::optional<SourceRange> definitionBefore(std::uint32_t end) const {
    const auto wordAt = [&](std::size_t token) {
      return spelling(Input.text, Input.tokens[token]);
    };
    std::size_t token = tokenAt(Input, end);
    int depth = 0;
    do {
      if (token == 0)
        return std::nullopt;
      --token;
      depth += wordAt(token) == "}" ? 1 : wordAt(token) == "{" ? -1 : 0;
    } while (depth > 0);
    while (token > 0 && Input.tokens[token - 1].kind != TokenKind::Directive &&
           wordAt(token - 1) != ";" && wordAt(token - 1) != "}" &&
           wordAt(token - 1) != "{")
      --token;
    while (Input.tokens[token].kind == TokenKind::Comment)
      ++token;
    if (wordAt(token) != "template")
      return std::nullopt;
    SourceRange range;
    range.begin = Input.tokens[token].begin;
    range.end = end;
    return range;
  }

  /// Checks whether nothing outside of `own` names the kernel.
  bool isUnnamed(const Kernel &kernel,
                 const std::vector<SourceRange> &own) const {
    const SourceRange &body = kernel.text.body;
    if (isNamedIn(Input.at(body), kernel.name))
      return false;
    for (std::uint32_t file = 1; file < Texts.count(); ++file)
      if (isNamedIn(Texts[file].text, kernel.name))
        return false;
    for (const Replacement &each : Code.replaced)
      if (isNamedIn(each.original, kernel.name))
        return false;
    return std::none_of(
        Input.tokens.begin(), Input.tokens.end(), [&](const TextToken &token) {
          if (token.kind == TokenKind::Comment ||
              isIn(own, token.begin, token.end) ||
              isIn(Gone, token.begin, token.end))
            return false;
          const std::string_view word = spelling(Input.text, token);
          return word == kernel.name ||
                 (token.kind == TokenKind::Directive &&
                  isNamedIn(word.substr(1), kernel.name));
        });
  }

  const Sources &Texts;
  const SourceText &Input;
  const Program &Code;
  std::vector<SourceRange> Gone;
  std::set<std::uint32_t> Launched; ///< where their kernels are declared
  bool HasMain = false;
};

} // namespace

std::vector<TextRange>
unusedKernels(const Sources &sources, const Program &program,
              const std::set<LaunchId> &gone,
              const std::vector<SourceRange> &functions) {
  if (program.language != Language::Cuda)
    return {};
  return KernelUseFinder(sources, program, gone, functions).find();
}

} // namespace kfuse
