//===- DependencyGraph.h - G_ddg ------------------------------------------===//
//
// G_ddg(K ∪ D, E): arrays, kernels, and their reads and writes. An array is a
// new version after each write, so that the graph is acyclic.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_GRAPHS_DEPENDENCYGRAPH_H
#define KFUSE_GRAPHS_DEPENDENCYGRAPH_H

#include "graphs/program/Program.h"

#include <boost/dynamic_bitset.hpp>

#include <vector>

namespace kfuse {

/// An array between two writes. Version 0 is what the program starts with.
struct ArrayVersion {
  ArrayId array{};
  std::uint32_t version = 0;
  /// The step that made it; none for version 0.
  StepId writer = noneOf<StepId>();
  /// Steps that may read this version, also under another name. A loop reads
  /// what its body wrote last, and so passes it to the next iteration and on.
  std::vector<StepId> readers;
};

struct DependencyGraph {
  std::vector<ArrayVersion> versions;
  /// Indices into `versions`, by LaunchId.
  std::vector<std::vector<std::uint32_t>> reads, writes;
  /// For each LaunchId the launches that share an array with it (by name, not
  /// alias), so that fusing them can save traffic.
  std::vector<boost::dynamic_bitset<>> shares;
};

DependencyGraph dependencies(const Program &program);

} // namespace kfuse

#endif
