//===- Files.h - What a run reads and writes ------------------------------===//
#ifndef KFUSE_DRIVER_FILES_H
#define KFUSE_DRIVER_FILES_H

#include "driver/pipeline/Compilation.h"
#include "driver/pipeline/Options.h"
#include "system/Output.h"

#include <string>
#include <vector>

namespace kfuse {

/// `--dot` writes the graphs to files of these names.
inline constexpr const char *DataDependencyFile = "data-dependency.dot";
inline constexpr const char *OrderOfExecutionFile = "order-of-execution.dot";
inline constexpr const char *FusedOrderFile = "fused-order.dot";

std::string fileIn(const std::string &folder, const std::string &name);

/// Returns whether the run's result goes to standard output, in addition to or
/// instead of the files that the options name.
bool usesStandardOutput(const Options &options);

/// Returns why the outputs that the options name can't be written without
/// losing an input that the options name; empty when they can.
std::string refusedFiles(const Options &options);
/// Returns the same; the files that were read for the compilation are inputs,
/// too.
std::string refusedFiles(const Options &options,
                         const Compilation &compilation);

} // namespace kfuse

#endif
