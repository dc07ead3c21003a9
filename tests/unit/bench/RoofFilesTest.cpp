//===- RoofFilesTest.cpp - Roofs and kernels from files -------------------===//

#include "bench/model/Kernels.h"
#include "bench/model/Roofs.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace kfuse {
namespace {

/// Returns what is wrong with a device file; empty if nothing is.
std::string deviceProblem(const std::string &json) {
  const auto device = parseDeviceRoofs(json);
  const auto *why = std::get_if<std::string>(&device);
  return why ? *why : "";
}

/// Returns a device file with one roof, of which a key has another value.
std::string roofWith(const std::string &key, const std::string &value) {
  std::string json = R"({"name": "x", "roofs": [{"kind": "memory",
    "name": "DRAM copy", "level": "DRAM", "value": 1e12, "units": "B/s",
    "origin": "measured", "spread": 0.01, "method": "copies"}]})";
  const std::size_t at = json.find('"' + key + "\": ", json.find("kind") - 1);
  const std::size_t begin = at + key.size() + 4;
  json.replace(begin, json.find_first_of(",}", begin) - begin, value);
  return json;
}

TEST(RoofFiles, ShippedDevices) {
  for (const char *name : {"h200", "rtx4070", "cpu"}) {
    SCOPED_TRACE(name);
    std::ifstream file(std::string(KFUSE_SOURCE_DIR) +
                       "/fusion/device/devices/" + name + ".json");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto device = parseDeviceRoofs(text);
    ASSERT_TRUE(std::holds_alternative<DeviceRoofs>(device))
        << std::get<std::string>(device);
    const auto &roofs = std::get<DeviceRoofs>(device).roofs;
    // The L1 is only in measured files.
    std::vector<std::string> places = placesOf(roofs, RoofKind::Memory);
    EXPECT_EQ(std::erase(places, "L1"), name == std::string("h200") ? 1u : 0u);
    EXPECT_EQ(places, (std::vector<std::string>{"DRAM", "L2", "local"}));
    EXPECT_EQ(usualUnit(roofs), "fp32");
  }
}

TEST(RoofFiles, PlainNumbersHaveTheirOrigin) {
  const auto device = std::get<DeviceRoofs>(parseDeviceRoofs(R"({"name": "x",
    "bandwidth": {"value": 9e11, "origin": "measured", "note": "copies"},
    "flopRate": {"value": 7e12, "origin": "specification", "note": ""},
    "launchSeconds": {"value": 0, "origin": "derived", "note": ""}})"));
  ASSERT_EQ(device.roofs.size(), 2u);
  EXPECT_TRUE(device.roofs[0].isMeasured);
  EXPECT_EQ(device.roofs[0].method, "copies");
  EXPECT_FALSE(device.roofs[1].isMeasured);
  EXPECT_EQ(device.description, "x");
}

TEST(RoofFiles, ListedRoofsTakeTheirPlace) {
  const auto device = std::get<DeviceRoofs>(parseDeviceRoofs(R"({"name": "x",
    "bandwidth": {"value": 9e11, "origin": "measured", "note": ""},
    "roofs": [
      {"kind": "memory", "name": "L3 read", "level": "L3", "value": 2e12,
       "units": "B/s", "origin": "measured", "spread": 0.02},
      {"kind": "compute", "name": "min-plus", "unit": "min-plus",
       "value": 3e12, "units": "op/s", "origin": "theoretical"},
      {"kind": "latency", "name": "L3", "level": "L3", "value": 1e-8,
       "units": "s", "origin": "measured"},
      {"kind": "overhead", "name": "group", "value": 0, "units": "s",
       "origin": "measured"}],
    "curves": {
      "read": {"x": "bytes", "y": "B/s", "points": [[8192, 3e12, 0.1],
        [4096, 4e12]], "plateaus": [{"level": "L1", "from": 4096, "to": 8192,
        "value": 4e12}]},
      "loads": {"x": "bytes in flight", "y": "B/s", "points": []}}})"));
  ASSERT_EQ(device.roofs.size(), 3u); // 0 is none
  EXPECT_EQ(device.roofs[0].place, "L3");
  EXPECT_DOUBLE_EQ(device.roofs[0].spread, 0.02);
  EXPECT_EQ(device.roofs[1].place, "min-plus");
  ASSERT_EQ(device.curves.size(), 2u);
  EXPECT_EQ(device.curves[0].kind, CurveKind::InFlight);
  EXPECT_EQ(device.curves[1].points.front()[0], 4096);
  EXPECT_EQ(device.curves[1].plateaus.front().level, "L1");
}

