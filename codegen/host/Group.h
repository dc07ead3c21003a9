//===- Group.h - A group as the host sees it ------------------------------===//
#ifndef KFUSE_CODEGEN_HOST_GROUP_H
#define KFUSE_CODEGEN_HOST_GROUP_H

#include "codegen/kernel/KernelWriter.h"
#include "fusion/plan/Plan.h"

#include <optional>
#include <string>
#include <vector>

namespace kfuse {

/// A group as the host sees it: a fused kernel, or one launch as it was.
struct HostGroup {
  std::vector<LaunchId> launches;
  const FusedKernel *kernel = nullptr; ///< null for a single launch
  std::optional<FusedCode> code;       ///< set when `kernel` is
  /// Replaces the launch on the host; empty for all others.
  std::string swap;
};

} // namespace kfuse

#endif
