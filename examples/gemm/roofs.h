//===- roofs.h - The ceilings of the device, measured ---------------------===//
#ifndef GEMM_ROOFS_H
#define GEMM_ROOFS_H

#include "machine.h"
#include "options.h"
#include "table.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

/// Measures peak and bandwidth, a little each time that it is asked.
class RoofMeter {
public:
  RoofMeter(const Machine &machine, const Options &given)
      : machine(machine), given(given) {
    if (!given.peak)
      for (const auto &[width, chains] :
           {std::pair(1, 12), {4, 8}, {8, 10}, {16, 10}})
        peaks.push_back(peakKernel(width, chains));
    if (!given.bandwidth)
      prepareCopy();
  }

  void measure() {
    for (Peak &peak : peaks)
      peak.fastest = std::max(
          peak.fastest,
          peak.operations / machine.run(peak.kernel, threads, cl::NDRange(64)));
    if (!given.bandwidth)
      fastestCopy =
          std::max(fastestCopy, 2.0 * copied /
                                    machine.run(copy, cl::NDRange(copied / 16),
                                                cl::NullRange));
  }

  Roofs roofs() const {
    Roofs roofs{given.peak, given.bandwidth};
    for (const Peak &peak : peaks)
      roofs.operations = std::max(roofs.operations, peak.fastest);
    if (!given.bandwidth)
      roofs.bytes = fastestCopy;
    return roofs;
  }

private:
  struct Peak {
    cl::Kernel kernel;
    double operations;
    double fastest = 0; ///< rate
  };

  Peak peakKernel(int width, int chains) {
    const int length = machine.isCpu() ? 4096 : 1024;
    Peak peak{machine.build({"roofs.cl"}, "multiply_add",
                            "-DWIDTH=" + std::to_string(width) +
                                " -DCHAINS=" + std::to_string(chains) +
                                " -DLENGTH=" + std::to_string(length)),
              2.0 * width * chains * length * threads.get()[0]};
    peak.kernel.setArg(0, 0.5f);
    peak.kernel.setArg(1, buffers[0]);
    machine.run(peak.kernel, threads, cl::NDRange(64));
    return peak;
  }

  void prepareCopy() {
    copy =
        machine.build({"roofs.cl"}, "copy", "-DWIDTH=1 -DCHAINS=1 -DLENGTH=1");
    for (int argument = 0; argument < 2; ++argument) {
      machine.queue.enqueueFillBuffer(buffers[argument], 0.0f, 0, copied);
      copy.setArg(argument, buffers[argument]);
    }
    machine.run(copy, cl::NDRange(copied / 16), cl::NullRange);
  }

  const Machine &machine;
  const Options &given;
  cl::NDRange threads{machine.device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>() *
                      (machine.isCpu() ? 512u : 4096u)};
  const size_t copied = 64 << 20; // bytes
  const cl::Buffer buffers[2] = {{machine.context, CL_MEM_READ_WRITE, copied},
                                 {machine.context, CL_MEM_READ_WRITE, copied}};
  std::vector<Peak> peaks;
  cl::Kernel copy;
  double fastestCopy = 0; ///< rate
};

#endif
