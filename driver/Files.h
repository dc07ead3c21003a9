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

/// Whether the run's result goes to standard output beside, or instead of, the
/// files that the options name.
bool usesStandardOutput(const Options &options);

/// Why the outputs that the options name can't be written without losing what
/// the options name as an input; empty when all is well.
std::string refusedFiles(const Options &options);
/// The same of all that was read for the compilation.
std::string refusedFiles(const Options &options,
                         const Compilation &compilation);

} // namespace kfuse

#endif
