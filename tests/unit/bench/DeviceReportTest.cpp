//===- DeviceReportTest.cpp - Devices as text -----------------------------===//

#include "bench/DeviceReport.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace kfuse {
namespace {

ComputeDevice gpu() {
  ComputeDevice device;
  device.interface = Interface::Cuda;
  device.platformNumber = 3;
  device.number = 1;
  device.platform = "NVIDIA CUDA";
  device.name = "NVIDIA H100";
  device.version = "sm_90";
  device.driver = "CUDA 13.0";
  device.type = DeviceType::Gpu;
  device.computeUnits = 132;
  device.globalBytes = 85'000'000'000;
  device.cacheBytes = 52'428'800;
  device.localBytes = 49'152;
  device.groupSize = 1024;
  device.hasDouble = true;
  return device;
}

TEST(DeviceReport, LimitsThatTheDriverTells) {
  EXPECT_EQ(deviceText({gpu()}),
            "platform 3: NVIDIA CUDA (CUDA)\n"
            "  device 1: NVIDIA H100 (gpu, sm_90, driver CUDA 13.0)\n"
            "    132 multiprocessors, 79.2 GiB memory, 50 MiB L2, 48 KiB "
            "shared, 1024 threads a block, double\n");
}

TEST(DeviceReport, SubGroups) {
  ComputeDevice device = gpu();
  device.subgroupSizes = {4, 8, 16};
  EXPECT_NE(
      deviceText({device}).find("block, sub-groups of 4, 8 or 16, double"),
      std::string::npos);
  device.subgroupExtensions = {"cl_khr_subgroups", "cl_intel_subgroups"};
  EXPECT_NE(deviceText({device}).find(
                ", sub-groups of 4, 8 or 16 (cl_intel_subgroups), double"),
            std::string::npos);
  device.subgroupSizes = {32};
  EXPECT_NE(deviceText({device}).find(", sub-groups of 32 ("),
            std::string::npos);
  const auto json = nlohmann::json::parse(deviceJson({device}));
  EXPECT_EQ(json[0]["subgroupSizes"].dump(), "[32]");
  EXPECT_EQ(json[0]["subgroupExtensions"][1], "cl_intel_subgroups");
  device.subgroupSizes.clear();
  EXPECT_NE(deviceText({device}).find("block, cl_intel_subgroups, double"),
            std::string::npos);
}

TEST(DeviceReport, EachPlatformOnce) {
  ComputeDevice second = gpu(), third = gpu();
  second.number = 2;
  third.platformNumber = 4;
  const std::string text = deviceText({gpu(), second, third});
  EXPECT_EQ(text.find("platform 3"), text.rfind("platform 3"));
  EXPECT_LT(text.find("device 2"), text.find("platform 4"));
}

TEST(DeviceReport, JsonHasAllOfIt) {
  ComputeDevice device = gpu();
  device.name = "not \xff UTF-8";
  const auto json = nlohmann::json::parse(deviceJson({device}));
  ASSERT_EQ(json.size(), 1u);
  EXPECT_EQ(json[0]["interface"], "CUDA");
  EXPECT_EQ(json[0]["globalBytes"], 85'000'000'000);
  EXPECT_EQ(json[0]["hasHalf"], false);
}

} // namespace
} // namespace kfuse
