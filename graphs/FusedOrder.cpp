//===- FusedOrder.cpp - G_ooefs: groups in an order -----------------------===//

#include "graphs/FusedOrder.h"

#include <algorithm>
#include <limits>
#include <queue>
#include <utility>

namespace kfuse {
namespace {

constexpr std::uint32_t NoItem = std::numeric_limits<std::uint32_t>::max();

/// An item and its last member's place in the original program.
struct Placed {
  FusedOrder::Item item;
  std::uint32_t position = 0;
};

struct ItemTable {
  std::vector<Placed> items;
  std::vector<std::uint32_t> itemOfNode; ///< NoItem for a launch in no group
};

ItemTable tabulate(const ExecutionGraph &order, const Groups &groups) {
  ItemTable table;
  table.itemOfNode.assign(order.nodes.size(), NoItem);
  boost::dynamic_bitset<> isLaunch(order.nodes.size());
  for (std::uint32_t node : order.nodeOfLaunch)
    if (node < isLaunch.size())
      isLaunch.set(node);
  for (std::uint32_t i = 0; i < groups.size(); ++i) {
    std::uint32_t last = 0;
    for (LaunchId launch : groups[i]) {
      std::uint32_t node = order.nodeOfLaunch[indexOf(launch)];
      table.itemOfNode[node] = static_cast<std::uint32_t>(table.items.size());
      last = std::max(last, node);
    }
    table.items.push_back({{true, i}, last});
  }
  for (std::uint32_t node = 0; node < order.nodes.size(); ++node)
    if (!isLaunch[node]) {
      table.itemOfNode[node] = static_cast<std::uint32_t>(table.items.size());
      table.items.push_back({{false, node}, node});
    }
  return table;
}

/// Each once, in order.
using ItemEdges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

ItemEdges sorted(ItemEdges edges) {
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

ItemEdges liftEdges(const ExecutionGraph &order, const ItemTable &table) {
  ItemEdges edges;
  for (const OrderEdge &edge : order.edges) {
    std::uint32_t from = table.itemOfNode[edge.from];
    std::uint32_t to = table.itemOfNode[edge.to];
    if (from != to && from != NoItem && to != NoItem)
      edges.emplace_back(from, to);
  }
  return sorted(std::move(edges));
}

/// Adds edges by which the fixed steps keep their order among themselves.
ItemEdges withFixedChain(ItemEdges edges, const ItemTable &table) {
  std::uint32_t previous = NoItem;
  for (std::uint32_t i = 0; i < table.items.size(); ++i) {
    if (table.items[i].item.isGroup)
      continue;
    if (previous != NoItem)
      edges.emplace_back(previous, i);
    previous = i;
  }
  return sorted(std::move(edges));
}

/// Lays the items out from the back, the latest position first. An item that
/// nothing waits for stays at its last member. A group goes no further forward
/// than its first dependent asks.
std::vector<std::uint32_t> layOut(const ItemTable &table,
                                  const ItemEdges &edges) {
  std::vector<std::vector<std::uint32_t>> before(table.items.size());
  std::vector<std::uint32_t> waiting(table.items.size());
  for (auto [from, to] : edges) {
    before[to].push_back(from);
    ++waiting[from];
  }
  std::priority_queue<std::pair<std::uint32_t, std::uint32_t>> ready;
  for (std::uint32_t i = 0; i < table.items.size(); ++i)
    if (waiting[i] == 0)
      ready.push({table.items[i].position, i});
  std::vector<std::uint32_t> sequence;
  while (!ready.empty()) {
    std::uint32_t item = ready.top().second;
    ready.pop();
    sequence.push_back(item);
    for (std::uint32_t other : before[item])
      if (--waiting[other] == 0)
        ready.push({table.items[other].position, other});
  }
  std::reverse(sequence.begin(), sequence.end());
  return sequence;
}

} // namespace

std::optional<FusedOrder> fusedOrder(const ExecutionGraph &order,
                                     const Groups &groups) {
  ItemTable table = tabulate(order, groups);
  ItemEdges edges = liftEdges(order, table);
  std::vector<std::uint32_t> sequence =
      layOut(table, withFixedChain(edges, table));
  // Missing items wait for each other in a circle.
  if (sequence.size() != table.items.size())
    return std::nullopt;
  FusedOrder result;
  std::vector<std::uint32_t> place(table.items.size());
  for (std::uint32_t i = 0; i < sequence.size(); ++i) {
    place[sequence[i]] = i;
    result.items.push_back(table.items[sequence[i]].item);
  }
  for (auto [from, to] : edges)
    result.edges.push_back({place[from], place[to]});
  std::sort(result.edges.begin(), result.edges.end());
  return result;
}

} // namespace kfuse
