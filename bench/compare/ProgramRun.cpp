//===- ProgramRun.cpp - One run of a program ------------------------------===//

#include "bench/compare/ProgramRun.h"

#include "bench/collect/ProgramEnvironment.h"
#include "system/Child.h"
#include "system/Scratch.h"

#include <chrono>

#include <unistd.h>

namespace kfuse {

ProgramRun runProgram(const RunnableProgram &program,
                      const ScratchFolder &scratch, bool isTimed) {
  using Clock = std::chrono::steady_clock;
  ChildProgram child;
  child.words = {program.path};
  child.words.insert(child.words.end(), program.arguments.begin(),
                     program.arguments.end());
  child.output = scratch.file("output");
  child.errors = scratch.file("errors");
  child.environment = ownEnvironment();
  ProgramRun run;
  if (program.devices)
    run.message = showOnly(*program.devices, *child.environment);
  if (!run.message.empty()) {
    run.status = -1;
    return run;
  }
  const std::string trace = scratch.file("trace");
  if (!program.traceVariable.empty()) {
    // A program that writes none must not be taken for the one before it.
    unlink(trace.c_str());
    setVariable(*child.environment, program.traceVariable, trace);
  }
  // Notes of an earlier run don't count.
  const ScratchFolder notes("kfuse-loaded");
  const bool isChecked = program.devices && !isTimed && notes.good();
  if (isChecked)
    noteLoadedFiles(*child.environment, notes.file("files"));
  const Clock::time_point begin = Clock::now();
  const ChildResult ended = runChild(child);
  run.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  run.status = ended.status;
  run.message = ended.message;
  run.output = contentOf(child.output);
  if (!program.traceVariable.empty())
    run.trace = contentOf(trace);
  const std::string loader =
      isChecked ? loaderWithoutLayer(notes.file("files")) : "";
  if (!loader.empty()) {
    run.status = -1;
    run.message = withoutLayerText(loader);
  }
  return run;
}

} // namespace kfuse
