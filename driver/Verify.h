//===- Verify.h - Does the fused program do the same? ---------------------===//
#ifndef KFUSE_DRIVER_VERIFY_H
#define KFUSE_DRIVER_VERIFY_H

#include "driver/CommandLine.h"
#include "driver/pipeline/Compilation.h"
#include "driver/pipeline/Options.h"

#include "llvm/Support/raw_ostream.h"

namespace kfuse {

/// Returns the sets of trace labels whose arrays the host may have swapped.
std::vector<std::vector<std::string>>
swappedLabels(const Compilation &compilation);
/// Returns the labels of the arrays whose last content only the original keeps:
/// the sources of copies that became swaps.
std::vector<std::string> lostLabels(const Compilation &compilation);

/// Builds the original and the fused program on the CPU executor with address
/// and undefined-behaviour sanitizers, runs both in several thread orders, and
/// compares their traces and their output. What is found goes to `stream`.
ExitCode verify(const Compilation &compilation, const Options &options,
                llvm::raw_ostream &stream);

} // namespace kfuse

#endif
