//===- GroupChecks.cpp - What launches must be to become one kernel -------===//

#include "fusion/group/GroupChecks.h"

#include "fusion/dependence/Names.h"

#include <algorithm>
#include <set>

namespace kfuse {
namespace {

bool isDefaultStream(const HostExpr &stream) {
  return stream.text.empty() || stream.text == "0" || stream.text == "NULL" ||
         stream.text == "nullptr";
}

bool isSameStream(const HostExpr &lhs, const HostExpr &rhs) {
  if (isDefaultStream(lhs) || isDefaultStream(rhs))
    return isDefaultStream(lhs) && isDefaultStream(rhs);
  // A constant says nothing here: streams are handles, not numbers.
  return !lhs.value.asConstant() && lhs.value == rhs.value;
}

std::optional<Obstacle> checkBetween(const Problem &problem,
                                     const std::vector<LaunchId> &group) {
  const Program &program = problem.program;
  const auto between = convexityViolations(problem.order, group);
  if (between.empty())
    return std::nullopt;
  // A host step is in the way of every larger group too; timing code can be
  // waived; a launch may yet become a member.
  auto rank = [&](std::uint32_t node) {
    const HostStep &step = program[problem.order.nodes[node]];
    if (step.kind == StepKind::Launch)
      return 2;
    return step.kind == StepKind::Timing ? 1 : 0;
  };
  const std::uint32_t node = *std::min_element(
      between.begin(), between.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(rank(a), a) < std::pair(rank(b), b);
      });
  const HostStep &step = program[problem.order.nodes[node]];
  // The nearest members around it.
  LaunchId first = group.front(), second = group.back();
  for (LaunchId member : group)
    if (problem.order.nodeOfLaunch[indexOf(member)] < node)
      first = member;
  for (auto member = group.rbegin(); member != group.rend(); ++member)
    if (problem.order.nodeOfLaunch[indexOf(*member)] > node)
      second = *member;
  const std::string one = launchName(program, first);
  const std::string two = launchName(program, second);
  Obstacle obstacle;
  if (step.kind == StepKind::Launch) {
    const std::string other = launchName(program, step.launch);
    obstacle =
        obstacleBetween(ObstacleKind::NotConvex, first, second,
                        other + " must run between " + one + " and " + two,
                        "fuse " + other + " with them");
    obstacle.notes.push_back({step.range, other + " is launched here"});
    return obstacle;
  }
  const bool isTiming = step.kind == StepKind::Timing;
  const std::string what =
      step.text.empty() ? "a host statement" : "'" + step.text + "'";
  obstacle = obstacleBetween(
      isTiming ? ObstacleKind::TimingCode : ObstacleKind::HostDependence, first,
      second,
      what + " stands between " + one + " and " + two +
          (isTiming ? " and times them" : " and depends on what they do"),
      isTiming ? "fuse across timing code with --ignore-timing"
      : step.kind == StepKind::Opaque && step.text.find('(') != step.text.npos
          ? "move it before or after both; --clock and --ignore-timing promise "
            "that it only looks at a clock"
          : "move it before or after both");
  obstacle.notes.push_back({step.range, "it stands here"});
  obstacle.cause = std::to_string(node);
  return obstacle;
}

} // namespace

std::optional<Obstacle> checkSize(const Problem &problem,
                                  const std::vector<LaunchId> &group) {
  const LaunchId first = group.front(), last = group.back();
  const std::string between = "from " + launchName(problem.program, first) +
                              " to " + launchName(problem.program, last);
  if (group.size() > MostMembers)
    return obstacleBetween(ObstacleKind::TooManyLaunches, first, last,
                           between + " more than " +
                               std::to_string(MostMembers) +
                               " launches would become one kernel",
                           "nothing is needed: smaller groups are found");
  std::uint64_t statements = 0;
  for (const LaunchId member : group)
    statements += problem.program.kernelOf(member).statements;
  // Two are no longer than what their owner reads already.
  if (group.size() <= 2 || statements <= problem.options.maxStatements)
    return std::nullopt;
  return obstacleBetween(
      ObstacleKind::TooLong, first, last,
      between + " one kernel would have " + std::to_string(statements) +
          " statements",
      "allow so many with --max-statements; smaller groups are "
      "found");
}

