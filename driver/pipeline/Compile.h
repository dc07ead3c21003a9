//===- Compile.h - The compiler as one function ---------------------------===//
//
//   source ─parse▶ SourceUnit ─extract▶ Program ─graphs▶ G_ddg, G_ooe
//          ─search▶ Partition ─makePlan▶ FusionPlan ─generate▶ source'
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_DRIVER_PIPELINE_COMPILE_H
#define KFUSE_DRIVER_PIPELINE_COMPILE_H

#include "driver/pipeline/Compilation.h"
#include "driver/pipeline/Options.h"

#include <memory>
#include <string>

namespace kfuse {

/// Compiles the input of `options`; nullptr with a message in `error` (which
/// already holds what the parser said) when the input can't be used.
std::unique_ptr<Compilation> compile(const Options &options,
                                     std::string &error);

} // namespace kfuse

#endif
