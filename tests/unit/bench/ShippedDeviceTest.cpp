//===- ShippedDeviceTest.cpp - The device file that suits a device --------===//

#include "bench/ShippedDevice.h"

#include <gtest/gtest.h>

namespace kfuse {
namespace {

ComputeDevice like(Interface interface, DeviceType type, const char *platform,
                   const char *name) {
  ComputeDevice device;
  device.interface = interface;
  device.type = type;
  device.platform = platform;
  device.name = name;
  return device;
}

const ComputeDevice Pocl = like(Interface::OpenCl, DeviceType::Cpu,
                                "Portable Computing Language", "pthread-Xeon");
const ComputeDevice Hopper =
    like(Interface::Cuda, DeviceType::Gpu, "NVIDIA CUDA", "NVIDIA H200");

TEST(ShippedDevice, OfOneDevice) {
  EXPECT_EQ(shippedDeviceOf(Pocl), "pocl");
  EXPECT_EQ(shippedDeviceOf(Hopper), "h200");
  EXPECT_EQ(shippedDeviceOf(like(Interface::OpenCl, DeviceType::Gpu,
                                 "NVIDIA CUDA", "NVIDIA H100 80GB HBM3")),
            "h100-opencl");
  EXPECT_EQ(shippedDeviceOf(like(Interface::OpenCl, DeviceType::Cpu,
                                 "Intel(R) OpenCL", "Intel(R) Xeon(R)")),
            "intel-cpu");
  EXPECT_EQ(shippedDeviceOf(
                like(Interface::OpenCl, DeviceType::Cpu, "AMD", "AMD EPYC")),
            "cpu");
  EXPECT_EQ(shippedDeviceOf(like(Interface::Cuda, DeviceType::Gpu,
                                 "NVIDIA CUDA", "NVIDIA GeForce RTX 4070")),
            "rtx4070");
  EXPECT_EQ(shippedDeviceOf(
                like(Interface::OpenCl, DeviceType::Gpu, "AMD", "gfx1100")),
            "");
}

TEST(ShippedDevice, OfAllOfAnInterface) {
  const ComputeDevice intel = like(Interface::OpenCl, DeviceType::Cpu,
                                   "Intel(R) OpenCL", "Intel(R) Xeon(R)");
  EXPECT_EQ(shippedDeviceOf({Pocl, Pocl, Hopper}, Interface::OpenCl), "pocl");
  EXPECT_EQ(shippedDeviceOf({Pocl, Hopper}, Interface::Cuda), "h200");
  EXPECT_EQ(shippedDeviceOf({Pocl, intel}, Interface::OpenCl), "");
  EXPECT_EQ(shippedDeviceOf({Pocl, intel}, Interface::OpenCl, "pthread-Xeon"),
            "pocl");
  EXPECT_EQ(shippedDeviceOf({Pocl}, Interface::Cuda, "kfuse CPU executor"), "");
}

} // namespace
} // namespace kfuse
