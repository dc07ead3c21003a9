//===- Input.h - Files that are read --------------------------------------===//
#ifndef KFUSE_SYSTEM_INPUT_H
#define KFUSE_SYSTEM_INPUT_H

#include <optional>
#include <string>

namespace kfuse {

/// Returns the bytes of a file; nullopt if it can't be read, as a folder.
std::optional<std::string> readInput(const std::string &path);

} // namespace kfuse

#endif
