//===- KernelComparison.cpp - Kernels beside what they became -------------===//

#include "bench/compare/KernelComparison.h"

#include "bench/Statistics.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace kfuse {
namespace {

/// Sets of names, of which some are found to belong together.
class NameSets {
public:
  void join(const std::string &one, const std::string &other) {
    Parent[find(one)] = find(other);
  }
  std::string find(const std::string &name) {
    const auto found = Parent.find(name);
    if (found == Parent.end() || found->second == name)
      return name;
    return found->second = find(found->second);
  }

private:
  std::map<std::string, std::string> Parent;
};

/// The mean projection of a kernel's launches, in seconds.
using Projections = std::map<std::string, Summary>;

Projections
projectionsOf(const std::map<std::string, std::vector<double>> &of) {
  Projections means;
  for (const auto &[kernel, seconds] : of)
    means[kernel] = summarise(seconds);
  return means;
}

/// Adds up the kernels of one side, whose names are in `names`.
RowSide sideOf(const std::set<std::string> &names,
               const std::vector<KernelTotals> &runs,
               const Projections &projections) {
  RowSide side;
  std::vector<double> seconds(runs.size(), 0);
  double projected = 0;
  bool isProjected = true;
  for (const std::string &name : names) {
    unsigned launches = 0;
    for (std::size_t run = 0; run < runs.size(); ++run) {
      const auto found = runs[run].find(name);
      if (found == runs[run].end())
        continue;
      seconds[run] += found->second.seconds;
      launches = found->second.launches;
    }
    if (launches == 0)
      continue;
    side.kernels.push_back(name);
    side.launches += launches;
    const auto found = projections.find(name);
    isProjected &= found != projections.end();
    if (isProjected)
      projected += found->second.mean * launches;
  }
  if (!seconds.empty()) {
    const Summary times = summarise(std::move(seconds));
    side.seconds = times.median;
    side.least = times.least;
    side.most = times.most;
    side.runs = static_cast<unsigned>(times.count);
  }
  if (isProjected && !side.kernels.empty())
    side.projected = projected;
  if (side.kernels.size() > 1)
    for (const std::string &name : side.kernels)
      side.members.push_back(sideOf({name}, runs, projections));
  return side;
}

std::set<std::string> namesIn(const std::vector<KernelTotals> &runs) {
  std::set<std::string> names;
  for (const KernelTotals &totals : runs)
    for (const auto &[name, total] : totals)
      names.insert(name);
  return names;
}

} // namespace

std::vector<KernelRow>
compareKernels(const std::vector<KernelTotals> &original,
               const std::vector<KernelTotals> &fused,
               const std::optional<ProjectedPlan> &plan) {
  const std::set<std::string> before = namesIn(original),
                              after = namesIn(fused);
  NameSets sets;
  std::map<std::string, std::vector<double>> projectedBefore, projectedAfter;
  if (plan) {
    for (const ProjectedGroup &group : plan->groups) {
      projectedAfter[group.fused.kernel].push_back(group.fused.seconds);
      for (const ProjectedLaunch &member : group.members) {
        sets.join(member.kernel, group.fused.kernel);
        projectedBefore[member.kernel].push_back(member.seconds);
        // A test at run time may send the members themselves.
        if (group.members.size() > 1)
          projectedAfter[member.kernel].push_back(member.seconds);
      }
    }
  } else {
    const std::string others;
    for (const auto &[one, other] :
         {std::pair(&before, &after), {&after, &before}})
      for (const std::string &name : *one)
        if (other->count(name) == 0)
          sets.join(name, others);
  }
  std::map<std::string, std::pair<std::set<std::string>, std::set<std::string>>>
      rows;
  for (const std::string &name : before)
    rows[sets.find(name)].first.insert(name);
  for (const std::string &name : after)
    rows[sets.find(name)].second.insert(name);
  const Projections ofOriginal = projectionsOf(projectedBefore),
                    ofFused = projectionsOf(projectedAfter);
  std::vector<KernelRow> list;
  for (const auto &[set, names] : rows)
    list.push_back({sideOf(names.first, original, ofOriginal),
                    sideOf(names.second, fused, ofFused)});
  std::sort(list.begin(), list.end(),
            [](const KernelRow &one, const KernelRow &other) {
              return std::tie(other.original.seconds, one.original.kernels) <
                     std::tie(one.original.seconds, other.original.kernels);
            });
  return list;
}

} // namespace kfuse
