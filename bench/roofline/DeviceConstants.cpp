//===- DeviceConstants.cpp - The numbers of the cost model ----------------===//

#include "bench/roofline/DeviceConstants.h"

#include "bench/roofline/NvidiaLimits.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace kfuse {
namespace {

/// Returns three digits of a number.
std::string brief(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.3g", value);
  return text;
}

class ConstantCollector {
public:
  ConstantCollector(const ComputeDevice &device, const DriverLimits &limits,
                    const Ceilings &ceilings)
      : Device(device), Limits(completed(limits)), All(ceilings),
        IsCpu(device.type == DeviceType::Cpu),
        IsNvidia(limits.computeCapability != 0) {}

  std::vector<DeviceConstant> collect() {
    const Roof *copy = All.roof("DRAM copy");
    if (!copy)
      return {};
    addMemory(*copy);
    addCache(*copy);
    addArithmetic(*copy);
    addOverheads();
    addThreads();
    addRegisters();
    addShared();
    return std::move(Constants);
  }

private:
  void measured(const char *key, double value, const std::string &note,
                const std::string &method, double spread) {
    Constants.push_back({key, value, "measured", note, spread, method});
  }
  void measured(const char *key, const Roof &roof, const std::string &note) {
    measured(key, roof.value, note, roof.method, roof.spread);
  }
  void derived(const char *key, double value, const std::string &note) {
    Constants.push_back({key, value, "derived", note});
  }
  /// Adds what the driver tells, or else what stands in for it.
  void specified(const char *key, double told, const std::string &note,
                 double otherwise, const std::string &why) {
    if (told != 0)
      Constants.push_back({key, told, "specification", note});
    else
      derived(key, otherwise, why);
  }

  void addMemory(const Roof &copy) {
    // Either a stored line is read first or it isn't.
    constexpr double Halved = 0.67;
    const Roof *read = All.roof("DRAM read");
    const Roof *write = All.roof("DRAM write");
    const bool isKnown = read && write && read->value > 0;
    const double share = isKnown ? write->value / read->value : 1;
    const bool isAllocating = share < Halved;
    const double stored = isAllocating ? 2 : 1;
    measured(
        "bandwidth", copy.value * (1 + stored) / 2,
        isAllocating
            ? "bytes/s of a copy, with the stored lines that are read first"
            : "bytes/s read and written by a copy",
        copy.method, copy.spread);
    if (isKnown)
      measured("storeTraffic", stored,
               "writes reach " + brief(100 * share) + " % of what reads do: " +
                   (isAllocating ? "a stored line is read first"
                                 : "stored lines aren't read first"),
               "highest bandwidths of writes and reads over the largest set",
               std::hypot(write->spread, read->spread));
    else
      derived("storeTraffic", 1, "writes or reads weren't measured");
    addFlight(copy);
    if (IsNvidia)
      derived("transactionBytes", 32,
              "a sector of the L2; the driver tells only the line");
    else
      specified("transactionBytes", Limits.lineBytes, "a line of the cache", 64,
                "a usual line; the driver doesn't tell it");
  }

  void addFlight(const Roof &copy) {
    constexpr double UsualKnee = 3, UsualLatency = 500e-9;
    const Roof *near = All.roof("L2 latency");
    if (!near)
      near = All.roof("L1 latency");
    if (IsCpu && near) {
      derived("bandwidthKnee", UsualKnee, "as on other devices");
      measured("latencySeconds", *near,
               near->name +
                   ": a processor fetches ahead what is read in order; " +
                   chased());
      return;
    }
    if (All.knee) {
      const std::string method =
          "fit of x / (1 + x^knee)^(1/knee) to bandwidth over bytes in flight";
      const double residual = All.knee->residual;
      measured("bandwidthKnee", All.knee->knee,
               "residual of the fit " + brief(100 * residual) + " %", method,
               residual);
      measured("latencySeconds", All.knee->latency,
               "as few bytes in flight show it; " + chased(), method, residual);
      return;
    }
    derived("bandwidthKnee", UsualKnee,
            "as on other devices: the curve over bytes in flight doesn't show "
            "it");
    const Roof *latency = All.roof("DRAM latency");
    if (latency)
      measured("latencySeconds", *latency,
               "of a load whose address the one before gives");
    else
      derived("latencySeconds", UsualLatency,
              "a usual one at " + brief(copy.value) + " bytes/s");
  }

