//===- Lists.h - Things told one after another ----------------------------===//
#ifndef KFUSE_TEXT_LISTS_H
#define KFUSE_TEXT_LISTS_H

#include <string>
#include <string_view>
#include <vector>

namespace kfuse {

/// Returns `a, b and c`, with another word before the last item if it is given.
std::string joined(const std::vector<std::string> &items,
                   std::string_view word = "and");

} // namespace kfuse

#endif
