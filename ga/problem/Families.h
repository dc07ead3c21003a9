//===- Families.h - Problems of any size, from a seed ---------------------===//
#ifndef KFUSE_GA_PROBLEM_FAMILIES_H
#define KFUSE_GA_PROBLEM_FAMILIES_H

#include "ga/problem/AbstractProblem.h"

namespace kfuse {

/// The kinds of programs that fusion is for.
enum class Family : std::uint8_t {
  Weather,   ///< stencils over about 0.45 n arrays that are used again
  Pipelines, ///< image pipelines: chains with branches, side by side
  Sharing,   ///< kernels that read the same inputs, and few of each other's
};
inline constexpr Family Families[] = {Family::Weather, Family::Pipelines,
                                      Family::Sharing};

const char *familyName(Family family);

/// Generates a problem of `size` kernels for the device, the same on every
/// machine.
AbstractProblem generateProblem(Family family, std::uint32_t size,
                                std::uint64_t seed, const Device &device);

/// Generates the problem of `family:size:seed`, or returns what is wrong with
/// the text.
std::variant<AbstractProblem, std::string>
generateProblem(std::string_view text, const Device &device);

} // namespace kfuse

#endif
