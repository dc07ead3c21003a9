//===- PrepareComparison.h - What is compared, ready to run ---------------===//
#ifndef KFUSE_BENCH_COMPARE_PREPARECOMPARISON_H
#define KFUSE_BENCH_COMPARE_PREPARECOMPARISON_H

#include "bench/DeviceChoice.h"
#include "bench/compare/ProgramBuild.h"
#include "bench/compare/ProjectedPlan.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace kfuse {

class ScratchFolder;

/// Two programs as the user names them, each a source or one that is built.
struct ComparisonInput {
  std::string original;
  std::string fused;    ///< empty: kfuse makes it of the original, a source
  std::string plan;     ///< a file that `kfuse --emit=json` wrote; may be empty
  std::string compiler; ///< of sources; empty for the one that suits
  std::vector<std::string> compilerFlags;
  std::vector<std::string> kfuseOptions; ///< of the kfuse that fuses
  DeviceChoice choice;              ///< of the device that both programs see
  std::optional<LaunchTimer> timer; ///< of CUDA sources; else the one there is
};

struct PreparedComparison {
  BuiltProgram original, fused;
  std::string fusedName;                 ///< as the user is told
  std::optional<VisibleDevices> devices; ///< if there was a choice
  std::optional<ProjectedPlan> plan;
  std::optional<KfuseJob> fusion; ///< by which kfuse made the fused program
};

/// Fuses and builds what the input asks for, into the scratch folder; returns
/// why it can't.
std::variant<PreparedComparison, std::string>
prepareComparison(const ComparisonInput &input, const ScratchFolder &scratch);

} // namespace kfuse

#endif
