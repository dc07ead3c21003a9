//===- SearchCommand.cpp - Problems without a program ---------------------===//

#include "driver/SearchCommand.h"

#include "driver/CommandLine.h"
#include "driver/Files.h"
#include "ga/Search.h"
#include "ga/exact/Certify.h"
#include "ga/problem/AbstractCost.h"
#include "ga/problem/AbstractJson.h"
#include "ga/problem/Check.h"
#include "ga/problem/Families.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

namespace kfuse {
namespace {

ExitCode fail(const llvm::Twine &message) {
  llvm::errs() << "kfuse: error: " << message << "\n";
  return ExitCode::Input;
}

ExitCode generate(const Options &options) {
  const DeviceResult device = loadDevice(options.device);
  if (!device.error.empty())
    return fail(device.error);
  auto problem = generateProblem(options.generate, device.device);
  if (const auto *error = std::get_if<std::string>(&problem))
    return fail(*error);
  const std::string error = writeOutput(
      options.output.empty() ? "-" : options.output,
      saveProblem(std::get<AbstractProblem>(problem)), {options.force});
  return error.empty() ? ExitCode::Done : fail(error);
}

std::string exactMicroseconds(double seconds) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.3f us", 1e6 * seconds);
  return text;
}

void printGroups(const AbstractProblem &problem, const Partition &partition,
                 llvm::raw_ostream &stream) {
  const auto cost = groupCost(problem);
  for (const ItemSet &group : partition) {
    stream << exactMicroseconds(*cost(group)) << ":";
    for (std::uint32_t kernel : group)
      stream << " " << problem.kernels[kernel].name;
    stream << "\n";
  }
}

/// Certifies the search's partition and prints the bound in words. A better
/// partition that the proof finds replaces the search's.
void certifyResult(const PartitionProblem &problem, const Options &options,
                   SearchResult &result) {
  CertifyOptions wanted;
  wanted.prove = options.prove;
  Certificate certificate = certify(problem, result.partition, wanted);
  if (!certificate.better.empty()) {
    result.partition = std::move(certificate.better);
    result.cost = 0;
    for (const ItemSet &group : result.partition)
      result.cost += *problem.cost(group);
    llvm::errs() << "the proof found a better partition: "
                 << exactMicroseconds(result.cost) << "\n";
  }
  if (certificate.kind == BoundKind::None) {
    llvm::errs() << "bound: none; there are too many groups to be listed\n";
    return;
  }
  llvm::errs() << "bound: " << exactMicroseconds(certificate.bound) << " by "
               << boundName(certificate.kind) << " over " << certificate.groups
               << " groups; gap "
               << llvm::format(
                      "%.3f %%",
                      100 * std::max(0.0, result.cost / certificate.bound - 1))
               << "\n";
}

ExitCode solve(const AbstractProblem &abstract, const Options &options) {
  const PartitionProblem problem = partitionProblem(abstract);
  SearchResult result = search(problem, options.search);
  if (!result.error.empty())
    return fail(result.error);
  llvm::errs() << problem.size << " kernels, "
               << exactMicroseconds(result.singles) << " -> "
               << result.partition.size() << " groups, "
               << exactMicroseconds(result.cost) << "; " << result.evaluations
               << " groups costed\n";
  if (result.provenOptimal)
    llvm::errs() << "bound: " << exactMicroseconds(result.cost)
                 << " by exact search; gap 0 %\n";
  else if (problem.size > 0)
    certifyResult(problem, options, result);
  // A searcher's bug must not pass for a result.
  if (std::string error = checkResult(problem, result); !error.empty())
    return fail("the search is wrong: " + error);
  std::string text;
  llvm::raw_string_ostream stream(text);
  printGroups(abstract, result.partition, stream);
  const std::string error =
      writeOutput(options.output.empty() ? "-" : options.output, stream.str(),
                  {options.force});
  return error.empty() ? ExitCode::Done : fail(error);
}

} // namespace

ExitCode searchProblem(const Options &options) {
  if (const std::string error = refusedFiles(options); !error.empty())
    return fail(error);
  if (!options.generate.empty())
    return generate(options);
  auto buffer = llvm::MemoryBuffer::getFile(options.parse.input);
  if (!buffer)
    return fail("cannot read problem '" + options.parse.input +
                "': " + buffer.getError().message());
  auto problem = loadProblem((*buffer)->getBuffer());
  if (const auto *error = std::get_if<std::string>(&problem))
    return fail("problem '" + options.parse.input + "': " + *error);
  return solve(std::get<AbstractProblem>(problem), options);
}

} // namespace kfuse
