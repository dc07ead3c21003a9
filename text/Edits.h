//===- Edits.h - Changes of a text, applied at once -----------------------===//
//
// Insertions and replacements by byte offset into one unchanged text. They are
// collected in any order, checked against each other, and applied in one go, so
// that no offset ever has to be adjusted.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_TEXT_EDITS_H
#define KFUSE_TEXT_EDITS_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kfuse {

class Edits {
public:
  /// Inserts the text. Insertions at one place come out in the order in which
  /// they were made, before a replacement that starts there.
  void insert(std::uint32_t at, std::string text);
  void replace(std::uint32_t begin, std::uint32_t end, std::string text);
  void append(const Edits &other);
  /// Checks whether an edit is in [begin, end], or at a border of it.
  bool touch(std::uint32_t begin, std::uint32_t end) const;
  /// Returns the edits in [begin, end]; nullopt if one crosses the borders.
  std::optional<Edits> within(std::uint32_t begin, std::uint32_t end) const;

  /// Returns bytes [begin, end) of `text` with the edits that lie in them;
  /// nullopt when two edits overlap or one crosses the borders.
  std::optional<std::string> apply(std::string_view text, std::uint32_t begin,
                                   std::uint32_t end) const;

private:
  struct Edit {
    std::uint32_t begin, end;
    std::string text;
  };
  std::vector<Edit> All;
};

} // namespace kfuse

#endif
