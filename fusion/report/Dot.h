//===- Dot.h - The graphs as pictures -------------------------------------===//
//
// Graphviz text of G_ddg, G_ooe and G_ooefs with the plan drawn in: groups as
// clusters, arrays by their fate, pairs that stayed apart in red.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_REPORT_DOT_H
#define KFUSE_FUSION_REPORT_DOT_H

#include "fusion/plan/Plan.h"
#include "fusion/plan/Problem.h"
#include "fusion/report/Explain.h"

#include <string>
#include <vector>

namespace kfuse {

/// Returns G_ddg: kernels, array versions, and the reads and writes between
/// them.
std::string dataDependencyDot(const Problem &problem, const FusionPlan &plan);
/// Returns G_ooe: kernels and the host steps among them, and which waits for
/// which. Edges that follow from others are left out.
std::string orderOfExecutionDot(const Problem &problem, const FusionPlan &plan);
/// Returns G_ooefs: the kernels of the plan in their order, with the `remarks`
/// on what kept launches apart that share arrays.
std::string fusedOrderDot(const Problem &problem, const FusionPlan &plan,
                          const std::vector<Remark> &remarks);

} // namespace kfuse

#endif
