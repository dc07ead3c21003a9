//===- Collect.cpp - Runs a program and records its launches --------------===//

#include "bench/collect/Collect.h"

#include "bench/OpenClDevices.h"
#include "bench/collect/CudaCollector.h"
#include "bench/collect/ProgramEnvironment.h"
#include "system/Child.h"
#include "system/Scratch.h"

#include <algorithm>
#include <filesystem>

#include <dlfcn.h>

namespace kfuse {
namespace {

namespace fs = std::filesystem;

/// Adds what makes the driver and the loader load the collectors. Returns
/// whether the loader is to load one.
bool addCollectors(const CollectedProgram &program, const std::string &scratch,
                   ProgramEnvironment &environment,
                   std::vector<std::string> &problems) {
  bool hasLayer = program.interfaces.contains(Interface::OpenCl);
  if (hasLayer)
    if (std::string why = addOpenClLayer(environment); !why.empty()) {
      problems.push_back(std::move(why));
      hasLayer = false;
    }
  if (!program.interfaces.contains(Interface::Cuda) || program.recordsItself)
    return hasLayer;
  // Without a driver no program of CUDA's runs.
  void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (!driver) {
    problems.emplace_back("CUDA: no driver is installed (libcuda.so.1)");
    return hasLayer;
  }
  const BuiltLibrary collector = cudaCollector(scratch);
  if (collector.why.empty())
    setVariable(environment, "CUDA_INJECTION64_PATH", collector.path);
  else
    problems.push_back("CUDA: " + collector.why);
  return hasLayer;
}

/// Returns the last line with text in it.
std::string lastLine(std::string text) {
  text.erase(std::find_if(text.rbegin(), text.rend(),
                          [](char each) { return each > ' '; })
                 .base(),
             text.end());
  return text.substr(text.rfind('\n') + 1);
}

} // namespace

std::variant<CollectedRun, std::string>
collect(const CollectedProgram &program) {
  const ScratchFolder scratch("kfuse-collect");
  if (!scratch.good())
    return std::string("there is no room for temporary files");
  CollectedRun run;
  ChildProgram child;
  child.words = {program.path};
  child.words.insert(child.words.end(), program.arguments.begin(),
                     program.arguments.end());
  const std::string records = scratch.file("records");
  const std::string loaded = scratch.file("loaded");
  child.environment = ownEnvironment();
  setVariable(*child.environment, "KFUSE_COLLECT", records);
  noteLoadedFiles(*child.environment, loaded);
  if (program.devices)
    if (std::string why = showOnly(*program.devices, *child.environment);
        !why.empty())
      return why;
  const bool hasLayer =
      addCollectors(program, scratch.path(), *child.environment, run.problems);
  child.output = "/dev/null";
  child.errors = scratch.file("errors");
  const ChildResult result = runChild(child);
  if (result.status == -1)
    return "'" + program.path + "': " + result.message;
  const std::string loader = loaderWithoutLayer(loaded);
  if (!loader.empty() && program.devices)
    return withoutLayerText(loader);
  if (!loader.empty() && hasLayer)
    run.problems.push_back(withoutLayerText(loader));
  if (result.status != 0) {
    run.failure = result.status > 0
                      ? "ended with code " + std::to_string(result.status)
                      : "was ended: " + result.message;
    if (const std::string line = lastLine(contentOf(child.errors));
        !line.empty())
      run.failure += ", and wrote: " + line;
  }
  std::error_code error;
  if (!fs::exists(records, error)) { // nothing ran on a device
    if (hasLayer)
      for (std::string &problem : openClDevices().problems)
        run.problems.push_back(std::move(problem));
    return run;
  }
  auto read = readRecords(records);
  if (auto *why = std::get_if<std::string>(&read))
    return std::move(*why);
  run.records = std::get<0>(std::move(read));
  for (std::string &problem : readProblems(records))
    run.problems.push_back(std::move(problem));
  return run;
}

} // namespace kfuse
