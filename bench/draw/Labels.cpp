//===- Labels.cpp - Places for labels -------------------------------------===//

#include "bench/draw/Labels.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace kfuse {
namespace {

/// Checks whether a side of `one` separates the two rectangles.
bool isSeparated(const LabelBox &one, const LabelBox &other) {
  const double cosine = std::cos(one.angle), sine = std::sin(one.angle);
  double left = 1e300, right = -1e300, top = 1e300, bottom = -1e300;
  for (const auto &[x, y] : other.corners()) {
    const double along = (x - one.x) * cosine + (y - one.y) * sine;
    const double across = (y - one.y) * cosine - (x - one.x) * sine;
    left = std::min(left, along);
    right = std::max(right, along);
    top = std::min(top, across);
    bottom = std::max(bottom, across);
  }
  return left > one.halfWidth || right < -one.halfWidth ||
         top > one.halfHeight || bottom < -one.halfHeight;
}

/// Returns a character's width as a part of the font size.
double widthOf(char c) {
  constexpr std::string_view Narrow = "iljtfr.,:;|!'()[] I/";
  constexpr std::string_view Wide = "mwMW%@&";
  if (Narrow.find(c) != Narrow.npos)
    return 0.38;
  if (Wide.find(c) != Wide.npos)
    return 0.95;
  return c >= 'A' && c <= 'Z' ? 0.72 : 0.62;
}

/// Returns the rectangle that a line is, a little wider than it is drawn.
LabelBox boxAround(double x1, double y1, double x2, double y2) {
  return {(x1 + x2) / 2, (y1 + y2) / 2, std::hypot(x2 - x1, y2 - y1) / 2, 1,
          std::atan2(y2 - y1, x2 - x1)};
}

} // namespace

std::array<std::pair<double, double>, 4> LabelBox::corners() const {
  const double cosine = std::cos(angle), sine = std::sin(angle);
  const auto corner = [&](double along, double across) {
    return std::pair(x + along * cosine - across * sine,
                     y + along * sine + across * cosine);
  };
  return {corner(-halfWidth, -halfHeight), corner(halfWidth, -halfHeight),
          corner(halfWidth, halfHeight), corner(-halfWidth, halfHeight)};
}

bool overlap(const LabelBox &one, const LabelBox &other) {
  return !isSeparated(one, other) && !isSeparated(other, one);
}

double textWidth(const std::string &text, double fontSize) {
  double width = 0;
  for (const char c : text)
    if ((c & '\xC0') == '\xC0') // the first byte of a character beyond ASCII
      width += 1;
    else if ((c & '\x80') == 0)
      width += widthOf(c);
  return width * fontSize;
}

void LabelPlacer::avoidLine(double x1, double y1, double x2, double y2) {
  Lines.push_back({boxAround(x1, y1, x2, y2), false, ""});
}

void LabelPlacer::refuseLine(double x1, double y1, double x2, double y2,
                             const std::string &group) {
  Lines.push_back({boxAround(x1, y1, x2, y2), true, group});
}

std::optional<unsigned> LabelPlacer::crossings(const LabelBox &box,
                                               LabelKind kind,
                                               const std::string &group) const {
  for (const auto &[x, y] : box.corners())
    if (std::abs(x - Area.x) > Area.halfWidth ||
        std::abs(y - Area.y) > Area.halfHeight)
      return std::nullopt;
  for (const LabelBox &other : Occupied)
    if (overlap(box, other))
      return std::nullopt;
  unsigned count = 0;
  for (const Line &line : Lines) {
    if (!overlap(box, line.box))
      continue;
    constexpr double Slight = 0.1; // radians
    constexpr unsigned Hidden = 10;
    const bool isAlong =
        std::abs(std::sin(line.box.angle - box.angle)) < Slight;
    if ((isAlong || line.isRefused) && kind == LabelKind::Name &&
        (group.empty() || line.group != group))
      return std::nullopt;
    count += isAlong ? Hidden : 1;
  }
  return count;
}

std::optional<std::size_t>
LabelPlacer::place(const std::vector<LabelBox> &places, LabelKind kind,
                   const std::string &group) {
  std::optional<std::size_t> best;
  unsigned fewest = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::optional<unsigned> count = crossings(places[i], kind, group);
    if (!count || (best && *count >= fewest))
      continue;
    best = i;
    fewest = *count;
    if (fewest == 0)
      break;
  }
  if (best)
    occupy(places[*best]);
  return best;
}

} // namespace kfuse
