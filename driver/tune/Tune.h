//===- Tune.h - Plans that are measured -----------------------------------===//
//
//   plan ──measure──▶ times of all kernels ──search again──▶ plan ──▶ ...
//
// First come the plan that the model finds best, others that are one step from
// it, and other limits of the search. Then the search continues with measured
// times instead of projected ones, until it finds a plan that was measured
// before. So groups that lose are split, and a group has the count of elements
// that is fastest.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_DRIVER_TUNE_TUNE_H
#define KFUSE_DRIVER_TUNE_TUNE_H

#include "driver/CommandLine.h"
#include "driver/pipeline/Options.h"

#include "llvm/Support/raw_ostream.h"

#include <atomic>

namespace kfuse {

/// Measures the plans of the input of `options`, and writes the fastest of
/// them, which is never slower than the original. Tells about each in `stream`.
/// Once it is interrupted, the fastest so far is written.
ExitCode tune(const Options &options, const std::atomic<bool> &isInterrupted,
              llvm::raw_ostream &stream);

} // namespace kfuse

#endif
