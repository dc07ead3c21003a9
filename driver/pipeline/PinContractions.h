//===- PinContractions.h - Sums contracted as the compiler does -----------===//
//
//   kernel ──lines──▶ kernel'     code(kernel) = code(kernel')?
//
// A sum that may be contracted in more than one way keeps its kernel from being
// fused: the compiler may choose another then. Written so that there is one way
// only, the kernel rounds as before wherever it goes. Which one is read from
// the machine code, of which a table of lines says what each instruction is of.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_DRIVER_PIPELINE_PINCONTRACTIONS_H
#define KFUSE_DRIVER_PIPELINE_PINCONTRACTIONS_H

#include "driver/pipeline/Compilation.h"
#include "driver/pipeline/Options.h"

#include <future>
#include <memory>
#include <set>
#include <string>

namespace kfuse {

bool hasAmbiguousSums(const Program &program);

/// Returns the program with the ambiguous sums of kernels, and all sums of the
/// kernels named in `asked`, written as the compiler that the user named
/// contracts them. It stays as it was if there is no compiler, or nothing is
/// asked of the rounding. `original` is true once compileOriginal() has
/// recorded what the compiler makes of the program; meanwhile the text with
/// lines compiles too.
std::unique_ptr<Compilation>
pinContractions(std::unique_ptr<Compilation> from, const Options &options,
                const std::set<std::string> &asked,
                const std::shared_future<bool> &original);

} // namespace kfuse

#endif
