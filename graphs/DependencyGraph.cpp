//===- DependencyGraph.cpp - G_ddg: versions of arrays --------------------===//

#include "graphs/DependencyGraph.h"
#include "graphs/program/Aliases.h"
#include "graphs/program/Effects.h"
#include "graphs/program/Storages.h"

#include <algorithm>

namespace kfuse {
namespace {

/// Walks the host steps and gives every array a new version at each write.
/// A loop or branch is a writer twice: before its nested steps, where values of
/// earlier iterations (or of no arm) meet, and after them.
class Versioning {
public:
  explicit Versioning(const Program &program)
      : Prog(program), Current(program.arrays.size()), Names(namesOf(program)),
        StepSeen(program.steps.size()), RegionSeen(program.regions.size()) {
    Graph.reads.resize(program.launches.size());
    Graph.writes.resize(program.launches.size());
    for (std::uint32_t i = 0; i < program.arrays.size(); ++i) {
      Current[i] = i;
      Graph.versions.push_back(
          {static_cast<ArrayId>(i), 0, noneOf<StepId>(), {}});
    }
    Latest.assign(program.arrays.size(), 0);
  }

  DependencyGraph run() {
    for (StepId step : programOrder(Prog))
      visit(step);
    return std::move(Graph);
  }

private:
  void visit(StepId step) {
    if (StepSeen[indexOf(step)])
      return;
    StepSeen[indexOf(step)] = true;
    apply(step);
    const HostStep &host = Prog[step];
    if (host.nested.empty())
      return;
    std::vector<std::uint32_t> entry = Current;
    for (RegionId region : host.nested) {
      if (host.kind == StepKind::Branch)
        Current = entry;
      visit(region);
      leave(step, entry);
    }
    merge(step, entry);
  }

  void visit(RegionId region) {
    if (indexOf(region) >= RegionSeen.size() || RegionSeen[indexOf(region)])
      return;
    RegionSeen[indexOf(region)] = true;
    for (StepId step : Prog[region].steps)
      if (indexOf(step) < StepSeen.size())
        visit(step);
  }

  /// Applies the effects of a step, reads before writes: a launch that updates
  /// an array reads the old version and makes the new one.
  void apply(StepId step) {
    StepEffects effects = effectsOf(Prog, step);
    std::optional<LaunchId> launch = memberOf(Prog, step);
    for (const Effect &effect : effects.effects) {
      if (!effect.reads)
        continue;
      read(effect.array, step);
      if (launch)
        Graph.reads[indexOf(*launch)].push_back(Current[indexOf(effect.array)]);
    }
    if (effects.everything)
      for (std::uint32_t i = 0; i < Current.size(); ++i) {
        note(Current[i], step);
        renew(i, step);
      }
    for (const Effect &effect : effects.effects) {
      if (!effect.writes)
        continue;
      if (!effects.everything)
        renew(indexOf(effect.array), step);
      if (launch)
        Graph.writes[indexOf(*launch)].push_back(
            Current[indexOf(effect.array)]);
    }
  }

  /// Notes that `step` sees the versions that its nested regions made last.
  void leave(StepId step, const std::vector<std::uint32_t> &entry) {
    for (std::uint32_t i = 0; i < Current.size(); ++i)
      if (Current[i] != entry[i])
        note(Current[i], step);
  }

  /// Merges the versions after the nested regions. Each array that they wrote
  /// gets a new version for their content or the one before, since a loop may
  /// run no time and a branch take no arm.
  void merge(StepId step, const std::vector<std::uint32_t> &entry) {
    for (std::uint32_t i = 0; i < Current.size(); ++i)
      if (Graph.versions[entry[i]].version != Latest[i]) {
        note(entry[i], step);
        renew(i, step);
      }
  }

  void read(ArrayId array, StepId step) {
    for (ArrayId other : Names[indexOf(array)])
      note(Current[indexOf(other)], step);
  }

  void note(std::uint32_t version, StepId step) {
    std::vector<StepId> &readers = Graph.versions[version].readers;
    if (readers.empty() || readers.back() != step)
      readers.push_back(step);
  }

  void renew(std::uint32_t array, StepId writer) {
    Current[array] = static_cast<std::uint32_t>(Graph.versions.size());
    Graph.versions.push_back(
        {static_cast<ArrayId>(array), ++Latest[array], writer, {}});
  }

  const Program &Prog;
  DependencyGraph Graph;
  std::vector<std::uint32_t> Current; ///< by array: index into versions
  std::vector<std::uint32_t> Latest;  ///< by array: the last number given out
  std::vector<std::vector<ArrayId>> Names; ///< by array: what it may be
  std::vector<bool> StepSeen, RegionSeen;
};

/// Returns DependencyGraph::shares of the program.
std::vector<boost::dynamic_bitset<>> sharesOf(const Program &program) {
  const std::size_t count = program.launches.size();
  std::vector<boost::dynamic_bitset<>> touched(
      count, boost::dynamic_bitset<>(program.arrays.size()));
  for (std::uint32_t i = 0; i < count; ++i)
    for (const Effect &effect : effectsOf(program, LaunchId{i}).effects)
      touched[i].set(indexOf(effect.array));
  std::vector<boost::dynamic_bitset<>> shares(count,
                                              boost::dynamic_bitset<>(count));
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < count; ++j)
      shares[i][j] = touched[i].intersects(touched[j]);
  return shares;
}

} // namespace

DependencyGraph dependencies(const Program &program) {
  DependencyGraph graph = Versioning(program).run();
  graph.shares = sharesOf(program);
  return graph;
}

} // namespace kfuse
