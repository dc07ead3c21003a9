//===- driver/ClearSums.h - Sums contracted as the compiler does ----------===//
//
//   kernel ──contractions──▶ kernel'     code(kernel) = code(kernel')?
//
// A sum that may be contracted in more than one way keeps its kernel from being
// fused: the compiler may choose another then. Written so that there is one way
// only, and with the machine code that it had, the kernel rounds as before
// wherever it goes. The ways are searched by how near the code comes.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_DRIVER_CLEARSUMS_H
#define KFUSE_DRIVER_CLEARSUMS_H

#include "driver/Compile.h"

namespace kfuse {

/// The program with the kernels' sums written in the one way of which the
/// compiler that the user named makes the same machine code. As it was where
/// that is none, or nothing is asked of the rounding.
std::unique_ptr<Compilation> clearSums(std::unique_ptr<Compilation> from,
                                       const Options &options);

} // namespace kfuse

#endif