std::optional<Obstacle> checkLaunches(const Problem &problem,
                                      const std::vector<LaunchId> &group) {
  const Program &program = problem.program;
  const LaunchId first = group.front();
  for (LaunchId member : group)
    if (program[member].region != program[first].region) {
      const Region &one = program[program[first].region];
      const Region &two = program[program[member].region];
      Obstacle obstacle = obstacleBetween(
          ObstacleKind::DifferentRegion, first, member,
          launchName(program, first) + " and " + launchName(program, member) +
              (one.function != two.function
                   ? " are launched by different functions"
                   : " are launched in different branches, loops or "
                     "blocks"),
          "launch both in one straight line of code");
      obstacle.cause = std::to_string(indexOf(program[first].region)) + " " +
                       std::to_string(indexOf(program[member].region));
      return obstacle;
    }
  for (LaunchId member : group) {
    const HostStep &step = program[program[member].step];
    const Region &region = program[program[member].region];
    // Arguments that act would do so at another time.
    const bool argumentsAct = program[member].argumentsAct;
    if (step.editable && !region.isShared && !argumentsAct)
      continue;
    const LaunchId other = member == first ? group.back() : first;
    Obstacle obstacle = obstacleBetween(
        ObstacleKind::LaunchNotEditable, member, other,
        "the launch of " + launchName(program, member) +
            (region.isShared
                 ? " belongs to a function that is instantiated "
                   "more than once" +
                       (region.whyShared.empty() ? "" : ": " + region.whyShared)
             : argumentsAct ? " does more on the host than launch"
                            : " isn't a plain statement"),
        argumentsAct ? "compute its arguments before the launch"
                     : "launch it by a statement of its own, outside macros");
    obstacle.notes.push_back({step.range, "it is launched here"});
    return obstacle;
  }
  for (LaunchId member : group)
    if (!isSameStream(program[first].stream, program[member].stream)) {
      Obstacle obstacle = obstacleBetween(
          ObstacleKind::DifferentStream, first, member,
          launchName(program, first) + " and " + launchName(program, member) +
              " may be launched into different streams",
          "launch both into one stream");
      obstacle.cause =
          program[first].stream.text + "\n" + program[member].stream.text;
      return obstacle;
    }
  return checkBetween(problem, group);
}

std::optional<Obstacle> checkKinship(const Problem &problem,
                                     const std::vector<LaunchId> &group,
                                     bool &isHorizontal) {
  const Program &program = problem.program;
  const std::size_t count = group.size();
  const auto isShared = [&](std::size_t i, std::size_t j) -> bool {
    return problem.deps.shares[indexOf(group[i])][indexOf(group[j])];
  };
  bool anyShare = false, anyOrder = false;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = i + 1; j < count; ++j) {
      anyShare |= isShared(i, j);
      anyOrder |= problem.order.precedes(group[i], group[j]);
    }
  isHorizontal = !anyShare;
  if (!anyShare && problem.options.horizontal && !anyOrder)
    return std::nullopt;
  std::vector<bool> reached(count, false);
  std::vector<std::size_t> queue = {0};
  reached[0] = true;
  while (!queue.empty()) {
    const std::size_t at = queue.back();
    queue.pop_back();
    for (std::size_t next = 0; next < count; ++next)
      if (isShared(at, next) && !reached[next]) {
        reached[next] = true;
        queue.push_back(next);
      }
  }
  for (std::size_t i = 0; i < count; ++i)
    if (!reached[i])
      return obstacleBetween(
          ObstacleKind::NoSharedArrays, group.front(), group[i],
          launchName(program, group[i]) + " shares no array with " +
              launchName(program, group.front()),
          "nothing would be saved but a launch");
  return std::nullopt;
}

std::optional<std::uint64_t> constantThreads(const Launch &launch) {
  std::uint64_t threads = 1;
  for (const Polynomial &extent : launch.block.extent) {
    auto value = extent.asConstant();
    if (!value || *value < 1 || *value > (1 << 20))
      return std::nullopt;
    threads *= static_cast<std::uint64_t>(*value);
  }
  return threads;
}

