//===- Programs.cpp - Where programs are ----------------------------------===//

#include "system/Programs.h"

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include <unistd.h>

namespace kfuse {

namespace {

bool canStart(const std::filesystem::path &path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored) &&
         access(path.c_str(), X_OK) == 0;
}

} // namespace

std::string findProgram(const std::string &name) {
  if (name.find('/') != std::string::npos)
    return canStart(name) ? name : "";
  const char *const folders = std::getenv("PATH");
  std::istringstream list(folders ? folders : "");
  for (std::string folder; std::getline(list, folder, ':');) {
    // An empty entry is the current folder.
    const std::filesystem::path path =
        std::filesystem::path(folder.empty() ? "." : folder) / name;
    if (!name.empty() && canStart(path))
      return path.string();
  }
  return {};
}

std::string besideProgram(const std::string &name) {
  std::error_code ignored;
  return (std::filesystem::read_symlink("/proc/self/exe", ignored)
              .parent_path() /
          name)
      .string();
}

} // namespace kfuse
