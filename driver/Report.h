//===- Report.h - What kfuse tells a person -------------------------------===//
#ifndef KFUSE_DRIVER_REPORT_H
#define KFUSE_DRIVER_REPORT_H

#include "driver/pipeline/Compilation.h"
#include "driver/pipeline/Options.h"

#include "llvm/Support/raw_ostream.h"

namespace kfuse {

/// The remarks that the options ask for, as Clang prints diagnostics.
void printRemarks(const Compilation &compilation, const Options &options,
                  llvm::raw_ostream &stream);

/// Launches, traffic and projected time before and after, and what was left.
void printSummary(const Compilation &compilation, llvm::raw_ostream &stream);

/// All remarks through LLVM's YAML serializer.
std::string remarksAsYaml(const Compilation &compilation);

} // namespace kfuse

#endif
