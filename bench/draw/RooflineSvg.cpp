//===- RooflineSvg.cpp - The roofline picture -----------------------------===//

#include "bench/Numbers.h"
#include "bench/draw/DrawnRoofs.h"
#include "bench/draw/KernelMarks.h"
#include "bench/draw/RooflinePlot.h"

#include <algorithm>
#include <cmath>

namespace kfuse {
namespace {

constexpr double HalfText = 6.8; ///< half of a label's height
constexpr double Beside = 3;     ///< that numbers keep from each other

/// A line in pixels, from left to right.
struct Segment {
  double x1, y1, x2, y2;

  double length() const { return std::hypot(x2 - x1, y2 - y1); }
  double angle() const { return std::atan2(y2 - y1, x2 - x1); }
};

/// Draws a plot; each step adds to the picture, and what is drawn later lies
/// above.
class RooflinePicture {
public:
  explicit RooflinePicture(const RooflinePlot &plot)
      : All(plot.device.roofs), Plot(drawnPlot(plot)), Frame(frameOf(Plot)),
        Marks(marksOf(Plot, Frame)), Placer(Frame.area()),
        Page("Roofline of " + plot.device.description, rooflineText(plot)) {}

  std::string drawn();

private:
  const std::vector<DeviceRoof> &roofs() const { return Plot.device.roofs; }
  double extreme(RoofKind kind) const;
  const DeviceRoof &unitOfDrops() const;
  double balanceOf(const std::string &level) const;
  Segment segmentOf(const DeviceRoof &roof) const;
  void occupyPlaces();
  void drawRoof(const DeviceRoof &roof);
  void labelRoof(const DeviceRoof &roof, const Segment &line);
  void drawRidges();
  void drawDrops();
  void drawArrows();
  void drawMarks();
  void labelMark(const KernelMark &mark);
  std::string nextNumber() { return std::to_string(Key.size() + 1); }
  std::vector<LegendItem> legend() const;
  std::vector<std::string> notes() const;

