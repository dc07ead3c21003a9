//===- Mirror.h - Rewritten copies of a program's files -------------------===//
//
// Every file that the user's include directives reach is rewritten into a
// folder that mirrors the files' absolute paths. So relative includes and -I
// folders find the copies. System headers are excluded.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_RUNTIME_MIRROR_H
#define KFUSE_RUNTIME_MIRROR_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kfuse {

/// Represents a file of a program.
struct ProgramFile {
  std::string path; ///< absolute
  std::string text;
  std::string shown; ///< its name in diagnostics
};

struct Mirror {
  std::string input; ///< the copy of the input
  /// The -I flags for the copied folders, which come before the originals'
  /// flags.
  std::vector<std::string> includeFlags;
  std::string error; ///< why the copies couldn't be written
};

/// Returns the input, first, and every file that an include directive could
/// mean; none if the input can't be read. `text` replaces the input's content
/// if set; `includeFolders` are the -I folders in order.
std::vector<ProgramFile>
programFiles(const std::string &input, const std::optional<std::string> &text,
             const std::vector<std::string> &includeFolders);

/// Returns the path of the copy of a file or folder.
std::string copyIn(const std::string &folder, const std::string &original);

/// Writes the copies.
Mirror mirrorProgram(const std::vector<ProgramFile> &files,
                     const std::vector<std::string> &includeFolders,
                     const std::string &folder, bool force);

/// Returns the names in the text's include directives, regardless of enclosing
/// conditions.
std::vector<std::string> includedNames(std::string_view source);

/// Returns the folders that the -I and -iquote flags name.
std::vector<std::string>
includeFoldersOf(const std::vector<std::string> &flags);

} // namespace kfuse

#endif
