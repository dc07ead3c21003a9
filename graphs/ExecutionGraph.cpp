//===- ExecutionGraph.cpp - G_ooe and its transitive closure --------------===//

#include "graphs/ExecutionGraph.h"
#include "graphs/program/Aliases.h"
#include "graphs/program/Effects.h"
#include "graphs/program/Storages.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace kfuse {
namespace {

//===----------------------------------------------------------------------===//
// The nodes, and what they wait for
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

/// Returns whether the stream is the null stream, which takes its turn with all
/// others.
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

/// Returns the most that the host can see of what a launch wrote.
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

/// Edges from fixed steps to launches that are listed one by one. Of more, that
/// from the last step before a launch says it all: fixed steps stay in order.
constexpr std::size_t MostFixedEdges = std::size_t{1} << 18U;

/// Nodes that touched one array since its last write.
struct ArrayHistory {
  std::optional<std::uint32_t> writer;
  /// The last writer before the host may have waited for the device.
  std::optional<std::uint32_t> settledWriter;
  std::vector<std::uint32_t> readers;
};

/// Everything seen so far of one host function.
struct FunctionHistory {
  std::map<std::uint32_t, ArrayHistory> arrays; ///< by array
  std::vector<std::uint32_t> launches, fixed;   ///< nodes
  std::optional<std::uint32_t> everything;      ///< last such launch
  std::optional<std::uint32_t> wait;            ///< the last step that may wait
};

class Builder {
public:
  Builder(const Program &program, bool ignoreTiming)
      : Prog(program), Names(namesOf(program)),
        IsShared(usesSeveralStreams(program)) {
    for (StepId step : programOrder(program))
      if (isNode(program[step], ignoreTiming && !IsShared))
        Graph.nodes.push_back(step);
      else if (!program[step].onlyComputes &&
               program[step].kind != StepKind::ErrorCheck)
        WaitsBefore.insert(static_cast<std::uint32_t>(Graph.nodes.size()));
    const std::size_t launches = program.launches.size();
    ListsAll = launches * (Graph.nodes.size() - launches) <= MostFixedEdges;
  }

  ExecutionGraph build() {
    Graph.nodeOfLaunch.assign(Prog.launches.size(), 0);
    findLastWaits();
    for (std::uint32_t node = 0; node < Graph.nodes.size(); ++node) {
      Effects.push_back(effectsOf(Prog, Graph.nodes[node]));
      FunctionHistory &history = Functions[rootOf(Prog, stepOf(node).region)];
      if (WaitsBefore.count(node) != 0)
        history.wait = 2 * node;
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
  const HostStep &stepOf(std::uint32_t node) const {
    return Prog[Graph.nodes[node]];
  }

  void addLaunch(FunctionHistory &history, std::uint32_t node) {
    Graph.nodeOfLaunch[indexOf(stepOf(node).launch)] = node;
    if (ListsAll)
      for (std::uint32_t fixed : history.fixed)
        order(fixed, node);
    else if (!history.fixed.empty())
      order(history.fixed.back(), node);
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

  /// Orders launches into the null stream and launches into others, which wait
  /// for each other.
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
      for (ArrayId other : Names[indexOf(effect.array)]) {
        auto found = history.arrays.find(indexOf(other));
        if (found == history.arrays.end())
          continue;
        const ArrayHistory &past = found->second;
        if (const auto writer = seenWriter(history, past, node);
            writer && effect.reads)
          depend(*writer, node, OrderReason::ReadAfterWrite, effect, other);
        if (past.writer && effect.writes)
          depend(*past.writer, node, OrderReason::WriteAfterWrite, effect,
                 other);
        if (effect.writes)
          for (std::uint32_t reader : past.readers)
            depend(reader, node, OrderReason::WriteAfterRead, effect, other);
      }
  }

  /// Returns the last writer of an array that the node can see. What the host
  /// reads itself can't be meant to be what a launch stores, unless it has
  /// waited since.
  std::optional<std::uint32_t> seenWriter(const FunctionHistory &history,
                                          const ArrayHistory &past,
                                          std::uint32_t node) const {
    const bool isUnsettled =
        past.writer && isLaunch(*past.writer) && stepOf(node).onlyComputes &&
        (!history.wait || *history.wait < 2 * *past.writer + 1);
    return isUnsettled ? past.settledWriter : past.writer;
  }

  /// Adds an edge for a dependence, unless both nodes are fixed steps, which
  /// stay where they are anyway.
  void depend(std::uint32_t from, std::uint32_t to, OrderReason reason,
              const Effect &effect, ArrayId other) {
    if (isLaunch(from) || isLaunch(to))
      Graph.edges.push_back(
          {from, to, reason, effect.array, other != effect.array});
  }

  void order(std::uint32_t from, std::uint32_t to) {
    Graph.edges.push_back(
        {from, to, OrderReason::FixedStep, noneOf<ArrayId>(), false});
  }

  bool isLaunch(std::uint32_t node) const {
    return memberOf(Prog, Graph.nodes[node]).has_value();
  }

  /// Records the node as the last writer or a reader of its arrays. A node that
  /// waits for the last writer comes after all that the writer waited for:
  /// through edges, or because fixed steps stay in their order.
  void remember(FunctionHistory &history, std::uint32_t node) {
    for (const Effect &effect : Effects[node].effects) {
      ArrayHistory &past = history.arrays[indexOf(effect.array)];
      if (effect.writes) {
        if (past.writer && history.wait && 2 * *past.writer < *history.wait)
          past.settledWriter = past.writer;
        past.writer = node;
        past.readers.clear();
      } else if (effect.reads)
        past.readers.push_back(node);
    }
    if (!isLaunch(node) && !stepOf(node).onlyComputes)
      history.wait = 2 * node + 1;
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
    // For each function its launches after the node, and what waits for them.
    std::map<RegionId, boost::dynamic_bitset<>> behind;
    auto edge = Graph.edges.rbegin();
    for (auto node = static_cast<std::uint32_t>(count); node-- > 0;) {
      boost::dynamic_bitset<> &reach = Graph.reach[node];
      boost::dynamic_bitset<> &later =
          behind.try_emplace(rootOf(Prog, stepOf(node).region), count)
              .first->second;
      for (; edge != Graph.edges.rend() && edge->from == node; ++edge)
        if (!reach[edge->to]) {
          reach.set(edge->to);
          reach |= Graph.reach[edge->to];
        }
      if (isLaunch(node)) {
        later.set(node);
        later |= reach;
      } else {
        reach |= later;
      }
    }
  }

  const Program &Prog;
  ExecutionGraph Graph;
  std::vector<StepEffects> Effects;        ///< by node
  std::vector<std::vector<ArrayId>> Names; ///< by array: what it may be
  std::set<std::uint32_t> WaitsBefore; ///< nodes with a statement before them
  bool ListsAll = true; ///< edges from all fixed steps before a launch
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
  // Nodes are numbered topologically.
  const auto first = members.find_first();
  std::size_t last = first;
  for (LaunchId launch : group)
    last = std::max<std::size_t>(last, order.nodeOfLaunch[indexOf(launch)]);
  std::vector<std::uint32_t> between;
  for (auto node = after.find_next(first); node < last;
       node = after.find_next(node))
    if (order.reach[node].intersects(members))
      between.push_back(static_cast<std::uint32_t>(node));
  return between;
}

} // namespace kfuse
