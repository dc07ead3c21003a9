//===- Storages.h - What a pointer's array can be -------------------------===//
#ifndef KFUSE_GRAPHS_PROGRAM_STORAGES_H
#define KFUSE_GRAPHS_PROGRAM_STORAGES_H

#include "graphs/program/Program.h"

#include <set>
#include <vector>

namespace kfuse {

/// The arrays that `array` can stand for, with every complete candidate set
/// resolved: ids that are no Unknown with candidates.
std::set<ArrayId> storagesOf(const Program &program, ArrayId array);

} // namespace kfuse

#endif
