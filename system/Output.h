//===- Output.h - Files are as they were, or complete ---------------------===//
//
// Every file that kfuse writes where the user says. A plain file is written
// beside its place and renamed: nobody ever sees a part of it. A file that
// would lose something then (other names of it, its owner, its attributes) is
// written in place, once there is room for it. Its content is restored when
// that fails. Links are followed; devices and pipes are written to.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_SYSTEM_OUTPUT_H
#define KFUSE_SYSTEM_OUTPUT_H

#include <string>
#include <string_view>
#include <vector>

namespace kfuse {

struct WriteOptions {
  bool force = false;        ///< also over files that are read-only
  bool isExecutable = false; ///< for everybody with read permission
  bool makesFolders = false; ///< the run may make the file's folder before
};

/// Writes the file; `-` is standard output. Returns a message on failure.
std::string writeOutput(const std::string &path, std::string_view text,
                        const WriteOptions &options = {});

/// A file by the name that the user has for it, and what it is to a run.
struct NamedFile {
  std::string path;
  std::string role; ///< "the input", "--save-plan"
};

/// Returns why these can't all be written: one can't be, is what the run reads,
/// or is the same as another. Empty when all is well.
std::string refusedOutput(const std::vector<NamedFile> &outputs,
                          const std::vector<NamedFile> &inputs,
                          const WriteOptions &options);

} // namespace kfuse

#endif
