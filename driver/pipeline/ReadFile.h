//===- ReadFile.h - Files that the user names -----------------------------===//
#ifndef KFUSE_DRIVER_PIPELINE_READFILE_H
#define KFUSE_DRIVER_PIPELINE_READFILE_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/MemoryBuffer.h"

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

namespace kfuse {

inline std::string errorLine(const llvm::Twine &message) {
  return ("kfuse: error: " + message + "\n").str();
}

/// Returns the value that `load` makes of a file's text, or adds to `error`.
template <typename Load>
auto readFile(const std::string &kind, const std::string &path, Load load,
              std::string &error)
    -> std::optional<std::variant_alternative_t<
        0, std::invoke_result_t<Load, std::string_view>>> {
  const auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer) {
    error += errorLine("cannot read " + kind + " '" + path +
                       "': " + buffer.getError().message());
    return std::nullopt;
  }
  auto loaded = load(std::string_view((*buffer)->getBuffer()));
  if (const auto *message = std::get_if<std::string>(&loaded)) {
    error += errorLine(kind + " '" + path + "': " + *message);
    return std::nullopt;
  }
  return std::get<0>(std::move(loaded));
}

} // namespace kfuse

#endif
