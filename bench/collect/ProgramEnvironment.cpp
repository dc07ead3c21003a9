//===- ProgramEnvironment.cpp - Variables of a program that is measured ---===//

#include "bench/collect/ProgramEnvironment.h"

#include "bench/collect/VisibleDevice.h"
#include "system/Programs.h"
#include "system/Scratch.h"

#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>
#include <string_view>

#include <unistd.h>

namespace kfuse {
namespace {

constexpr const char *LayerName = "libkfuse-opencl-layer.so";

/// Returns the value of CUDA_VISIBLE_DEVICES; nullopt to leave it as it is.
std::optional<std::string> cudaValue(const VisibleDevices &devices) {
  if (devices.cuda)
    return devices.cuda->visibleName;
  // NVIDIA's OpenCL may look at the variable, too.
  if (devices.openCl && devices.openCl->vendor.starts_with("NVIDIA"))
    return std::nullopt;
  return "-1";
}

std::string openClValue(const VisibleDevices &devices) {
  if (!devices.openCl)
    return {};
  const ComputeDevice &device = *devices.openCl;
  return visibleDeviceText({std::to_string(device.platformNumber),
                            device.platform, std::to_string(device.number),
                            device.name, device.uuid});
}

} // namespace

ProgramEnvironment ownEnvironment() {
  ProgramEnvironment all;
  for (char **entry = environ; *entry; ++entry)
    all.emplace_back(*entry);
  return all;
}

void setVariable(ProgramEnvironment &environment, const std::string &name,
                 const std::string &value) {
  std::erase_if(environment, [&](const std::string &entry) {
    return entry.starts_with(name + "=");
  });
  environment.push_back(name + "=" + value);
}

std::string addOpenClLayer(ProgramEnvironment &environment) {
  const std::string layer = besideProgram(LayerName);
  std::error_code error;
  if (!std::filesystem::exists(layer, error))
    return std::string("OpenCL: ") + LayerName + " isn't beside kfuse-bench";
  const char *const others = std::getenv("OPENCL_LAYERS");
  setVariable(environment, "OPENCL_LAYERS",
              (others && *others ? std::string(others) + ":" : "") + layer);
  return {};
}

std::string showOnly(const VisibleDevices &devices,
                     ProgramEnvironment &environment) {
  if (const std::optional<std::string> cuda = cudaValue(devices))
    setVariable(environment, "CUDA_VISIBLE_DEVICES", *cuda);
  setVariable(environment, VisibleDeviceVariable, openClValue(devices));
  return addOpenClLayer(environment);
}

void noteLoadedFiles(ProgramEnvironment &environment, const std::string &path) {
  setVariable(environment, "LD_DEBUG", "files");
  setVariable(environment, "LD_DEBUG_OUTPUT", path);
}

std::string loaderWithoutLayerIn(const std::string &notes) {
  // "1234: file=libpocl.so.2 [0];  dynamically loaded by libOpenCL.so.1 [0]"
  // "1234: file=libpocl.so.2 [0];  generating link map"
  constexpr std::string_view By = "dynamically loaded by ",
                             File = "file=", Found = "generating link map";
  std::string loader;
  std::map<std::string, std::string> wantedBy; // a loader, by the file
  std::istringstream lines(notes);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t file = line.find(File), by = line.find(By);
    if (file == std::string::npos)
      continue;
    const std::string name = line.substr(
        file + File.size(), line.find(" [", file) - file - File.size());
    // A loader that finds no driver has no use for layers.
    if (line.find(Found) != std::string::npos && wantedBy.contains(name))
      loader = wantedBy[name];
    if (by == std::string::npos)
      continue;
    const std::string who =
        line.substr(by + By.size(), line.find(" [", by) - by - By.size());
    if (std::filesystem::path(who).filename().string().starts_with(
            "libOpenCL.so"))
      wantedBy[name] = who;
    if (name.find(LayerName) != std::string::npos)
      return {};
  }
  return loader;
}

std::string loaderWithoutLayer(const std::string &path) {
  namespace fs = std::filesystem;
  const std::string begin = fs::path(path).filename().string() + ".";
  std::error_code error;
  for (const fs::directory_entry &entry :
       fs::directory_iterator(fs::path(path).parent_path(), error))
    if (entry.path().filename().string().starts_with(begin))
      if (std::string loader =
              loaderWithoutLayerIn(contentOf(entry.path().string()));
          !loader.empty())
        return loader;
  return {};
}

std::string withoutLayerText(const std::string &loader) {
  return "OpenCL: the loader '" + loader +
         "' that the program uses loads no layers; Debian's "
         "(ocl-icd-libopencl1) and Khronos' do";
}

} // namespace kfuse