  const std::vector<DeviceRoof> &All;
  const RooflinePlot Plot; ///< with the roofs that are drawn
  const PlotFrame Frame;
  const KernelMarks Marks;
  LabelPlacer Placer;
  Sheet Page;
  std::vector<LegendItem> Key; ///< what has a number instead of a name
};

std::string unitOf(const DeviceRoof &roof) {
  return roof.kind == RoofKind::Memory ? "B/s" : "op/s";
}

std::string counted(std::size_t count, const char *one, const char *several) {
  return std::to_string(count) + " " + (count == 1 ? one : several);
}

/// Returns a roof's number, and how it came about.
std::string titleOf(const DeviceRoof &roof) {
  std::string title = roof.name + ": " + siText(roof.value, unitOf(roof)) +
                      (roof.isMeasured ? ", measured" : ", theoretical");
  if (roof.spread > 0)
    title += " ± " + percentText(roof.spread);
  return roof.method.empty() ? title : title + "; " + roof.method;
}

/// Returns the largest roof of a kind.
double RooflinePicture::extreme(RoofKind kind) const {
  double most = 0;
  for (const DeviceRoof &roof : roofs())
    if (roof.kind == kind)
      most = std::max(most, roof.value);
  return most;
}

/// Returns the roof whose ridge points have lines down to the axis.
const DeviceRoof &RooflinePicture::unitOfDrops() const {
  return *boundingRoof(roofs(), RoofKind::Compute, usualUnit(roofs()));
}

/// Returns the balance of a level and that unit.
double RooflinePicture::balanceOf(const std::string &level) const {
  return Roofline::of(boundingRoof(roofs(), RoofKind::Memory, level)->value,
                      unitOfDrops().value)
      .balance();
}

Segment RooflinePicture::segmentOf(const DeviceRoof &roof) const {
  const LogAxis &x = Frame.x, &y = Frame.y;
  if (roof.kind == RoofKind::Compute) {
    const double first = roof.value / extreme(RoofKind::Memory);
    return {x.at(std::max(first, x.least)), y.at(roof.value), x.end,
            y.at(roof.value)};
  }
  const double first = std::max(x.least, y.least / roof.value);
  const double last = std::min(x.most, extreme(RoofKind::Compute) / roof.value);
  return {x.at(first), y.at(first * roof.value), x.at(last),
          y.at(last * roof.value)};
}

/// Keeps labels off the marks, and away from lines.
void RooflinePicture::occupyPlaces() {
  constexpr double HalfMark = 6.5, HalfRing = 10;
  for (const KernelMark &mark : Marks.marks) {
    const double half = mark.isAbove ? HalfRing : HalfMark;
    Placer.occupy({mark.x, mark.y, half, half, 0});
  }
  for (const auto &[from, to] : Marks.arrows)
    Placer.avoidLine(Marks.marks[from].x, Marks.marks[from].y,
                     Marks.marks[to].x, Marks.marks[to].y);
  for (const DeviceRoof &roof : roofs())
    if (isLine(roof)) {
      const Segment line = segmentOf(roof);
      // A name may hide a part of its own level's theoretical roof.
      Placer.refuseLine(line.x1, line.y1, line.x2, line.y2,
                        roof.isMeasured ? "" : roof.place);
    }
  const double top = Frame.y.at(unitOfDrops().value);
  for (const std::string &level : placesOf(roofs(), RoofKind::Memory)) {
    const double x = Frame.x.at(balanceOf(level));
    Placer.avoidLine(x, top, x, Frame.bottom());
  }
}

void RooflinePicture::drawRoof(const DeviceRoof &roof) {
  const Segment line = segmentOf(roof);
  SvgWriter &svg = Page.svg();
  svg.open("g", {{"class", "ceiling " + colourOf(roof.kind, roof.place)}});
  std::string title = cleanText(titleOf(roof));
  for (const DeviceRoof &other : All)
    if (isShownBy(other, roof) && !Plot.hasAllRoofs && other.name != roof.name)
      title += "\n" + cleanText(titleOf(other));
  svg.add("title", {}, title);
  svg.add("path",
          {{"class", roof.isMeasured ? "roof" : "roof theoretical"},
           {"d", pathThrough({{line.x1, line.y1}, {line.x2, line.y2}})}});
  svg.close();
}

void RooflinePicture::labelRoof(const DeviceRoof &roof, const Segment &line) {
  constexpr std::size_t MostCharacters = 34;
  const std::string value = siText(roof.value, unitOf(roof));
  const std::string name =
      shortened(cleanText(roof.name), MostCharacters) + " " + value;
  const std::string colour = colourOf(roof.kind, roof.place);
  const double angle = line.angle();
  // Ceilings have their labels at the right, the others at the lower end.
  const bool isReversed = roof.kind == RoofKind::Compute;
  const auto places = [&](double halfWidth, int steps,
                          const std::vector<double> &sides) {
    constexpr double End = 8, Gap = 2.4;
    std::vector<LabelBox> boxes;
    const double room = line.length() - 2 * (halfWidth + End);
    for (const double side : sides)
      for (int i = 0; i < steps && room >= 0; ++i) {
        double along = halfWidth + End + room * i / (steps - 1);
        if (isReversed)
          along = line.length() - along;
        const double across = side * (HalfText + Gap);
        boxes.push_back(
            {line.x1 + along * std::cos(angle) - across * std::sin(angle),
             line.y1 + along * std::sin(angle) + across * std::cos(angle),
             halfWidth, HalfText, angle});
      }
    return boxes;
  };
  constexpr int NameSteps = 16, NumberSteps = 60;
  const auto named = places(textWidth(name, FontSize) / 2, NameSteps, {-1, 1});
  if (const auto found = Placer.place(named, LabelKind::Name, roof.place)) {
    Page.label(named[*found], name, colour);
    return;
  }
  const std::string number = nextNumber();
  Key.push_back({LegendItem::Number, colour, roof.name + " " + value, number});
  // A number is on the line itself.
  const auto numbered =
      places(textWidth(number, FontSize) / 2 + Beside, NumberSteps, {0});
  if (const auto found = Placer.place(numbered, LabelKind::Number))
    Page.label(numbered[*found], number, colour + " number");
}

void RooflinePicture::drawRidges() {
  SvgWriter &svg = Page.svg();
  for (const std::string &level : placesOf(roofs(), RoofKind::Memory)) {
    const DeviceRoof &memory = *boundingRoof(roofs(), RoofKind::Memory, level);
    svg.open("g", {{"class", colourOf(memory.kind, level)}});
    for (const DeviceRoof &unit : roofs()) {
      if (unit.kind != RoofKind::Compute)
        continue;
      const double balance = Roofline::of(memory.value, unit.value).balance();
      svg.open("circle", {{"class", "ridge"},
                          {"cx", pixels(Frame.x.at(balance))},
                          {"cy", pixels(Frame.y.at(unit.value))},
                          {"r", "3.2"}});
      svg.add("title", {},
              cleanText(memory.name + " meets " + unit.name + " at " +
                        numberText(balance) + " op/B"));
      svg.close();
    }
    svg.close();
  }
}

/// Draws a line from the ridge of each level and the usual unit to the axis,
/// with the balance beside it.
void RooflinePicture::drawDrops() {
  const double top = Frame.y.at(unitOfDrops().value);
  for (const std::string &level : placesOf(roofs(), RoofKind::Memory)) {
    const std::string colour = colourOf(RoofKind::Memory, level);
    const double balance = balanceOf(level);
    const double x = Frame.x.at(balance);
    const std::string text = numberText(balance) + " op/B";
    const double half = textWidth(text, FontSize) / 2;
    constexpr double Low = 12, Row = 17, Gap = 5;
    std::vector<LabelBox> places;
    for (int row = 0; row < 3; ++row)
      for (const double side : {1.0, -1.0})
        places.push_back({x + side * (half + Gap),
                          Frame.bottom() - Low - row * Row, half, HalfText, 0});
    const auto found = Placer.place(places, LabelKind::Name);
    if (!found)
      continue;
    Page.svg().open("g", {{"class", colour}});
    Page.svg().add("path",
                   {{"class", "drop"},
                    {"d", pathThrough({{x, top}, {x, Frame.bottom()}})}});
    Page.svg().close();
    Page.label(places[*found], text, colour);
  }
}

void RooflinePicture::drawArrows() {
  constexpr double FromEdge = 8, ToEdge = 9, Least = 24;
  for (const auto &[from, to] : Marks.arrows) {
    const KernelMark &one = Marks.marks[from], &other = Marks.marks[to];
    const Segment line{one.x, one.y, other.x, other.y};
    if (line.length() < Least)
      continue;
    const double cosine = std::cos(line.angle()), sine = std::sin(line.angle());
    Page.svg().add(
        "path",
        {{"class", "arrow"},
         {"marker-end", "url(#kfuse-arrow)"},
         {"d", pathThrough(
                   {{one.x + FromEdge * cosine, one.y + FromEdge * sine},
                    {other.x - ToEdge * cosine, other.y - ToEdge * sine}})}});
  }
}

void RooflinePicture::drawMarks() {
  SvgWriter &svg = Page.svg();
  // Marks of what takes longest lie above.
  for (auto mark = Marks.marks.rbegin(); mark != Marks.marks.rend(); ++mark) {
    svg.open("g", {{"class", "kernel " + mark->colour}});
    constexpr std::size_t MostLines = 10;
    std::string title;
    for (std::size_t i = 0; i < mark->kernels.size(); ++i) {
      if (i == MostLines) {
        title += "\nand " + std::to_string(mark->kernels.size() - i) + " more";
        break;
      }
      title += (i ? "\n" : "") +
               cleanText(kernelTitle(Plot, Plot.kernels[mark->kernels[i]]));
    }
    svg.add("title", {}, title);
    drawMarker(svg, mark->sign, mark->x, mark->y, mark->isProjected);
    if (mark->isAbove)
      drawMarker(svg, LegendItem::Above, mark->x, mark->y, false);
    svg.close();
  }
}

void RooflinePicture::labelMark(const KernelMark &mark) {
  const auto places = [&](double halfWidth) {
    std::vector<LabelBox> boxes;
    const double nearest = mark.isAbove ? 14 : 10;
    for (const double distance : {nearest, 17.0, 26.0, 38.0})
      for (const auto &[across, up] : {std::pair(1.0, 0.0),
                                       {-1.0, 0.0},
                                       {0.7, 0.7},
                                       {0.7, -0.7},
                                       {-0.7, 0.7},
                                       {-0.7, -0.7},
                                       {0.0, 1.0},
                                       {0.0, -1.0}})
        boxes.push_back({mark.x + across * distance +
                             (across > 0   ? halfWidth
                              : across < 0 ? -halfWidth
                                           : 0),
                         mark.y - up * (distance + HalfText), halfWidth,
                         HalfText, 0});
    return boxes;
  };
  const auto draw = [&](const LabelBox &box, const std::string &text,
                        const std::string &colour) {
    // The nearest point of the box.
    const double x =
        std::clamp(mark.x, box.x - box.halfWidth, box.x + box.halfWidth);
    const double y =
        std::clamp(mark.y, box.y - box.halfHeight, box.y + box.halfHeight);
    constexpr double Far = 14;
    if (std::hypot(x - mark.x, y - mark.y) > Far)
      Page.svg().add("path", {{"class", "leader"},
                              {"d", pathThrough({{mark.x, mark.y}, {x, y}})}});
    Page.label(box, text, colour);
  };
  const std::string name = markName(Plot, mark);
  const auto named = places(textWidth(name, FontSize) / 2);
  if (const auto found = Placer.place(named, LabelKind::Name)) {
    draw(named[*found], name, mark.colour);
    return;
  }
  const std::string number = nextNumber();
  Key.push_back({LegendItem::Number, mark.colour, name, number});
  const auto numbered = places(textWidth(number, FontSize) / 2 + Beside);
  const auto found = Placer.place(numbered, LabelKind::Number);
  draw(numbered[found.value_or(0)], number, mark.colour + " number");
}

std::vector<LegendItem> RooflinePicture::legend() const {
  std::vector<LegendItem> items;
  const auto addOnce = [&](LegendItem::Sign sign, const std::string &colour,
                           const std::string &text) {
    if (std::none_of(items.begin(), items.end(),
                     [&](const LegendItem &item) { return item.text == text; }))
      items.push_back({sign, colour, text});
  };
  for (const DeviceRoof &roof : roofs())
    if (isLine(roof) && roof.isMeasured)
      addOnce(LegendItem::Solid, "", "measured roof");
  for (const DeviceRoof &roof : roofs())
    if (isLine(roof) && !roof.isMeasured)
      addOnce(LegendItem::Dashed, "", "theoretical roof");
  for (const KernelMark &mark : Marks.marks) {
    if (mark.isProjected)
      addOnce(LegendItem::Ring, "", "kernel, projected");
    else
      addOnce(LegendItem::Disc, "", "kernel, measured");
    if (mark.sign == LegendItem::Diamond)
      addOnce(LegendItem::Diamond, "", "fused kernel");
    if (mark.isAbove)
      addOnce(LegendItem::Above, "", "above its roof");
  }
  if (!Marks.arrows.empty())
    addOnce(LegendItem::Arrow, "", "fused into");
  for (const KernelMark &mark : Marks.marks)
    addOnce(LegendItem::Disc, mark.colour, mark.bound);
  return items;
}

std::vector<std::string> RooflinePicture::notes() const {
  std::vector<std::string> notes;
  const std::vector<DeviceRoof> missing = roofsNotShown(All, roofs());
  if (const std::size_t near = All.size() - roofs().size() - missing.size();
      near != 0)
    notes.push_back(
        "Not drawn: " + counted(near, "roof that is", "roofs that are") +
        " less than a third below another one of the same level or "
        "unit.");
  if (!missing.empty()) {
    std::string units;
    for (const std::string &unit : placesOf(missing, RoofKind::Compute))
      units += (units.empty() ? "" : ", ") + unit;
    notes.push_back("Not drawn: " + counted(missing.size(), "roof", "roofs") +
                    " of " + units + ".");
  }
  const auto names = [&](const std::vector<std::size_t> &kernels) {
    constexpr std::size_t Most = 5;
    std::string text;
    for (std::size_t i = 0; i < kernels.size() && i < Most; ++i)
      text += (i ? ", " : "") + shortened(Plot.kernels[kernels[i]].name, 40);
    return kernels.size() <= Most
               ? text
               : text + " and " + std::to_string(kernels.size() - Most) +
                     " more";
  };
  if (Marks.hasEdge)
    notes.push_back("At the left edge: kernels without operations. They are as "
                    "far below each bandwidth there as their own is.");
  std::vector<std::size_t> above;
  for (const KernelMark &mark : Marks.marks)
    if (mark.isAbove)
      above.insert(above.end(), mark.kernels.begin(), mark.kernels.end());
  if (!above.empty())
    notes.push_back("Above the roof: " + names(above) +
                    ". Not all that was counted was moved or computed, or the "
                    "roof is too low.");
  if (!Marks.unknown.empty())
    notes.push_back("Not drawn, since they do nothing or their bytes at this "
                    "level aren't known: " +
                    names(Marks.unknown) + ".");
  return notes;
}

std::string RooflinePicture::drawn() {
  constexpr std::size_t MostLabels = 60;
  constexpr double BelowAxis = 70, Space = 10;
  const std::string level = usualLevel(roofs());
  Page.heading("Roofline of " + Plot.device.description);
  Page.axes(Frame,
            "arithmetic intensity (operations per byte of " + level + ")",
            "performance", "op/s", false);
  occupyPlaces();
  for (const DeviceRoof &roof : roofs())
    if (isLine(roof))
      drawRoof(roof);
  drawRidges();
  // Roofs that bound kernels have the first choice of a place.
  std::size_t roofLabels = 0;
  for (const bool isBounding : {true, false})
    for (const DeviceRoof &roof : roofs())
      if (isLine(roof) &&
          isBounding ==
              (&roof == boundingRoof(roofs(), roof.kind, roof.place)) &&
          roofLabels++ < MostLabels)
        labelRoof(roof, segmentOf(roof));
  drawDrops();
  drawArrows();
  const std::size_t labelled = std::min(Marks.marks.size(), MostLabels);
  for (std::size_t i = 0; i < labelled; ++i)
    labelMark(Marks.marks[i]);
  drawMarks();
  double y = Page.legend(legend(), Frame.bottom() + BelowAxis);
  y = Page.legend(Key, y + (Key.empty() ? 0 : Space));
  for (const std::string &note : notes())
    y = Page.note(note, y + Space / 2);
  if (labelled < Marks.marks.size())
    y = Page.note("Names of the " + std::to_string(labelled) +
                      " marks that take longest, of " +
                      std::to_string(Marks.marks.size()) + ".",
                  y + Space / 2);
  return Page.finished(y + Space);
}

} // namespace

std::string rooflineSvg(const RooflinePlot &plot) {
  return RooflinePicture(plot).drawn();
}

} // namespace kfuse
