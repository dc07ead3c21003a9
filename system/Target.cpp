//===- Target.cpp - What the name of an output stands for -----------------===//

#include "system/Target.h"

#include <charconv>
#include <cstring>
#include <filesystem>

#include <cerrno>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace kfuse {
namespace {

namespace fs = std::filesystem;

/// The number of links that the system follows.
constexpr int MostLinks = 40;

Target failure(Target target, const std::string &why) {
  target.error = why;
  return target;
}

/// Checks whether the path is in /proc. Links there are no names: the files
/// that they lead to needn't be anywhere else.
bool isInProc(const std::string &path) {
  struct statfs system = {};
  return statfs(parentOf(path).c_str(), &system) == 0 &&
         system.f_type == PROC_SUPER_MAGIC;
}

/// Returns the number of the path's descriptor in this process, or -1.
int descriptorOf(const std::string &path) {
  struct stat folder = {}, own = {};
  if (stat(parentOf(path).c_str(), &folder) != 0 ||
      stat("/proc/self/fd", &own) != 0 || folder.st_dev != own.st_dev ||
      folder.st_ino != own.st_ino)
    return -1;
  const std::string name = fs::path(path).filename().string();
  int number = -1;
  const auto [end, error] =
      std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc() && end == name.data() + name.size() ? number : -1;
}

Target openedAs(int descriptor, Target target) {
  target.kind = TargetKind::Descriptor;
  target.descriptor = descriptor;
  const int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0 || fstat(descriptor, &target.status) != 0)
    return failure(std::move(target), std::strerror(errno));
  if ((flags & O_ACCMODE) == O_RDONLY)
    return failure(std::move(target), "it isn't open for writing");
  return target;
}

/// Sets the kind of an existing target by its status.
Target existing(Target target) {
  switch (target.status.st_mode & S_IFMT) {
  case S_IFDIR:
    return failure(std::move(target), "it is a folder");
  case S_IFSOCK:
    return failure(std::move(target), "it is a socket");
  case S_IFREG:
    target.kind = TargetKind::Plain;
    return target;
  default:
    target.kind = TargetKind::Special;
    return target;
  }
}

Target missing(Target target) {
  if (target.path.ends_with("/"))
    return failure(std::move(target), "its name is that of a folder");
  std::error_code error;
  const fs::path place = fs::weakly_canonical(fs::absolute(target.path), error);
  if (!error)
    target.path = place.string();
  return target;
}

} // namespace

std::string parentOf(const std::string &path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

Target targetOf(const std::string &name) {
  Target target;
  if (name == "-")
    return openedAs(STDOUT_FILENO, std::move(target));
  if (name.empty())
    return failure(std::move(target), "its name is empty");
  target.path = name;
  for (int links = 0; links < MostLinks; ++links) {
    if (lstat(target.path.c_str(), &target.status) != 0)
      return errno == ENOENT ? missing(std::move(target))
                             : failure(std::move(target), std::strerror(errno));
    if (!S_ISLNK(target.status.st_mode))
      return existing(std::move(target));
    if (isInProc(target.path)) {
      if (const int number = descriptorOf(target.path); number >= 0)
        return openedAs(number, std::move(target));
      if (stat(target.path.c_str(), &target.status) != 0)
        return failure(std::move(target), std::strerror(errno));
      target = existing(std::move(target));
      target.kind = TargetKind::Special;
      return target;
    }
    std::error_code error;
    const fs::path next = fs::read_symlink(target.path, error);
    if (error)
      return failure(std::move(target), error.message());
    target.path = (fs::path(target.path).parent_path() / next).string();
  }
  return failure(std::move(target), std::strerror(ELOOP));
}

std::string readOnlyReason(const Target &target) {
  if (target.kind != TargetKind::Plain ||
      ((target.status.st_mode & 0222) != 0 &&
       faccessat(AT_FDCWD, target.path.c_str(), W_OK, AT_EACCESS) == 0))
    return {};
  return "it is read-only; --force overwrites it";
}

bool isSameFile(const Target &one, const Target &other) {
  const bool isNew = one.kind == TargetKind::New;
  if (isNew != (other.kind == TargetKind::New))
    return false;
  if (!isNew)
    return !S_ISCHR(one.status.st_mode) &&
           one.status.st_dev == other.status.st_dev &&
           one.status.st_ino == other.status.st_ino;
  return one.path == other.path;
}

} // namespace kfuse
