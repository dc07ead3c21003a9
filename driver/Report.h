//===- driver/Report.h - What kfuse tells a person ------------------------===//
#ifndef KFUSE_DRIVER_REPORT_H
#define KFUSE_DRIVER_REPORT_H

#include "driver/Compile.h"

#include "llvm/Support/raw_ostream.h"

namespace kfuse {

/// The remarks that the options ask for, as Clang prints diagnostics.
void printRemarks(const Compilation &compilation, const Options &options,
                  llvm::raw_ostream &stream);

/// Launches, traffic and projected time before and after, and what was left.
void printSummary(const Compilation &compilation, llvm::raw_ostream &stream);

/// All remarks through LLVM's YAML serializer; a message on failure.
std::string saveRemarks(const Compilation &compilation,
                        const std::string &path);

/// What `--emit` asks for.
std::string emit(const Compilation &compilation, EmitKind kind);

/// Writes through a temporary file beside the target that is renamed when it
/// is complete; `-` is standard output. A message on failure.
std::string writeFile(const std::string &path, llvm::StringRef text);

} // namespace kfuse

#endif
