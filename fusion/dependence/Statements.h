//===- Statements.h - What is true together -------------------------------===//
#ifndef KFUSE_FUSION_DEPENDENCE_STATEMENTS_H
#define KFUSE_FUSION_DEPENDENCE_STATEMENTS_H

#include "graphs/program/Kernel.h"

#include <vector>

namespace kfuse {

/// Statements, all of them true.
struct Statements {
  Guard all;
  /// In each list, at least one guard is true as a whole.
  std::vector<std::vector<Guard>> choices;

  void add(const Statements &more);
};

/// Returns the ways in which the statements may be false.
std::vector<Statements> negations(const Statements &statements);

} // namespace kfuse

#endif
