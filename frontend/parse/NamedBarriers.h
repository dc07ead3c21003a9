//===- NamedBarriers.h - Barriers that are named and not called -----------===//
#ifndef KFUSE_FRONTEND_PARSE_NAMEDBARRIERS_H
#define KFUSE_FRONTEND_PARSE_NAMEDBARRIERS_H

#include <string>

namespace kfuse {

/// Returns `text` with `(void)0` for each statement `__syncthreads;`, which has
/// no effect: nvcc warns of it, and for Clang it is an error. Everything else
/// stays where it is.
std::string voidNamedBarriers(std::string text);

} // namespace kfuse

#endif
