//===- DeferredCheck.h - Checks behind the launch that they check ---------===//
//
// A check of the last error, or a wait, that follows a launch would stand
// before the fused launch that the launch becomes part of: it would miss its
// errors. So it goes after the fused launch, if nothing in between can tell.
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

/// In program order; those that go keep their order.
std::vector<DeferredCheck>
deferrals(const SourceText &source, const Program &program,
          const ExecutionGraph &order, const Groups &groups,
          const LaunchPlacement &arrangement, const Names &names);

/// Whether the statement is what stands at its range, and alone.
bool isWhole(const SourceText &source, const HostStep &step);

/// Whether control may enter the region beside its begin, which a declaration
/// in it wouldn't allow.
bool hasJumps(const SourceText &source, const Program &program,
              RegionId region);

} // namespace kfuse

#endif
