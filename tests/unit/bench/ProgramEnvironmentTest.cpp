//===- ProgramEnvironmentTest.cpp - Variables of measured programs --------===//

#include "bench/collect/ProgramEnvironment.h"
#include "bench/DeviceNames.h"
#include "bench/collect/VisibleDevice.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace kfuse {
namespace {

/// Returns the value of a variable; "unset" if there is none.
std::string valueOf(const ProgramEnvironment &environment,
                    const std::string &name) {
  std::string value = "unset";
  for (const std::string &entry : environment)
    if (entry.starts_with(name + "="))
      value = entry.substr(name.size() + 1);
  return value;
}

TEST(ProgramEnvironment, AVariableIsThereOnce) {
  ProgramEnvironment environment = {"A=1", "AB=2"};
  setVariable(environment, "A", "3");
  EXPECT_EQ(environment, (ProgramEnvironment{"AB=2", "A=3"}));
}

TEST(ProgramEnvironment, ShowsOnlyTheDevices) {
  ComputeDevice cpu, gpu, nvidia;
  cpu.platformNumber = 1;
  cpu.platform = "Portable Computing Language";
  cpu.number = 2;
  cpu.name = "a cpu";
  gpu.visibleName = "GPU-1234";
  nvidia = cpu;
  nvidia.vendor = "NVIDIA Corporation";
  struct {
    VisibleDevices devices;
    const char *cuda, *openCl;
  } const cases[] = {
      {{cpu, gpu}, "GPU-1234", "1\nPortable Computing Language\n2\na cpu\n"},
      {{cpu, {}}, "-1", "1\nPortable Computing Language\n2\na cpu\n"},
      {{{}, gpu}, "GPU-1234", ""},
      // Without its UUID it can't be told from the others in CUDA.
      {{nvidia, {}}, "unset", "1\nPortable Computing Language\n2\na cpu\n"}};
  for (const auto &each : cases) {
    ProgramEnvironment environment;
    // The layer isn't beside the tests.
    static_cast<void>(showOnly(each.devices, environment));
    EXPECT_EQ(valueOf(environment, "CUDA_VISIBLE_DEVICES"), each.cuda);
    EXPECT_EQ(valueOf(environment, VisibleDeviceVariable), each.openCl);
  }
}

TEST(ProgramEnvironment, TheLayerReadsWhatIsWritten) {
  const VisibleDevice written = {"0", "NVIDIA CUDA", "1", "NVIDIA A2", "1234"};
  setenv(VisibleDeviceVariable, visibleDeviceText(written).c_str(), 1);
  const std::optional<VisibleDevice> read = visibleDevice();
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->platformName, "NVIDIA CUDA");
  EXPECT_EQ(read->number, "1");
  EXPECT_EQ(read->uuid, "1234");
  setenv(VisibleDeviceVariable, "", 1);
  EXPECT_FALSE(visibleDevice().has_value());
  unsetenv(VisibleDeviceVariable);
}

TEST(ProgramEnvironment, NamesThatDriversTell) {
  EXPECT_EQ(trimmedName(std::string("  a cpu \n\0", 10)), "a cpu");
  EXPECT_EQ(trimmedName(std::string("\0", 1)), "");
  UuidBytes bytes{};
  bytes[0] = 0xa1;
  bytes[15] = 0x0f;
  EXPECT_EQ(uuidText(bytes), "a1000000-0000-0000-0000-00000000000f");
}

TEST(ProgramEnvironment, FindsALoaderThatLoadsNoLayer) {
  const std::string wanted =
      "  7:\tfile=libpocl.so.2 [0];  dynamically loaded by "
      "/usr/lib/libOpenCL.so.1 [0]\n";
  const std::string pocl =
      wanted + "  7:\tfile=libpocl.so.2 [0];  generating link map\n";
  const std::string layer =
      "  7:\tfile=/opt/libkfuse-opencl-layer.so [0];  dynamically loaded by "
      "/usr/lib/libOpenCL.so.1 [0]\n";
  const std::string needed =
      "  7:\tfile=libOpenCL.so.1 [0];  needed by ./program [0]\n";
  const std::string other =
      "  7:\tfile=libtbb.so [0];  dynamically loaded by libpocl.so.2 [0]\n"
      "  7:\tfile=libtbb.so [0];  generating link map\n";
  EXPECT_EQ(loaderWithoutLayerIn(needed + pocl + other),
            "/usr/lib/libOpenCL.so.1");
  EXPECT_EQ(loaderWithoutLayerIn(needed + pocl + layer + other), "");
  EXPECT_EQ(loaderWithoutLayerIn(needed + layer + pocl), "");
  // A driver that isn't there is not the loader's fault.
  EXPECT_EQ(loaderWithoutLayerIn(needed + wanted + other), "");
  // A program that is linked with the loader may not call it.
  EXPECT_EQ(loaderWithoutLayerIn(needed + other), "");
  EXPECT_EQ(loaderWithoutLayerIn(""), "");
}

} // namespace
} // namespace kfuse
