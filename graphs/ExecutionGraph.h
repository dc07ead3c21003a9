//===- ExecutionGraph.h - G_ooe and queries on it -------------------------===//
//
// G_ooe(K, O): the order of execution. Nodes are the launches *and* the host
// steps that stay where they are (copies, memsets, nested regions, opaque
// calls). An edge x -> z says that z waits for x: RAW, WAR or WAW through an
// array, or that z is a launch after a fixed step. Since no group may hold a
// fixed step, convexity (the line constraint) alone keeps a launch from being
// moved past one that depends on it.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_GRAPHS_EXECUTIONGRAPH_H
#define KFUSE_GRAPHS_EXECUTIONGRAPH_H

#include "graphs/DependencyGraph.h"
#include "graphs/program/Program.h"

#include <boost/dynamic_bitset.hpp>
#include <vector>

namespace kfuse {

enum class OrderReason : std::uint8_t {
  ReadAfterWrite,
  WriteAfterRead,
  WriteAfterWrite,
  /// The target is a launch after a host step that stays in place, or one of
  /// the two may touch or see everything.
  FixedStep,
};

struct OrderEdge {
  std::uint32_t from = 0, to = 0; ///< node numbers
  OrderReason reason{};
  ArrayId array = noneOf<ArrayId>(); ///< none for FixedStep
  bool mayAlias = false; ///< only because two names may be one storage
};

/// Nodes are numbered in program order, so the numbering is topological.
struct ExecutionGraph {
  /// Node i's step, a launch step or a fixed step; Plain steps have no node.
  std::vector<StepId> nodes;
  std::vector<std::uint32_t> nodeOfLaunch; ///< by LaunchId
  /// Several may join one pair. If there are many steps and launches, a launch
  /// has one from the last fixed step before it and none from those before
  /// that.
  std::vector<OrderEdge> edges;
  /// reach[i][j]: a path of at least one edge leads from i to j.
  std::vector<boost::dynamic_bitset<>> reach;

  bool precedes(LaunchId first, LaunchId second) const {
    return reach[nodeOfLaunch[indexOf(first)]][nodeOfLaunch[indexOf(second)]];
  }
};

/// Checks whether the program uses several streams. The host then orders the
/// device by waiting and by events, which array effects don't show.
bool usesSeveralStreams(const Program &program);

/// Returns the order-of-execution graph. Timing steps wait for every launch
/// before them, unless `ignoreTiming` leaves them out.
ExecutionGraph executionOrder(const Program &program,
                              const DependencyGraph &deps,
                              bool ignoreTiming = false);

/// Returns the nodes outside `group` that lie on a path between two members:
/// none when the group is convex (the line constraint, SC14 eq. 3).
std::vector<std::uint32_t>
convexityViolations(const ExecutionGraph &order,
                    const std::vector<LaunchId> &group);

/// A partition of all launches, each group in program order. Groups are sorted
/// by their first launch.
using Groups = std::vector<std::vector<LaunchId>>;

} // namespace kfuse

#endif
