//===- DeviceFileTest.cpp - Measurements become device files --------------===//

#include "bench/roofline/DeviceFile.h"
#include "bench/roofline/EmbeddedSources.h"
#include "bench/roofline/RooflineReport.h"
#include "fusion/device/Device.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace kfuse {
namespace {

ComputeDevice gpuDevice() {
  ComputeDevice device;
  device.interface = Interface::Cuda;
  device.platform = "NVIDIA CUDA";
  device.name = "NVIDIA H100 80GB HBM3";
  device.version = "sm_90";
  device.driver = "CUDA 13.0";
  device.type = DeviceType::Gpu;
  device.computeUnits = 132;
  device.cacheBytes = 52'428'800;
  device.localBytes = 49'152;
  device.groupSize = 1024;
  device.subgroupSize = 32;
  return device;
}

DriverLimits gpuLimits() {
  DriverLimits limits;
  limits.computeCapability = 90;
  limits.clockKilohertz = 1'980'000;
  limits.memoryKilohertz = 2'619'000;
  limits.memoryBusBits = 5120;
  return limits;
}

RawPoint pointAt(double x, double value) {
  return {x, {value, 0.98 * value, 0.99 * value}};
}

/// Returns what a device of these levels would give; bytes and values.
RawMeasurements gpuMeasurements() {
  RawMeasurements raw;
  raw.passes = 3;
  const KneeFit law{3e12, 650e-9, 2.5, 0};
  for (int i = 0; i <= 48; ++i) {
    const double bytes = std::exp2(14 + i / 3.0);
    const double level = bytes < 250e3 ? 0 : bytes < 40e6 ? 1 : 2;
    const double read[] = {25e12, 7e12, 3.2e12};
    const double copy[] = {6e12, 5.5e12, 3e12};
    const double wait[] = {30e-9, 200e-9, 600e-9};
    const auto at = static_cast<std::size_t>(level);
    raw.series["read"].push_back(pointAt(bytes, read[at]));
    raw.series["write"].push_back(pointAt(bytes, copy[at] * 1.02));
    raw.series["copy"].push_back(pointAt(bytes, copy[at]));
    raw.series["latency"].push_back({bytes, {wait[at], 1.1 * wait[at]}});
  }
  raw.series["shape-copy"] = {pointAt(0, 2.9e12), pointAt(1, 3.05e12)};
  raw.series["driver-copy"] = {pointAt(5e8, 3.02e12)};
  for (double bytes = 3e4; bytes < 1e8; bytes *= 2)
    raw.series["in-flight"].push_back(pointAt(bytes, bandwidthAt(law, bytes)));
  raw.series["local"] = {pointAt(0, 30e12)};
  raw.series["rateFmaFloat"] = {pointAt(0, 60e12)};
  raw.series["rateFmaFloat4"] = {pointAt(0, 61e12)};
  raw.series["rateMadInt"] = {pointAt(0, 32e12)};
  raw.series["to-device-pinned"] = {pointAt(4096, 1e9), pointAt(6e7, 50e9)};
  raw.series["gap"] = {pointAt(0, 2.2e-6)};
  raw.series["empty"] = {pointAt(0, 1.4e-6)};
  raw.series["round-trip"] = {pointAt(0, 9e-6)};
  for (const double groups : {1, 16, 64, 256})
    raw.series["blocks"].push_back({groups, {2e-6 + groups * 5e-9}});
  raw.series["overlap"] = {{0, {1e-3}}, {1, {0.9e-3}}, {2, {1.09e-3}}};
  return raw;
}

MeasuredDevice gpu() {
  return {gpuDevice(), gpuLimits(), ceilingsOf(gpuMeasurements(), {false}),
          "2026-01-31"};
}

TEST(DeviceFile, KfuseReadsWhatIsWritten) {
  const DeviceFileText file = deviceFile(gpu());
  ASSERT_EQ(file.error, "");
  const Device device = parseDevice(file.json).device;
  EXPECT_EQ(device.name, "nvidia-h100-80gb-hbm3");
  struct {
    const char *what;
    double found, expected, slack;
  } const cases[] = {
      // The best shape, not the curve.
      {"bandwidth", device.bandwidth, 3.05e12, 1e-4},
      {"knee", device.bandwidthKnee, 2.5, 0.1},
      {"latency", device.latencySeconds, 650e-9, 0.05},
      {"L2 bandwidth", device.l2Bandwidth, 5.5e12, 1e-4},
      {"L2 bytes", device.l2Bytes, 52'428'800, 0},
      {"residency", device.l2Residency, 40e6 / 52'428'800, 0.2},
      {"sector", device.transactionBytes, 32, 0},
      {"store traffic", device.storeTraffic, 1, 0},
      {"shared", device.sharedBandwidth, 30e12, 1e-4},
      {"overlap", device.overlapLoss, 0.1, 1e-3},
      {"flops", device.flopRate, 61e12, 1e-4},
      {"launch", device.launchSeconds, 0.99 * 2.2e-6, 1e-4},
      {"empty", device.emptySeconds, 0.99 * 1.4e-6, 1e-4},
      {"blocks", device.blockSeconds, 5e-9, 1e-3},
      {"threads", double(device.threadsPerMultiprocessor), 2048, 0},
      {"blocks at once", double(device.blocksPerMultiprocessor), 32, 0},
      {"registers", double(device.registersPerMultiprocessor), 65536, 0},
      {"shared of all", double(device.sharedPerMultiprocessor), 233472, 0},
      {"reserved", double(device.sharedReservedPerBlock), 1024, 0}};
  for (const auto &test : cases)
    EXPECT_NEAR(test.found / test.expected, 1, test.slack + 1e-12) << test.what;
}

TEST(DeviceFile, EachNumberSaysHowItWasFound) {
  const auto json = nlohmann::json::parse(deviceFile(gpu()).json);
  const auto &bandwidth = json["bandwidth"];
  EXPECT_EQ(bandwidth["origin"], "measured");
  EXPECT_EQ(bandwidth["date"], "2026-01-31");
  EXPECT_EQ(bandwidth["driver"], "CUDA 13.0");
  EXPECT_NEAR(bandwidth["spread"].get<double>(), 0.01, 1e-9);
  EXPECT_FALSE(bandwidth["method"].get<std::string>().empty());
  EXPECT_EQ(json["multiprocessors"]["origin"], "specification");
  EXPECT_FALSE(json["multiprocessors"].contains("date"));
  EXPECT_EQ(json["registersPerThread"]["value"], 255);
}

TEST(DeviceFile, AllThatIsMeasuredHasASpreadAndADate) {
  const auto json = nlohmann::json::parse(deviceFile(gpu()).json);
  EXPECT_EQ(json["date"], "2026-01-31");
  EXPECT_EQ(json["driver"], "CUDA 13.0");
  for (const auto &[key, number] : json.items())
    if (number.is_object() && number.contains("origin") &&
        number["origin"] == "measured")
      EXPECT_TRUE(number.contains("spread")) << key;
  // Reads and writes both spread by 1 %.
  EXPECT_NEAR(json["storeTraffic"]["spread"].get<double>(), 0.014, 1e-9);
  // Sets grow by thirds of octaves.
  EXPECT_NEAR(json["l2Residency"]["spread"].get<double>(), 0.12, 0.011);
  EXPECT_EQ(json["bandwidthKnee"]["spread"], json["latencySeconds"]["spread"]);
}

TEST(DeviceFile, ADifferenceSpreadsMoreThanItsTimes) {
  RawMeasurements raw = gpuMeasurements();
  raw.series["overlap"] = {
      {0, {1e-3, 1.01e-3}}, {1, {0.5e-3, 0.5e-3}}, {2, {1.1e-3, 1.1e-3}}};
  const Ceilings ceilings = ceilingsOf(raw, {false});
  ASSERT_TRUE(ceilings.overlapLoss.has_value());
  EXPECT_NEAR(ceilings.overlapLoss->value, 0.2, 1e-9);
  // The median of the first is 0.5 % above the least, of 10 %.
  EXPECT_NEAR(ceilings.overlapLoss->spread, 0.05, 1e-9);
}

TEST(DeviceFile, RoofsOfEachLevelThatIsItsOwn) {
  const Device device = parseDevice(deviceFile(gpu()).json).device;
  std::string names;
  for (const Roof &roof : device.roofs)
    if (roof.kind == "memory" || roof.kind == "latency")
      names += roof.name + (roof.isMeasured ? "; " : " in theory; ");
  // Copies pass the first-level cache, and so have no ceiling there.
  EXPECT_EQ(names,
            "DRAM read; L2 read; L1 read; DRAM write; L2 write; DRAM copy; L2 "
            "copy; DRAM copy by the driver; local memory; L1 latency; L2 "
            "latency; DRAM latency; DRAM in theory; local memory in theory; ");
  const auto theory = std::find_if(
      device.roofs.begin(), device.roofs.end(),
      [](const Roof &roof) { return !roof.isMeasured && roof.unit == "fp32"; });
  ASSERT_NE(theory, device.roofs.end());
  EXPECT_NEAR(theory->value, 66.9e12, 0.1e12);
}

/// Returns the theoretical roofs of units as "fp32 61.2; ", in Gop/s.
std::string theoreticalRates(const MeasuredDevice &measured) {
  std::string text;
  for (const Roof &roof : parseDevice(deviceFile(measured).json).device.roofs)
    if (!roof.isMeasured && !roof.unit.empty())
      text += roof.unit + " " + std::to_string(std::lround(roof.value / 1e9)) +
              "; ";
  return text;
}

TEST(DeviceFile, TheoreticalRatesOfUnits) {
  // The measured 32 and 61 Top/s are below.
  EXPECT_EQ(theoreticalRates(gpu()),
            "fp32 66908; fp64 33454; int32 33454; special 4182; ");
  MeasuredDevice processor = gpu();
  processor.device.type = DeviceType::Cpu;
  processor.device.computeUnits = 8;
  processor.limits = {};
  EXPECT_EQ(theoreticalRates(processor), "");
  processor.ceilings.roofs.erase(
      std::remove_if(processor.ceilings.roofs.begin(),
                     processor.ceilings.roofs.end(),
                     [](const Roof &roof) { return roof.unit == "fp32"; }),
      processor.ceilings.roofs.end());
  processor.limits.clockKilohertz = 3'000'000;
  processor.limits.vectorFloats = 8;
  processor.limits.vectorDoubles = 4;
  EXPECT_EQ(theoreticalRates(processor), "fp32 768; fp64 384; ");
  // A clock that the measurement passed isn't the highest.
  Roof fast{"compute", "fp32 FMA", "", "fp32", 800e9, "op/s", true, 0, ""};
  processor.ceilings.roofs.push_back(fast);
  EXPECT_EQ(theoreticalRates(processor), "fp64 384; ");
}

TEST(DeviceFile, CurvesShowPointsAndPlateaus) {
  const auto json = nlohmann::json::parse(deviceFile(gpu()).json);
  const auto &read = json["curves"]["read"];
  EXPECT_EQ(read["points"].size(), 49U);
  ASSERT_EQ(read["plateaus"].size(), 3U);
  EXPECT_EQ(read["plateaus"][1]["level"], "L2");
  EXPECT_NEAR(read["plateaus"][1]["value"].get<double>(), 7e12, 1);
  EXPECT_EQ(json["curves"]["latency"]["plateaus"].size(), 3U);
}

TEST(DeviceFile, WritesThatAreReadFirstCountTwice) {
  RawMeasurements raw = gpuMeasurements();
  for (RawPoint &point : raw.series["write"])
    point = pointAt(point.x, 1.5e12);
  MeasuredDevice measured = gpu();
  measured.ceilings = ceilingsOf(raw, {false});
  const Device device = parseDevice(deviceFile(measured).json).device;
  EXPECT_EQ(device.storeTraffic, 2);
  EXPECT_NEAR(device.bandwidth, 1.5 * 3.05e12, 1e9);
}

TEST(DeviceFile, WhateverIsMissingIsDerived) {
  for (const auto &[name, points] : gpuMeasurements().series) {
    RawMeasurements raw = gpuMeasurements();
    raw.series.erase(name);
    MeasuredDevice measured = gpu();
    measured.ceilings = ceilingsOf(raw, {false});
    const std::string error = deviceFile(measured).error;
    EXPECT_EQ(error, name == "copy" ? "missing key 'bandwidth'" : "") << name;
  }
  // A processor of which only a copy is known, and a driver that tells nothing.
  RawMeasurements raw;
  raw.series["copy"] = {pointAt(1e6, 1e10)};
  ComputeDevice unknown;
  unknown.type = DeviceType::Cpu;
  EXPECT_EQ(deviceFile({unknown, {}, ceilingsOf(raw, {true}), ""}).error, "");
}

TEST(DeviceFile, AProcessorFetchesAhead) {
  MeasuredDevice processor = gpu();
  processor.device.type = DeviceType::Cpu;
  processor.ceilings = ceilingsOf(gpuMeasurements(), {true});
  const DeviceFileText file = deviceFile(processor);
  ASSERT_EQ(file.error, "");
  EXPECT_NEAR(parseDevice(file.json).device.latencySeconds, 200e-9, 20e-9);
}

TEST(RooflineReport, FitsAScreen) {
  const std::string text = rooflineText(gpu());
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 11) << text;
  EXPECT_NE(text.find("balance        20 fp32 operations a byte"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("L1 30 ns, L2 200 ns, DRAM 600 ns"), std::string::npos)
      << text;
}

TEST(EmbeddedSources, HaveAKernelForEachRate) {
  const std::string &kernels = embeddedText("bench/roofline/kernels/Probes.cl");
  const std::string &cuda =
      embeddedText("bench/roofline/kernels/CudaProgram.cu");
  const std::string wide = kernels.substr(kernels.find("#ifdef HAS_WIDE"));
  for (const RateProbe &rate : rateProbes()) {
    const std::string made = "RATE(" + std::string(rate.kernel) + ",";
    EXPECT_NE(kernels.find(made), std::string::npos) << rate.kernel;
    // Only OpenCL has vectors of more than 16 bytes.
    EXPECT_EQ(cuda.find("ENTRY(" + std::string(rate.kernel) + ")") ==
                  std::string::npos,
              wide.find(made) != std::string::npos)
        << rate.kernel;
  }
}

TEST(EmbeddedSources, AreAllThatTheProgramIncludes) {
  EXPECT_NE(embeddedText("bench/roofline/kernels/CudaProgram.cu"), "");
  EXPECT_EQ(embeddedText("nowhere"), "");
  for (const EmbeddedSource &source : embeddedSources()) {
    const std::string include = "#include \"";
    for (std::size_t at = source.text.find(include); at != std::string::npos;
         at = source.text.find(include, at + 1)) {
      const std::size_t begin = at + include.size();
      const std::string path =
          source.text.substr(begin, source.text.find('"', begin) - begin);
      EXPECT_NE(embeddedText(path), "") << source.path << " includes " << path;
    }
  }
}

} // namespace
} // namespace kfuse
