//===- ProjectedPlan.h - The plan that a program was fused by -------------===//
#ifndef KFUSE_BENCH_COMPARE_PROJECTEDPLAN_H
#define KFUSE_BENCH_COMPARE_PROJECTEDPLAN_H

#include "runtime/trace/Trace.h"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace kfuse {

/// A launch of a kernel, and the seconds that it is projected to take.
struct ProjectedLaunch {
  std::string kernel; ///< without template arguments
  double seconds = 0;
};

/// The launches of a group, and the kernel that they became: a group of one is
/// the launch as it was.
struct ProjectedGroup {
  ProjectedLaunch fused;
  std::vector<ProjectedLaunch> members;
};

/// The part of `kfuse --emit=json` that measuring needs.
struct ProjectedPlan {
  std::string device; ///< that the times are projected for
  std::vector<ProjectedGroup> groups;
  TraceRules rules; ///< by which the traces of both programs are equal
};

/// Reads what `kfuse --emit=json` prints; returns why it can't.
std::variant<ProjectedPlan, std::string> parsePlan(std::string_view json);

/// Fuses `source` with the kfuse beside this program into `output`, a file, and
/// returns the plan, or the messages of kfuse. Its options are `options`; what
/// is in `flags` goes to the parser.
std::variant<ProjectedPlan, std::string>
fuseSource(const std::string &source, const std::string &output,
           const std::vector<std::string> &options,
           const std::vector<std::string> &flags, const std::string &folder);

} // namespace kfuse

#endif
