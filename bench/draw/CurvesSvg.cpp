//===- CurvesSvg.cpp - Curves of bandwidth and latency --------------------===//

#include "bench/Numbers.h"
#include "bench/draw/RooflinePlot.h"
#include "bench/draw/Sheet.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace kfuse {
namespace {

/// How the curves of one kind are drawn.
struct Panel {
  CurveKind kind;
  const char *xName, *yName, *unit;
};
constexpr Panel Panels[] = {
    {CurveKind::Bandwidth, "working set", "bandwidth", "B/s"},
    {CurveKind::Latency, "working set", "latency of a load", "s"},
    {CurveKind::InFlight, "bytes in flight", "bandwidth", "B/s"},
};

std::vector<const DeviceCurve *> curvesOf(const DeviceRoofs &device,
                                          CurveKind kind) {
  std::vector<const DeviceCurve *> curves;
  for (const DeviceCurve &curve : device.curves)
    if (curve.kind == kind && !curve.points.empty())
      curves.push_back(&curve);
  return curves;
}

/// Returns axes around all points.
PlotFrame frameAround(const std::vector<const DeviceCurve *> &curves,
                      double top) {
  double left = 1e300, right = 0, low = 1e300, high = 0;
  for (const DeviceCurve *curve : curves)
    for (const auto &[x, y] : curve->points) {
      left = std::min(left, x);
      right = std::max(right, x);
      low = std::min(low, y);
      high = std::max(high, y);
    }
  constexpr double Left = 96, Right = SheetWidth - 28, Height = 250;
  constexpr double Around = 2.1, Room = 2.2; // there is a tick on each axis
  return {{left / Around, right * Around, Left, Right},
          {low / Room, high * Room, top + Height, top}};
}

std::string plateauText(const Panel &panel, const CurvePlateau &plateau) {
  return plateau.level + ": " + siText(plateau.value, panel.unit) + " from " +
         bytesText(plateau.from) + " to " + bytesText(plateau.to);
}

class CurvesPicture {
public:
  explicit CurvesPicture(const DeviceRoofs &device)
      : Device(device), Page("Memory of " + device.description, description()) {
  }

  std::string drawn();

private:
  std::string description() const;
  void drawPanel(const Panel &panel,
                 const std::vector<const DeviceCurve *> &curves,
                 const PlotFrame &frame);
  void drawPlateaus(const Panel &panel, const DeviceCurve &curve,
                    const PlotFrame &frame, const std::string &colour,
                    LabelPlacer &placer);
  void drawFlight(const FlightLaw &law, const PlotFrame &frame,
                  LabelPlacer &placer);

