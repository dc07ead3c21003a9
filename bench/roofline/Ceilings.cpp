//===- Ceilings.cpp - What measurements say of a device -------------------===//

#include "bench/roofline/Ceilings.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace kfuse {
namespace {

using Series = std::vector<RawPoint>;

const Series *seriesNamed(const RawMeasurements &measured,
                          const std::string &name) {
  const auto found = measured.series.find(name);
  return found == measured.series.end() || found->second.empty()
             ? nullptr
             : &found->second;
}

/// Returns the best sample of each point: the highest rate, the lowest time.
std::vector<CurvePoint> bestOf(const Series &series, bool isTime) {
  std::vector<CurvePoint> points;
  for (const RawPoint &point : series) {
    const Estimate estimate =
        isTime ? lowestOf(point.samples) : highestOf(point.samples);
    points.push_back({point.x, estimate.value, estimate.spread});
  }
  return points;
}

/// Returns the names of so many levels. The last is the DRAM if the curve ends
/// in it, and else a cache. The sets of the first one have up to `to` bytes.
std::vector<std::string> levelNames(std::size_t count, const LevelHints &hints,
                                    bool endsInMemory, double to) {
  // A GPU has two caches. If one isn't seen, it is the first, unless the other
  // one ends far below what the driver tells of the last.
  constexpr double FarBelow = 8;
  const std::size_t caches = endsInMemory ? count - 1 : count;
  const bool isFirst = FarBelow * to < hints.cacheBytes;
  const std::size_t before = !hints.isCpu && caches == 1 && !isFirst ? 1 : 0;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < caches; ++i)
    names.push_back("L" + std::to_string(i + 1 + before));
  if (endsInMemory)
    names.emplace_back("DRAM");
  return names;
}

/// Returns the levels that a curve shows. `isRising` is that of times.
std::vector<MemoryLevel> levelsOf(const std::vector<CurvePoint> &points,
                                  const LevelHints &hints, bool isRising) {
  std::vector<CurvePoint> falling = points;
  if (isRising)
    for (CurvePoint &point : falling)
      point.y = 1 / point.y;
  const std::size_t most = hints.isCpu ? 4 : 3;
  std::vector<Plateau> plateaus = plateausOf(falling, most);
  // Small sets may be slower than larger ones; they are no level.
  while (plateaus.size() > 1 && plateaus[0].value < plateaus[1].value)
    plateaus.erase(plateaus.begin());
  std::vector<MemoryLevel> levels;
  if (plateaus.empty())
    return levels;
  constexpr double Octave = 2;
  const bool endsInMemory =
      points.back().x <= Octave * points[plateaus.back().last].x;
  const std::vector<std::string> names = levelNames(
      plateaus.size(), hints, endsInMemory, points[plateaus.front().last].x);
  for (std::size_t i = 0; i < plateaus.size(); ++i) {
    const Plateau &each = plateaus[i];
    MemoryLevel level{names[i],
                      points[each.first].x,
                      points[each.last].x,
                      isRising ? 1 / each.value : each.value,
                      {}};
    if (i + 1 < plateaus.size())
      level.bytes = edgeOf(falling, each, plateaus[i + 1]);
    levels.push_back(std::move(level));
  }
  return levels;
}

constexpr const char *Streams[] = {"read", "write", "copy", "triad"};

std::string samplesText(const RawMeasurements &measured) {
  return "of " + std::to_string(measured.passes) + " samples";
}

/// Collects the roofs from the series.
class RoofCollector {
public:
  RoofCollector(const RawMeasurements &measured, Ceilings &ceilings)
      : Measured(measured), All(ceilings) {}

  void collect() {
    for (const char *stream : Streams)
      addStream(stream);
    add("memory", "DRAM copy by the driver", "DRAM", "driver-copy",
        "highest " + samplesText(Measured) +
            " of four copies in a row by the driver, of the arrays that the "
            "kernels copy");
    add("memory", "local memory", "local", "local",
        "highest " + samplesText(Measured) +
            ", all work-items read a tile in turns");
    addLatencies();
    for (const RateProbe &rate : rateProbes())
      add("compute", rate.name, rate.unit, rate.kernel,
          "highest " + samplesText(Measured) +
              ", eight independent chains a work-item");
    addTransfers();
    addOverheads();
  }

private:
  /// Adds a roof from the highest sample of a series.
  void add(const std::string &kind, const std::string &name,
           const std::string &tag, const std::string &from,
           const std::string &method) {
    const Series *series = seriesNamed(Measured, from);
    if (!series)
      return;
    Estimate best;
    for (const RawPoint &point : *series)
      if (const Estimate each = highestOf(point.samples);
          each.value > best.value)
        best = each;
    push(kind, name, tag, best, method);
  }

