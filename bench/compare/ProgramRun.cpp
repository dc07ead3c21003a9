//===- ProgramRun.cpp - One run of a program ------------------------------===//

#include "bench/compare/ProgramRun.h"

#include "system/Child.h"
#include "system/Scratch.h"

#include <chrono>

#include <unistd.h>

namespace kfuse {

ProgramRun runProgram(const std::string &program,
                      const std::vector<std::string> &arguments,
                      const ScratchFolder &scratch,
                      const std::string &traceVariable) {
  using Clock = std::chrono::steady_clock;
  ChildProgram child;
  child.words = {program};
  child.words.insert(child.words.end(), arguments.begin(), arguments.end());
  child.output = scratch.file("output");
  child.errors = scratch.file("errors");
  const std::string trace = scratch.file("trace");
  if (!traceVariable.empty()) {
    // A program that writes none must not be taken for the one before it.
    unlink(trace.c_str());
    child.environment = environmentWith(traceVariable, trace);
  }
  ProgramRun run;
  const Clock::time_point begin = Clock::now();
  const ChildResult ended = runChild(child);
  run.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  run.status = ended.status;
  run.message = ended.message;
  run.output = contentOf(child.output);
  if (!traceVariable.empty())
    run.trace = contentOf(trace);
  return run;
}

} // namespace kfuse