  std::string chased() const {
    const Roof *latency = All.roof("DRAM latency");
    return latency
               ? "a chain of loads takes " + brief(latency->value) + " s each"
               : "no plateau of a chain of loads was found";
  }

  /// Adds the last level before the DRAM, which the model calls L2.
  void addCache(const Roof &copy) {
    const MemoryLevel *cache = nullptr;
    for (const MemoryLevel &level : All.levels())
      if (level.name != "DRAM" && (IsCpu || level.name != "L1"))
        cache = &level;
    const Roof *rate = cache ? All.roof(cache->name + " copy") : nullptr;
    if (cache && !rate)
      rate = All.roof(cache->name + " read");
    if (rate)
      measured("l2Bandwidth", *rate, rate->name + ", the last cache");
    else
      derived("l2Bandwidth", copy.value,
              "that of the DRAM: no cache before it was found");
    const auto told = static_cast<double>(Device.cacheBytes);
    const double seen = cache ? cache->bytes.value : 0;
    const double spread = cache ? cache->bytes.spread : 0;
    const char *method =
        "where reads have fallen half the way to the DRAM's bandwidth";
    // A driver may tell the size of another level.
    constexpr double Beyond = 1.5, Far = 4;
    if (seen != 0 && told != 0 && seen <= Beyond * told && told <= Far * seen) {
      Constants.push_back({"l2Bytes", told, "specification",
                           "reads fall at " + brief(seen) + " bytes"});
      measured("l2Residency", std::min(1.0, seen / told),
               "the part of the cache that a set can fill", method, spread);
    } else if (seen != 0) {
      measured("l2Bytes", std::round(seen),
               "the driver tells " + brief(told) + " bytes", method, spread);
      derived("l2Residency", 1, "the size is what a set can fill");
    } else {
      constexpr double Usual = 0.7;
      specified("l2Bytes", told, "no plateau of it was found", 0,
                "neither found nor told by the driver");
      derived("l2Residency", Usual, "as on other devices: it wasn't seen");
    }
  }

  void addArithmetic(const Roof &copy) {
    if (const Roof *local = All.roof("local memory"))
      measured("sharedBandwidth", *local, "bytes/s of the whole device");
    else
      derived("sharedBandwidth", copy.value, "that of the DRAM");
    constexpr double UsualLoss = 0.05;
    if (All.overlapLoss)
      measured("overlapLoss", All.overlapLoss->value,
               "of a copy and as much arithmetic",
               "time of both beyond the longer one alone, over the shorter one",
               All.overlapLoss->spread);
    else
      derived("overlapLoss", UsualLoss, "as on other devices");
    if (const Roof *flops = All.fastest("fp32"))
      measured("flopRate", *flops, flops->name);
    else
      derived("flopRate", copy.value, "an operation a byte");
  }

  void addOverhead(const char *key, const std::optional<Estimate> &found,
                   const char *roof, const char *note) {
    const Roof *shown = All.roof(roof);
    if (found && shown)
      measured(key, found->value, note, shown->method, found->spread);
    else
      derived(key, 0, "it wasn't measured");
  }

  void addOverheads() {
    addOverhead("launchSeconds", All.launchSeconds, "launch, back to back",
                "from one launch to the next in a queue");
    addOverhead("blockSeconds", All.blockSeconds, "start of a group",
                "between the starts of two groups on a compute unit");
    addOverhead("emptySeconds", All.emptySeconds, "empty kernel",
                "a kernel that does nothing");
  }

  /// Groups of a usual size that stand in for a limit that isn't told.
  static constexpr double Unknown = 2048;

  void addThreads() {
    const char *table = IsNvidia ? "of the compute capability" : "";
    const auto group =
        static_cast<double>(std::max<std::uint64_t>(1, Device.groupSize));
    specified("multiprocessors", Device.computeUnits, "compute units", 1,
              "the driver doesn't tell it");
    specified("threadsPerWarp", IsCpu ? 0 : Device.subgroupSize, "", 1,
              IsCpu ? "work-items are loop iterations"
                    : "the driver doesn't tell it");
    if (IsCpu) {
      derived("threadsPerMultiprocessor", group,
              "one work-group of the largest size");
      derived("blocksPerMultiprocessor", 1,
              "a core runs one work-group at a time");
    } else {
      specified("threadsPerMultiprocessor", Limits.threadsPerMultiprocessor,
                table, std::max(group, Unknown),
                "a usual limit; the driver doesn't tell it");
      specified("blocksPerMultiprocessor", Limits.blocksPerMultiprocessor,
                table, 16, "a usual limit; the driver doesn't tell it");
    }
    specified("threadsPerBlock", static_cast<double>(Device.groupSize), "", 1,
              "the driver doesn't tell it");
  }

