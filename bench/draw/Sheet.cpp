//===- Sheet.cpp - A picture's frame, colours and legend ------------------===//

#include "bench/draw/Sheet.h"

#include "bench/Numbers.h"
#include "bench/draw/SheetStyle.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace kfuse {
namespace {

constexpr double LineHeight = 20;
constexpr double Margin = 20; ///< of the sheet
constexpr double SignWidth = 26;

/// Returns the largest part of the text, in whole words, that is at most
/// `width` wide; a longer word alone is cut.
std::string firstLine(std::string &text, double width) {
  std::size_t end = 0;
  for (std::size_t at = 0; at != text.npos;) {
    at = text.find(' ', at + 1);
    if (textWidth(text.substr(0, at), FontSize) > width)
      break;
    end = std::min(at, text.size());
  }
  if (end == 0)
    end = std::min(text.find(' ', 1), text.size());
  const std::string line = text.substr(0, end);
  text.erase(0, std::min(end + 1, text.size()));
  return line;
}

} // namespace

LabelBox PlotFrame::area() const {
  return {(left() + right()) / 2, (top() + bottom()) / 2,
          (right() - left()) / 2, (bottom() - top()) / 2, 0};
}

std::string colourOf(RoofKind kind, const std::string &place) {
  if (kind == RoofKind::Compute)
    return "unit";
  constexpr std::pair<const char *, const char *> Classes[] = {
      {"DRAM", "dram"}, {"L3", "l3"},       {"L2", "l2"},
      {"L1", "l1"},     {"local", "local"},
  };
  for (const auto &[level, name] : Classes)
    if (place == level)
      return name;
  return "other";
}

Sheet::Sheet(std::string title, std::string description)
    : Title(std::move(title)), Description(std::move(description)) {}

void Sheet::heading(const std::string &text) {
  constexpr double FirstAt = 30, RestAt = 49;
  constexpr double HeadingSize = 17 * 1.05; // bold
  const auto fitted = [](std::string shown, double size) {
    for (std::size_t most = 130;
         textWidth(shown, size) > SheetWidth - 2 * Margin; --most)
      shown = shortened(shown, most);
    return shown;
  };
  const std::string clean = cleanText(text);
  const std::size_t end = std::min(clean.find(", "), clean.size());
  Content.add(
      "text",
      {{"class", "heading"}, {"x", pixels(Margin)}, {"y", pixels(FirstAt)}},
      fitted(clean.substr(0, end), HeadingSize));
  if (end < clean.size())
    Content.add(
        "text",
        {{"class", "quiet"}, {"x", pixels(Margin)}, {"y", pixels(RestAt)}},
        fitted(clean.substr(end + 2), FontSize));
}

void Sheet::axes(const PlotFrame &frame, const std::string &xName,
                 const std::string &yName, const std::string &yUnit,
                 bool isBytes) {
  constexpr double Four = 4, ApartX = 62, ApartY = 24;
  const std::vector<double> columns =
      isBytes ? frame.x.powers(Four, ApartX) : frame.x.decimals(ApartX);
  const std::vector<double> rows = frame.y.decimals(ApartY);
  std::string grid;
  for (const double value : columns)
    grid += "M" + pixels(frame.x.at(value)) + " " + pixels(frame.top()) + "V" +
            pixels(frame.bottom());
  for (const double value : rows)
    grid += "M" + pixels(frame.left()) + " " + pixels(frame.y.at(value)) + "H" +
            pixels(frame.right());
  Content.add("path", {{"class", "grid"}, {"d", grid}});
  Content.add("rect", {{"class", "frame"},
                       {"x", pixels(frame.left())},
                       {"y", pixels(frame.top())},
                       {"width", pixels(frame.right() - frame.left())},
                       {"height", pixels(frame.bottom() - frame.top())}});
  Content.open("g", {{"class", "quiet"}});
  for (const double value : columns)
    Content.add("text",
                {{"x", pixels(frame.x.at(value))},
                 {"y", pixels(frame.bottom() + 18)},
                 {"text-anchor", "middle"}},
                isBytes ? bytesText(value) : powerText(value));
  for (const double value : rows)
    Content.add("text",
                {{"x", pixels(frame.left() - 12)},
                 {"y", pixels(frame.y.at(value) + 4.5)},
                 {"text-anchor", "end"}},
                siText(value, yUnit));
  Content.close();
  Content.add("text",
              {{"x", pixels((frame.left() + frame.right()) / 2)},
               {"y", pixels(frame.bottom() + 40)},
               {"text-anchor", "middle"}},
              xName);
  Content.add("text", {{"x", pixels(Margin)}, {"y", pixels(frame.top() - 10)}},
              yName);
}

