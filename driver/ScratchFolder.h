//===- driver/ScratchFolder.h - A folder for files that go ----------------===//
#ifndef KFUSE_DRIVER_SCRATCHFOLDER_H
#define KFUSE_DRIVER_SCRATCHFOLDER_H

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <string>

namespace kfuse {

/// A folder of its own that goes with the object.
class ScratchFolder {
public:
  explicit ScratchFolder(llvm::StringRef name) {
    Good = !llvm::sys::fs::createUniqueDirectory(name, Path);
  }
  ~ScratchFolder() {
    // A folder that can't be removed is left to the system.
    if (Good)
      static_cast<void>(llvm::sys::fs::remove_directories(Path));
  }
  ScratchFolder(const ScratchFolder &) = delete;
  ScratchFolder &operator=(const ScratchFolder &) = delete;

  bool good() const { return Good; }
  std::string file(llvm::StringRef name) const {
    llvm::SmallString<128> path = Path;
    llvm::sys::path::append(path, name);
    return path.str().str();
  }

private:
  llvm::SmallString<128> Path;
  bool Good = false;
};

inline std::string contentOf(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

} // namespace kfuse

#endif
