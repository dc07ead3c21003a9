//===- Enumeration.h - Accesses, thread by thread -------------------------===//
//
// Evaluates by brute force what the proofs of legality are about: it assigns
// numbers to all host values and runs through every thread of a small grid.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_TESTS_UNIT_FUSION_ENUMERATION_H
#define KFUSE_TESTS_UNIT_FUSION_ENUMERATION_H

#include "graphs/program/Program.h"

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace kfuse::test {

/// Gives each HostValue a number.
using Numbers = std::vector<std::int64_t>;
using Triple = std::array<std::int64_t, 3>;

/// Represents a thread of a launch in one iteration of the loops around an
/// access.
struct Instance {
  Triple grid{}, block{}, blockIdx{}, threadIdx{};
  std::map<std::uint32_t, std::int64_t> counters;
  std::int64_t globalIdx(std::size_t axis) const {
    return blockIdx[axis] * block[axis] + threadIdx[axis];
  }
};

using Valuation = std::function<std::optional<std::int64_t>(Symbol)>;

/// Returns the value as C++ computes it, including terms; nullopt if it isn't
/// defined or if a symbol has no value.
std::optional<std::int64_t> valueOf(const Polynomial &polynomial,
                                    const TermTable &terms,
                                    const Valuation &symbols);

/// Returns the values of coordinates, counters, host values and parameters. The
/// parameters have the values of the launch's scalars.
Valuation valuation(const Instance &instance, const Numbers &numbers,
                    const Launch &launch, const TermTable &terms);

bool holds(const Guard &guard, const TermTable &terms,
           const Valuation &symbols);

/// Returns the launch's first thread; nullopt if it has no threads.
std::optional<Instance> firstThread(const Program &program, LaunchId launch,
                                    const Numbers &numbers);

/// Represents an element that an instance of the access touches.
struct Touch {
  Instance instance;
  std::int64_t element = 0;
};

/// Returns what the kernel's access touches in all threads and iterations, with
/// counters up to `rounds`; nullopt if the launch or an index has no value.
std::optional<std::vector<Touch>>
touchesOf(const Program &program, LaunchId launch, const Access &access,
          const Numbers &numbers, std::int64_t rounds);

} // namespace kfuse::test

#endif
