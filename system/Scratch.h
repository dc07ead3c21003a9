//===- Scratch.h - A folder for files that go -----------------------------===//
#ifndef KFUSE_SYSTEM_SCRATCH_H
#define KFUSE_SYSTEM_SCRATCH_H

#include <string>

namespace kfuse {

/// A folder of its own that goes with the object, or when the process is
/// interrupted.
class ScratchFolder {
public:
  explicit ScratchFolder(const std::string &name);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder &) = delete;
  ScratchFolder &operator=(const ScratchFolder &) = delete;

  bool good() const { return !Path.empty(); }
  const std::string &path() const { return Path; } ///< absolute
  std::string file(const std::string &name) const { return Path + "/" + name; }

private:
  std::string Path; ///< empty if it couldn't be made
};

/// Makes the folder, and those that it lies in; returns false if that fails.
bool makeFolders(const std::string &path);

/// Returns the bytes of a file; empty for one that can't be read.
std::string contentOf(const std::string &path);

} // namespace kfuse

#endif
