//===- SumLines.h - How sums contract, and lines of theirs ----------------===//
#ifndef KFUSE_FRONTEND_REWRITE_SUMLINES_H
#define KFUSE_FRONTEND_REWRITE_SUMLINES_H

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace kfuse {

/// The product that is contracted with a sum, which then rounds once.
enum class Contraction : std::uint8_t { Left, Right, None };

/// In a text in which each operation has a line of its own: that of a product;
/// 0 for what isn't one there, such as a call.
struct ProductLine {
  std::uint32_t line = 0;
  bool isExact = false; ///< it is never rounded, if it is a product at all
  bool isHeld = false;  ///< by a variable, which other sums may take too
  /// Lines of others that may have its value: compilers compute one of them.
  std::set<std::uint32_t> others = {};
  bool isElsewhere = false;  ///< one without such a line may have it, too
  bool mayBeTrivial = false; ///< as ProductTraits::mayBeTrivial
  bool hidesProduct = false; ///< as ProductTraits::hidesProduct
  std::uint32_t sum = 0; ///< if the operand is a sum instead: the line of that
};
struct SumLines {
  std::uint32_t sum = 0;
  ProductLine left, right;
  /// Whether an operand without a line is no product that only the compiler
  /// sees.
  bool isLeftFree = false, isRightFree = false;
};

/// The number of the user's file that a function is in (FileTable) and the
/// offset of its name there.
using FunctionPlace = std::pair<std::uint32_t, std::uint32_t>;

/// For each sum that takes products, in the order of the text.
using FunctionContractions = std::vector<Contraction>;

} // namespace kfuse

#endif
