//===- MinCut.cpp - Recursive minimum cuts --------------------------------===//

#include "ga/baselines/MinCut.h"

#include "ga/groups/Grouping.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/connected_components.hpp>
#include <boost/graph/one_bit_color_map.hpp>
#include <boost/graph/stoer_wagner_min_cut.hpp>

namespace kfuse {
namespace {

using Graph =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS,
                          boost::no_property,
                          boost::property<boost::edge_weight_t, double>>;

class Cutter {
public:
  explicit Cutter(Costs &costs) : Ask(costs), State(costs) {}

  Partition run() {
    ItemSet all(Ask.problem().size);
    for (std::uint32_t item = 0; item < all.size(); ++item)
      all[item] = item;
    cut(all);
    return State.partition();
  }

private:
  void cut(const ItemSet &items) {
    if (items.size() < 2 || keepWhole(items))
      return;
    for (const ItemSet &part : parts(items))
      cut(part);
  }

  /// Joins the items if they pay and close no circle with what was joined.
  bool keepWhole(const ItemSet &items) {
    const ItemGroup group = makeItemGroup(items, Ask);
    if (group.cost >= Ask.singles(items))
      return false;
    return State.replace({items.begin(), items.end()}, {group});
  }

  /// Returns what two items save as a group; a little for all kin, so that they
  /// stay connected.
  double saving(std::uint32_t first, std::uint32_t second) {
    const double apart = Ask.single(first) + Ask.single(second);
    const double together = Ask({first, second});
    return together < apart ? apart - together : 1e-3 * apart;
  }

  /// Returns the connected parts of the items, or both sides of the minimum cut
  /// if there is only one.
  std::vector<ItemSet> parts(const ItemSet &items) {
    Graph graph(items.size());
    for (std::size_t i = 0; i < items.size(); ++i)
      for (std::size_t j = i + 1; j < items.size(); ++j)
        if (Ask.problem().kin[items[i]][items[j]])
          boost::add_edge(i, j, saving(items[i], items[j]), graph);
    std::vector<std::size_t> side(items.size());
    std::size_t count = boost::connected_components(graph, side.data());
    if (count == 1) {
      count = 2;
      auto parity = boost::make_one_bit_color_map(
          items.size(), boost::get(boost::vertex_index, graph));
      boost::stoer_wagner_min_cut(graph, boost::get(boost::edge_weight, graph),
                                  boost::parity_map(parity));
      for (std::size_t i = 0; i < items.size(); ++i)
        side[i] = boost::get(parity, i) ? 1 : 0;
    }
    std::vector<ItemSet> result(count);
    for (std::size_t i = 0; i < items.size(); ++i)
      result[side[i]].push_back(items[i]);
    return result;
  }

  Costs &Ask;
  Grouping State; ///< groups that were kept; all other items are single
};

} // namespace

Partition minCut(Costs &costs) { return Cutter(costs).run(); }

} // namespace kfuse