  void push(const std::string &kind, const std::string &name,
            const std::string &tag, const Estimate &estimate,
            const std::string &method) {
    Roof roof;
    roof.kind = kind;
    roof.name = name;
    (kind == "compute" ? roof.unit : roof.level) = tag;
    roof.value = estimate.value;
    roof.units = kind == "compute"                        ? "op/s"
                 : kind == "memory" || kind == "transfer" ? "B/s"
                                                          : "s";
    roof.spread = estimate.spread;
    roof.method = method;
    All.roofs.push_back(std::move(roof));
  }

  /// Returns the median over sets from `from` to `to` of each set's highest
  /// sample; nullopt if there are no such sets.
  std::optional<Estimate> highestWithin(const Series &series, double from,
                                        double to) const {
    constexpr double Slack = 1.01;
    std::vector<double> values, spreads;
    for (const RawPoint &point : series)
      if (point.x * Slack >= from && point.x <= to * Slack) {
        const Estimate highest = highestOf(point.samples);
        values.push_back(highest.value);
        spreads.push_back(highest.spread);
      }
    if (values.empty())
      return std::nullopt;
    const Estimate level = medianOf(values);
    return Estimate{level.value,
                    std::max(level.spread, medianOf(spreads).value)};
  }

  void addStream(const std::string &stream) {
    const Series *series = seriesNamed(Measured, stream);
    if (!series)
      return;
    // The DRAM first: a level that isn't above the next one isn't its own.
    Series large = {series->back()};
    if (const Series *shapes = seriesNamed(Measured, "shape-" + stream))
      large.insert(large.end(), shapes->begin(), shapes->end());
    Estimate below;
    for (const RawPoint &point : large)
      if (const Estimate each = highestOf(point.samples);
          each.value > below.value)
        below = each;
    std::vector<Roof> found;
    const auto note = [&](const std::string &level, const Estimate &estimate,
                          const std::string &method) {
      push("memory", level + " " + stream, level, estimate, method);
    };
    note("DRAM", below,
         "highest " + samplesText(Measured) + " over a set of at least " +
             std::to_string(std::llround(series->back().x)) +
             " bytes, of the best of " + std::to_string(large.size()) +
             " shapes of launches");
    constexpr double LeastGain = 1.1;
    const std::vector<MemoryLevel> &levels = All.levels();
    for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
      if (level->name == "DRAM")
        continue;
      const auto here = highestWithin(*series, level->from, level->to);
      if (!here || here->value < LeastGain * below.value)
        continue;
      note(level->name, *here,
           "median over the plateau's sets of the highest " +
               samplesText(Measured));
      below = *here;
    }
  }

  void addLatencies() {
    const auto curve = All.curves.find("latency");
    if (curve == All.curves.end())
      return;
    for (const MemoryLevel &level : curve->second.levels) {
      std::vector<double> spreads;
      for (const CurvePoint &point : curve->second.points)
        if (point.x >= level.from && point.x <= level.to)
          spreads.push_back(point.spread);
      push("latency", level.name + " latency", level.name,
           {level.value, medianOf(spreads).value},
           "median over the plateau's sets of the lowest " +
               samplesText(Measured) +
               ", each load's address from the one before, lines in random "
               "order");
    }
    if (!All.roof("DRAM latency"))
      addLargestLatency(curve->second);
  }

  void addLargestLatency(const MeasuredCurve &curve) {
    const CurvePoint &last = curve.points.back();
    push("latency", "DRAM latency", "DRAM", {last.y, last.spread},
         "lowest " + samplesText(Measured) + " over a set of " +
             std::to_string(std::llround(last.x)) +
             " bytes, the largest; there is no plateau");
  }

  void addTransfers() {
    const std::pair<const char *, const char *> transfers[] = {
        {"to-device-pinned", "host to device, pinned"},
        {"to-device-pageable", "host to device, pageable"},
        {"to-host-pinned", "device to host, pinned"},
        {"to-host-pageable", "device to host, pageable"}};
    for (const auto &[series, name] : transfers)
      add("transfer", name, "", series,
          "highest " + samplesText(Measured) +
              " of the best size, by the host's clock");
  }

  void addOverheads() {
    if (All.launchSeconds)
      push(
          "overhead", "launch, back to back", "", *All.launchSeconds,
          "median " + samplesText(Measured) +
              ", from one of two hundred empty kernels in a queue to the next, "
              "by the host's clock");
    if (All.emptySeconds)
      push("overhead", "empty kernel", "", *All.emptySeconds,
           "median " + samplesText(Measured) +
               ", the less of: by the device's clock; the time between two of "
               "a full queue, less that of their work");
    if (const Series *series = seriesNamed(Measured, "round-trip"))
      push("overhead", "launch and wait", "", lowestOf(series->front().samples),
           "least " + samplesText(Measured) + ", by the host's clock");
    if (All.blockSeconds)
      push("overhead", "start of a group", "", *All.blockSeconds,
           "median slope of the time of empty kernels over the groups that a "
           "compute unit gets");
  }

  const RawMeasurements &Measured;
  Ceilings &All;
};

