//===- PlanText.h - Plans for people --------------------------------------===//
#ifndef KFUSE_FUSION_REPORT_PLANTEXT_H
#define KFUSE_FUSION_REPORT_PLANTEXT_H

#include "fusion/plan/Plan.h"
#include "graphs/program/Program.h"

#include <string>

namespace kfuse {

/// Returns the plan in human-readable form (`--emit=plan`).
std::string print(const Program &program, const FusionPlan &plan);

} // namespace kfuse

#endif