TEST(RoofFiles, ALawThatWasFitted) {
  const auto lawOf = [](const std::string &origin, const std::string &latency) {
    const std::string json = R"({"name": "x",
      "bandwidth": {"value": 4e12, "origin": "measured"},
      "latencySeconds": {"value": )" +
                             latency + R"(, "origin": "measured"},
      "bandwidthKnee": {"value": 2.5, "origin": ")" +
                             origin + R"("}})";
    return parseDeviceRoofs(json);
  };
  const DeviceRoofs fitted = std::get<DeviceRoofs>(lawOf("measured", "5e-7"));
  ASSERT_TRUE(fitted.flight.has_value());
  EXPECT_EQ(fitted.flight->knee, 2.5);
  EXPECT_EQ(fitted.flight->needed(), 2e6);
  EXPECT_FALSE(std::get<DeviceRoofs>(lawOf("derived", "5e-7")).flight);
  EXPECT_EQ(std::get<std::string>(lawOf("measured", "\"soon\"")),
            "'latencySeconds': 'value' is no number from 0 to 1e30");
}

TEST(RoofFiles, WrongDevices) {
  struct {
    std::string json;
    const char *expected;
  } const cases[] = {
      {"{\n  \"name\": \"x\",\n  ]",
       "not JSON: parse error at line 3, column 3"},
      {"", "not JSON: parse error at line 1, column 1"},
      {"[1e999]", "not JSON: number overflow"},
      {"[]", "the device file is no object"},
      {"{}", "the device file: there is no 'name'"},
      {R"({"name": "x", "roofs": 1})", "'roofs' is no list"},
      {R"({"name": "x", "roofs": [1]})", "roofs[0] is no object"},
      {R"({"name": "x", "curves": []})", "'curves' is no object"},
      {R"({"name": "x", "flopRate": 3})", "'flopRate' is no object"},
      {R"({"name": "x", "curves": {"c": {"x": "bytes", "y": "op/s"}}})",
       "the curve 'c': there is no curve of 'op/s' over 'bytes'"},
      {R"({"name": "x", "curves": {"c": {"x": "bytes", "y": "s",
        "points": [[1, 0]]}}})",
       "the curve 'c': a point is no pair of numbers above 0"},
      {roofWith("kind", "\"magic\""), "roofs[0]: 'magic' is no kind of roof"},
      {roofWith("name", "\"\""), "roofs[0]: 'name' is no text, or is empty"},
      {roofWith("level", "3"), "roofs[0]: 'level' is no text, or is empty"},
      {roofWith("value", "-1"),
       "roofs[0]: 'value' is no number from 0 to 1e30"},
      {roofWith("value", "1e31"),
       "roofs[0]: 'value' is no number from 0 to 1e30"},
      {roofWith("units", "\"GB/s\""),
       "roofs[0]: the units of this kind are 'B/s'"},
      {roofWith("origin", "\"guessed\""),
       "roofs[0]: the origin is 'measured' or 'theoretical'"},
      {roofWith("spread", "\"1 %\""),
       "roofs[0]: 'spread' is no number from 0 to 1e30"},
      {roofWith("method", "1"), "roofs[0]: 'method' is no text"},
  };
  EXPECT_EQ(deviceProblem(roofWith("spread", "0")), "");
  for (const auto &each : cases) {
    const std::string problem = deviceProblem(each.json);
    EXPECT_EQ(problem.substr(0, std::string(each.expected).size()),
              each.expected)
        << each.json;
  }
}

std::vector<RoofKernel> kernelsOf(const std::string &json) {
  auto kernels = parseKernels(json);
  if (const auto *why = std::get_if<std::string>(&kernels))
    ADD_FAILURE() << *why;
  return std::get<std::vector<RoofKernel>>(kernels);
}

TEST(RoofFiles, Kernels) {
  const auto kernels = kernelsOf(R"({"kernels": [
    {"name": "a", "seconds": 1e-3, "flops": 0, "bytes": 5, "fusedInto": "c"},
    {"name": "b", "seconds": 1e-3, "flops": 7, "bytes": 5, "l2Bytes": 9,
     "count": 3, "unit": "fp64"},
    {"name": "c", "seconds": 1e-3, "flops": 7, "bytes": 0}]})");
  ASSERT_EQ(kernels.size(), 3u);
  EXPECT_EQ(kernels[0].fusedInto, 2u);
  EXPECT_FALSE(kernels[0].isFused || kernels[0].isProjected);
  EXPECT_TRUE(kernels[2].isFused);
  EXPECT_EQ(kernels[0].workAt("DRAM")->bytes, 5);
  EXPECT_FALSE(kernels[0].workAt("L2"));
  EXPECT_EQ(kernels[1].workAt("L2")->bytes, 9);
  EXPECT_EQ(kernels[1].count, 3);
  EXPECT_EQ(kernels[1].unit, "fp64");
  EXPECT_TRUE(kernelsOf(R"({"kernels": []})").empty());
}

