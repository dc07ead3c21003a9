//===- graphs/ExecutionGraph.cpp - G_ooe and its transitive closure -------===//

#include "graphs/ExecutionGraph.h"
#include "graphs/Effects.h"
#include "graphs/Storages.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace kfuse {
namespace {

//===----------------------------------------------------------------------===//
// What is a node, and what it waits for
//===----------------------------------------------------------------------===//

bool isNode(const HostStep &step, bool ignoreTiming) {
  switch (step.kind) {
  case StepKind::Plain:
    return step.mayLeave || step.touchesEverything || !step.effects.empty();
  case StepKind::ErrorCheck:
    return false;
  case StepKind::Timing:
    return !ignoreTiming;
  default:
    return true;
  }
}

/// The null stream takes its turn with all others.
bool isDefaultStream(const HostExpr &stream) {
  return stream.text.empty() || stream.value.asConstant() == 0 ||
         stream.text == "cudaStreamLegacy" ||
         stream.text == "cudaStreamPerThread";
}

/// Storage that the host can look at once it has waited for the device.
enum class HostView : std::uint8_t {
  Hidden,
  /// A pointer of the caller, which may be managed memory: the caller may look
  /// after the function's last wait.
  Caller,
  Direct,
};

HostView hostView(const Array &storage) {
  switch (storage.origin) {
  case ArrayOrigin::Managed:
  case ArrayOrigin::Unknown:
    return HostView::Direct;
  case ArrayOrigin::PointerArgument:
    return HostView::Caller;
  case ArrayOrigin::Allocation:
  case ArrayOrigin::DeviceVariable:
  case ArrayOrigin::ConstantVariable:
    return HostView::Hidden;
  }
  return HostView::Direct;
}

/// The most that the host can see of what a launch wrote.
HostView hostView(const Program &program, const StepEffects &effects) {
  HostView view = effects.everything ? HostView::Direct : HostView::Hidden;
  for (const Effect &effect : effects.effects)
    if (effect.writes)
      for (const ArrayId storage : storagesOf(program, effect.array))
        view = std::max(view, hostView(program[storage]));
  return view;
}

//===----------------------------------------------------------------------===//
// The builder
//===----------------------------------------------------------------------===//

/// Nodes that touched one array since its last write.
struct ArrayHistory {
  std::optional<std::uint32_t> writer;
  std::vector<std::uint32_t> readers;
};

/// What was seen so far of one host function.
struct FunctionHistory {
  std::map<std::uint32_t, ArrayHistory> arrays; ///< by array
  std::vector<std::uint32_t> launches, fixed;   ///< nodes
  std::optional<std::uint32_t> everything;      ///< last such launch
};

class Builder {
public:
  Builder(const Program &program, bool ignoreTiming)
      : Prog(program), Aliases(program.arrays.size()),
        IsShared(usesSeveralStreams(program)) {
    for (StepId step : programOrder(program))
      if (isNode(program[step], ignoreTiming && !IsShared))
        Graph.nodes.push_back(step);
    for (std::uint32_t i = 0; i < program.arrays.size(); ++i)
      for (std::uint32_t j = 0; j < program.arrays.size(); ++j) {
        Alias found =
            alias(program, static_cast<ArrayId>(i), static_cast<ArrayId>(j));
        if (found != Alias::Never)
          Aliases[i].push_back({j, found == Alias::May});
      }
  }

  ExecutionGraph build() {
    Graph.nodeOfLaunch.assign(Prog.launches.size(), 0);
    findLastWaits();
    for (std::uint32_t node = 0; node < Graph.nodes.size(); ++node) {
      Effects.push_back(effectsOf(Prog, Graph.nodes[node]));
      FunctionHistory &history = Functions[rootOf(Prog, stepOf(node).region)];
      if (isLaunch(node))
        addLaunch(history, node);
      else
        addFixed(history, node);
      remember(history, node);
    }
    close();
    return std::move(Graph);
  }

private:
  struct OtherName {
    std::uint32_t array = 0;
    bool mayAlias = false;
  };

  const HostStep &stepOf(std::uint32_t node) const {
    return Prog[Graph.nodes[node]];
  }

  void addLaunch(FunctionHistory &history, std::uint32_t node) {
    Graph.nodeOfLaunch[indexOf(stepOf(node).launch)] = node;
    for (std::uint32_t fixed : history.fixed)
      order(fixed, node);
    addArrayEdges(history, node);
    if (Effects[node].everything) {
      for (std::uint32_t earlier : history.launches)
        order(earlier, node);
      history.everything = node;
    } else if (history.everything) {
      order(*history.everything, node);
    }
    if (IsShared)
      addStreamEdges(history, node);
    history.launches.push_back(node);
  }

  /// Launches into the null stream and those into others wait for each other.
  void addStreamEdges(FunctionHistory &history, std::uint32_t node) {
    auto isDefault = [&](std::uint32_t launch) {
      return isDefaultStream(Prog[stepOf(launch).launch].stream);
    };
    for (std::uint32_t earlier : history.launches)
      if (isDefault(earlier) != isDefault(node))
        order(earlier, node);
  }