/// Returns the median of the slopes between all pairs of points (Theil and
/// Sen), and half their interquartile range.
std::optional<Estimate> slopeOf(const Series &series) {
  std::vector<double> slopes;
  for (std::size_t i = 0; i < series.size(); ++i)
    for (std::size_t j = i + 1; j < series.size(); ++j)
      slopes.push_back((lowestOf(series[j].samples).value -
                        lowestOf(series[i].samples).value) /
                       (series[j].x - series[i].x));
  if (slopes.empty())
    return std::nullopt;
  Estimate slope = medianOf(slopes);
  slope.value = std::max(0.0, slope.value);
  return slope;
}

std::optional<Estimate> overlapOf(const Series &series) {
  constexpr std::size_t Kinds = 3;
  if (series.size() != Kinds)
    return std::nullopt;
  Estimate longer = lowestOf(series[0].samples);
  Estimate shorter = lowestOf(series[1].samples);
  const Estimate both = lowestOf(series[2].samples);
  if (longer.value < shorter.value)
    std::swap(longer, shorter);
  const double beyond = both.value - longer.value;
  Estimate loss{std::clamp(beyond / shorter.value, 0.0, 1.0)};
  // A difference of two long times is less well known than they are.
  if (beyond > 0)
    loss.spread = std::hypot(
        std::hypot(both.value * both.spread, longer.value * longer.spread) /
            beyond,
        shorter.spread);
  return loss;
}

} // namespace

const std::vector<MemoryLevel> &Ceilings::levels() const {
  static const std::vector<MemoryLevel> None;
  const auto read = curves.find("read");
  return read == curves.end() ? None : read->second.levels;
}

const Roof *Ceilings::roof(const std::string &name) const {
  const auto found =
      std::find_if(roofs.begin(), roofs.end(),
                   [&](const Roof &each) { return each.name == name; });
  return found == roofs.end() ? nullptr : &*found;
}

const Roof *Ceilings::fastest(const std::string &unit) const {
  const Roof *best = nullptr;
  for (const Roof &each : roofs)
    if (each.isMeasured && each.unit == unit &&
        (!best || each.value > best->value))
      best = &each;
  return best;
}

Ceilings ceilingsOf(const RawMeasurements &measured, const LevelHints &hints) {
  Ceilings all;
  const auto addCurve = [&](const std::string &name, const char *x,
                            const char *y) {
    if (const Series *series = seriesNamed(measured, name))
      all.curves[name] = {x, y, bestOf(*series, y == std::string("s")), {}};
  };
  for (const char *stream : Streams)
    addCurve(stream, "bytes", "B/s");
  addCurve("latency", "bytes", "s");
  addCurve("in-flight", "bytes in flight", "B/s");
  for (const char *name : {"read", "latency"})
    if (const auto curve = all.curves.find(name); curve != all.curves.end())
      curve->second.levels =
          levelsOf(curve->second.points, hints, name == std::string("latency"));
  if (const auto curve = all.curves.find("in-flight");
      curve != all.curves.end())
    all.knee = fitKnee(curve->second.points);
  if (const Series *series = seriesNamed(measured, "gap"))
    all.launchSeconds = medianOf(series->front().samples);
  if (const Series *series = seriesNamed(measured, "empty")) {
    all.emptySeconds = medianOf(series->front().samples);
    // A clock around a kernel sees its launch, too.
    if (const Series *besides = seriesNamed(measured, "besides-work"))
      if (const Estimate other = medianOf(besides->front().samples);
          other.value < all.emptySeconds->value)
        all.emptySeconds = other;
  }
  if (const Series *series = seriesNamed(measured, "blocks"))
    all.blockSeconds = slopeOf(*series);
  if (const Series *series = seriesNamed(measured, "overlap"))
    all.overlapLoss = overlapOf(*series);
  RoofCollector(measured, all).collect();
  return all;
}

} // namespace kfuse
