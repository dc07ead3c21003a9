//===- RooflineReport.cpp - A measured device as text ---------------------===//

#include "bench/roofline/RooflineReport.h"

#include "bench/Numbers.h"

#include <array>
#include <cstdio>
#include <utility>

namespace kfuse {
namespace {

/// Returns the roof's value and how far it may be off.
std::string valueText(const Roof &roof) {
  std::array<char, 32> spread{};
  constexpr double Percent = 100;
  std::snprintf(spread.data(), spread.size(), " ± %.2g %%",
                Percent * roof.spread);
  return siText(roof.value, roof.units) +
         (roof.spread > 0 ? spread.data() : "");
}

/// Returns a line with a title of a fixed width; empty if it has no parts.
std::string titled(const std::string &title, const std::string &parts) {
  constexpr std::size_t Width = 15;
  if (parts.empty())
    return {};
  std::string line = "  " + title;
  line.resize(Width + 2, ' ');
  return line + parts + "\n";
}

using NamedRoof = std::pair<std::string, const Roof *>;

/// Joins those that there are: "copy 3.1 TB/s, read 3.2 TB/s".
std::string joined(const std::vector<NamedRoof> &roofs) {
  std::string text;
  for (const auto &[name, roof] : roofs)
    if (roof)
      text += (text.empty() ? "" : ", ") + (name.empty() ? "" : name + " ") +
              siText(roof->value, roof->units);
  return text;
}

std::string levelLine(const Ceilings &all, const MemoryLevel &level) {
  std::vector<NamedRoof> parts;
  for (const char *stream : {"copy", "read", "write", "triad"})
    parts.emplace_back(stream, all.roof(level.name + " " + stream));
  std::string text = joined(parts);
  if (const Roof *driver = all.roof(level.name + " copy by the driver"))
    text += ", the driver's copy " + siText(driver->value, driver->units);
  if (!text.empty() && level.bytes.value > 0)
    text += ", up to " + siText(level.bytes.value, "B");
  return titled(level.name, text);
}

std::string balanceText(const Roof &flops, const Roof &copy) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.3g fp32 operations a byte of DRAM",
                flops.value / copy.value);
  return text.data();
}

} // namespace

std::string rooflineText(const MeasuredDevice &measured) {
  const Ceilings &all = measured.ceilings;
  std::string text = measured.device.name + " (" + measured.device.platform +
                     ", driver " + measured.device.driver + ")\n";
  for (const MemoryLevel &level : all.levels())
    if (level.name != "DRAM")
      text += levelLine(all, level);
  text += levelLine(all, {"DRAM", 0, 0, 0, {}});
  text += titled("local memory", joined({{"", all.roof("local memory")}}));
  std::vector<NamedRoof> rates;
  for (const char *unit : {"fp32", "fp64", "half", "int32", "special"})
    rates.emplace_back(unit, all.fastest(unit));
  text += titled("arithmetic", joined(rates));
  std::vector<NamedRoof> latencies;
  for (const Roof &roof : all.roofs)
    if (roof.kind == "latency")
      latencies.emplace_back(roof.level, &roof);
  text += titled("latency", joined(latencies));
  text += titled("launch",
                 joined({{"back to back", all.roof("launch, back to back")},
                         {"empty kernel", all.roof("empty kernel")},
                         {"with a wait", all.roof("launch and wait")}}));
  text += titled("transfer",
                 joined({{"to the device", all.roof("host to device, pinned")},
                         {"back", all.roof("device to host, pinned")}}));
  const Roof *flops = all.fastest("fp32"), *copy = all.roof("DRAM copy");
  if (flops && copy) {
    text += titled("balance", balanceText(*flops, *copy));
    text += titled("known to", "DRAM copy " + valueText(*copy) + ", " +
                                   flops->name + " " + valueText(*flops));
  }
  return text;
}

} // namespace kfuse
