//===- Mirror.h - Rewritten copies of a program's files -------------------===//
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

/// A file of a program.
struct ProgramFile {
  std::string path; ///< absolute
  std::string text;
  std::string shown; ///< its name for diagnostics
};

struct Mirror {
  std::string input; ///< the copy of the input
  /// -I flags for the copies of the folders, to come before the originals'.
  std::vector<std::string> includeFlags;
  std::string error; ///< why the copies couldn't be written
};

/// The input, first, and every file that an include directive could mean; none
/// when the input can't be read. `text` is the input's content, when not the
/// file's; `includeFolders` those of -I in order.
std::vector<ProgramFile>
programFiles(const std::string &input, const std::optional<std::string> &text,
             const std::vector<std::string> &includeFolders);

/// Returns the path of the copy of a file or folder.
std::string copyIn(const std::string &folder, const std::string &original);

/// Writes the copies.
Mirror mirrorProgram(const std::vector<ProgramFile> &files,
                     const std::vector<std::string> &includeFolders,
                     const std::string &folder, bool force);

/// The names in the text's include directives, whatever the conditions around.
std::vector<std::string> includedNames(std::string_view source);

/// The folders of the flags' -I and -iquote.
std::vector<std::string>
includeFoldersOf(const std::vector<std::string> &flags);

} // namespace kfuse

#endif
