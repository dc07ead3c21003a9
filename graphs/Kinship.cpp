//===- Kinship.cpp - DegKin of SC14 ---------------------------------------===//

#include "graphs/Kinship.h"

#include "graphs/ExecutionGraph.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/visitors.hpp>

namespace kfuse {
namespace {

using KernelGraph =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

/// Returns the edges of G_ooe that go through an array from launch to launch.
KernelGraph kernelGraph(const ExecutionGraph &order) {
  boost::dynamic_bitset<> isLaunch(order.nodes.size());
  for (std::uint32_t node : order.nodeOfLaunch)
    isLaunch.set(node);
  KernelGraph graph(order.nodes.size());
  for (const OrderEdge &edge : order.edges)
    if (edge.reason != OrderReason::FixedStep && isLaunch[edge.from] &&
        isLaunch[edge.to])
      boost::add_edge(edge.from, edge.to, graph);
  return graph;
}

/// Returns the number of edges of the shortest path; 0 when there is none.
unsigned distance(const KernelGraph &graph, std::uint32_t from,
                  std::uint32_t to) {
  std::vector<unsigned> hops(boost::num_vertices(graph));
  boost::breadth_first_search(
      graph, from,
      boost::visitor(boost::make_bfs_visitor(
          boost::record_distances(hops.data(), boost::on_tree_edge()))));
  return hops[to];
}

} // namespace

unsigned degreeOfKinship(const Program & /*program*/,
                         const DependencyGraph &deps,
                         const ExecutionGraph &order, LaunchId lhs,
                         LaunchId rhs) {
  std::uint32_t from = order.nodeOfLaunch[indexOf(lhs)];
  std::uint32_t to = order.nodeOfLaunch[indexOf(rhs)];
  if (from != to && (order.reach[from][to] || order.reach[to][from]))
    if (unsigned hops = distance(kernelGraph(order), std::min(from, to),
                                 std::max(from, to)))
      return hops;
  std::vector<std::uint32_t> left = deps.reads[indexOf(lhs)];
  std::vector<std::uint32_t> right = deps.reads[indexOf(rhs)];
  std::sort(left.begin(), left.end());
  std::sort(right.begin(), right.end());
  std::vector<std::uint32_t> common;
  std::set_intersection(left.begin(), left.end(), right.begin(), right.end(),
                        std::back_inserter(common));
  return static_cast<unsigned>(common.size());
}

} // namespace kfuse
