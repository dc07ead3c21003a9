//===- AssumedSizes.h - Sizes that the source doesn't tell ----------------===//
//
// One value for each number of the host that extents of launches depend on, so
// that a border has the length of the grid's side. The launch with the most
// such numbers gets FusionOptions::assumedThreads threads.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_COST_ASSUMEDSIZES_H
#define KFUSE_FUSION_COST_ASSUMEDSIZES_H

#include "fusion/plan/Problem.h"

#include <map>
#include <optional>
#include <string>

namespace kfuse {

/// Threads of a block whose extents aren't known: the size most programs use.
inline constexpr double AssumedBlock = 256;

/// Returns the bound of the kernel's loop over the grid in the launch's values;
/// nullopt if it has no such loop.
std::optional<Polynomial> strideBound(const Program &program,
                                      const Launch &launch);

/// Values by HostValue, and by terms that are equal only to themselves.
using AssumedValues = std::map<Symbol, double>;

/// Returns the value of an expression of the host, given those of the numbers
/// in it; nullopt if one is missing.
std::optional<double> valueOf(const Polynomial &polynomial,
                              const TermTable &terms,
                              const AssumedValues &numbers);

/// Returns the value, at least 1, that an expression of the host has or is
/// assumed to have. It is nullopt if no launch's extents depend on the same.
std::optional<double> assumedSize(const Problem &problem,
                                  const Polynomial &polynomial);

/// Returns the variables of the user that the launch's extents depend on, each
/// with the value that is assumed.
std::map<std::string, double> assumedVariables(const Problem &problem,
                                               const Launch &launch);

} // namespace kfuse

#endif
