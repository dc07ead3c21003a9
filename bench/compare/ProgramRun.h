//===- ProgramRun.h - One run of a program --------------------------------===//
#ifndef KFUSE_BENCH_COMPARE_PROGRAMRUN_H
#define KFUSE_BENCH_COMPARE_PROGRAMRUN_H

#include "bench/DeviceChoice.h"

#include <optional>
#include <string>
#include <vector>

namespace kfuse {

class ScratchFolder;

/// The output and trace that a run left, and how long it took.
struct ProgramRun {
  double seconds = 0;
  int status = 0;            ///< the exit code; negative as in ChildResult
  std::string message;       ///< of the system, if the status is negative
  std::string output, trace; ///< the trace only if one was asked for
};

/// A program, and how it runs. It reads nothing.
struct RunnableProgram {
  std::string path;
  std::vector<std::string> arguments;
  std::optional<VisibleDevices> devices; ///< that it sees; else all
  /// Names the environment variable that asks for a trace; empty for no trace.
  std::string traceVariable = {};
};

/// Runs the program once. A run that isn't timed also checks that the program
/// sees no other devices: the message then says why it may, and the status is
/// -1.
ProgramRun runProgram(const RunnableProgram &program,
                      const ScratchFolder &scratch, bool isTimed);

} // namespace kfuse

#endif
