//===- ByteTables.h - Results of one byte, looked up ----------------------===//
//
// If all results of a body depend on one byte of memory and on values that all
// threads share, a block first computes those of all 256 bytes. Its threads
// then look them up:
//
//   __shared__ unsigned char b_of[256];
//   for (unsigned entry = threadIdx.x; entry < 256; entry += blockDim.x)
//     b_of[entry] = ...;
//   __syncthreads();
//   ...
//   b_out[v] = b_of[a_in[v]];
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_CODEGEN_BODY_BYTETABLES_H
#define KFUSE_CODEGEN_BODY_BYTETABLES_H

#include "codegen/body/MergedBodyBuilder.h"

namespace kfuse {

/// Adds a table for each store of a body whose threads have neighbouring
/// elements, if looking results up is faster than computing them. The results
/// must be computable for all bytes, including those that the memory doesn't
/// have.
void takeTables(MergedBodyBuilder &body);

} // namespace kfuse

#endif
