//===- machine.h - The device that the ladder runs on ---------------------===//
#ifndef GEMM_MACHINE_H
#define GEMM_MACHINE_H

#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_TARGET_OPENCL_VERSION 120
#include <CL/opencl.hpp>

#include "options.h"

#include <algorithm>
#include <cctype>
#include <ctime>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#ifndef GEMM_KERNELS // the folder of the .cl files
#define GEMM_KERNELS "kernels"
#endif

inline bool isNamed(const std::string &name, size_t number,
                    const std::string &wanted) {
  const auto same = [](unsigned char one, unsigned char other) {
    return std::tolower(one) == std::tolower(other);
  };
  return wanted.empty() || wanted == std::to_string(number) ||
         std::search(name.begin(), name.end(), wanted.begin(), wanted.end(),
                     same) != name.end();
}

inline cl_device_type typeNamed(const std::string &name) {
  static const std::map<std::string, cl_device_type> types = {
      {"", CL_DEVICE_TYPE_ALL},
      {"all", CL_DEVICE_TYPE_ALL},
      {"cpu", CL_DEVICE_TYPE_CPU},
      {"gpu", CL_DEVICE_TYPE_GPU},
      {"acc", CL_DEVICE_TYPE_ACCELERATOR},
      {"default", CL_DEVICE_TYPE_DEFAULT}};
  const auto found = types.find(name);
  if (found == types.end())
    throw UsageError("'" + name +
                     "' is no type of device: all, cpu, gpu, acc or default");
  return found->second;
}

/// Returns the first device that is meant; of several, a GPU.
inline cl::Device chooseDevice(const Options &options) {
  const cl_device_type type = typeNamed(options.type);
  std::vector<cl::Platform> platforms;
  try {
    cl::Platform::get(&platforms);
  } catch (const cl::Error &) { // the loader finds none
  }
  std::optional<cl::Device> chosen;
  std::string others;
  for (size_t p = 0; p < platforms.size(); ++p) {
    const auto platform = platforms[p].getInfo<CL_PLATFORM_NAME>();
    std::vector<cl::Device> devices;
    try {
      platforms[p].getDevices(CL_DEVICE_TYPE_ALL, &devices);
    } catch (const cl::Error &) { // a platform without devices
    }
    for (size_t d = 0; d < devices.size(); ++d) {
      const auto name = devices[d].getInfo<CL_DEVICE_NAME>();
      const auto itsType = devices[d].getInfo<CL_DEVICE_TYPE>();
      others += "\n  platform " + std::to_string(p) + ", device " +
                std::to_string(d) + ": " + platform + ", " + name;
      if (!isNamed(platform, p, options.platform) ||
          !isNamed(name, d, options.device) || !(itsType & type))
        continue;
      if (!chosen ||
          (itsType & CL_DEVICE_TYPE_GPU &&
           !(chosen->getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_GPU)))
        chosen = devices[d];
    }
  }
  if (!chosen)
    throw std::runtime_error("no such device; there " +
                             (others.empty() ? "is none" : "are" + others));
  return *chosen;
}

/// Returns the processor time of all of the program's threads.
inline double processorSeconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

/// A device with what it takes to run kernels on it.
struct Machine {
  cl::Device device;
  bool usesProcessorTime; ///< a processor's, which others use too
  cl::Context context{device};
  cl::CommandQueue queue{context, device, CL_QUEUE_PROFILING_ENABLE};

  bool has(const std::string &extension) const {
    const auto all = " " + device.getInfo<CL_DEVICE_EXTENSIONS>() + " ";
    return all.find(" " + extension + " ") != std::string::npos;
  }
  bool isCpu() const {
    return device.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_CPU;
  }

  /// Builds a kernel of these files together.
  cl::Kernel build(const std::vector<std::string> &files,
                   const std::string &kernel, std::string macros) const {
    std::string source;
    for (const std::string &file : files) {
      const std::string path = GEMM_KERNELS "/" + file;
      std::ifstream stream(path);
      source.append(std::istreambuf_iterator<char>(stream), {});
      if (!stream)
        throw std::runtime_error("can't read '" + path + "'");
    }
    if (device.getInfo<CL_DEVICE_OPENCL_C_VERSION>() >= "OpenCL C 3.0")
      macros += " -cl-std=CL3.0";
    cl::Program program(context, source);
    try {
      program.build({device}, (macros + " -cl-mad-enable").c_str());
      return cl::Kernel(program, kernel.c_str());
    } catch (const cl::Error &) {
      throw std::runtime_error(
          "'" + kernel + "' can't be built with " + macros + "\n" +
          program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device));
    }
  }

  /// Runs a kernel and returns its seconds: those of the device, or the
  /// processor time of each of its cores.
  double run(const cl::Kernel &kernel, const cl::NDRange &global,
             const cl::NDRange &local) const {
    cl::Event event;
    const double before = processorSeconds();
    queue.enqueueNDRangeKernel(kernel, cl::NullRange, global, local, nullptr,
                               &event);
    event.wait();
    if (usesProcessorTime)
      return (processorSeconds() - before) /
             device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
    return 1e-9 * (event.getProfilingInfo<CL_PROFILING_COMMAND_END>() -
                   event.getProfilingInfo<CL_PROFILING_COMMAND_START>());
  }
};

#endif
