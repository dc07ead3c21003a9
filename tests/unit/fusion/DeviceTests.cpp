//===- DeviceTests.cpp - Device files -------------------------------------===//

#include "fusion/device/Device.h"
#include "fusion/device/Occupancy.h"

#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace kfuse;

namespace {

/// Returns a shipped file without what tests add to it.
nlohmann::json h200() {
  std::ifstream file(KFUSE_SOURCE_DIR "/fusion/device/devices/h200.json");
  nlohmann::json device = nlohmann::json::parse(file);
  device.erase("curves");
  device.erase("roofs");
  return device;
}

TEST(Device, EveryShippedFileReads) {
  std::vector<std::string> names = shippedDevices();
  EXPECT_GE(names.size(), 3U);
  for (const std::string &name : names) {
    DeviceResult result = loadDevice(name);
    EXPECT_EQ(result.error, "") << name;
    EXPECT_EQ(result.device.name, name);
  }
  EXPECT_EQ(loadDevice("h200").device.bandwidth, 4300.3e9);
}

TEST(Device, ReadsAPath) {
  EXPECT_EQ(
      loadDevice(KFUSE_SOURCE_DIR "/fusion/device/devices/cpu.json").error, "");
}

TEST(Device, NamesWhatIsMissing) {
  EXPECT_EQ(loadDevice("no-such-device").error,
            "no device 'no-such-device': neither a file nor one of cpu, "
            "h100-opencl, h100, h200-opencl, h200, intel-cpu, pocl, rtx4070");
}

TEST(Device, AFolderIsNoDevice) {
  EXPECT_NE(loadDevice(KFUSE_SOURCE_DIR "/fusion").error.find("no device '"),
            std::string::npos);
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
      {R"({"date": 3})", "'date' must be a string"},
      {R"({"driver": []})", "'driver' must be a string"},
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
      {R"({"bandwidth": {"note": null}})",
       "'bandwidth' must be an object of 'value', 'origin' and 'note'"},
      {R"({"bandwidth": {"more": 1}})", "'bandwidth': unknown key 'more'"},
      {R"({"bandwidth": {"spread": -0.1}})",
       "'bandwidth': the spread must be a number from 0 on"},
      {R"({"bandwidth": {"method": 3}})",
       "'bandwidth': the method must be a string"},
      {R"({"bandwidth": {"date": 2026}})",
       "'bandwidth': the date must be a string"},
      {R"({"roofs": {}})", "'roofs' must be an array"},
      {R"({"curves": []})", "'curves' must be an object"},
      {R"({"curves": {"read": {"x": "bytes", "y": "B/s"}}})",
       "'curves', 'read': the points must be arrays of x, y and perhaps a "
       "spread"},
      {R"({"curves": {"read": {"x": "bytes", "points": []}}})",
       "'curves', 'read': 'y' must be a string"},
      {R"({"curves": {"read": {"x": "bytes", "y": "B/s", "points": [],
           "plateaus": [{"level": "L1"}]}}})",
       "'curves', 'read': a plateau must be an object of 'level', 'from', "
       "'to' and 'value'"},
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

TEST(Device, TakesProvenanceRoofsAndCurves) {
  nlohmann::json file = h200();
  file.merge_patch(nlohmann::json::parse(R"({
    "date": "2026-01-31", "driver": "580.1",
    "bandwidth": {"spread": 0.01, "method": "a copy of 1 GiB, best of 9",
                  "date": "2026-01-31", "driver": "580.1"},
    "curves": {"read": {"x": "bytes", "y": "B/s",
      "points": [[4096, 1e12, 0.01], [8192, 1.1e12]],
      "plateaus": [{"level": "L1", "from": 4096, "to": 8192, "value": 1e12}]}},
    "roofs": [
      {"kind": "memory", "name": "DRAM copy", "level": "DRAM", "value": 4e12,
       "units": "B/s", "origin": "measured", "spread": 0.02, "method": "best"},
      {"kind": "compute", "name": "fp32 FMA", "unit": "fp32", "value": 6e13,
       "units": "op/s", "origin": "theoretical"}]})"));
  const DeviceResult result = parseDevice(file.dump());
  ASSERT_EQ(result.error, "");
  ASSERT_EQ(result.device.roofs.size(), 2U);
  const Roof &copy = result.device.roofs[0];
  EXPECT_EQ(copy.kind + '/' + copy.name + '/' + copy.level + '/' + copy.unit,
            "memory/DRAM copy/DRAM/");
  EXPECT_TRUE(copy.isMeasured);
  EXPECT_EQ(copy.value, 4e12);
  EXPECT_EQ(copy.spread, 0.02);
  EXPECT_EQ(copy.method, "best");
  EXPECT_EQ(result.device.roofs[1].unit, "fp32");
  EXPECT_FALSE(result.device.roofs[1].isMeasured);
}

TEST(Device, RoofsAreStrict) {
  struct {
    const char *patch;
    const char *error;
  } const cases[] = {
      {R"({"kind": "speed"})",
       "the kind must be 'memory', 'compute', 'latency', 'transfer' or "
       "'overhead'"},
      {R"({"name": null})", "'name' must be a string"},
      {R"({"level": null})", "'level' must be a string"},
      {R"({"unit": "fp32"})", "unknown key 'unit'"},
      {R"({"units": "GB/s"})", "the units must be 'B/s'"},
      {R"({"value": "fast"})", "the value must be a number from 0 on"},
      {R"({"origin": "derived"})",
       "the origin must be 'measured' or 'theoretical'"},
      {R"({"spread": -1})", "the spread must be a number from 0 on"},
      {R"({"method": 1})", "the method must be a string"}};
  for (const auto &test : cases) {
    nlohmann::json roof = {{"kind", "memory"}, {"name", "DRAM copy"},
                           {"level", "DRAM"},  {"value", 4e12},
                           {"units", "B/s"},   {"origin", "measured"}};
    roof.merge_patch(nlohmann::json::parse(test.patch));
    nlohmann::json file = h200();
    file["roofs"] = nlohmann::json::array({roof});
    EXPECT_EQ(parseDevice(file.dump()).error,
              std::string("'roofs', number 1: ") + test.error)
        << test.patch;
  }
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
  const double asked = device.bandwidth * device.latencySeconds;
  EXPECT_DOUBLE_EQ(usableBandwidth(device, asked),
                   std::pow(2, -1 / device.bandwidthKnee));
  EXPECT_NEAR(usableBandwidth(device, asked / 100), 0.01, 1e-4);
}

} // namespace