void Sheet::label(const LabelBox &box, const std::string &text,
                  const std::string &colour) {
  // The middle of small letters is above the baseline.
  constexpr double Rise = 0.34 * FontSize;
  const double x = box.x - Rise * std::sin(box.angle);
  const double y = box.y + Rise * std::cos(box.angle);
  SvgWriter::Attributes attributes = {{"class", colour + " halo"},
                                      {"x", pixels(x)},
                                      {"y", pixels(y)},
                                      {"text-anchor", "middle"}};
  if (box.angle != 0)
    attributes.push_back(
        {"transform", "rotate(" + pixels(box.angle * 180 / std::numbers::pi) +
                          " " + pixels(x) + " " + pixels(y) + ")"});
  Content.add("text", attributes, cleanText(text));
}

void drawMarker(SvgWriter &svg, LegendItem::Sign sign, double x, double y,
                bool isHollow) {
  const std::string name = isHollow ? "marker hollow" : "marker";
  constexpr double Radius = 4.5, Wide = 9;
  if (sign == LegendItem::Disc || sign == LegendItem::Ring) {
    svg.add("circle", {{"class", name},
                       {"cx", pixels(x)},
                       {"cy", pixels(y)},
                       {"r", pixels(Radius)}});
  } else if (sign == LegendItem::Above) {
    svg.add("circle", {{"class", "above"},
                       {"cx", pixels(x)},
                       {"cy", pixels(y)},
                       {"r", pixels(Wide)}});
  } else if (sign == LegendItem::Diamond) {
    constexpr double Half = 6.5;
    svg.add("path",
            {{"class", name},
             {"d", pathThrough({{x - Half, y}, {x, y - Half}, {x + Half, y}}) +
                       " L" + pixels(x) + " " + pixels(y + Half) + " Z"}});
  }
}

void Sheet::sign(const LegendItem &item, double x, double y) {
  const std::string across = "M" + pixels(x) + " " + pixels(y) + "h20";
  const double middle = x + 10;
  switch (item.sign) {
  case LegendItem::Solid:
    Content.add("path", {{"class", "roof"}, {"d", across}});
    break;
  case LegendItem::Dashed:
    Content.add("path", {{"class", "roof theoretical"}, {"d", across}});
    break;
  case LegendItem::Arrow:
    Content.add("path", {{"class", "arrow"},
                         {"d", across},
                         {"marker-end", "url(#kfuse-arrow)"}});
    break;
  case LegendItem::Number:
    Content.add("text",
                {{"class", "number"},
                 {"x", pixels(middle)},
                 {"y", pixels(y + 4)},
                 {"text-anchor", "middle"}},
                item.number);
    break;
  default:
    drawMarker(Content, item.sign, middle, y, item.sign == LegendItem::Ring);
  }
}

double Sheet::legend(const std::vector<LegendItem> &items, double y) {
  constexpr double Gap = 22;
  double x = Margin;
  for (const LegendItem &item : items) {
    const std::string text = shortened(cleanText(item.text), 90);
    const double width = SignWidth + textWidth(text, FontSize) * 0.92;
    if (x > Margin && x + width > SheetWidth - Margin) {
      x = Margin;
      y += LineHeight;
    }
    Content.open("g", {{"class", item.colour}});
    sign(item, x, y);
    Content.close();
    Content.add("text", {{"x", pixels(x + SignWidth)}, {"y", pixels(y + 4.5)}},
                text);
    x += width + Gap;
  }
  return items.empty() ? y : y + LineHeight;
}

double Sheet::note(const std::string &text, double y) {
  std::string rest = cleanText(text);
  while (!rest.empty()) {
    Content.add("text", {{"x", pixels(Margin)}, {"y", pixels(y + 4.5)}},
                firstLine(rest, SheetWidth - 2 * Margin));
    y += LineHeight;
  }
  return y;
}

std::string Sheet::finished(double height) const {
  const std::string width = pixels(SheetWidth), tall = pixels(height);
  SvgWriter svg;
  svg.open("svg", {{"xmlns", "http://www.w3.org/2000/svg"},
                   {"class", "kfuse"},
                   {"width", width},
                   {"height", tall},
                   {"viewBox", "0 0 " + width + " " + tall},
                   {"role", "img"},
                   {"aria-labelledby", "kfuse-title kfuse-desc"}});
  svg.add("title", {{"id", "kfuse-title"}}, cleanText(Title));
  svg.add("desc", {{"id", "kfuse-desc"}}, cleanText(Description));
  svg.raw(SheetStyle);
  svg.open("defs");
  svg.open("marker", {{"id", "kfuse-arrow"},
                      {"viewBox", "0 0 8 8"},
                      {"refX", "7"},
                      {"refY", "4"},
                      {"markerWidth", "8"},
                      {"markerHeight", "8"},
                      {"orient", "auto"}});
  svg.add("path", {{"class", "arrowhead"}, {"d", "M0 0.5L8 4L0 7.5Z"}});
  svg.close();
  svg.close();
  svg.add("rect", {{"class", "sheet"}, {"width", "100%"}, {"height", "100%"}});
  svg.raw(Content.text());
  svg.close();
  return svg.text();
}

} // namespace kfuse
