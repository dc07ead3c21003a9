//===- CommandLine.h - The command line -----------------------------------===//
#ifndef KFUSE_DRIVER_COMMANDLINE_H
#define KFUSE_DRIVER_COMMANDLINE_H

#include "driver/pipeline/Options.h"

#include <variant>

namespace kfuse {

/// Lists the codes that kfuse exits with.
enum class ExitCode : int {
  Done = 0,       ///< also when nothing was worth fusing
  Input = 1,      ///< the input, a file or a plan is wrong
  Usage = 2,      ///< the command line is wrong
  Mismatch = 3,   ///< the fused program behaves otherwise than the original
  NeverHeld = 4,  ///< it doesn't, but some fused kernel's test never held
  Unverified = 5, ///< there was nothing to compare
};

/// Parses a command line. Returns its options, or the code to exit with once a
/// message, already printed, has said why.
std::variant<Options, ExitCode> parseOptions(int argc, const char **argv);

} // namespace kfuse

#endif
