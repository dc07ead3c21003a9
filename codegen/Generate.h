//===- codegen/Generate.h - The fused program as text ---------------------===//
#ifndef KFUSE_CODEGEN_GENERATE_H
#define KFUSE_CODEGEN_GENERATE_H

#include "fusion/Plan.h"
#include "graphs/Program.h"

#include <string>
#include <string_view>

namespace kfuse {

/// The input with the plan's fused kernels and a rewritten host; every byte
/// that the plan doesn't concern is as it was. `source` is the text of file 0
/// of the program, to which its ranges refer. Returns the input unchanged for
/// a plan of single kernels.
std::string generate(std::string_view source, const Program &program,
                     const ExecutionGraph &order, const FusionPlan &plan);

} // namespace kfuse

#endif
