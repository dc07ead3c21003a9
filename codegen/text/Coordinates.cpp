//===- Coordinates.cpp - How a text uses the thread's coordinates ---------===//
#include "codegen/text/Coordinates.h"

#include "text/Tokens.h"

#include <algorithm>
#include <array>
#include <vector>

namespace kfuse {
namespace {

using Words = std::vector<std::string_view>;

constexpr std::size_t SumLength = 11; // b . x * d . x + t . x

/// Checks whether the words are one of `b*d+t`, `d*b+t`, `t+b*d`, `t+d*b`, on
/// one axis.
bool isSum(const Words &words) {
  if (words.size() != SumLength)
    return false;
  constexpr std::array<std::array<std::string_view, 5>, 4> Forms = {{
      {"blockIdx", "*", "blockDim", "+", "threadIdx"},
      {"blockDim", "*", "blockIdx", "+", "threadIdx"},
      {"threadIdx", "+", "blockIdx", "*", "blockDim"},
      {"threadIdx", "+", "blockDim", "*", "blockIdx"},
  }};
  const std::string_view axis = words[2];
  for (const auto &form : Forms) {
    bool isForm = true;
    for (std::size_t i = 0; i < 3; ++i)
      isForm &= words[4 * i] == form[2 * i] && words[4 * i + 1] == "." &&
                words[4 * i + 2] == axis;
    if (isForm && words[3] == form[1] && words[7] == form[3])
      return true;
  }
  return false;
}

} // namespace

std::optional<std::uint32_t> globalIndexAxis(std::string_view text) {
  Words words;
  for (const TextToken &token : tokensOf(text)) {
    if (token.kind == TokenKind::Comment || token.kind == TokenKind::Directive)
      return std::nullopt;
    words.push_back(spelling(text, token));
  }
  if (!isSum(words))
    return std::nullopt;
  constexpr std::array<std::string_view, 3> Axes = {"x", "y", "z"};
  const auto axis = std::find(Axes.begin(), Axes.end(), words[2]);
  if (axis == Axes.end())
    return std::nullopt;
  return static_cast<std::uint32_t>(axis - Axes.begin());
}

} // namespace kfuse
