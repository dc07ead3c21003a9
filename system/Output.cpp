//===- Output.cpp - Files are as they were, or complete -------------------===//

#include "system/Output.h"

#include "system/Interrupts.h"
#include "system/Scratch.h"
#include "system/Target.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <thread>
#include <utility>

#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <sys/xattr.h>
#include <unistd.h>

namespace kfuse {
namespace {

/// Names that are tried for a file beside another one.
constexpr int MostDrafts = 100;
/// The time that the reader of a pipe may take to begin.
constexpr std::chrono::seconds ReaderTime(10);

std::string reason() { return std::strerror(errno); }

std::string quoted(const std::string &path) {
  return path == "-" ? "standard output" : "'" + path + "'";
}

/// Writes all of the text from the file's position; false with `errno`.
bool writeAll(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(file, text.data(), text.size());
    if (count >= 0) {
      text.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno == EAGAIN) {
      pollfd room = {file, POLLOUT, 0};
      poll(&room, 1, -1);
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

/// Opens without being held up by signals; -1 with `errno`.
int openFile(const std::string &path, int flags, mode_t mode = 0) {
  int file = -1;
  do
    file = open(path.c_str(), flags | O_CLOEXEC | O_NOCTTY, mode);
  while (file < 0 && errno == EINTR);
  return file;
}

/// Opens a pipe once somebody reads it; -1 with `errno`.
int openPipe(const std::string &path) {
  const auto end = std::chrono::steady_clock::now() + ReaderTime;
  int file = openFile(path, O_WRONLY | O_NONBLOCK);
  while (file < 0 && errno == ENXIO && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    file = openFile(path, O_WRONLY | O_NONBLOCK);
  }
  return file;
}

/// A file beside another one, which it can become; else it goes.
class Draft {
public:
  Draft(const std::string &target, mode_t mode) {
    const std::string stem =
        parentOf(target) + "/.kfuse-" + std::to_string(getpid()) + "-";
    const Uninterrupted guard;
    for (int i = 0; i < MostDrafts && Path.empty(); ++i) {
      std::string name = stem + std::to_string(i);
      File = openFile(name, O_RDWR | O_CREAT | O_EXCL, mode);
      if (File >= 0)
        removeAtEnd(Path = std::move(name));
      else if (errno != EEXIST)
        return;
    }
  }
  ~Draft() {
    if (File >= 0)
      close(File);
    if (Path.empty())
      return;
    const Uninterrupted guard;
    unlink(Path.c_str());
    forgetPath(Path);
  }
  Draft(const Draft &) = delete;
  Draft &operator=(const Draft &) = delete;

  int file() const { return File; } ///< -1 if it couldn't be made

  /// Closes the file; returns false with `errno` if that fails. Some systems
  /// tell only here that there was no room.
  bool finish() { return close(std::exchange(File, -1)) == 0; }

  bool becomes(const std::string &target) {
    const Uninterrupted guard;
    if (rename(Path.c_str(), target.c_str()) != 0)
      return false;
    forgetPath(std::exchange(Path, {}));
    return true;
  }

  const std::string &path() const { return Path; }

private:
  std::string Path;
  int File = -1;
};

/// Returns what a file has beside its content: its access lists and labels.
std::map<std::string, std::string> attributesOf(const std::string &path) {
  std::string names;
  if (const ssize_t size = listxattr(path.c_str(), nullptr, 0); size > 0) {
    names.resize(static_cast<std::size_t>(size));
    const ssize_t read = listxattr(path.c_str(), names.data(), names.size());
    names.resize(static_cast<std::size_t>(std::max<ssize_t>(read, 0)));
  }
  std::map<std::string, std::string> all;
  for (std::size_t i = 0; i < names.size();) {
    const std::string name = names.c_str() + i;
    i += name.size() + 1;
    const ssize_t size = getxattr(path.c_str(), name.c_str(), nullptr, 0);
    std::string &value = all[name];
    value.resize(static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    getxattr(path.c_str(), name.c_str(), value.data(), value.size());
  }
  return all;
}

mode_t modeOf(const Target &target, const WriteOptions &options) {
  if (target.kind == TargetKind::New)
    return options.isExecutable ? 0777 : 0666; // less what the umask says
  const mode_t mode = target.status.st_mode & 07777;
  return options.isExecutable ? mode | (mode & 0444) >> 2 : mode;
}

/// Sets the draft's owner and mode to the target's; returns false if the draft
/// can't have all that the target has.
bool takeNature(const Draft &draft, const Target &target,
                const WriteOptions &options) {
  struct stat own = {};
  if (fstat(draft.file(), &own) != 0)
    return false;
  const bool isOwned =
      own.st_uid == target.status.st_uid && own.st_gid == target.status.st_gid;
  return (isOwned || fchown(draft.file(), target.status.st_uid,
                            target.status.st_gid) == 0) &&
         attributesOf(draft.path()) == attributesOf(target.path) &&
         fchmod(draft.file(), modeOf(target, options)) == 0;
}

/// Writes in place if there is room; what the file held comes back if that
/// fails. Returns nothing, or why it failed.
std::string overwrite(const Target &target, std::string_view text,
                      const WriteOptions &options) {
  const Uninterrupted guard;
  const std::string old = contentOf(target.path);
  const int file = openFile(target.path, O_RDWR | O_NOFOLLOW);
  if (file < 0)
    return reason();
  const auto size = static_cast<off_t>(text.size());
  const bool hasRoom = text.empty() || fallocate(file, 0, 0, size) == 0 ||
                       errno == EOPNOTSUPP || errno == ENOSYS;
  std::string why;
  if (!hasRoom || !writeAll(file, text) || ftruncate(file, size) != 0) {
    why = reason();
    const bool isWhole =
        !hasRoom || (lseek(file, 0, SEEK_SET) == 0 && writeAll(file, old));
    if (!isWhole || ftruncate(file, static_cast<off_t>(old.size())) != 0)
      why += "; what it held is lost";
  } else if (options.isExecutable) {
    static_cast<void>(fchmod(file, modeOf(target, options)));
  }
  if (close(file) != 0 && why.empty())
    why = reason();
  return why;
}

bool isOutOfRoom(int error) {
  return error == ENOSPC || error == EDQUOT || error == EFBIG || error == EIO;
}

std::string noFolder(const Target &target) {
  return std::string(std::strerror(ENOENT)) + " (there is no folder '" +
         parentOf(target.path) + "')";
}

/// Writes a new file, or in place of a plain one. Empty, or why not.
std::string replace(const Target &target, std::string_view text,
                    const WriteOptions &options) {
  const bool isNew = target.kind == TargetKind::New;
  if (!isNew && target.status.st_nlink > 1)
    return overwrite(target, text, options);
  Draft draft(target.path, isNew ? modeOf(target, options) : 0600);
  if (draft.file() < 0) {
    const int error = errno;
    const std::string why = std::strerror(error);
    if (isNew && error == ENOENT)
      return noFolder(target);
    return isNew || isOutOfRoom(error) ? why : overwrite(target, text, options);
  }
  if (!isNew && !takeNature(draft, target, options))
    return overwrite(target, text, options);
  if (!writeAll(draft.file(), text) || !draft.finish())
    return reason();
  if (draft.becomes(target.path))
    return {};
  return isNew ? reason() : overwrite(target, text, options);
}

/// Writes to what isn't replaced: a device, a pipe, what somebody has open.
std::string writeTo(const Target &target, std::string_view text) {
  if (target.kind == TargetKind::Descriptor)
    return writeAll(target.descriptor, text) ? std::string() : reason();
  const bool isFile = S_ISREG(target.status.st_mode);
  const bool isPipe = S_ISFIFO(target.status.st_mode);
  const int file =
      isPipe ? openPipe(target.path)
             : openFile(target.path, O_WRONLY | (isFile ? O_TRUNC : 0));
  if (file < 0)
    return isPipe && errno == ENXIO ? "nobody reads the pipe" : reason();
  const std::string why = writeAll(file, text) ? std::string() : reason();
  return close(file) == 0 || !why.empty() ? why : reason();
}

std::string failure(const std::string &path, const std::string &why) {
  return "cannot write " + quoted(path) + ": " + why;
}

bool lacksFolder(const Target &target) {
  return target.kind == TargetKind::New &&
         access(parentOf(target.path).c_str(), F_OK) != 0 && errno == ENOENT;
}

std::string whyNot(const Target &target, const WriteOptions &options) {
  return target.error.empty() && !options.force ? readOnlyReason(target)
                                                : target.error;
}

} // namespace

std::string writeOutput(const std::string &path, std::string_view text,
                        const WriteOptions &options) {
  const Target target = targetOf(path);
  std::string why = whyNot(target, options);
  if (why.empty())
    why = target.kind == TargetKind::New || target.kind == TargetKind::Plain
              ? replace(target, text, options)
              : writeTo(target, text);
  return why.empty() ? why : failure(path, why);
}

std::string refusedOutput(const std::vector<NamedFile> &outputs,
                          const std::vector<NamedFile> &inputs,
                          const WriteOptions &options) {
  std::vector<Target> targets, read;
  for (const NamedFile &output : outputs)
    targets.push_back(targetOf(output.path));
  for (const NamedFile &input : inputs)
    read.push_back(targetOf(input.path));
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::string &path = outputs[i].path;
    for (std::size_t j = 0; j < inputs.size(); ++j)
      if (read[j].kind != TargetKind::New && isSameFile(targets[i], read[j]))
        return quoted(path) + " is " + inputs[j].role +
               "; it would be overwritten";
    for (std::size_t j = 0; j < i; ++j)
      if (isSameFile(targets[i], targets[j]))
        return quoted(path) + " is written twice: by " + outputs[j].role +
               " and by " + outputs[i].role;
    std::string why = whyNot(targets[i], options);
    if (why.empty() && !options.makesFolders && lacksFolder(targets[i]))
      why = noFolder(targets[i]);
    if (!why.empty())
      return failure(path, why);
  }
  return {};
}

} // namespace kfuse
