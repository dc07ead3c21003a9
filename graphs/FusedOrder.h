//===- FusedOrder.h - Groups in an order ----------------------------------===//
#ifndef KFUSE_GRAPHS_FUSEDORDER_H
#define KFUSE_GRAPHS_FUSEDORDER_H

#include "graphs/ExecutionGraph.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace kfuse {

/// G_ooefs: groups and fixed steps with the edges between them, laid out in an
/// order that respects it; nullopt when the groups wait for each other in a
/// circle.
struct FusedOrder {
  /// One item of the new program order.
  struct Item {
    bool isGroup = false;
    std::uint32_t index = 0; ///< into Groups, or a node of ExecutionGraph
  };
  std::vector<Item> items; ///< ties broken by last member's program order
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges; ///< of items
};
std::optional<FusedOrder> fusedOrder(const ExecutionGraph &order,
                                     const Groups &groups);

} // namespace kfuse

#endif
