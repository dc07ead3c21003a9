//===- RedefinedWords.cpp - Words that mean something else ----------------===//
#include "codegen/text/RedefinedWords.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string_view>

namespace kfuse {
namespace {

/// Returns the names of types that the user declares.
std::set<std::string_view> declaredTypes(const Sources &sources) {
  static constexpr std::array<std::string_view, 5> Keys = {
      "struct", "class", "union", "enum", "using"};
  std::set<std::string_view> names;
  for (std::uint32_t file = 0; file < sources.count(); ++file) {
    const SourceText &source = sources[file];
    for (std::size_t i = 1; i < source.tokens.size(); ++i)
      if (std::find(Keys.begin(), Keys.end(),
                    spelling(source.text, source.tokens[i - 1])) != Keys.end())
        names.insert(spelling(source.text, source.tokens[i]));
  }
  return names;
}

} // namespace

std::string redefinedWord(const Program &program, const Sources &sources) {
  static constexpr std::array<std::string_view, 29> Words = {
      "x",        "y",        "z",      "dim3",   "uint3",     "threadIdx",
      "blockIdx", "blockDim", "static", "const",  "constexpr", "namespace",
      "gridDim",  "template", "void",   "bool",   "char",      "short",
      "int",      "long",     "signed", "float",  "double",    "unsigned",
      "if",       "else",     "for",    "return", "int3",
  };
  static constexpr std::array<std::string_view, 25> OpenClWords = {
      "static", "const",  "void",     "if",       "return",
      "sizeof", "struct", "bool",     "char",     "short",
      "int",    "long",   "unsigned", "signed",   "float",
      "double", "uint",   "ulong",    "restrict", "true",
      "false",  "global", "at",       "__local",  "barrier",
  };
  const auto isAmong = [](const auto &words, const std::string &macro) {
    return std::find(words.begin(), words.end(), macro) != words.end();
  };
  if (const auto &kernels = program.kernelString) {
    for (const std::string &macro : kernels->macros)
      if (isAmong(OpenClWords, macro))
        return "the macro '" + macro + "'";
    return {};
  }
  for (const std::string &macro : program.macros)
    if (isAmong(Words, macro))
      return "the macro '" + macro + "'";
  const std::set<std::string_view> types = declaredTypes(sources);
  for (const std::string_view word : {"dim3", "uint3", "int3"})
    if (types.count(word) != 0)
      return "the type '" + std::string(word) + "'";
  return {};
}

} // namespace kfuse
