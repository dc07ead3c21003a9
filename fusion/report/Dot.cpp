//===- Dot.cpp - The graphs as pictures -----------------------------------===//

#include "fusion/report/Dot.h"

#include "fusion/cost/MeasuredLaunches.h"
#include "fusion/dependence/Names.h"
#include "fusion/report/DotWriter.h"
#include "graphs/FusedOrder.h"
#include "graphs/program/Effects.h"

#include <algorithm>
#include <map>
#include <set>

namespace kfuse {
namespace {

constexpr std::size_t LongestStep = 36; ///< characters of a host step's label

//===----------------------------------------------------------------------===//
// Looks
//===----------------------------------------------------------------------===//

std::string kernelNode(LaunchId launch) {
  return "k" + std::to_string(indexOf(launch));
}

std::string stepNode(StepId step) {
  return "s" + std::to_string(indexOf(step));
}

std::string versionNode(std::uint32_t version) {
  return "v" + std::to_string(version);
}

std::string clusterName(std::size_t kernel) {
  return "f" + std::to_string(kernel);
}

/// Returns a kernel's time, with the range of several launches if these were
/// measured.
std::string labelOf(const Projection &kernel) {
  if (!kernel.measured)
    return timeText(kernel.seconds);
  const MeasuredTime &time = *kernel.measured;
  return timeText(time.median) + " measured" +
         (time.min == time.max
              ? ""
              : "\n" + timeText(time.min) + " to " + timeText(time.max));
}

/// Checks whether the step is in a function that still is called.
bool isCalled(const Program &program, StepId step) {
  return !program[rootOf(program, program[step].region)].isReplaced;
}

void drawKernel(DotWriter &dot, const Problem &problem, LaunchId launch,
                const Projection &projection) {
  std::uint32_t line = problem.program[launch].range.line;
  dot.node(kernelNode(launch),
           {{"label", problem.program.kernelOf(launch).name +
                          (line ? ", line " + std::to_string(line) : "") +
                          "\n" + labelOf(projection)},
            {"shape", "box"},
            {"style", "rounded,filled"},
            {"fillcolor", "#cfe2ff"},
            {"color", "#3568a8"}});
}

void drawStep(DotWriter &dot, const Problem &problem, StepId step) {
  const HostStep &host = problem.program[step];
  std::string label = shortText(host.text, LongestStep);
  if (label.empty())
    label = "host step";
  if (host.range.line)
    label += ", line " + std::to_string(host.range.line);
  dot.node(stepNode(step), {{"label", label},
                            {"shape", "box"},
                            {"style", "filled"},
                            {"fillcolor", "#eeeeee"},
                            {"color", "#bbbbbb"},
                            {"fontcolor", "#555555"},
                            {"fontsize", "9"},
                            {"height", "0.2"},
                            {"margin", "0.06,0.03"}});
}

double membersSeconds(const FusedKernel &kernel) {
  double sum = 0;
  for (const Projection &member : kernel.members)
    sum += member.seconds;
  return sum;
}

const Projection &projectionOf(const FusedKernel &kernel, std::size_t member) {
  return member < kernel.members.size() ? kernel.members[member]
                                        : kernel.projection;
}

/// Opens the box of a group; single kernels have none.
bool openGroup(DotWriter &dot, const FusedKernel &kernel, std::size_t number) {
  if (kernel.launches.size() < 2)
    return false;
  dot.openCluster(clusterName(number),
                  {{"label", (kernel.name.empty() ? "fused" : kernel.name) +
                                 "\n" + timeText(membersSeconds(kernel)) +
                                 " → " + timeText(kernel.projection.seconds)},
                   {"labeljust", "l"},
                   {"style", "rounded,filled"},
                   {"fillcolor", "#f3f9ee"},
                   {"color", "#5a9e32"},
                   {"penwidth", "1.6"},
                   {"fontsize", "11"}});
  return true;
}

void drawKernels(DotWriter &dot, const Problem &problem,
                 const FusionPlan &plan) {
  for (std::size_t number = 0; number < plan.kernels.size(); ++number) {
    const FusedKernel &kernel = plan.kernels[number];
    if (isReplaced(problem.program, kernel.launches.front()))
      continue;
    bool isGroup = openGroup(dot, kernel, number);
    for (std::size_t i = 0; i < kernel.launches.size(); ++i)
      drawKernel(dot, problem, kernel.launches[i], projectionOf(kernel, i));
    if (isGroup)
      dot.closeCluster();
  }
}

//===----------------------------------------------------------------------===//
// Arrays and their fates
//===----------------------------------------------------------------------===//

struct VersionStyle {
  const char *label;
  const char *fill;
  const char *style;
};

/// Returns how `version` is drawn: by where it lives under `plan`.
VersionStyle fateOf(const Problem &problem, const FusionPlan &plan,
                    const ArrayVersion &version) {
  static constexpr VersionStyle Stored = {"", "#fff3c4", "filled"};
  std::optional<LaunchId> writer;
  if (indexOf(version.writer) < problem.program.steps.size())
    writer = memberOf(problem.program, version.writer);
  if (!writer)
    return Stored;
  for (const FusedKernel &kernel : plan.kernels) {
    if (std::find(kernel.launches.begin(), kernel.launches.end(), *writer) ==
        kernel.launches.end())
      continue;
    for (const Placement &placement : kernel.placements) {
      if (placement.array != version.array)
        continue;
      if (placement.computed)
        return {"computed where it is read", "#ffffff", "filled,dashed"};
      if (placement.kind == PlacementKind::RegisterOnly)
        return {"never stored", "#ffffff", "filled,dashed"};
      if (placement.kind == PlacementKind::ThroughGlobal)
        return {kernel.schedule == Schedule::BlockLocal
                    ? "stored, and loaded by the same block"
                    : "stored, and loaded by the same thread",
                "#fff3c4", "filled"};
      if (placement.kind == PlacementKind::Register)
        return {placement.isTile ? "tile, and stored" : "register, and stored",
                "#d9f2c4", "filled"};
    }
  }
  return Stored;
}

/// Returns the array's size, as the source or a measurement tells; empty if
/// neither does.
std::string sizeLabel(const Problem &problem, ArrayId id) {
  if (const auto &bytes = problem.program[id].bytes;
      bytes && bytes->asConstant())
    return sizeText(static_cast<double>(*bytes->asConstant()));
  for (std::uint32_t i = 0; i < problem.program.launches.size(); ++i)
    if (const auto bytes = measuredBytes(problem, LaunchId{i}, id))
      return sizeText(*bytes) + " measured";
  return {};
}

void drawVersion(DotWriter &dot, const Problem &problem, const FusionPlan &plan,
                 std::uint32_t number) {
  const ArrayVersion &version = problem.deps.versions[number];
  VersionStyle fate = fateOf(problem, plan, version);
  std::string label = arrayName(problem.program, version.array);
  if (version.version > 0)
    label += " #" + std::to_string(version.version);
  if (const std::string size = sizeLabel(problem, version.array); !size.empty())
    label += "\n" + size;
  if (*fate.label)
    label += std::string("\n") + fate.label;
  dot.node(versionNode(number), {{"label", label},
                                 {"shape", "ellipse"},
                                 {"style", fate.style},
                                 {"fillcolor", fate.fill},
                                 {"color", "#a08020"},
                                 {"fontsize", "10"},
                                 {"margin", "0.04,0.02"}});
}

/// Returns the versions that a launch reads or writes.
std::set<std::uint32_t> drawnVersions(const Problem &problem) {
  std::set<std::uint32_t> drawn;
  for (const auto *lists : {&problem.deps.reads, &problem.deps.writes})
    for (std::uint32_t i = 0; i < lists->size(); ++i)
      if (!isReplaced(problem.program, LaunchId{i}))
        drawn.insert((*lists)[i].begin(), (*lists)[i].end());
  return drawn;
}

/// Returns the index of the plan's kernel that writes a version and holds a
/// reader of it; nullopt if there is none.
std::optional<std::size_t> homeOf(const Problem &problem,
                                  const FusionPlan &plan,
                                  const ArrayVersion &version) {
  for (std::size_t number = 0; number < plan.kernels.size(); ++number) {
    const std::vector<LaunchId> &members = plan.kernels[number].launches;
    auto isMember = [&](StepId step) {
      if (indexOf(step) >= problem.program.steps.size())
        return false;
      std::optional<LaunchId> launch = memberOf(problem.program, step);
      return launch && std::find(members.begin(), members.end(), *launch) !=
                           members.end();
    };
    if (isMember(version.writer) &&
        std::any_of(version.readers.begin(), version.readers.end(), isMember))
      return number;
  }
  return std::nullopt;
}

/// Checks whether the step is drawn: copies, memsets and similar are; steps
/// that only allocate or free storage aren't.
bool isShown(const Problem &problem, StepId step) {
  if (indexOf(step) >= problem.program.steps.size() ||
      !isCalled(problem.program, step))
    return false;
  StepKind kind = problem.program[step].kind;
  return kind != StepKind::Launch && kind != StepKind::Allocate &&
         kind != StepKind::Free && kind != StepKind::Plain;
}

//===----------------------------------------------------------------------===//
// Edges
//===----------------------------------------------------------------------===//

const char *shortName(OrderReason reason) {
  switch (reason) {
  case OrderReason::ReadAfterWrite:
    return "";
  case OrderReason::WriteAfterRead:
    return " (WAR)";
  case OrderReason::WriteAfterWrite:
    return " (WAW)";
  case OrderReason::FixedStep:
    return "";
  }
  return "";
}

std::string nodeName(const Problem &problem, std::uint32_t node) {
  StepId step = problem.order.nodes[node];
  if (std::optional<LaunchId> launch = memberOf(problem.program, step))
    return kernelNode(*launch);
  return stepNode(step);
}

/// Returns the nodes to draw: launches, and host steps between them. A step
/// that waits for no launch and makes no launch wait by an array is
/// preparation.
boost::dynamic_bitset<> shownNodes(const Problem &problem) {
  const ExecutionGraph &order = problem.order;
  boost::dynamic_bitset<> shown(order.nodes.size());
  for (std::uint32_t node : order.nodeOfLaunch)
    if (isCalled(problem.program, order.nodes[node]))
      shown.set(node);
  boost::dynamic_bitset<> launches = shown;
  for (const OrderEdge &edge : order.edges) {
    if (launches[edge.from] && isShown(problem, order.nodes[edge.to]))
      shown.set(edge.to);
    if (launches[edge.to] && edge.reason != OrderReason::FixedStep &&
        isShown(problem, order.nodes[edge.from]))
      shown.set(edge.from);
  }
  return shown;
}

/// Checks whether some shown node lies between the two, so that the edge
/// follows from others.
bool isImplied(const ExecutionGraph &order,
               const boost::dynamic_bitset<> &shown, std::uint32_t from,
               std::uint32_t to) {
  boost::dynamic_bitset<> between = order.reach[from] & shown;
  for (auto node = between.find_first();
       node != boost::dynamic_bitset<>::npos && node < to;
       node = between.find_next(node))
    if (order.reach[node][to])
      return true;
  return false;
}

/// Returns which items wait for which through drawn ones.
std::vector<boost::dynamic_bitset<>>
reachOf(const FusedOrder &order, const boost::dynamic_bitset<> &drawn) {
  std::vector<boost::dynamic_bitset<>> reach(
      order.items.size(), boost::dynamic_bitset<>(order.items.size()));
  for (auto edge = order.edges.rbegin(); edge != order.edges.rend(); ++edge)
    if (drawn[edge->first] && drawn[edge->second]) {
      reach[edge->first].set(edge->second);
      reach[edge->first] |= reach[edge->second];
    }
  return reach;
}

/// Draws an arrow between two items, which ends at the box of a group.
void drawItemEdge(DotWriter &dot, const Problem &problem, const Groups &groups,
                  const FusedOrder::Item &tail, const FusedOrder::Item &head) {
  DotAttributes attributes = {
      {"color", tail.isGroup && head.isGroup ? "#3568a8" : "#bbbbbb"}};
  auto end = [&](const FusedOrder::Item &item, const char *side) {
    if (!item.isGroup)
      return stepNode(problem.order.nodes[item.index]);
    const std::vector<LaunchId> &members = groups[item.index];
    if (members.size() > 1)
      attributes.push_back({side, "cluster_" + clusterName(item.index)});
    return kernelNode(&item == &tail ? members.back() : members.front());
  };
  std::string from = end(tail, "ltail"), to = end(head, "lhead");
  dot.edge(from, to, attributes);
}

void drawFusedOrder(DotWriter &dot, const Problem &problem,
                    const Groups &groups, const FusedOrder &order) {
  boost::dynamic_bitset<> shown = shownNodes(problem);
  boost::dynamic_bitset<> drawn(order.items.size());
  for (std::size_t i = 0; i < order.items.size(); ++i) {
    const FusedOrder::Item &item = order.items[i];
    drawn[i] = item.isGroup
                   ? !isReplaced(problem.program, groups[item.index].front())
                   : shown[item.index];
    if (drawn[i] && !item.isGroup)
      drawStep(dot, problem, problem.order.nodes[item.index]);
  }
  std::vector<boost::dynamic_bitset<>> reach = reachOf(order, drawn);
  for (auto [from, to] : order.edges) {
    bool isImpliedEdge = false;
    for (std::size_t item = from + 1; item < to; ++item)
      isImpliedEdge |= reach[from][item] && reach[item][to];
    if (drawn[from] && drawn[to] && !isImpliedEdge)
      drawItemEdge(dot, problem, groups, order.items[from], order.items[to]);
  }
}

} // namespace

std::string dataDependencyDot(const Problem &problem, const FusionPlan &plan) {
  DotWriter dot("G_ddg", "Data dependency graph");
  std::set<std::uint32_t> drawn = drawnVersions(problem);
  std::map<std::size_t, std::vector<std::uint32_t>> inside;
  for (std::uint32_t version : drawn)
    if (auto home = homeOf(problem, plan, problem.deps.versions[version]))
      inside[*home].push_back(version);
    else
      drawVersion(dot, problem, plan, version);
  for (std::size_t number = 0; number < plan.kernels.size(); ++number) {
    const FusedKernel &kernel = plan.kernels[number];
    if (isReplaced(problem.program, kernel.launches.front()))
      continue;
    bool isGroup = openGroup(dot, kernel, number);
    for (std::size_t i = 0; i < kernel.launches.size(); ++i)
      drawKernel(dot, problem, kernel.launches[i], projectionOf(kernel, i));
    for (std::uint32_t version : inside[number])
      drawVersion(dot, problem, plan, version);
    if (isGroup)
      dot.closeCluster();
  }
  for (std::uint32_t i = 0; i < problem.program.launches.size(); ++i) {
    if (isReplaced(problem.program, LaunchId{i}))
      continue;
    std::string kernel = kernelNode(static_cast<LaunchId>(i));
    for (std::uint32_t version : problem.deps.reads[i])
      dot.edge(versionNode(version), kernel);
    for (std::uint32_t version : problem.deps.writes[i])
      dot.edge(kernel, versionNode(version));
  }
  std::set<StepId> steps;
  for (std::uint32_t number : drawn) {
    const ArrayVersion &version = problem.deps.versions[number];
    auto connect = [&](StepId step, bool writes) {
      if (!isShown(problem, step))
        return;
      if (steps.insert(step).second)
        drawStep(dot, problem, step);
      dot.edge(writes ? stepNode(step) : versionNode(number),
               writes ? versionNode(number) : stepNode(step),
               {{"color", "#aaaaaa"}});
    };
    connect(version.writer, true);
    for (StepId reader : version.readers)
      connect(reader, false);
  }
  return dot.finish();
}

std::string orderOfExecutionDot(const Problem &problem,
                                const FusionPlan &plan) {
  DotWriter dot("G_ooe", "Order of execution");
  drawKernels(dot, problem, plan);
  const ExecutionGraph &order = problem.order;
  boost::dynamic_bitset<> shown = shownNodes(problem);
  for (std::uint32_t node = 0; node < order.nodes.size(); ++node)
    if (shown[node] && !memberOf(problem.program, order.nodes[node]))
      drawStep(dot, problem, order.nodes[node]);
  // One arrow for each pair, with all the arrays that cause it.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::string>>
      labels;
  for (const OrderEdge &edge : order.edges) {
    if (!shown[edge.from] || !shown[edge.to] ||
        isImplied(order, shown, edge.from, edge.to))
      continue;
    std::vector<std::string> &label = labels[{edge.from, edge.to}];
    if (edge.reason == OrderReason::FixedStep)
      continue;
    std::string text = arrayName(problem.program, edge.array) +
                       shortName(edge.reason) + (edge.mayAlias ? " ?" : "");
    if (std::find(label.begin(), label.end(), text) == label.end())
      label.push_back(text);
  }
  for (const auto &[pair, arrays] : labels) {
    std::string text;
    for (const std::string &array : arrays)
      text += (text.empty() ? " " : "\n ") + array;
    bool isFixed = arrays.empty();
    dot.edge(nodeName(problem, pair.first), nodeName(problem, pair.second),
             isFixed ? DotAttributes{{"color", "#bbbbbb"}}
                     : DotAttributes{{"label", text}, {"color", "#3568a8"}});
  }
  return dot.finish();
}

std::string fusedOrderDot(const Problem &problem, const FusionPlan &plan,
                          const std::vector<Remark> &remarks) {
  DotWriter dot("G_ooefs", "Order of execution of the fused kernels");
  drawKernels(dot, problem, plan);
  for (const FusedKernel &kernel : plan.kernels) {
    if (isReplaced(problem.program, kernel.launches.front()))
      continue;
    // Stages stand below each other in the order in which they run.
    for (std::size_t i = 1; i < kernel.launches.size(); ++i)
      dot.edge(kernelNode(kernel.launches[i - 1]),
               kernelNode(kernel.launches[i]), {{"style", "invis"}});
  }
  if (std::optional<FusedOrder> order =
          fusedOrder(problem.order, groupsOf(plan)))
    drawFusedOrder(dot, problem, groupsOf(plan), *order);
  for (const Remark &remark : remarks)
    if (!remark.fused && remark.launches.size() >= 2 &&
        !isReplaced(problem.program, remark.launches[0]))
      dot.edge(kernelNode(remark.launches[0]), kernelNode(remark.launches[1]),
               {{"label", " " + remark.name},
                {"style", "dashed"},
                {"color", "#d03030"},
                {"fontcolor", "#d03030"},
                {"dir", "none"},
                {"constraint", "false"}});
  return dot.finish();
}

} // namespace kfuse
