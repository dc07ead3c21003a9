//===- Aliases.h - Which names can be one storage -------------------------===//
#ifndef KFUSE_GRAPHS_PROGRAM_ALIASES_H
#define KFUSE_GRAPHS_PROGRAM_ALIASES_H

#include "graphs/program/Program.h"

#include <cstdint>
#include <vector>

namespace kfuse {

/// Whether two names can be the same storage.
enum class Alias : std::uint8_t { Never, Same, May };
Alias alias(const Program &program, ArrayId lhs, ArrayId rhs);

/// Lists for each array those that alias() doesn't tell it from, itself
/// included, in ascending order.
std::vector<std::vector<ArrayId>> namesOf(const Program &program);

} // namespace kfuse

#endif
