//===- Input.cpp - Files that are read ------------------------------------===//

#include "system/Input.h"

#include <array>
#include <fstream>

namespace kfuse {

std::optional<std::string> readInput(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::string text;
  std::array<char, 1U << 16> piece{};
  while (file.read(piece.data(), piece.size()), file.gcount() > 0)
    text.append(piece.data(), static_cast<std::size_t>(file.gcount()));
  // A folder can be opened, but not read.
  if (!file.is_open() || file.bad())
    return std::nullopt;
  return text;
}

} // namespace kfuse
