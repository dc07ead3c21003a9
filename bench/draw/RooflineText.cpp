//===- RooflineText.cpp - The roofline in a few lines ---------------------===//

#include "bench/Numbers.h"
#include "bench/draw/RooflinePlot.h"
#include "bench/draw/Svg.h"

#include <map>

namespace kfuse {
namespace {

constexpr std::size_t MostPlaces = 5; ///< levels or units that have a line

std::string originOf(const DeviceRoof &roof) {
  std::string text = roof.isMeasured ? "measured" : "theoretical";
  if (roof.spread > 0)
    text += " ± " + percentText(roof.spread);
  return text;
}

/// Returns a name and blanks up to a column.
std::string padded(const std::string &name) {
  constexpr std::size_t Column = 8;
  return name +
         std::string(name.size() < Column ? Column - name.size() : 1, ' ');
}

std::string lineOfLevel(const std::vector<DeviceRoof> &roofs,
                        const std::string &level) {
  const DeviceRoof &memory = *boundingRoof(roofs, RoofKind::Memory, level);
  std::string text = "  " + padded(level) + siText(memory.value, "B/s") + ", " +
                     originOf(memory) + "; balance ";
  std::string balances;
  for (const std::string &unit : placesOf(roofs, RoofKind::Compute)) {
    const DeviceRoof &peak = *boundingRoof(roofs, RoofKind::Compute, unit);
    const double balance = Roofline::of(memory.value, peak.value).balance();
    balances +=
        (balances.empty() ? "" : ", ") + unit + " " + numberText(balance);
  }
  return text + shortened(balances, 70) + " op/B\n";
}

std::string lineOfUnit(const std::vector<DeviceRoof> &roofs,
                       const std::string &unit) {
  const DeviceRoof &best = *boundingRoof(roofs, RoofKind::Compute, unit);
  std::string text = "  " + padded(unit) + siText(best.value, "op/s") + ", " +
                     originOf(best) + ": " + best.name;
  std::string others;
  for (const DeviceRoof &roof : roofs)
    if (roof.kind == RoofKind::Compute && roof.place == unit && &roof != &best)
      others += "; " + siText(roof.value, "op/s") + " " + roof.name;
  return text + shortened(others, 50) + "\n";
}

/// Returns a line for each of the places, and says how many have none.
template <typename Line>
std::string linesOf(const std::vector<std::string> &places, Line line) {
  std::string text;
  for (std::size_t i = 0; i < places.size() && i < MostPlaces; ++i)
    text += line(places[i]);
  if (places.size() > MostPlaces) {
    text.pop_back();
    text += " (and " + std::to_string(places.size() - MostPlaces) + " more)\n";
  }
  return text;
}

std::string lineOfKernels(const RooflinePlot &plot) {
  std::map<std::string, unsigned> counts;
  for (const RoofKernel &kernel : plot.kernels) {
    const KernelBound bound = boundOf(plot.device.roofs, kernel);
    ++counts[bound.isAbove()  ? "above the roof"
             : bound.isNear() ? "bound by " + bound.roof->place
                              : "far from any roof"];
  }
  std::string text = "  " + std::to_string(plot.kernels.size()) +
                     (plot.kernels.size() == 1 ? " kernel" : " kernels");
  const char *separator = ": ";
  for (const auto &[bound, count] : counts) {
    text += separator + std::to_string(count) + " " + bound;
    separator = ", ";
  }
  return text + "\n";
}

} // namespace

std::string rooflineText(const RooflinePlot &plot) {
  const std::vector<DeviceRoof> &roofs = plot.device.roofs;
  std::string text = plot.device.description + "\n";
  text +=
      linesOf(placesOf(roofs, RoofKind::Memory), [&](const std::string &level) {
        return lineOfLevel(roofs, level);
      });
  text +=
      linesOf(placesOf(roofs, RoofKind::Compute),
              [&](const std::string &unit) { return lineOfUnit(roofs, unit); });
  if (!plot.kernels.empty())
    text += lineOfKernels(plot);
  std::string clean;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    clean += cleanText(text.substr(begin, end - begin)) + "\n";
    begin = end + 1;
  }
  return clean;
}

} // namespace kfuse
