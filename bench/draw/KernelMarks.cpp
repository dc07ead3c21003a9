//===- KernelMarks.cpp - Where kernels are in the picture -----------------===//

#include "bench/draw/KernelMarks.h"

#include "bench/Numbers.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace kfuse {
namespace {

/// The smallest and the largest of some values.
struct Range {
  double least = 1e300, most = 0;

  void add(double value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
};

/// Returns a kernel's work at the level that intensities are of; nothing if
/// that isn't known or is none.
std::optional<Workload> workOf(const RooflinePlot &plot,
                               const RoofKernel &kernel) {
  const std::optional<Workload> work =
      kernel.workAt(usualLevel(plot.device.roofs));
  if (!work || (work->operations == 0 && work->bytes == 0))
    return std::nullopt;
  return work;
}

/// Returns the performance at which a kernel is drawn. One without operations
/// has the left edge, and a height at which it is as far below each bandwidth
/// there as its own bandwidth is.
double heightOf(const Workload &work, const RoofKernel &kernel,
                double leastIntensity) {
  return work.operations > 0 ? work.operations / kernel.seconds
                             : work.bytes / kernel.seconds * leastIntensity;
}

/// Returns in words what holds a kernel back.
std::string boundName(const KernelBound &bound) {
  if (!bound.isNear())
    return "no roof near: latency or overhead";
  return "bound by " + bound.roof->place;
}

} // namespace

PlotFrame frameOf(const RooflinePlot &plot) {
  // The roofs leave room for labels, and kernels a little around them.
  constexpr double Around = 10, Right = 40, Near = 2, Above = 2.5;
  Range ridges, peaks, bandwidths, intensities, heights;
  for (const DeviceRoof &roof : plot.device.roofs)
    if (roof.kind == RoofKind::Memory)
      bandwidths.add(roof.value);
    else if (roof.kind == RoofKind::Compute)
      peaks.add(roof.value);
  ridges.add(peaks.least / bandwidths.most);
  ridges.add(peaks.most / bandwidths.least);
  intensities.add(ridges.least / Around);
  intensities.add(ridges.most * Right);
  for (const RoofKernel &kernel : plot.kernels)
    if (const auto work = workOf(plot, kernel);
        work && work->operations > 0 && work->bytes > 0) {
      intensities.add(intensityOf(*work) / Near);
      intensities.add(intensityOf(*work) * Near);
    }
  heights.add(peaks.most * Above);
  heights.add(bandwidths.least * intensities.least);
  for (const RoofKernel &kernel : plot.kernels)
    if (const auto work = workOf(plot, kernel)) {
      const double height = heightOf(*work, kernel, intensities.least);
      heights.add(height / Near);
      heights.add(height * Near);
    }
  constexpr double Begin = 96, End = SheetWidth - 28, Top = 84, Bottom = 540;
  return {{intensities.least, intensities.most, Begin, End},
          {heights.least, heights.most, Bottom, Top}};
}

KernelMarks marksOf(const RooflinePlot &plot, const PlotFrame &frame) {
  KernelMarks result;
  // Marks whose places differ by less can't be told apart.
  constexpr double Cell = 3;
  using Key = std::tuple<long, long, LegendItem::Sign, bool, bool, std::string>;
  std::map<Key, KernelMark> cells;
  std::map<std::size_t, Key> keyOf;
  for (std::size_t i = 0; i < plot.kernels.size(); ++i) {
    const RoofKernel &kernel = plot.kernels[i];
    const std::optional<Workload> work = workOf(plot, kernel);
    if (!work) {
      result.unknown.push_back(i);
      continue;
    }
    const KernelBound bound = boundOf(plot.device.roofs, kernel);
    KernelMark mark;
    mark.x = work->operations == 0 ? frame.left()
             : work->bytes == 0    ? frame.right()
                                   : frame.x.at(intensityOf(*work));
    mark.y = frame.y.at(heightOf(*work, kernel, frame.x.least));
    mark.sign = kernel.isFused ? LegendItem::Diamond : LegendItem::Disc;
    mark.isProjected = kernel.isProjected;
    mark.isAbove = bound.isAbove();
    mark.bound = boundName(bound);
    mark.colour = bound.isNear() ? colourOf(bound.roof->kind, bound.roof->place)
                                 : "unbound";
    result.hasEdge |= work->operations == 0;
    const Key key{std::lround(mark.x / Cell),
                  std::lround(mark.y / Cell),
                  mark.sign,
                  mark.isProjected,
                  mark.isAbove,
                  mark.bound};
    KernelMark &shared = cells.try_emplace(key, mark).first->second;
    shared.kernels.push_back(i);
    shared.seconds += kernel.seconds * kernel.count;
    keyOf.emplace(i, key);
  }
  for (auto &[key, mark] : cells)
    result.marks.push_back(std::move(mark));
  std::sort(result.marks.begin(), result.marks.end(),
            [](const KernelMark &one, const KernelMark &other) {
              return one.seconds != other.seconds
                         ? one.seconds > other.seconds
                         : one.kernels.front() < other.kernels.front();
            });
  std::map<std::size_t, std::size_t> markOf;
  for (std::size_t i = 0; i < result.marks.size(); ++i)
    for (const std::size_t kernel : result.marks[i].kernels)
      markOf[kernel] = i;
  std::set<std::pair<std::size_t, std::size_t>> arrows;
  for (std::size_t i = 0; i < plot.kernels.size(); ++i)
    if (const auto fused = plot.kernels[i].fusedInto;
        fused && markOf.contains(i) && markOf.contains(*fused))
      arrows.emplace(markOf[i], markOf[*fused]);
  result.arrows.assign(arrows.begin(), arrows.end());
  return result;
}

std::string kernelTitle(const RooflinePlot &plot, const RoofKernel &kernel) {
  const std::string level = usualLevel(plot.device.roofs);
  std::string text = kernel.name;
  if (kernel.count != 1)
    text += ", " + numberText(kernel.count) + " launches";
  text += ": " + siText(kernel.seconds, "s") +
          (kernel.isProjected ? " (projected)" : "");
  if (const auto work = kernel.workAt(level)) {
    if (work->operations > 0)
      text += ", " + siText(work->operations / kernel.seconds, "op/s");
    if (work->bytes > 0)
      text +=
          ", " + siText(work->bytes / kernel.seconds, "B/s") + " of " + level;
    if (work->operations > 0 && work->bytes > 0)
      text += ", " + numberText(intensityOf(*work)) + " op/B";
  }
  const KernelBound bound = boundOf(plot.device.roofs, kernel);
  if (!bound.roof)
    return text;
  return text + "; " + percentText(bound.share) + " of " + bound.roof->name +
         (bound.isAbove() ? ", above the roof" : ", " + boundName(bound));
}

std::string markName(const RooflinePlot &plot, const KernelMark &mark) {
  constexpr std::size_t Most = 30;
  std::string all;
  std::set<std::string> names;
  for (const std::size_t index : mark.kernels)
    if (names.insert(plot.kernels[index].name).second)
      all += (all.empty() ? "" : ", ") + plot.kernels[index].name;
  if (names.size() == 1 || all.size() <= Most)
    return shortened(cleanText(all), Most);
  const std::string more = " + " + std::to_string(names.size() - 1) + " more";
  return shortened(cleanText(plot.kernels[mark.kernels.front()].name),
                   Most - more.size()) +
         more;
}

} // namespace kfuse
