//===- Child.h - Programs that kfuse runs ---------------------------------===//
#ifndef KFUSE_SYSTEM_CHILD_H
#define KFUSE_SYSTEM_CHILD_H

#include <optional>
#include <string>
#include <vector>

namespace kfuse {

/// A program, how to start it, and where what it prints goes. It reads nothing.
struct ChildProgram {
  std::vector<std::string> words; ///< its path, and the arguments
  std::optional<std::vector<std::string>> environment; ///< else kfuse's own
  std::string folder;         ///< that it runs in; empty for kfuse's own
  std::string output, errors; ///< files; the same one for both or not
  unsigned seconds = 0;       ///< that it may take; 0 for as long as it takes
};

struct ChildResult {
  /// The exit code; -1 if it couldn't be started, -2 if it was ended.
  int status = 0;
  std::string message; ///< of the system, if the status is negative
};

/// Runs the program to its end, in a process group that ends with it: what it
/// started and didn't wait for is stopped.
ChildResult runChild(const ChildProgram &program);

/// Returns kfuse's own environment, with one variable set.
std::vector<std::string> environmentWith(const std::string &name,
                                         const std::string &value);

} // namespace kfuse

#endif
