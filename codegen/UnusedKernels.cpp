//===- UnusedKernels.cpp - Kernels that nothing launches any more ---------===//
#include "codegen/UnusedKernels.h"

#include <algorithm>
#include <map>

namespace kfuse {
namespace {

bool contains(const SourceRange &range, const TextToken &token) {
  return range.begin <= token.begin && token.end <= range.end;
}

/// Checks whether `text` contains `name`, in code or in a directive.
bool isNamed(std::string_view text, std::string_view name) {
  return text.find(name) != std::string_view::npos && mentions(text, name);
}

class KernelUseFinder {
public:
  KernelUseFinder(const Sources &sources, const Program &program,
                  const std::set<LaunchId> &gone)
      : Texts(sources), Input(sources.input()), Code(program) {
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
      if (text.include.line == 0 && text.copyable && kernel.part.of.empty() &&
          Input.holds(text.declaration) &&
          Launched.count(text.declaration.begin) != 0 && isOwn(text) &&
          isWhole(text.declaration) && isUnnamed(kernel))
        found[text.declaration.begin] = extentOf(
            text.declaration,
            insertionPoint(Texts, text).value_or(text.declaration.end));
    }
    std::vector<TextRange> all;
    for (const auto &[begin, extent] : found)
      all.push_back(extent);
    return all;
  }

private:
  /// Checks whether nothing before the definition belongs to it, such as
  /// `extern "C"`.
  bool isWhole(const SourceRange &declaration) const {
    std::size_t before = tokenAt(Input, declaration.begin);
    while (before > 0 && Input.tokens[before - 1].kind == TokenKind::Comment)
      --before;
    if (before == 0)
      return true;
    const TextToken &token = Input.tokens[before - 1];
    const std::string_view word = spelling(Input.text, token);
    return token.kind == TokenKind::Directive || word == ";" || word == "}" ||
           word == "{";
  }

  /// Checks whether no other file can launch the kernel: it is static, or the
  /// input has `main`.
  bool isOwn(const KernelText &text) const {
    const std::string_view head = Input.text.substr(
        text.declaration.begin, text.body.begin - text.declaration.begin);
    return HasMain || mentions(head, "static");
  }

  bool isUnnamed(const Kernel &kernel) const {
    const SourceRange &body = kernel.text.body;
    if (isNamed(Input.at(body), kernel.name))
      return false;
    for (std::uint32_t file = 1; file < Texts.count(); ++file)
      if (isNamed(Texts[file].text, kernel.name))
        return false;
    for (const Replacement &each : Code.replaced)
      if (isNamed(each.original, kernel.name))
        return false;
    return std::none_of(
        Input.tokens.begin(), Input.tokens.end(), [&](const TextToken &token) {
          if (token.kind == TokenKind::Comment ||
              contains(kernel.text.declaration, token) ||
              std::any_of(Gone.begin(), Gone.end(), [&](const auto &launch) {
                return contains(launch, token);
              }))
            return false;
          const std::string_view word = spelling(Input.text, token);
          return word == kernel.name || (token.kind == TokenKind::Directive &&
                                         isNamed(word.substr(1), kernel.name));
        });
  }

  TextRange extentOf(const SourceRange &declaration, std::uint32_t end) const {
    std::uint32_t begin = commentsAbove(Input, declaration.begin);
    while (begin > 0 && std::string_view(" \t\r\n").find(
                            Input.text[begin - 1]) != std::string_view::npos)
      --begin;
    return {begin, end};
  }

  const Sources &Texts;
  const SourceText &Input;
  const Program &Code;
  std::vector<SourceRange> Gone;
  std::set<std::uint32_t> Launched; ///< where their kernels are declared
  bool HasMain = false;
};

} // namespace

std::vector<TextRange> unusedKernels(const Sources &sources,
                                     const Program &program,
                                     const std::set<LaunchId> &gone) {
  if (program.language != Language::Cuda)
    return {};
  return KernelUseFinder(sources, program, gone).find();
}

} // namespace kfuse