  void addRegisters() {
    constexpr double Many = 1 << 22;
    const char *why = "no limit that the driver tells";
    const char *whyCpu = "work-items keep their values in memory: no limit";
    specified("registersPerMultiprocessor", Limits.registersPerMultiprocessor,
              "32-bit registers", Many, IsCpu ? whyCpu : why);
    specified("registersPerAllocation", IsNvidia ? 256 : 0,
              "a warp's registers come in units of 256", 1, "no granule");
    specified("registersPerThread", IsNvidia ? 255 : 0,
              "of the compute capability", 1024, IsCpu ? whyCpu : why);
  }

  void addShared() {
    const auto local = static_cast<double>(Device.localBytes);
    specified("sharedPerMultiprocessor",
              static_cast<double>(Limits.sharedPerMultiprocessor), "", local,
              IsCpu ? "the local memory of the one work-group that runs"
                    : "that of one group; the driver doesn't tell more");
    specified("sharedPerBlock", local, "", 0, "the driver doesn't tell it");
    specified("sharedReservedPerBlock", Limits.sharedReservedPerBlock,
              "taken by the driver for each block", 0, "none is known");
  }

  const ComputeDevice &Device;
  DriverLimits Limits;
  const Ceilings &All;
  bool IsCpu, IsNvidia;
  std::vector<DeviceConstant> Constants;
};

} // namespace

std::vector<DeviceConstant> deviceConstants(const ComputeDevice &device,
                                            const DriverLimits &limits,
                                            const Ceilings &ceilings) {
  return ConstantCollector(device, limits, ceilings).collect();
}

std::vector<Roof> theoreticalRoofs(const ComputeDevice &device,
                                   const DriverLimits &limits) {
  std::vector<Roof> roofs;
  const auto add = [&](const char *kind, const char *name, const char *tag,
                       double value, const std::string &method) {
    Roof roof;
    roof.kind = kind;
    roof.name = name;
    const bool isCompute = roof.kind == "compute";
    (isCompute ? roof.unit : roof.level) = tag;
    roof.value = value;
    roof.units = isCompute ? "op/s" : "B/s";
    roof.isMeasured = false;
    roof.method = method;
    if (value > 0)
      roofs.push_back(std::move(roof));
  };
  constexpr double Kilo = 1e3, Bits = 8, Transfers = 2;
  const double clock = Kilo * limits.clockKilohertz;
  add("memory", "DRAM", "DRAM",
      Kilo * limits.memoryKilohertz * Transfers * limits.memoryBusBits / Bits,
      "memory clock, two transfers each, width of the bus");
  const double units = device.computeUnits;
  constexpr double FlopsOfFma = 2, SharedBytes = 128, FmasOfCore = 2;
  if (device.type == DeviceType::Cpu) {
    const char *const how = "cores, clock and width of vectors that the driver "
                            "tells, two multiply-adds of vectors a clock";
    const double fmas = units * clock * FmasOfCore * FlopsOfFma;
    add("compute", "fp32 FMA", "fp32", fmas * limits.vectorFloats, how);
    add("compute", "fp64 FMA", "fp64", fmas * limits.vectorDoubles, how);
    return roofs;
  }
  const auto known = nvidiaMultiprocessor(limits.computeCapability);
  if (!known)
    return roofs;
  add("memory", "local memory", "local", units * clock * SharedBytes,
      "128 bytes a clock and multiprocessor");
  add("compute", "fp32 FMA", "fp32",
      units * clock * known->fp32Lanes * FlopsOfFma,
      "multiprocessors, clock, lanes of the compute capability");
  add("compute", "fp64 FMA", "fp64",
      units * clock * known->fp64Lanes * FlopsOfFma,
      "multiprocessors, clock, lanes of the compute capability");
  add("compute", "int32 multiply-add", "int32",
      units * clock * known->int32Lanes * FlopsOfFma,
      "multiprocessors, clock, lanes of the compute capability");
  add("compute", "special function", "special",
      units * clock * known->specialLanes,
      "multiprocessors, clock, lanes of the compute capability");
  return roofs;
}

} // namespace kfuse
