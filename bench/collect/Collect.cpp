//===- Collect.cpp - Runs a program and records its launches --------------===//

#include "bench/collect/Collect.h"

#include "bench/collect/CudaCollector.h"
#include "system/Child.h"
#include "system/Programs.h"
#include "system/Scratch.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include <dlfcn.h>
#include <unistd.h>

namespace kfuse {
namespace {

namespace fs = std::filesystem;

/// Sets a variable of the environment.
void setVariable(std::vector<std::string> &environment, const std::string &name,
                 const std::string &value) {
  std::erase_if(environment, [&](const std::string &entry) {
    return entry.starts_with(name + "=");
  });
  environment.push_back(name + "=" + value);
}

/// Returns the layer of OpenCL's loader, which is beside this program.
std::string layerPath() {
  std::error_code error;
  std::string layer = besideProgram("libkfuse-opencl-layer.so");
  return fs::exists(layer, error) ? layer : "";
}

/// Adds what makes the driver and the loader load the collectors.
void addCollectors(const std::set<Interface> &interfaces,
                   const std::string &scratch,
                   std::vector<std::string> &environment,
                   std::vector<std::string> &problems) {
  if (interfaces.contains(Interface::OpenCl)) {
    const std::string layer = layerPath();
    const char *others = std::getenv("OPENCL_LAYERS");
    if (layer.empty())
      problems.emplace_back("OpenCL: libkfuse-opencl-layer.so isn't beside "
                            "kfuse-bench");
    else
      setVariable(environment, "OPENCL_LAYERS",
                  (others && *others ? std::string(others) + ":" : "") + layer);
  }
  if (!interfaces.contains(Interface::Cuda))
    return;
  // Without a driver no program of CUDA's runs.
  void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (!driver) {
    problems.emplace_back("CUDA: no driver is installed (libcuda.so.1)");
    return;
  }
  const BuiltLibrary collector = cudaCollector(scratch);
  if (collector.why.empty())
    setVariable(environment, "CUDA_INJECTION64_PATH", collector.path);
  else
    problems.push_back("CUDA: " + collector.why);
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
  child.environment = environmentWith("KFUSE_COLLECT", records);
  addCollectors(program.interfaces, scratch.path(), *child.environment,
                run.problems);
  child.output = "/dev/null";
  child.errors = scratch.file("errors");
  const ChildResult result = runChild(child);
  if (result.status == -1)
    return "'" + program.path + "': " + result.message;
  if (result.status != 0) {
    run.failure = result.status > 0
                      ? "ended with code " + std::to_string(result.status)
                      : "was ended: " + result.message;
    if (const std::string line = lastLine(contentOf(child.errors));
        !line.empty())
      run.failure += ", and wrote: " + line;
  }
  std::error_code error;
  if (!fs::exists(records, error))
    return run; // nothing ran on a device
  auto read = readRecords(records);
  if (auto *why = std::get_if<std::string>(&read))
    return std::move(*why);
  run.records = std::get<0>(std::move(read));
  for (std::string &problem : readProblems(records))
    run.problems.push_back(std::move(problem));
  return run;
}

} // namespace kfuse