/// The text that kfuse prints: two kernels that are fused, one that stays, and
/// a copy that became a swap.
const char *const Emitted = R"({
  "launches": [{"kernel": "a"}, {"kernel": "b"}, {"kernel": "c"},
               {"kernel": "d"}],
  "groups": [
    {"launches": [0, 2], "name": "kfuse_a_c",
     "projection": {"seconds": 3e-3, "flops": 6, "memoryBytes": 40,
       "l2Bytes": 2, "threads": 1024, "elementsPerThread": 4},
     "members": [
       {"seconds": 2e-3, "flops": 3, "memoryBytes": 30, "l2Bytes": 0,
        "threads": 1024},
       {"seconds": 2e-3, "flops": 3, "memoryBytes": 30, "l2Bytes": 0,
        "threads": 1024}]},
    {"launches": [1], "name": "b",
     "projection": {"seconds": 1e-3, "flops": 1, "memoryBytes": 10,
       "l2Bytes": 0, "threads": 64}},
    {"launches": [3], "name": "d",
     "projection": {"seconds": 0, "flops": 0, "memoryBytes": 0, "l2Bytes": 0,
       "threads": 0}}]})";

TEST(RoofFiles, ProjectedKernels) {
  const auto kernels = kernelsOf(Emitted);
  ASSERT_EQ(kernels.size(), 4u);
  EXPECT_EQ(kernels[0].name, "a");
  EXPECT_EQ(kernels[1].name, "c");
  EXPECT_EQ(kernels[2].name, "kfuse_a_c");
  EXPECT_EQ(kernels[3].name, "b");
  EXPECT_EQ(kernels[1].fusedInto, 2u);
  EXPECT_FALSE(kernels[3].fusedInto);
  EXPECT_TRUE(kernels[2].isFused && kernels[2].isProjected);
  EXPECT_EQ(kernels[2].workAt("L2")->bytes, 42);
  EXPECT_EQ(kernels[2].threads, 256);
}

TEST(RoofFiles, ProfilesReplaceProjections) {
  auto kernels = kernelsOf(Emitted);
  EXPECT_EQ(applyProfile(R"({"version": 1, "kernels": [
    {"name": "a", "seconds": 5e-3},
    {"name": "kfuse_a_c", "seconds": 6e-3, "threads": 128},
    {"name": "kfuse_a_c", "seconds": 7e-3, "threads": 256},
    {"name": "c", "seconds": 4e-3, "threads": 64},
    {"name": "b", "seconds": 8e-3, "threads": 1},
    {"name": "b", "seconds": 9e-3, "threads": 2},
    {"name": "unknown", "seconds": 1}]})",
                         kernels),
            "");
  EXPECT_EQ(kernels[0].seconds, 5e-3);
  EXPECT_FALSE(kernels[0].isProjected);
  EXPECT_EQ(kernels[1].seconds, 4e-3);
  EXPECT_EQ(kernels[2].seconds, 7e-3);
  EXPECT_TRUE(kernels[3].isProjected); // neither of the sizes is its own
}

TEST(RoofFiles, WrongKernels) {
  struct {
    const char *json, *expected;
  } const cases[] = {
      {"{", "not JSON: parse error at line 1, column 2"},
      {"[]", "there is neither a list of 'kernels' nor one of 'groups'"},
      {R"({"kernels": [{"name": "a"}]})", "kernels[0]: there is no 'seconds'"},
      {R"({"kernels": [{"name": "a", "seconds": 0}]})",
       "kernels[0]: 'seconds' must be above 0"},
      {R"({"kernels": [{"name": "a", "seconds": 1, "flops": -1}]})",
       "kernels[0]: 'flops' is no number from 0 to 1e30"},
      {R"({"kernels": [{"name": "a", "seconds": 1, "flops": 1, "bytes": 1,
        "fusedInto": "a"}]})",
       "kernels[0]: 'fusedInto' names no other kernel, 'a'"},
      {R"({"groups": [{}]})",
       "groups[0]: there are no 'launches', or there is no 'projection'"},
      {R"({"groups": [{"launches": [0], "projection": 1}]})",
       "groups[0] is no object"},
      {R"({"groups": [{"launches": [0, 1], "projection": {}}]})",
       "groups[0]: there isn't one of the 'members' for each launch"},
      {R"({"groups": [{"launches": [7], "projection": {}}]})",
       "groups[0]: there is no 'seconds'"},
  };
  for (const auto &each : cases) {
    const auto kernels = parseKernels(each.json);
    const auto *why = std::get_if<std::string>(&kernels);
    ASSERT_NE(why, nullptr) << each.json;
    EXPECT_EQ(why->substr(0, std::string(each.expected).size()), each.expected);
  }
  std::vector<RoofKernel> none;
  EXPECT_NE(applyProfile("{}", none), "");
}

} // namespace
} // namespace kfuse
