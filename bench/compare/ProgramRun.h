//===- ProgramRun.h - One run of a program --------------------------------===//
#ifndef KFUSE_BENCH_COMPARE_PROGRAMRUN_H
#define KFUSE_BENCH_COMPARE_PROGRAMRUN_H

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

/// Runs the program, without input. If `traceVariable` isn't empty, it names
/// the environment variable that asks for a trace.
ProgramRun runProgram(const std::string &program,
                      const std::vector<std::string> &arguments,
                      const ScratchFolder &scratch,
                      const std::string &traceVariable = "");

} // namespace kfuse

#endif
