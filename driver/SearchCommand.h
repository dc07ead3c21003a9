//===- SearchCommand.h - Problems without a program -----------------------===//
#ifndef KFUSE_DRIVER_SEARCHCOMMAND_H
#define KFUSE_DRIVER_SEARCHCOMMAND_H

#include "driver/CommandLine.h"

namespace kfuse {

/// `kfuse search`: reads or generates an abstract problem; searches it and
/// prints what was found, or writes the problem.
ExitCode searchProblem(const Options &options);

} // namespace kfuse

#endif