  void addFixed(FunctionHistory &history, std::uint32_t node) {
    const HostStep &step = stepOf(node);
    bool waitsForAll = IsShared || Effects[node].everything || step.mayLeave ||
                       step.kind == StepKind::Timing;
    for (std::uint32_t earlier : history.launches)
      if (waitsForAll ||
          (step.kind == StepKind::Synchronize && isRevealedBy(node, earlier)))
        order(earlier, node);
    if (history.everything)
      order(*history.everything, node);
    addArrayEdges(history, node);
    history.fixed.push_back(node);
  }

  bool isRevealedBy(std::uint32_t wait, std::uint32_t launch) {
    switch (hostView(Prog, Effects[launch])) {
    case HostView::Hidden:
      return false;
    case HostView::Caller:
      return LastWait[stepOf(wait).region] == wait;
    case HostView::Direct:
      return true;
    }
    return true;
  }

  void findLastWaits() {
    for (std::uint32_t node = 0; node < Graph.nodes.size(); ++node)
      if (stepOf(node).kind == StepKind::Synchronize)
        LastWait[stepOf(node).region] = node;
  }

  void addArrayEdges(const FunctionHistory &history, std::uint32_t node) {
    for (const Effect &effect : Effects[node].effects)
      for (OtherName other : Aliases[indexOf(effect.array)]) {
        auto found = history.arrays.find(other.array);
        if (found == history.arrays.end())
          continue;
        const ArrayHistory &past = found->second;
        if (past.writer && effect.reads)
          depend(*past.writer, node, OrderReason::ReadAfterWrite, effect,
                 other);
        if (past.writer && effect.writes)
          depend(*past.writer, node, OrderReason::WriteAfterWrite, effect,
                 other);
        if (effect.writes)
          for (std::uint32_t reader : past.readers)
            depend(reader, node, OrderReason::WriteAfterRead, effect, other);
      }
  }

  /// Two fixed steps stay where they are: no edge says so.
  void depend(std::uint32_t from, std::uint32_t to, OrderReason reason,
              const Effect &effect, OtherName other) {
    if (isLaunch(from) || isLaunch(to))
      Graph.edges.push_back({from, to, reason, effect.array, other.mayAlias});
  }

  void order(std::uint32_t from, std::uint32_t to) {
    Graph.edges.push_back(
        {from, to, OrderReason::FixedStep, noneOf<ArrayId>(), false});
  }

  bool isLaunch(std::uint32_t node) const {
    return memberOf(Prog, Graph.nodes[node]).has_value();
  }

  /// A node that waits for the last writer is behind all that this one waited
  /// for: through edges, or because fixed steps stay in their order.
  void remember(FunctionHistory &history, std::uint32_t node) {
    for (const Effect &effect : Effects[node].effects) {
      ArrayHistory &past = history.arrays[indexOf(effect.array)];
      if (effect.writes) {
        past.writer = node;
        past.readers.clear();
      } else if (effect.reads)
        past.readers.push_back(node);
    }
  }

  void close() {
    std::size_t count = Graph.nodes.size();
    Graph.reach.assign(count, boost::dynamic_bitset<>(count));
    std::sort(Graph.edges.begin(), Graph.edges.end(),
              [](const OrderEdge &lhs, const OrderEdge &rhs) {
                return std::tie(lhs.from, lhs.to, lhs.reason, lhs.array,
                                lhs.mayAlias) < std::tie(rhs.from, rhs.to,
                                                         rhs.reason, rhs.array,
                                                         rhs.mayAlias);
              });
    for (auto edge = Graph.edges.rbegin(); edge != Graph.edges.rend(); ++edge)
      if (!Graph.reach[edge->from][edge->to]) {
        Graph.reach[edge->from].set(edge->to);
        Graph.reach[edge->from] |= Graph.reach[edge->to];
      }
  }

  const Program &Prog;
  ExecutionGraph Graph;
  std::vector<StepEffects> Effects; ///< by node
  std::vector<std::vector<OtherName>> Aliases;
  std::map<RegionId, FunctionHistory> Functions; ///< by root region
  std::map<RegionId, std::uint32_t> LastWait;    ///< by region: node
  bool IsShared; ///< several streams take turns on the device
};

} // namespace

bool usesSeveralStreams(const Program &program) {
  std::set<std::pair<std::string, Polynomial>> streams;
  for (const Launch &launch : program.launches)
    streams.insert(isDefaultStream(launch.stream)
                       ? std::pair(std::string(), Polynomial())
                       : std::pair(launch.stream.text, launch.stream.value));
  for (const HostExpr &stream : program.transferStreams)
    streams.insert(isDefaultStream(stream)
                       ? std::pair(std::string(), Polynomial())
                       : std::pair(stream.text, stream.value));
  return streams.size() > 1;
}

ExecutionGraph executionOrder(const Program &program,
                              const DependencyGraph & /*deps*/,
                              bool ignoreTiming) {
  return Builder(program, ignoreTiming).build();
}

std::vector<std::uint32_t>
convexityViolations(const ExecutionGraph &order,
                    const std::vector<LaunchId> &group) {
  std::size_t count = order.nodes.size();
  boost::dynamic_bitset<> members(count), after(count);
  for (LaunchId launch : group) {
    std::uint32_t node = order.nodeOfLaunch[indexOf(launch)];
    members.set(node);
    after |= order.reach[node];
  }
  after -= members;
  std::vector<std::uint32_t> between;
  for (auto node = after.find_first(); node != after.npos;
       node = after.find_next(node))
    if (order.reach[node].intersects(members))
      between.push_back(static_cast<std::uint32_t>(node));
  return between;
}

} // namespace kfuse