std::optional<Obstacle> checkLimits(const Group &group, std::uint32_t forwarded,
                                    std::uint64_t tiles) {
  const Program &program = group.problem->program;
  const Device &device = group.problem->device;
  const LaunchId first = group.stages.front().launch;
  const LaunchId last = group.stages.back().launch;
  const LaunchId *dynamic = nullptr;
  std::optional<std::int64_t> dynamicBytes;
  std::uint32_t others = 0; ///< launches with such memory before the last
  std::uint64_t shared = tiles;
  std::uint32_t registers = 0;
  // The kernel's blocks are the leader's, which may be known to be as large as
  // those of another member in its shape.
  auto threads = constantThreads(program[group.stages[group.leader].launch]);
  for (std::size_t i = 0; i < group.stages.size() && !threads; ++i)
    if (i >= group.fits.size() || (!group.isMoved(i) && !group.fits[i].chunk))
      threads = constantThreads(program[group.stages[i].launch]);
  for (const Stage &stage : group.stages) {
    const Kernel &kernel = *stage.kernel;
    const Launch &launch = program[stage.launch];
    shared += kernel.staticSharedBytes;
    registers = std::max(registers, kernel.registers);
    if (!kernel.usesDynamicShared)
      continue;
    const auto bytes = launch.sharedBytes.value.asConstant();
    // A kernel of CUDA has one such array, which stages use in turn. In OpenCL
    // each argument has memory of its own.
    if (dynamic && program.language == Language::Cuda) {
      if (launch.sharedBytes.value != program[*dynamic].sharedBytes.value &&
          !(bytes && dynamicBytes))
        return obstacleBetween(
            ObstacleKind::DynamicShared, *dynamic, stage.launch,
            launchName(program, *dynamic) + " and " +
                launchName(program, stage.launch) +
                " may ask for different amounts of dynamic shared memory",
            "launch both with one number of bytes");
      if (bytes && *bytes > *dynamicBytes) {
        shared += static_cast<std::uint64_t>(*bytes - *dynamicBytes);
        dynamic = &stage.launch;
        dynamicBytes = bytes;
      }
      continue;
    }
    others += dynamic ? 1 : 0;
    if (!dynamic || dynamicBytes) {
      dynamic = &stage.launch;
      dynamicBytes = bytes;
    }
    if (bytes && *bytes > 0)
      shared += static_cast<std::uint64_t>(*bytes);
  }
  if (dynamic && !dynamicBytes && (shared != 0 || others != 0) &&
      group.stages.size() > 1)
    return obstacleBetween(ObstacleKind::DynamicShared, first, last,
                           "together they need " + std::to_string(shared) +
                               " bytes of shared memory beside those of " +
                               launchName(program, *dynamic) +
                               ", which aren't known",
                           "launch it with a constant number of bytes");
  if (shared > device.sharedPerBlock)
    return obstacleBetween(ObstacleKind::SharedMemoryLimit, first, last,
                           "together they need " + std::to_string(shared) +
                               " bytes of shared memory; a block of " +
                               device.name + " may have " +
                               std::to_string(device.sharedPerBlock),
                           "use smaller shared arrays");
  if (threads && *threads > device.threadsPerBlock)
    return obstacleBetween(ObstacleKind::ThreadLimit, first, last,
                           "blocks of " + std::to_string(*threads) +
                               " threads are larger than " + device.name +
                               " allows",
                           "launch smaller blocks");
  for (const Stage &stage : group.stages)
    if (threads && stage.kernel->maxThreads &&
        *threads > *stage.kernel->maxThreads)
      return obstacleBetween(
          ObstacleKind::ThreadLimit, first, stage.launch,
          "blocks of " + std::to_string(*threads) +
              " threads are larger than the launch bounds of " +
              launchName(program, stage.launch),
          "launch smaller blocks");
  const auto required = std::find_if(
      group.stages.begin(), group.stages.end(),
      [](const Stage &stage) { return stage.kernel->requiredBlock; });
  if (required != group.stages.end())
    for (const Stage &stage : group.stages)
      if (stage.kernel->requiredBlock &&
          stage.kernel->requiredBlock != required->kernel->requiredBlock)
        return obstacleBetween(ObstacleKind::DifferentShape, required->launch,
                               stage.launch,
                               launchName(program, required->launch) + " and " +
                                   launchName(program, stage.launch) +
                                   " require different work-groups",
                               "require one size of both");
  // A block's registers must fit as well. For a block of unknown size, it is
  // only sure that it can hold the hungriest member.
  const std::uint64_t block = threads.value_or(device.threadsPerBlock);
  std::uint64_t limit =
      device.registersPerMultiprocessor / std::max<std::uint64_t>(block, 1);
  if (!threads)
    limit = std::max<std::uint64_t>(limit, registers);
  limit = std::min<std::uint64_t>(limit, device.registersPerThread);
  if (registers + forwarded > limit)
    return obstacleBetween(
        ObstacleKind::RegisterLimit, first, last,
        "a thread would need about " + std::to_string(registers + forwarded) +
            " registers; it may have " + std::to_string(limit),
        "fuse fewer kernels, or launch smaller blocks");
  return std::nullopt;
}

std::vector<LaunchId> closure(const Problem &problem, LaunchId first,
                              LaunchId second) {
  std::vector<LaunchId> group = {first, second};
  for (;;) {
    std::set<LaunchId> members(group.begin(), group.end());
    for (std::uint32_t node : convexityViolations(problem.order, group)) {
      const HostStep &step = problem.program[problem.order.nodes[node]];
      if (step.kind == StepKind::Launch &&
          indexOf(step.launch) < problem.program.launches.size())
        members.insert(step.launch);
    }
    const bool isDone =
        members.size() == group.size() || members.size() > MostMembers;
    group.assign(members.begin(), members.end());
    if (isDone)
      return group;
  }
}

} // namespace kfuse
