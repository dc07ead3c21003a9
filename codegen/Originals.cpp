//===- Originals.cpp - What no fusion uses, as it was ---------------------===//
#include "codegen/Originals.h"

#include "text/Tokens.h"

#include <algorithm>
#include <cstdint>
#include <set>

namespace kfuse {
namespace {

/// Checks whether one of the kernels calls a function whose sums were rewritten
/// to contract in one way.
bool needClearSums(const Program &program,
                   const std::vector<const Kernel *> &kernels) {
  return std::any_of(
      program.replaced.begin(), program.replaced.end(),
      [&](const Replacement &each) {
        const auto isIn = [&each](const SourceRange &body) {
          return body.file == 0 && each.range.begin <= body.begin &&
                 body.end <= each.range.end;
        };
        return each.isContractionRewrite &&
               std::any_of(kernels.begin(), kernels.end(),
                           [&](const Kernel *kernel) {
                             return std::any_of(kernel->calls.begin(),
                                                kernel->calls.end(), isIn);
                           });
      });
}

} // namespace

void restoreOriginals(const Program &program,
                      const std::vector<const Kernel *> &fused, Edits &edits) {
  const bool keepsSums = needClearSums(program, fused);
  std::vector<bool> isTouched;
  std::set<std::string> groups; // with an edit
  for (const Replacement &each : program.replaced) {
    // Fused kernels stand after a kernel, and so before the next instance.
    const std::uint32_t end =
        each.range.end - (each.isContractionRewrite ? 1 : 0);
    const std::uint32_t begin =
        each.range.begin +
        (each.isContractionRewrite && !each.atomicGroup.empty() ? 1 : 0);
    isTouched.push_back(edits.touch(begin, end));
    if (isTouched.back() && !each.atomicGroup.empty())
      groups.insert(each.atomicGroup);
  }
  // A part of something that stays may lie within another text.
  for (const Replacement &part : program.replaced)
    if (groups.count(part.atomicGroup) != 0)
      for (std::size_t i = 0; i < program.replaced.size(); ++i)
        if (program.replaced[i].range.begin <= part.range.begin &&
            part.range.end <= program.replaced[i].range.end)
          isTouched[i] = true;
  std::uint32_t done = 0;
  for (std::size_t i = 0; i < program.replaced.size(); ++i) {
    const Replacement &each = program.replaced[i];
    // It lies in the text of one that was put back.
    if (each.range.begin < done || !each.defines.empty() ||
        (each.isContractionRewrite && keepsSums) || isTouched[i] ||
        groups.count(each.atomicGroup) != 0)
      continue;
    edits.replace(each.range.begin, each.range.end, each.original);
    done = each.range.end;
  }
}

std::string withoutUnused(const Program &program, std::string text) {
  const std::string &input = program.files.front().text;
  for (auto it = program.replaced.rbegin(); it != program.replaced.rend();
       ++it) {
    const Replacement &each = *it;
    if (each.defines.empty())
      continue;
    const std::vector<TextToken> tokens = tokensOf(text);
    const auto uses = std::count_if(
        tokens.begin(), tokens.end(), [&](const TextToken &token) {
          return spelling(text, token) == each.defines;
        });
    const std::string definition =
        input.substr(each.range.begin, each.range.end - each.range.begin);
    const std::size_t place = text.find(definition);
    if (uses == 1 && place != std::string::npos)
      text.erase(place, definition.size());
  }
  return text;
}

std::string unfused(const Program &program) {
  const std::string &text = program.files.front().text;
  Edits edits;
  restoreOriginals(program, {}, edits);
  return withoutUnused(
      program, edits.apply(text, 0, static_cast<std::uint32_t>(text.size()))
                   .value_or(text));
}

} // namespace kfuse
