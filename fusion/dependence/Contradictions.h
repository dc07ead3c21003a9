//===- Contradictions.h - What can't be true together ---------------------===//
//
// Decides conjunctions of statements about host values: sums and products,
// quotients, remainders, minima, choices. One-sided: what isn't found to be a
// contradiction may be one.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_DEPENDENCE_CONTRADICTIONS_H
#define KFUSE_FUSION_DEPENDENCE_CONTRADICTIONS_H

#include "fusion/dependence/Facts.h"
#include "graphs/program/Kernel.h"

#include <vector>

namespace kfuse {

/// Statements, all of them true.
struct Statements {
  Guard all;
  /// Of each list one at least is true as a whole.
  std::vector<std::vector<Guard>> choices;

  void add(const Statements &more);
};

/// Whether no values of the symbols make the statements and the facts true.
bool isContradiction(const Statements &statements, const Facts &facts);

/// Each in which way the statements may be false.
std::vector<Statements> negations(const Statements &statements);

} // namespace kfuse

#endif
