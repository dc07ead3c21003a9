//===- PrepareComparison.cpp - What is compared, ready to run -------------===//

#include "bench/compare/PrepareComparison.h"

#include "bench/CudaDevices.h"
#include "bench/MachineDevices.h"
#include "bench/ShippedDevice.h"
#include "bench/collect/CudaCollector.h"
#include "system/Input.h"
#include "system/Scratch.h"

#include <algorithm>
#include <filesystem>
#include <future>
#include <set>

namespace kfuse {
namespace {

/// The devices of both programs, as far as the user chooses them.
struct ComparisonDevices {
  bool hasGpu = false; ///< for CUDA sources
  std::string file;    ///< that is shipped for it; empty if none is for sure
  std::optional<VisibleDevices> visible;
};

/// Returns the interfaces of the sources; both if there is none, since no one
/// knows what a program uses.
std::set<Interface> interfacesOf(const ComparisonInput &input) {
  std::set<Interface> interfaces;
  for (const std::string &path : {input.original, input.fused})
    if (const auto text = isSource(path) ? readInput(path) : std::nullopt)
      interfaces.insert(builderOf(*text, true) == Builder::Nvcc
                            ? Interface::Cuda
                            : Interface::OpenCl);
  return interfaces.empty() ? std::set{Interface::OpenCl, Interface::Cuda}
                            : interfaces;
}

/// Returns the devices that are meant, or why there are none.
std::variant<ComparisonDevices, std::string>
devicesFor(const ComparisonInput &input) {
  const DeviceChoice &choice = input.choice;
  const std::set<Interface> interfaces = interfacesOf(input);
  if (choice.isEmpty()) {
    ComparisonDevices all{!cudaDevices(0).devices.empty(), {}, {}};
    if (interfaces.size() == 1)
      all.file = shippedDeviceOf(machineDevices().devices, *interfaces.begin());
    return all;
  }
  if (interfaces == std::set{Interface::Cuda} &&
      choice.type == DeviceType::Cpu) {
    if (choice.platform || choice.device)
      return "CUDA sources run on the CPU by kfuse-cpu, which has no platform "
             "or device to choose";
    return ComparisonDevices{};
  }
  const DeviceList all = machineDevices();
  auto visible = visibleDevices(all.devices, choice, interfaces);
  if (auto *why = std::get_if<std::string>(&visible)) {
    if (interfaces.size() == 1)
      *why = std::string("for ") + interfaceName(*interfaces.begin()) +
             " sources, " + *why;
    for (const std::string &problem : all.problems)
      *why += "\n  " + problem;
    return std::move(*why);
  }
  ComparisonDevices devices{false, {}, std::get<VisibleDevices>(visible)};
  devices.hasGpu = devices.visible->cuda.has_value();
  if (const auto &device = interfaces.contains(Interface::OpenCl)
                               ? devices.visible->openCl
                               : devices.visible->cuda)
    devices.file = shippedDeviceOf(*device);
  return devices;
}

/// Returns how both sources are built, which the text of one tells.
BuildOptions buildOptionsOf(const ComparisonInput &input, bool hasGpu,
                            const std::string &source,
                            const std::string &text) {
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
  options.timer = input.timer.value_or(cuptiFiles() ? LaunchTimer::Cupti
                                                    : LaunchTimer::Events);
  return options;
}

/// Returns the options of the kfuse that fuses the original. If the CPU
/// executor runs it, sums are as the executor computes them, not as nvcc would.
std::vector<std::string> kfuseOptionsFor(const ComparisonInput &input,
                                         bool hasGpu) {
  std::vector<std::string> options = input.kfuseOptions;
  const bool isChosen = namesOption(options, "nvcc");
  const std::optional<std::string> text = readInput(input.original);
  if (text && !isChosen &&
      buildOptionsOf(input, hasGpu, input.original, *text).builder ==
          Builder::Executor)
    options.emplace_back("--nvcc=none");
  return options;
}

/// Returns the program that `path` is or becomes, or why there is none.
BuiltProgram programOf(const ComparisonInput &input, bool hasGpu,
                       const std::string &path, const std::string &name,
                       const ScratchFolder &scratch) {
  BuiltProgram program;
  program.path = program.tracing = path;
  if (!isSource(path))
    return program;
  const std::optional<std::string> text = readInput(path);
  if (text)
    return buildProgram(
        buildOptionsOf(input, hasGpu, path, *text), path,
        std::filesystem::path(input.original).parent_path().string(), name,
        scratch);
  program.error = "cannot read '" + path + "'";
  return program;
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
  auto found = devicesFor(input);
  if (auto *why = std::get_if<std::string>(&found))
    return std::move(*why);
  const auto &devices = std::get<ComparisonDevices>(found);
  PreparedComparison prepared;
  prepared.devices = devices.visible;
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
    prepared.fusion = {input.original, kfuseOptionsFor(input, devices.hasGpu),
                       devices.file, std::move(flags), scratch.path()};
    plan = fuseSource(*prepared.fusion, fused);
  } else if (!input.plan.empty()) {
    plan = readPlan(input.plan);
  }
  if (plan) {
    if (const auto *why = std::get_if<std::string>(&*plan))
      return *why;
    prepared.plan = std::get<ProjectedPlan>(std::move(*plan));
  }
  auto other = std::async(std::launch::async, [&] {
    return programOf(input, devices.hasGpu, input.original, "original",
                     scratch);
  });
  prepared.fused =
      programOf(input, devices.hasGpu, fused, "fused-program", scratch);
  prepared.original = other.get();
  for (const auto &[program, name] :
       {std::pair(&prepared.original, &input.original),
        {&prepared.fused, &prepared.fusedName}})
    if (!program->error.empty())
      return "'" + *name + "' doesn't build: " + program->error;
  // One trace says nothing.
  if (std::string_view(prepared.original.traceVariable) !=
      prepared.fused.traceVariable)
    for (BuiltProgram *program : {&prepared.original, &prepared.fused}) {
      program->tracing = program->path;
      program->traceVariable = "";
    }
  return prepared;
}

} // namespace kfuse
