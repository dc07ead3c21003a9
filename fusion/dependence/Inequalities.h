//===- Inequalities.h - Sums that can't all be at least 0 -----------------===//
#ifndef KFUSE_FUSION_DEPENDENCE_INEQUALITIES_H
#define KFUSE_FUSION_DEPENDENCE_INEQUALITIES_H

#include "graphs/program/Polynomial.h"

#include <vector>

namespace kfuse {

/// Checks whether no integers make each of the polynomials at least 0, taking
/// every product of symbols for an integer of its own. Returns false if that
/// isn't found out.
bool haveNoSolution(const std::vector<Polynomial> &notNegative);

} // namespace kfuse

#endif
