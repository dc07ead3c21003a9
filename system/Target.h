//===- Target.h - What the name of an output stands for -------------------===//
#ifndef KFUSE_SYSTEM_TARGET_H
#define KFUSE_SYSTEM_TARGET_H

#include <string>

#include <sys/stat.h>

namespace kfuse {

enum class TargetKind {
  New,        ///< nothing yet
  Plain,      ///< a file that can be replaced
  Special,    ///< a device, a pipe, or what another process has open
  Descriptor, ///< what kfuse itself has open: `-`, `/dev/stdout`, `/dev/fd/3`
};

struct Target {
  TargetKind kind = TargetKind::New;
  std::string path; ///< after all links are followed
  int descriptor = -1;
  struct stat status = {}; ///< of all but new ones
  std::string error;       ///< why it can't be written, whatever its content
};

/// Returns the folder that the file is in; `.` if the path names none.
std::string parentOf(const std::string &path);

/// Follows the links of the name, also those that lead nowhere yet.
Target targetOf(const std::string &name);

/// Returns why the target mustn't be overwritten: nobody has leave to write the
/// file. That goes for the superuser, too. Empty when all is well.
std::string readOnlyReason(const Target &target);

/// Checks whether writing one file changes the other: one file by device and
/// number, or one place for a file that isn't there yet. Devices never count,
/// since two outputs may go to `/dev/null`.
bool isSameFile(const Target &one, const Target &other);

} // namespace kfuse

#endif
