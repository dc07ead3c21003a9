//===- ComputeDevice.cpp - A device that programs can run on --------------===//

#include "bench/ComputeDevice.h"

namespace kfuse {

const char *interfaceName(Interface interface) {
  return interface == Interface::OpenCl ? "OpenCL" : "CUDA";
}

const char *deviceTypeName(DeviceType type) {
  switch (type) {
  case DeviceType::Cpu:
    return "cpu";
  case DeviceType::Gpu:
    return "gpu";
  case DeviceType::Accelerator:
    return "accelerator";
  case DeviceType::Other:
    return "other";
  }
  return "";
}

} // namespace kfuse
