//===- HostWriter.h - Launches become one ---------------------------------===//
#ifndef KFUSE_CODEGEN_HOST_HOSTWRITER_H
#define KFUSE_CODEGEN_HOST_HOSTWRITER_H

#include "codegen/host/DeferredCheck.h"
#include "codegen/host/Group.h"
#include "codegen/host/LaunchPlacement.h"
#include "text/Edits.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kfuse {

struct HostEdits {
  Edits edits;
  /// Groups (indices) whose launches can't be moved to one place, with why.
  std::map<std::size_t, std::string> refused;
};

/// Replaces the launches of every group by its fused launch, at the group's
/// place. Arguments that would have another value there are kept in temporaries
/// where the launches stood. Checks that can follow the fused launch do.
HostEdits rewriteHost(const SourceText &source, const Program &program,
                      const std::vector<HostGroup> &groups,
                      const LaunchPlacement &arrangement,
                      const std::vector<DeferredCheck> &checks, Names &names,
                      Helpers &helpers);

} // namespace kfuse

#endif
