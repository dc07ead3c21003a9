//===- codegen/Coordinates.cpp - How a text uses the thread's coordinates -===//
#include "codegen/Coordinates.h"

#include "text/Tokens.h"

#include <algorithm>
#include <array>
#include <vector>

namespace kfuse {
namespace {

using Words = std::vector<std::string_view>;

constexpr std::size_t SumLength = 11; // b . x * d . x + t . x

bool isCoordinate(std::string_view word) {
  return word == "blockIdx" || word == "threadIdx";
}

/// Whether the words at `at` are one of `b*d+t`, `d*b+t`, `t+b*d`, `t+d*b`, on
/// one axis.
bool isSum(const Words &words, std::size_t at) {
  if (at + SumLength > words.size())
    return false;
  constexpr std::array<std::array<std::string_view, 5>, 4> Forms = {{
      {"blockIdx", "*", "blockDim", "+", "threadIdx"},
      {"blockDim", "*", "blockIdx", "+", "threadIdx"},
      {"threadIdx", "+", "blockIdx", "*", "blockDim"},
      {"threadIdx", "+", "blockDim", "*", "blockIdx"},
  }};
  const std::string_view axis = words[at + 2];
  for (const auto &form : Forms) {
    bool isForm = true;
    for (std::size_t i = 0; i < 3; ++i)
      isForm &= words[at + 4 * i] == form[2 * i] &&
                words[at + 4 * i + 1] == "." && words[at + 4 * i + 2] == axis;
    if (isForm && words[at + 3] == form[1] && words[at + 7] == form[3])
      return true;
  }
  return false;
}

/// Whether what stands around the sum leaves it one: nothing that binds closer
/// on either side, and no conversion of its first term but to integers.
bool standsAlone(const Words &words, std::size_t at) {
  static constexpr std::array<std::string_view, 5> Before = {"=", "(", ",", "+",
                                                             "return"};
  static constexpr std::array<std::string_view, 12> After = {
      ";", ")", ",", "]", "+", "-", "<", "<=", ">", ">=", "==", "!="};
  const std::string_view before = at == 0 ? "" : words[at - 1];
  const std::size_t end = at + SumLength;
  const std::string_view after = end == words.size() ? "" : words[end];
  const bool isCast = before == ")" && at >= 3 && words[at - 3] == "(" &&
                      (words[at - 2] == "int" || words[at - 2] == "unsigned" ||
                       words[at - 2] == "long" || words[at - 2] == "size_t");
  return (isCast ||
          std::find(Before.begin(), Before.end(), before) != Before.end()) &&
         std::find(After.begin(), After.end(), after) != After.end();
}

} // namespace

bool usesOnlyGlobalIndex(std::string_view body) {
  Words words;
  for (const Token &token : tokensOf(body)) {
    if (token.kind == TokenKind::Directive)
      return false;
    if (token.kind != TokenKind::Comment)
      words.push_back(spelling(body, token));
  }
  for (std::size_t i = 0; i < words.size();) {
    if (isSum(words, i) && standsAlone(words, i))
      i += SumLength;
    else if (isCoordinate(words[i]))
      return false;
    else
      ++i;
  }
  return true;
}

} // namespace kfuse
