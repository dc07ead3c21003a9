//===- DeferredCheck.h - Checks behind the launch that they check ---------===//
//
// A check of the last error, or a wait, that follows a launch would stand
// before the fused launch that the launch becomes part of: it would miss its
// errors. So it goes after the fused launch, if no step in between can tell the
// difference.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_CODEGEN_HOST_DEFERREDCHECK_H
#define KFUSE_CODEGEN_HOST_DEFERREDCHECK_H

#include "codegen/host/LaunchPlacement.h"
#include "codegen/text/Names.h"
#include "graphs/ExecutionGraph.h"
#include "graphs/program/Program.h"
#include "text/Layout.h"

#include <cstddef>
#include <string>
#include <vector>

namespace kfuse {

/// A check or a wait that some launch was moved past.
struct DeferredCheck {
  StepId step{};
  StepPlace place;       ///< after which it goes
  std::size_t group = 0; ///< the one that is launched there
  std::string obstacle;  ///< why it stays where it is; empty when it goes
};

/// Returns the checks that launches were moved past, in program order. Those
/// that are deferred keep their order.
std::vector<DeferredCheck>
deferrals(const SourceText &source, const Program &program,
          const ExecutionGraph &order, const Groups &groups,
          const LaunchPlacement &arrangement, const Names &names);

/// Checks whether the step can be edited: its range has the text of this
/// statement and of nothing else, outside of macros.
bool isWhole(const SourceText &source, const HostStep &step);

/// Checks whether control may enter the region elsewhere than at its begin,
/// which a declaration in it wouldn't allow.
bool hasJumps(const SourceText &source, const Program &program,
              RegionId region);

} // namespace kfuse

#endif
