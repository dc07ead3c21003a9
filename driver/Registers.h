//===- driver/Registers.h - What a compiler gives what was chosen ---------===//
#ifndef KFUSE_DRIVER_REGISTERS_H
#define KFUSE_DRIVER_REGISTERS_H

#include "driver/Compile.h"

namespace kfuse {

/// What the program is compiled with, as far as it matters to kfuse.
std::vector<std::string> programFlags(const ParseOptions &options);

/// What the compiler that the user named gives the kernels of the program's
/// input; false with a message.
bool learnKernels(Compilation &compilation, const Options &options,
                  std::string &error);

/// Compiles what was chosen, and chooses again by what that shows, until it
/// shows nothing new; in the end kernels that spill are taken apart. Nothing
/// happens where the user named no compiler. False with a message.
bool settleRegisters(Compilation &compilation, const Options &options,
                     std::string &error);

} // namespace kfuse

#endif
