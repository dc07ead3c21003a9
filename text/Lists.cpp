//===- Lists.cpp - Things told one after another --------------------------===//

#include "text/Lists.h"

#include <cstddef>

namespace kfuse {

std::string joined(const std::vector<std::string> &items,
                   std::string_view word) {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0)
      text += i + 1 == items.size() ? " " + std::string(word) + " " : ", ";
    text += items[i];
  }
  return text;
}

} // namespace kfuse
