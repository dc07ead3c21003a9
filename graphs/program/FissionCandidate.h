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

/// What of a kernel's text its parts need. Each part writes arrays that no
/// other part touches; what they only compute with, and the conditions under
/// which they leave, all of them may have.
struct FissionCandidate {
  struct Statement {
    SourceRange range;
    PartSet parts; ///< that need it
  };
  KernelId kernel{};
  /// Those under others behind these.
  std::vector<Statement> statements;
  /// By part, which of Kernel::parameters it needs, and which of these it may
  /// write through.
  struct Part {
    std::set<std::uint32_t> parameters, outputs;
  };
  std::vector<Part> parts;
  /// Those of the kernel whose text lets them be launches of parts.
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
