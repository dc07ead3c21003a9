//===- Report.h - What kfuse tells a person -------------------------------===//
#ifndef KFUSE_DRIVER_REPORT_H
#define KFUSE_DRIVER_REPORT_H

#include "driver/pipeline/Compilation.h"
#include "driver/pipeline/Options.h"

#include "llvm/Support/raw_ostream.h"

namespace kfuse {

/// Prints the remarks that the options ask for in the form of Clang's
/// diagnostics.
void printRemarks(const Compilation &compilation, const Options &options,
                  llvm::raw_ostream &stream);

/// Prints the launches, the traffic and the projected time before and after
/// fusion, and what was left unfused.
void printSummary(const Compilation &compilation, llvm::raw_ostream &stream);

/// Returns all remarks as YAML, as LLVM's serializer of remarks writes them.
std::string remarksAsYaml(const Compilation &compilation);

} // namespace kfuse

#endif
