//===- Ids.h - Ids and places in the text ---------------------------------===//
//
// The names of all other values of a program: an index into its vector, or the
// bytes that it was read from.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_GRAPHS_PROGRAM_IDS_H
#define KFUSE_GRAPHS_PROGRAM_IDS_H

#include <compare>
#include <cstdint>
#include <limits>

namespace kfuse {

/// Strong ids: each is an index into the vector of the same name in Program.
enum class KernelId : std::uint32_t {};
enum class ArrayId : std::uint32_t {};
enum class LaunchId : std::uint32_t {};
enum class StepId : std::uint32_t {};
enum class RegionId : std::uint32_t {};
enum class VariableId : std::uint32_t {};

template <typename Id> constexpr std::uint32_t indexOf(Id id) {
  return static_cast<std::uint32_t>(id);
}
template <typename Id> constexpr Id noneOf() {
  return static_cast<Id>(std::numeric_limits<std::uint32_t>::max());
}

/// A half-open range of bytes in one file. `file` indexes Program::files; file
/// 0 is the input itself, the only one that kfuse may edit. Offsets are those
/// of the file's text (of the expansion, for text that a macro produced).
struct SourceRange {
  std::uint32_t file = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t line = 0;   ///< 1-based, of `begin`; 0 when there is no place
  std::uint32_t column = 0; ///< 1-based, of `begin`
  bool inMacro = false;     ///< the text at the range isn't what the parser saw
  auto operator<=>(const SourceRange &) const = default;
};

} // namespace kfuse

#endif
