//===- runtime/Mirror.h - Rewritten copies of a program's files -----------===//
//
// Every file that the user's include directives reach is written, rewritten,
// under a folder that repeats the files' absolute paths, so relative includes
// and folders given by -I find the copies. System headers are no part of it.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_RUNTIME_MIRROR_H
#define KFUSE_RUNTIME_MIRROR_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kfuse {

struct Mirror {
  std::string input; ///< the copy of the input; empty when that failed
  /// -I flags for the copies of the folders, to come before the originals'.
  std::vector<std::string> includeFlags;
  std::string error;
};

/// Writes the copies. `text` is the input's content, when not the file's;
/// `includeFolders` those of -I in order.
Mirror mirrorProgram(const std::string &input,
                     const std::optional<std::string> &text,
                     const std::vector<std::string> &includeFolders,
                     const std::string &folder);

/// The names in the text's include directives, whatever the conditions around.
std::vector<std::string> includedNames(std::string_view source);

/// The folders of the flags' -I and -iquote.
std::vector<std::string>
includeFoldersOf(const std::vector<std::string> &flags);

} // namespace kfuse

#endif
