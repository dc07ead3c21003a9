//===- Scratch.cpp - A folder for files that go ---------------------------===//

#include "system/Scratch.h"

#include "system/Input.h"
#include "system/Interrupts.h"

#include <filesystem>

#include <cstdlib>

namespace kfuse {

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder(const std::string &name) {
  std::error_code error;
  fs::path folder = fs::temp_directory_path(error);
  if (!error)
    folder = fs::absolute(folder, error);
  if (error)
    return;
  std::string path = (folder / (name + "-XXXXXX")).string();
  const Uninterrupted guard;
  if (!mkdtemp(path.data()))
    return;
  Path = std::move(path);
  removeAtEnd(Path);
}

ScratchFolder::~ScratchFolder() {
  if (!good())
    return;
  // A folder that can't be removed is left to the system.
  std::error_code error;
  fs::remove_all(Path, error);
  const Uninterrupted guard;
  forgetPath(Path);
}

bool makeFolders(const std::string &path) {
  const Uninterrupted guard;
  std::error_code error;
  fs::create_directories(path, error);
  return !error;
}

std::string contentOf(const std::string &path) {
  return readInput(path).value_or("");
}

} // namespace kfuse
