//===- driver/Verify.h - Does the fused program do the same? --------------===//
#ifndef KFUSE_DRIVER_VERIFY_H
#define KFUSE_DRIVER_VERIFY_H

#include "driver/Compile.h"

#include "llvm/Support/raw_ostream.h"

namespace kfuse {

/// Builds the original and the fused program on the CPU executor with address
/// and undefined-behaviour sanitizers, runs both in several thread orders, and
/// compares their traces and their output. What is found goes to `stream`.
ExitCode verify(const Compilation &compilation, const Options &options,
                llvm::raw_ostream &stream);

} // namespace kfuse

#endif
