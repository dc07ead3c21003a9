//===- ByteTables.h - Results of one byte, looked up ----------------------===//
//
// A block computes the results of all 256 bytes first and looks them up, if all
// that a body stores depends on one byte of memory and on what all threads
// agree on:
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

/// Names a table for each store of a body whose threads have neighbours, if
/// results are looked up in less time than they are computed in, and can be
/// computed of bytes that the memory doesn't have.
void takeTables(MergedBodyBuilder &body);

} // namespace kfuse

#endif
