//===- FissionCandidate.h - A kernel that could be several ----------------===//
#ifndef KFUSE_GRAPHS_PROGRAM_FISSIONCANDIDATE_H
#define KFUSE_GRAPHS_PROGRAM_FISSIONCANDIDATE_H

#include "graphs/program/Program.h"

#include <cstdint>
#include <set>
#include <vector>

namespace kfuse {

/// Parts of a kernel, by number.
using PartSet = std::set<std::uint32_t>;

/// The text of a kernel that each of its parts needs. Each part writes arrays
/// that no other part touches. All of them may have what they only compute
/// with, and the conditions under which they leave.
struct FissionCandidate {
  struct Statement {
    SourceRange range;
    PartSet parts; ///< that need it
  };
  KernelId kernel{};
  /// Nested statements come after those around them.
  std::vector<Statement> statements;
  /// Which of Kernel::parameters a part needs, and which of these it may write
  /// through.
  struct Part {
    std::set<std::uint32_t> parameters, outputs;
  };
  std::vector<Part> parts;
  /// The kernel's launches whose text lets them be launches of parts.
  std::vector<LaunchId> launches;
};

/// A launch as several of its kernel's parts, one after the other.
struct Fission {
  LaunchId launch{};
  std::uint32_t separation = 0; ///< index of its kernel's
  /// Each is a kernel, with one part or more.
  std::vector<PartSet> pieces;
};

} // namespace kfuse

#endif
