//===- SearchCommand.h - Problems without a program -----------------------===//
#ifndef KFUSE_DRIVER_SEARCHCOMMAND_H
#define KFUSE_DRIVER_SEARCHCOMMAND_H

#include "driver/CommandLine.h"

namespace kfuse {

/// Runs `kfuse search`: reads an abstract problem, searches it and prints what
/// was found, or generates a problem and writes it.
ExitCode searchProblem(const Options &options);

} // namespace kfuse

#endif
