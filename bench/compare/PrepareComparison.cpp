//===- PrepareComparison.cpp - What is compared, ready to run -------------===//

#include "bench/compare/PrepareComparison.h"

#include "bench/CudaDevices.h"
#include "system/Input.h"
#include "system/Scratch.h"

#include <filesystem>
#include <future>

namespace kfuse {
namespace {

/// Returns how both sources are built, which the text of one tells.
BuildOptions buildOptionsOf(const ComparisonInput &input,
                            const std::string &source,
                            const std::string &text) {
  const bool hasGpu = input.mayUseGpu && !cudaDevices(0).devices.empty();
  BuildOptions options;
  options.builder = builderOf(text, hasGpu);
  options.compiler = input.compiler.empty()
                         ? defaultCompiler(options.builder, source)
                         : input.compiler;
  // A user who names nvcc wants it.
  if (options.builder == Builder::Executor &&
      std::filesystem::path(options.compiler).filename() == "nvcc")
    options.builder = Builder::Nvcc;
  options.flags = input.compilerFlags;
  return options;
}

/// Returns the program that `path` is or becomes, or why there is none.
BuiltProgram programOf(const ComparisonInput &input, const std::string &path,
                       const std::string &name, const ScratchFolder &scratch) {
  if (!isSource(path))
    return {path, path, "", ""};
  const std::optional<std::string> text = readInput(path);
  if (!text)
    return {{}, {}, "", "cannot read '" + path + "'"};
  return buildProgram(
      buildOptionsOf(input, path, *text), path,
      std::filesystem::path(input.original).parent_path().string(), name,
      scratch);
}

std::variant<ProjectedPlan, std::string> readPlan(const std::string &path) {
  const std::optional<std::string> text = readInput(path);
  if (!text)
    return "cannot read '" + path + "'";
  std::variant<ProjectedPlan, std::string> plan = parsePlan(*text);
  if (const auto *why = std::get_if<std::string>(&plan))
    return "'" + path + "' is no plan of kfuse --emit=json: " + *why;
  return plan;
}

} // namespace

std::variant<PreparedComparison, std::string>
prepareComparison(const ComparisonInput &input, const ScratchFolder &scratch) {
  PreparedComparison prepared;
  std::string fused = prepared.fusedName = input.fused;
  std::optional<std::variant<ProjectedPlan, std::string>> plan;
  if (fused.empty()) {
    const std::filesystem::path original = input.original;
    fused = scratch.file("fused" + original.extension().string());
    prepared.fusedName = original.filename().string() + " after kfuse";
    std::vector<std::string> flags;
    for (const std::string &flag : input.compilerFlags)
      if (flag.starts_with("-D") || flag.starts_with("-I") ||
          flag.starts_with("-U") || flag.starts_with("-std="))
        flags.push_back(flag);
    plan = fuseSource(input.original, fused, input.kfuseOptions, flags,
                      scratch.path());
  } else if (!input.plan.empty()) {
    plan = readPlan(input.plan);
  }
  if (plan) {
    if (const auto *why = std::get_if<std::string>(&*plan))
      return *why;
    prepared.plan = std::get<ProjectedPlan>(std::move(*plan));
  }
  auto other = std::async(std::launch::async, [&] {
    return programOf(input, input.original, "original", scratch);
  });
  prepared.fused = programOf(input, fused, "fused-program", scratch);
  prepared.original = other.get();
  for (const auto &[program, name] :
       {std::pair(&prepared.original, &input.original),
        {&prepared.fused, &prepared.fusedName}})
    if (!program->error.empty())
      return "'" + *name + "' doesn't build: " + program->error;
  // One trace says nothing.
  if (std::string_view(prepared.original.traceVariable) !=
      prepared.fused.traceVariable)
    for (BuiltProgram *program : {&prepared.original, &prepared.fused})
      *program = {program->path, program->path, "", ""};
  return prepared;
}

} // namespace kfuse
