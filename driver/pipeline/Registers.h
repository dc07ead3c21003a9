//===- Registers.h - What a compiler gives what was chosen ----------------===//
#ifndef KFUSE_DRIVER_PIPELINE_REGISTERS_H
#define KFUSE_DRIVER_PIPELINE_REGISTERS_H

#include "driver/pipeline/Compilation.h"
#include "driver/pipeline/Options.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kfuse {

/// What the program is compiled with, as far as it matters to kfuse.
std::vector<std::string> programFlags(const ParseOptions &options);

/// What the compiler that the user named gives the kernels of a text of the
/// program, with other texts of headers by path: by name; nothing where there
/// is no such compiler; nullopt with a message.
std::optional<CompiledKernels>
compileWithNvcc(const Options &options, const Program &program,
                const std::string &text, std::string &error,
                const std::map<std::string, std::string> &headers = {},
                bool hasLines = false);

/// What it gives the kernels of the program's input; false with a message.
bool compileOriginal(Compilation &compilation, const Options &options,
                     std::string &error);

/// Compiles what was chosen, and chooses again by what that shows, until it
/// shows nothing new; in the end kernels that spill are taken apart. Nothing
/// happens where the user named no compiler. False with a message.
bool replanWithRegisters(Compilation &compilation, const Options &options,
                         std::string &error);

} // namespace kfuse

#endif
