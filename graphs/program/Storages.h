//===- Storages.h - What a pointer's array can be -------------------------===//
#ifndef KFUSE_GRAPHS_PROGRAM_STORAGES_H
#define KFUSE_GRAPHS_PROGRAM_STORAGES_H

#include "graphs/program/Program.h"

#include <set>
#include <vector>

namespace kfuse {

/// Returns the arrays that `array` can be, with every complete candidate set
/// resolved: none of them is Unknown with candidates.
std::set<ArrayId> storagesOf(const Program &program, ArrayId array);

} // namespace kfuse

#endif
