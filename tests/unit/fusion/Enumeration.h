//===- Enumeration.h - Accesses, thread by thread -------------------------===//
//
// The slow, obvious way to know what proofs of legality are about: numbers for
// all host values, then every thread of a small grid in turn.
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

/// By HostValue.
using Numbers = std::vector<std::int64_t>;
using Triple = std::array<std::int64_t, 3>;

/// A thread of a launch, at one round of the loops around an access.
struct Instance {
  Triple grid{}, block{}, blockIdx{}, threadIdx{};
  std::map<std::uint32_t, std::int64_t> counters;
  std::int64_t globalIdx(std::size_t axis) const {
    return blockIdx[axis] * block[axis] + threadIdx[axis];
  }
};

using Valuation = std::function<std::optional<std::int64_t>(Symbol)>;

/// The value as C++ computes it, terms included; nullopt where that isn't
/// defined, or a symbol has none.
std::optional<std::int64_t> valueOf(const Polynomial &polynomial,
                                    const TermTable &terms,
                                    const Valuation &symbols);

/// What coordinates, counters and host values are, and parameters, which are
/// the launch's scalars.
Valuation valuation(const Instance &instance, const Numbers &numbers,
                    const Launch &launch, const TermTable &terms);

bool holds(const Guard &guard, const TermTable &terms,
           const Valuation &symbols);

/// Of the launch; nullopt where it has no threads.
std::optional<Instance> firstThread(const Program &program, LaunchId launch,
                                    const Numbers &numbers);

/// An element that an instance of the access touches.
struct Touch {
  Instance instance;
  std::int64_t element = 0;
};

/// All threads and iterations in which the kernel's access runs, counters going
/// up to `rounds`; nullopt where the launch or an index has no value.
std::optional<std::vector<Touch>>
touchesOf(const Program &program, LaunchId launch, const Access &access,
          const Numbers &numbers, std::int64_t rounds);

} // namespace kfuse::test

#endif
