//===- DeviceTests.cpp - Device files -------------------------------------===//

#include "fusion/device/Device.h"
#include "fusion/device/Occupancy.h"

#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace kfuse;

namespace {

nlohmann::json h200() {
  std::ifstream file(KFUSE_SOURCE_DIR "/fusion/device/devices/h200.json");
  return nlohmann::json::parse(file);
}

TEST(Device, EveryShippedFileReads) {
  std::vector<std::string> names = shippedDevices();
  EXPECT_GE(names.size(), 3U);
  for (const std::string &name : names) {
    DeviceResult result = loadDevice(name);
    EXPECT_EQ(result.error, "") << name;
    EXPECT_EQ(result.device.name, name);
  }
  EXPECT_EQ(loadDevice("h200").device.bandwidth, 4269e9);
}

TEST(Device, ReadsAPath) {
  EXPECT_EQ(
      loadDevice(KFUSE_SOURCE_DIR "/fusion/device/devices/cpu.json").error, "");
}

TEST(Device, NamesWhatIsMissing) {
  EXPECT_EQ(loadDevice("no-such-device").error,
            "no device 'no-such-device': neither a file nor one of cpu, h200, "
            "rtx4070");
}

TEST(Device, IsStrict) {
  struct Case {
    const char *patch;
    const char *error;
  };
  const Case cases[] = {
      {R"({"bandwidth": null})", "missing key 'bandwidth'"},
      {R"({"speed": 1})", "unknown key 'speed'"},
      {R"({"name": 3})", "'name' must be a string"},
      {R"({"bandwidth": 4e12})",
       "'bandwidth' must be an object of 'value', 'origin' and 'note'"},
      {R"({"bandwidth": {"value": -1}})",
       "'bandwidth': the value is out of range"},
      {R"({"bandwidth": {"value": "fast"}})",
       "'bandwidth': the value must be a number"},
      {R"({"bandwidth": {"origin": "guessed"}})",
       "'bandwidth': the origin must be 'measured', 'specification' or "
       "'derived'"},
      {R"({"bandwidth": {"note": 1}})",
       "'bandwidth': the note must be a string"},
      {R"({"bandwidth": {"more": 1}})",
       "'bandwidth' must be an object of 'value', 'origin' and 'note'"},
      {R"({"multiprocessors": {"value": 1.5}})",
       "'multiprocessors': the value must be a whole number"},
      {R"({"multiprocessors": {"value": 0}})",
       "'multiprocessors': the value is out of range"},
  };
  EXPECT_EQ(parseDevice(h200().dump()).error, "");
  for (const Case &test : cases) {
    nlohmann::json file = h200();
    file.merge_patch(nlohmann::json::parse(test.patch));
    EXPECT_EQ(parseDevice(file.dump()).error, test.error) << test.patch;
  }
  for (const char *text : {"", "[]", "{", "3"})
    EXPECT_EQ(parseDevice(text).error, "a device file must be one JSON object")
        << text;
}

TEST(Occupancy, FollowsTheTightestLimit) {
  Device device = loadDevice("h200").device;
  struct Case {
    BlockResources block;
    double blocks;
  };
  const Case cases[] = {
      {{256, 32, 0}, 8},          // limited by threads
      {{32, 32, 0}, 32},          // limited by blocks
      {{256, 64, 0}, 4},          // limited by registers
      {{256, 65, 0}, 3},          // warps' registers come in granules
      {{256, 32, 100 * 1024}, 2}, // limited by shared memory
      {{33, 32, 0}, 32},          // two warps
      {{1024, 255, 0}, 0},        // nothing fits
  };
  for (const Case &test : cases)
    EXPECT_EQ(residentBlocks(device, test.block), test.blocks)
        << test.block.threads << ' ' << test.block.registersPerThread;
}

TEST(Occupancy, BandwidthRisesWithBytesInFlight) {
  Device device = loadDevice("h200").device;
  EXPECT_EQ(usableBandwidth(device, 0), 0);
  double last = 0;
  for (double bytes = 1e3; bytes < 1e12; bytes *= 10) {
    SCOPED_TRACE(bytes);
    double chunk = usableBandwidth(device, bytes);
    EXPECT_GT(chunk, last);
    EXPECT_LE(chunk, 1);
    last = chunk;
  }
  // These are the two measurements that the knee was fitted to.
  double threads = 132.0 * 2048;
  EXPECT_NEAR(usableBandwidth(device, threads * 8) * 4269, 2675, 130);
  EXPECT_NEAR(usableBandwidth(device, threads * 32) * 4269, 4228, 50);
}

} // namespace
