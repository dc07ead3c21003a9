//===- Registers.cpp - What a compiler gives what was chosen --------------===//

#include "driver/pipeline/Registers.h"

#include "driver/nvcc/Nvcc.h"
#include "driver/pipeline/ReadFile.h"
#include "driver/pipeline/Solve.h"
#include "frontend/parse/Flags.h"
#include "fusion/PlanGroup.h"

namespace kfuse {
namespace {

/// Adds what the compiler gives the plan's fused kernels, in the shapes that
/// they have there. Returns false if all was known.
bool recordRegisters(Compilation &c, const CompiledKernels &compiled) {
  Measurements &evidence = c.problem->evidence;
  bool isNew = false;
  for (const FusedKernel &kernel : c.plan.kernels) {
    if (kernel.launches.size() < 2)
      continue;
    const CompiledKernel *found = compiledAs(compiled, kernel.name);
    if (!found)
      continue;
    std::vector<LaunchId> launches = kernel.launches;
    std::sort(launches.begin(), launches.end());
    isNew |= evidence.groups
                 .try_emplace({std::move(launches), kernel.elementsPerThread},
                              *found)
                 .second;
  }
  return isNew;
}

} // namespace

std::vector<std::string> programFlags(const ParseOptions &options) {
  std::vector<std::string> flags;
  std::string ignored; // It was told when the program was parsed.
  if (!options.buildPath.empty())
    flags = databaseFlags(options.buildPath, options.input, ignored);
  for (std::string &flag : clangFlags(options.flags))
    flags.push_back(std::move(flag));
  return flags;
}

std::optional<CompiledKernels>
compileWithNvcc(const Options &options, const Program &program,
                const std::string &text, std::string &error,
                const std::map<std::string, std::string> &headers,
                bool hasLines) {
  if (options.nvcc.empty() || program.language != Language::Cuda)
    return CompiledKernels();
  auto found =
      compiledKernels({options.nvcc,
                       options.parse.input,
                       programFlags(options.parse),
                       text,
                       {program.files.begin() + 1, program.files.end()},
                       headers,
                       hasLines});
  if (const auto *message = std::get_if<std::string>(&found)) {
    error += errorLine("--nvcc: " + *message);
    return std::nullopt;
  }
  return std::get<0>(std::move(found));
}

bool compileOriginal(Compilation &c, const Options &options,
                     std::string &error) {
  auto compiled = compileWithNvcc(options, c.program, c.unit->text(), error);
  if (!compiled)
    return false;
  c.problem->evidence.kernels = *std::move(compiled);
  return true;
}

bool replanWithRegisters(Compilation &c, const Options &options,
                         std::string &error) {
  if (options.nvcc.empty())
    return true;
  constexpr int MostRounds = 8;
  for (int round = 0; round < MostRounds; ++round) {
    const auto compiled = compileWithNvcc(options, c.program, c.text, error);
    if (!compiled)
      return false;
    if (!recordRegisters(c, *compiled))
      return true;
    if (!solve(c, options, error))
      return false;
  }
  const auto compiled = compileWithNvcc(options, c.program, c.text, error);
  if (!compiled || !recordRegisters(c, *compiled))
    return compiled.has_value();
  Groups groups;
  for (const FusedKernel &kernel : c.plan.kernels) {
    const auto planned = planGroup(*c.problem, kernel.launches);
    if (const auto *again = std::get_if<FusedKernel>(&planned);
        again && !spillsMore(*again))
      groups.push_back(kernel.launches);
    else
      for (const LaunchId launch : kernel.launches)
        groups.push_back({launch});
  }
  std::sort(groups.begin(), groups.end());
  return finish(c, std::move(groups), error);
}

} // namespace kfuse
