//===- ExplainCost.cpp - What the model says of a group -------------------===//

#include "driver/ExplainCost.h"

#include "fusion/PlanGroup.h"
#include "fusion/cost/MeasuredLaunches.h"
#include "fusion/cost/Project.h"
#include "fusion/dependence/Names.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace kfuse {
namespace {

constexpr std::array<CostTerm, CostTermCount> Terms = {
    CostTerm::Launch, CostTerm::Starts, CostTerm::Memory, CostTerm::L2,
    CostTerm::L1,     CostTerm::Flops,  CostTerm::Issue};

/// Returns the launches of the kernel that `text` names as `NAME`, or only
/// those in one line as `NAME:LINE`.
std::vector<LaunchId> launchesNamed(const Program &program,
                                    llvm::StringRef text) {
  auto [name, place] = text.trim().split(':');
  unsigned line = 0;
  if (!place.empty() && place.getAsInteger(10, line))
    return {};
  std::vector<LaunchId> found;
  for (std::uint32_t i = 0; i < program.launches.size(); ++i)
    if (program.kernelOf(LaunchId{i}).name == name &&
        (place.empty() || program.launches[i].range.line == line))
      found.push_back(LaunchId{i});
  return found;
}

CostExplanation launchesOf(const Compilation &compilation,
                           llvm::StringRef group,
                           std::vector<LaunchId> &launches) {
  for (const FusedKernel &kernel : compilation.plan.kernels)
    if (kernel.launches.size() > 1 && kernel.name == group) {
      launches = kernel.launches;
      return {};
    }
  for (llvm::StringRef part : llvm::split(group, ',')) {
    const std::vector<LaunchId> found =
        launchesNamed(compilation.program, part);
    if (found.empty())
      return {{},
              "--explain-cost: no kernel of the plan and no launch is '" +
                  part.trim().str() + "'"};
    launches.insert(launches.end(), found.begin(), found.end());
  }
  std::sort(launches.begin(), launches.end());
  launches.erase(std::unique(launches.begin(), launches.end()), launches.end());
  return {};
}

void printRow(llvm::raw_ostream &stream, const char *name, double together,
              double apart) {
  stream << llvm::format("  %-8s %12.2f us %12.2f us\n", name, together * 1e6,
                         apart * 1e6);
}

/// Returns `, 4194304 operations of fp32`, with each unit that has some.
std::string operationsText(const Operations &operations) {
  std::string text;
  for (std::size_t i = 0; i < ArithmeticUnitCount; ++i)
    if (operations.counts[i] != 0)
      text += (text.empty() ? ", " : " and ") +
              llvm::formatv("{0:f0}", operations.counts[i]).str() +
              (text.empty() ? " operations of " : " of ") +
              ArithmeticUnitNames[i];
  return text.empty() ? ", no operations" : text;
}

/// Prints the quantities that the terms were made of.
void printWork(llvm::raw_ostream &stream, const Projection &kernel) {
  stream << llvm::format("  %.2f MB through DRAM, %.2f MB from the L2",
                         kernel.memoryBytes / 1e6, kernel.l2Bytes / 1e6)
         << operationsText(kernel.operations)
         << llvm::format(", %.0f instructions beside them\n",
                         kernel.instructions)
         << llvm::format("  %.0f threads in blocks of %.0f, %.0f elements each",
                         kernel.threads / kernel.elementsPerThread,
                         kernel.threadsPerBlock, kernel.elementsPerThread)
         << llvm::format(", %u registers, %.1f KB shared", kernel.registers,
                         static_cast<double>(kernel.sharedBytes) / 1e3)
         << llvm::format("\n  occupancy %.0f %%, %.1f waits for memory",
                         100 * kernel.occupancy, kernel.waits)
         << llvm::format(": %.0f %% of the bandwidth; bound by ",
                         100 * kernel.bandwidthShare)
         << kernel.bound << "\n";
}

/// Prints what the profile has of the launch: times, and arguments whose values
/// it tells.
void printMeasurement(llvm::raw_ostream &stream, const Problem &problem,
                      LaunchId launch) {
  const MeasuredLaunch *entry = measuredLaunch(problem, launch);
  if (!entry)
    return;
  stream << "  " << launchName(problem.program, launch) << " was measured "
         << entry->count << (entry->count == 1 ? " time" : " times")
         << llvm::format(": %.2f us (%.2f us to %.2f us)",
                         entry->seconds.median * 1e6, entry->seconds.min * 1e6,
                         entry->seconds.max * 1e6);
  const auto &parameters = problem.program.kernelOf(launch).parameters;
  for (const MeasuredScalar &scalar : entry->scalars) {
    if (!scalar.min || scalar.index >= parameters.size())
      continue;
    stream << ", " << parameters[scalar.index].name << " = "
           << llvm::format("%.6g", *scalar.min);
    if (*scalar.min != *scalar.max)
      stream << llvm::format(" to %.6g", *scalar.max);
  }
  for (const MeasuredArray &array : entry->arrays) {
    if (array.index >= parameters.size())
      continue;
    stream << ", " << parameters[array.index].name << " "
           << llvm::format("%.2f MB",
                           static_cast<double>(array.maxBytes) / 1e6);
  }
  stream << "\n";
}

} // namespace

CostExplanation explainCost(const Compilation &compilation,
                            const std::string &group) {
  const Problem &problem = *compilation.problem;
  std::vector<LaunchId> launches;
  CostExplanation result = launchesOf(compilation, group, launches);
  if (!result.error.empty())
    return result;
  llvm::raw_string_ostream stream(result.text);
  std::vector<std::string> names;
  names.reserve(launches.size());
  for (LaunchId launch : launches)
    names.push_back(launchName(compilation.program, launch));
  stream << "cost of " << llvm::join(names, " + ") << " on "
         << problem.device.name << ", projected\n";

  const auto planned = planGroup(problem, launches);
  if (const auto *obstacle = std::get_if<Obstacle>(&planned)) {
    stream << "  no kernel: " << obstacleName(obstacle->kind) << ": "
           << obstacle->text << "\n";
    for (LaunchId launch : launches)
      stream << llvm::format("  %12.2f us  ",
                             projectSingle(problem, launch).seconds * 1e6)
             << launchName(compilation.program, launch) << "\n";
    return result;
  }
  const auto &kernel = std::get<FusedKernel>(planned);
  stream << "             one kernel           apart\n";
  for (CostTerm term : Terms) {
    double apart = 0;
    for (const Projection &member : kernel.members)
      apart += member.of(term);
    printRow(stream, costTermName(term), kernel.projection.of(term), apart);
  }
  double modelled = 0, apart = 0;
  for (const Projection &member : kernel.members) {
    modelled += member.modelled;
    apart += member.seconds;
  }
  printRow(stream, "together", kernel.projection.modelled, modelled);
  if (!problem.evidence.measured.empty())
    printRow(stream, "measured", kernel.projection.seconds, apart);
  printWork(stream, kernel.projection);
  for (LaunchId launch : launches)
    printMeasurement(stream, problem, launch);
  return result;
}

} // namespace kfuse
