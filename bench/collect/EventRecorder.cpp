//===- EventRecorder.cpp - What records CUDA's launches by events ---------===//

#include "bench/collect/EventRecorder.h"

#include "bench/collect/CollectorTexts.h"

namespace kfuse {

std::vector<std::string> eventRecorderCommand(const std::string &nvcc,
                                              const std::string &folder,
                                              const std::string &object) {
  const std::string source = writeCollector(eventRecorderText(), folder);
  if (source.empty())
    return {};
  return {nvcc, "-O2", "-std=c++17", "-w", "-c", source, "-o", object};
}

std::vector<std::string> eventRecorderOptions(const std::string &object) {
  std::vector<std::string> options = {"-Xlinker", object};
  // The functions of CudaEvents.cpp.
  for (const char *name :
       {"__cudaLaunchKernel", "__cudaLaunchKernel_ptsz", "cudaLaunchKernel",
        "cudaLaunchKernel_ptsz", "cudaLaunchCooperativeKernel",
        "cudaLaunchCooperativeKernel_ptsz", "cudaLaunchKernelExC",
        "cudaLaunchKernelExC_ptsz", "cudaGraphLaunch", "cudaGraphLaunch_ptsz",
        "cudaDeviceReset", "__cudaRegisterFunction"})
    options.insert(options.end(), {"-Xlinker", std::string("--wrap=") + name});
  return options;
}

} // namespace kfuse
