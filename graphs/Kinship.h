//===- Kinship.h - DegKin of SC14 -----------------------------------------===//
#ifndef KFUSE_GRAPHS_KINSHIP_H
#define KFUSE_GRAPHS_KINSHIP_H

#include "graphs/DependencyGraph.h"
#include "graphs/ExecutionGraph.h"

namespace kfuse {

/// Returns DegKin(a,b) (SC14 eq. 1): n-1 for the shortest path of n kernels in
/// G_ooe; else the number of array versions that both read; else 0.
unsigned degreeOfKinship(const Program &program, const DependencyGraph &deps,
                         const ExecutionGraph &order, LaunchId lhs,
                         LaunchId rhs);

} // namespace kfuse

#endif
