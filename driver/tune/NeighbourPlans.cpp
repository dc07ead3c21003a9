//===- NeighbourPlans.cpp - Plans that are one step from another ----------===//

#include "driver/tune/NeighbourPlans.h"

#include "driver/pipeline/Totals.h"
#include "fusion/MakePlan.h"
#include "fusion/report/PlanJson.h"

#include <algorithm>
#include <set>
#include <utility>

namespace kfuse {
namespace {

/// Groups that are planned to find the best few; in large programs not all are.
constexpr std::size_t MostTried = 200;

/// Collects the groups of neighbours.
class Neighbours {
public:
  explicit Neighbours(Groups groups) : From(std::move(groups)) {
    for (std::size_t i = 0; i < From.size(); ++i)
      cut(i);
    for (std::size_t i = 0; i < From.size(); ++i)
      for (std::size_t j = i + 1; j < From.size(); ++j)
        join(i, j);
  }
  const std::set<Groups> &found() const { return Found; }

private:
  using Launches = Groups::value_type;

  /// Adds the groups with others in place of those at `i` and `j`.
  void add(std::size_t i, std::size_t j, const Groups &others) {
    if (Found.size() == MostTried)
      return;
    Groups groups = others;
    for (std::size_t k = 0; k < From.size(); ++k)
      if (k != i && k != j)
        groups.push_back(From[k]);
    std::sort(groups.begin(), groups.end());
    Found.insert(std::move(groups));
  }

  void cut(std::size_t i) {
    const Launches &all = From[i];
    for (std::size_t at = 1; at < all.size(); ++at) {
      const auto middle = all.begin() + static_cast<std::ptrdiff_t>(at);
      add(i, i, {Launches(all.begin(), middle), Launches(middle, all.end())});
    }
  }

  void join(std::size_t i, std::size_t j) {
    Launches both = From[i];
    both.insert(both.end(), From[j].begin(), From[j].end());
    std::sort(both.begin(), both.end());
    add(i, j, {both});
  }

  Groups From;
  std::set<Groups> Found;
};

} // namespace

std::vector<std::string> neighbourPlans(const Compilation &from,
                                        std::size_t most) {
  std::vector<std::pair<double, std::string>> plans;
  const Neighbours neighbours(groupsOf(from.plan));
  for (const Groups &groups : neighbours.found()) {
    auto made = makePlan(*from.problem, groups);
    if (const auto *plan = std::get_if<FusionPlan>(&made))
      plans.emplace_back(-savedSeconds(*from.problem, *plan),
                         savePlan(from.program, *plan));
  }
  std::sort(plans.begin(), plans.end());
  std::vector<std::string> best;
  for (std::size_t i = 0; i < std::min(most, plans.size()); ++i)
    best.push_back(std::move(plans[i].second));
  return best;
}

} // namespace kfuse
