//===- RunComparison.h - What two runs have in common ---------------------===//
#ifndef KFUSE_DRIVER_RUNCOMPARISON_H
#define KFUSE_DRIVER_RUNCOMPARISON_H

#include "runtime/trace/Trace.h"

#include <cstddef>
#include <set>
#include <string>

namespace kfuse {

/// The status, output and traces that one run of a program left.
struct Run {
  int status = 0;
  std::string message; ///< of the system, when it could not be run
  std::string trace, output, errors;
  std::string launches; ///< how many of each kernel at each line
};

/// Lines that one program prints otherwise when it runs again: single ones, and
/// all from one on if their number isn't the same.
struct UnsteadyLines {
  std::set<std::size_t> lines; ///< counted from 0
  std::size_t from = static_cast<std::size_t>(-1);

  bool contains(std::size_t line) const {
    return line >= from || lines.count(line) != 0;
  }
};

/// The rules by which two runs are compared.
struct RunRules {
  TraceRules trace;
  UnsteadyLines lines;
  bool isStatusUnsteady = false;
};

/// How two runs differ, for people, in the trace, the exit code or the output;
/// empty if they don't.
struct RunDifference {
  std::string text;
  bool isOutput = false; ///< and the rest is equal
};
RunDifference compareRuns(const Run &original, const Run &fused,
                          const RunRules &rules);

/// Adds to what is left out how two runs of the original differ.
void addUnsteady(const Run &one, const Run &other, RunRules &rules);

/// The parts that were left out since the original itself isn't the same twice,
/// a line for each kind.
struct LeftOut {
  std::string text;
  bool isEverything = false; ///< except the exit code
};
LeftOut leftOut(const Run &original, const RunRules &rules);

} // namespace kfuse

#endif
