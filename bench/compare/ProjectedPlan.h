//===- ProjectedPlan.h - The plan that a program was fused by -------------===//
#ifndef KFUSE_BENCH_COMPARE_PROJECTEDPLAN_H
#define KFUSE_BENCH_COMPARE_PROJECTEDPLAN_H

#include "profile/ProfileFile.h"
#include "runtime/trace/Trace.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace kfuse {

/// A launch of a kernel, and the seconds that the model gives the kernel alone.
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

/// A source that the kfuse beside this program fuses.
struct KfuseJob {
  std::string source;
  std::vector<std::string> options; ///< of the user
  std::string device; ///< to fuse for, unless the user says; may be empty
  std::vector<std::string> flags; ///< for the parser
  std::string folder;             ///< for temporary files
};

/// Fuses the source into `output`, a file, and returns the plan, or the
/// messages of kfuse.
std::variant<ProjectedPlan, std::string> fuseSource(const KfuseJob &job,
                                                    const std::string &output);

/// Checks whether the options of a user have one that begins so: `device`.
bool namesOption(const std::vector<std::string> &options,
                 std::string_view name);

/// Returns the plan of fuseSource() again, projected for the sizes and grids
/// that a run had. Returns nullopt if kfuse can't: then the user's options name
/// a plan, or the profile isn't of that program.
std::optional<ProjectedPlan> projectAsMeasured(const KfuseJob &job,
                                               const ProfileFile &profile);

} // namespace kfuse

#endif
