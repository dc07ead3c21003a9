//===- Flags.h - Compiler flags for Clang ---------------------------------===//
//
// Flags come from the command line and from compilation databases that were
// written for nvcc; Clang's driver must only see those it can take.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_PARSE_FLAGS_H
#define KFUSE_FRONTEND_PARSE_FLAGS_H

#include <string>
#include <string_view>
#include <vector>

namespace kfuse {

struct ParseOptions;

/// Returns the `flags` that matter to parsing, nvcc-only and code generation
/// ones dropped, nvcc's spellings (`--include-path=x`, `-fmad=false`) in
/// Clang's.
std::vector<std::string> clangFlags(const std::vector<std::string> &flags);

/// Returns the flags of `input` in the compile_commands.json of `buildPath`,
/// without compiler, input and output. `error` says why there are none.
std::vector<std::string> databaseFlags(const std::string &buildPath,
                                       const std::string &input,
                                       std::string &error);

/// Returns the compiler of `input` in that database and its flags for code
/// generation, which clangFlags() drops; empty if it isn't nvcc.
std::vector<std::string> databaseCompiler(const std::string &buildPath,
                                          const std::string &input);

/// Returns those of nvcc's `flags` that say what code it makes.
std::vector<std::string> codeFlags(const std::vector<std::string> &flags);

/// Returns the language of `text`: `cuda`, or in an OpenCL program `cl` for
/// kernels and `c` or `c++` for a host. It comes from the option, the flags,
/// the extension or the text, and is empty if the text shows none of them.
std::string detectLanguage(const ParseOptions &options, std::string_view text);

/// Checks whether `text` includes OpenCL's classes of C++, by any header.
bool usesOpenClClasses(std::string_view text);

/// Returns the whole command line for Clang's driver, the program's name first.
/// `headers` is the folder of kfuse's own headers.
std::vector<std::string> driverArguments(const ParseOptions &options,
                                         const std::vector<std::string> &flags,
                                         const std::string &language,
                                         const std::string &resourceDir,
                                         const std::string &headers);

} // namespace kfuse

#endif