  const DeviceRoofs &Device;
  Sheet Page;
};

/// Colours of the first, second and further curves of a panel.
constexpr const char *CurveColours[] = {"dram", "unit", "l2",
                                        "l1",   "l3",   "local"};

std::string CurvesPicture::description() const {
  std::string text;
  for (const Panel &panel : Panels)
    for (const DeviceCurve *curve : curvesOf(Device, panel.kind)) {
      text += curve->name + ": " + panel.yName + " over the " + panel.xName +
              ", " + std::to_string(curve->points.size()) + " points.";
      for (const CurvePlateau &plateau : curve->plateaus)
        text += " " + plateauText(panel, plateau) + ".";
      text += " ";
    }
  return text;
}

void CurvesPicture::drawPlateaus(const Panel &panel, const DeviceCurve &curve,
                                 const PlotFrame &frame,
                                 const std::string &colour,
                                 LabelPlacer &placer) {
  const auto within = [&](double bytes) {
    return frame.x.at(std::clamp(bytes, frame.x.least, frame.x.most));
  };
  for (const CurvePlateau &plateau : curve.plateaus) {
    if (!frame.y.holds(plateau.value))
      continue;
    const double y = frame.y.at(plateau.value);
    const double x1 = within(plateau.from), x2 = within(plateau.to);
    const std::string text = shortened(cleanText(plateau.level), 30) + " " +
                             siText(plateau.value, panel.unit);
    const double half = textWidth(text, FontSize) / 2, halfHeight = 7.5;
    SvgWriter &svg = Page.svg();
    svg.open("path", {{"class", "plateau " + colour},
                      {"d", pathThrough({{x1, y}, {x2, y}})}});
    svg.add("title", {}, cleanText(plateauText(panel, plateau)));
    svg.close();
    std::vector<LabelBox> places;
    for (const double distance : {14.0, 24.0, 36.0, 50.0})
      for (const double side : {-1.0, 1.0})
        for (const double along : {0.5, 0.2, 0.8, 0.0, 1.0})
          places.push_back(
              {std::clamp(x1 + along * (x2 - x1), frame.left() + half + 2,
                          frame.right() - half - 2),
               y + side * distance, half, halfHeight, 0});
    if (const auto found = placer.place(places, LabelKind::Number))
      Page.label(places[*found], text, colour);
  }
}

/// Draws the law that was fitted, and where Little's law would have no knee.
void CurvesPicture::drawFlight(const FlightLaw &law, const PlotFrame &frame,
                               LabelPlacer &placer) {
  constexpr int Pieces = 60;
  std::vector<std::pair<double, double>> line;
  for (int i = 0; i <= Pieces; ++i) {
    const double bytes = frame.x.least * std::pow(frame.x.most / frame.x.least,
                                                  double(i) / Pieces);
    if (const double value = law.bandwidthAt(bytes); frame.y.holds(value))
      line.emplace_back(frame.x.at(bytes), frame.y.at(value));
  }
  SvgWriter &svg = Page.svg();
  svg.open("g", {{"class", "flight unit"}});
  svg.add("title", {},
          "fitted: " + siText(law.bandwidth, "B/s") + ", " +
              siText(law.latency, "s") + ", knee " + numberText(law.knee));
  if (line.size() > 1)
    svg.add("path", {{"class", "roof theoretical"}, {"d", pathThrough(line)}});
  // bytes / latency up to the bandwidth, and then the bandwidth.
  const double first = std::max(frame.x.least, frame.y.least * law.latency);
  if (frame.x.holds(law.needed()) && frame.y.holds(law.bandwidth)) {
    const double x = frame.x.at(law.needed()), y = frame.y.at(law.bandwidth);
    svg.add("path",
            {{"class", "drop"},
             {"d",
              pathThrough({{frame.x.at(first), frame.y.at(first / law.latency)},
                           {x, y},
                           {frame.right(), y}})}});
    svg.open("circle", {{"class", "ridge"},
                        {"cx", pixels(x)},
                        {"cy", pixels(y)},
                        {"r", "3.2"}});
    svg.close();
    const std::string text = siText(law.bandwidth, "B/s") + " · " +
                             siText(law.latency, "s") + " = " +
                             siText(law.needed(), "B");
    const double half = textWidth(text, FontSize) / 2, halfHeight = 7.5;
    std::vector<LabelBox> places;
    for (const double distance : {14.0, 28.0, 42.0})
      for (const double along : {-1.1, 0.0, 1.1})
        places.push_back({x + along * half, y - distance, half, halfHeight, 0});
    if (const auto found = placer.place(places, LabelKind::Number))
      Page.label(places[*found], text, "unit");
  }
  svg.close();
}

void CurvesPicture::drawPanel(const Panel &panel,
                              const std::vector<const DeviceCurve *> &curves,
                              const PlotFrame &frame) {
  Page.axes(frame, panel.xName, panel.yName, panel.unit, true);
  LabelPlacer placer(frame.area());
  for (const DeviceCurve *curve : curves)
    for (std::size_t i = 0; i < curve->points.size(); ++i) {
      const auto [x, y] = curve->points[i];
      placer.occupy({frame.x.at(x), frame.y.at(y), 3, 3, 0});
      if (i > 0)
        placer.avoidLine(frame.x.at(curve->points[i - 1][0]),
                         frame.y.at(curve->points[i - 1][1]), frame.x.at(x),
                         frame.y.at(y));
    }
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const std::string colour = CurveColours[i % std::size(CurveColours)];
    SvgWriter &svg = Page.svg();
    std::vector<std::pair<double, double>> line;
    for (const auto &[x, y] : curves[i]->points)
      line.emplace_back(frame.x.at(x), frame.y.at(y));
    svg.open("g", {{"class", "curve " + colour}});
    svg.add("title", {}, cleanText(curves[i]->name));
    svg.add("path", {{"class", "roof"}, {"d", pathThrough(line)}});
    for (std::size_t k = 0; k < line.size(); ++k) {
      const auto &[bytes, value] = curves[i]->points[k];
      svg.open("circle", {{"class", "ridge"},
                          {"cx", pixels(line[k].first)},
                          {"cy", pixels(line[k].second)},
                          {"r", "2.6"}});
      svg.add("title", {}, bytesText(bytes) + ": " + siText(value, panel.unit));
      svg.close();
    }
    svg.close();
  }
  for (std::size_t i = 0; i < curves.size(); ++i)
    drawPlateaus(panel, *curves[i], frame,
                 CurveColours[i % std::size(CurveColours)], placer);
  if (panel.kind == CurveKind::InFlight && Device.flight)
    drawFlight(*Device.flight, frame, placer);
}

std::string CurvesPicture::drawn() {
  constexpr double First = 84, BelowAxis = 68, Apart = 36;
  Page.heading("Memory of " + Device.description);
  double y = First;
  for (const Panel &panel : Panels) {
    const std::vector<const DeviceCurve *> curves =
        curvesOf(Device, panel.kind);
    if (curves.empty())
      continue;
    const PlotFrame frame = frameAround(curves, y);
    drawPanel(panel, curves, frame);
    std::vector<LegendItem> items;
    for (std::size_t i = 0; i < curves.size(); ++i)
      items.push_back({LegendItem::Solid,
                       CurveColours[i % std::size(CurveColours)],
                       curves[i]->name});
    if (panel.kind == CurveKind::InFlight && Device.flight)
      items.push_back({LegendItem::Dashed, "unit", "fitted knee"});
    y = Page.legend(items, frame.bottom() + BelowAxis) + Apart;
  }
  return Page.finished(y - Apart);
}

} // namespace

std::string curvesSvg(const DeviceRoofs &device) {
  return CurvesPicture(device).drawn();
}

} // namespace kfuse
