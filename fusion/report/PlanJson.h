//===- PlanJson.h - Plans as versioned JSON -------------------------------===//
#ifndef KFUSE_FUSION_REPORT_PLANJSON_H
#define KFUSE_FUSION_REPORT_PLANJSON_H

#include "fusion/plan/Problem.h"
#include "fusion/rewrites/Fissions.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace kfuse {

/// Writes the plan as versioned JSON, to be edited by hand: launches are named
/// by kernel and line.
std::string savePlan(const Program &program, const FusionPlan &plan);

/// Returns Program::keptLoops of a saved plan's program, or an error message.
std::variant<std::set<std::string>, std::string>
loadKeptLoops(std::string_view json);

/// The part of a saved plan that is read back.
struct LoadedPlan {
  Groups groups;
  std::map<std::vector<LaunchId>, std::uint32_t>
      elements; ///< plannedElements of FusionOptions
};
/// Reads a saved plan of the program; returns an error message if it can't.
std::variant<LoadedPlan, std::string> loadPlan(const Program &program,
                                               std::string_view json);
/// Returns the launches that a saved plan has in pieces, or an error message.
std::variant<std::vector<Fission>, std::string>
loadFissions(const Problem &problem, const std::vector<FissionCandidate> &known,
             std::string_view json);

} // namespace kfuse

#endif
