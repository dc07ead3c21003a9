//===- Tune.h - Plans that are measured -----------------------------------===//
//
//   plan ──measure──▶ times of all kernels ──search again──▶ plan ──▶ ...
//
// The search continues with measured times instead of projected ones, until it
// finds a plan that was measured before. So groups that lose are split, and a
// group has the count of elements that is fastest.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_DRIVER_TUNE_TUNE_H
#define KFUSE_DRIVER_TUNE_TUNE_H

#include "driver/CommandLine.h"
#include "driver/pipeline/Options.h"

#include "llvm/Support/raw_ostream.h"

namespace kfuse {

/// Measures the plans of the input of `options`, and writes the fastest of
/// them, which is never slower than the original. Tells about each in `stream`.
ExitCode tune(const Options &options, llvm::raw_ostream &stream);

} // namespace kfuse

#endif
