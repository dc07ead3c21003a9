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

/// Returns the flags that the program is compiled with, as far as they matter
/// to kfuse.
std::vector<std::string> programFlags(const ParseOptions &options);

/// Returns, by name, what the compiler that the user named gives the kernels of
/// a text of the program. `headers` replaces texts of headers by path. Returns
/// nothing if there is no such compiler, and nullopt with a message on failure.
std::optional<CompiledKernels>
compileWithNvcc(const Options &options, const Program &program,
                const std::string &text, std::string &error,
                const std::map<std::string, std::string> &headers = {},
                bool hasLines = false);

/// Records the same for the program's input; returns false with a message on
/// failure.
bool compileOriginal(Compilation &compilation, const Options &options,
                     std::string &error);

/// Compiles what was chosen, and chooses again by what that shows, until it
/// shows nothing new; in the end kernels that spill are taken apart. Nothing
/// happens if the user named no compiler. Returns false with a message on
/// failure.
bool replanWithRegisters(Compilation &compilation, const Options &options,
                         std::string &error);

} // namespace kfuse

#endif
