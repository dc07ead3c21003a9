//===- Labels.h - Places for labels ---------------------------------------===//
#ifndef KFUSE_BENCH_DRAW_LABELS_H
#define KFUSE_BENCH_DRAW_LABELS_H

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kfuse {

/// A rectangle around its centre, turned by an angle. Pixels and radians; y
/// grows downwards.
struct LabelBox {
  double x = 0, y = 0;
  double halfWidth = 0, halfHeight = 0;
  double angle = 0;

  std::array<std::pair<double, double>, 4> corners() const;
};

/// Checks whether two rectangles have a point in common.
bool overlap(const LabelBox &one, const LabelBox &other);

/// Returns the width of a text in pixels, as sans-serif fonts have it at most.
double textWidth(const std::string &text, double fontSize);

/// Says which lines a label may lie across.
enum class LabelKind {
  Name,   ///< none that runs along it, and none that is refused
  Number, ///< any
};

/// Finds places for labels, one after another, within an area.
class LabelPlacer {
public:
  explicit LabelPlacer(const LabelBox &area) : Area(area) {}

  /// No label will cover this.
  void occupy(const LabelBox &box) { Occupied.push_back(box); }
  /// Labels rather don't lie across this line.
  void avoidLine(double x1, double y1, double x2, double y2);
  /// No name will lie across this line, except those of its own group.
  void refuseLine(double x1, double y1, double x2, double y2,
                  const std::string &group = "");

  /// Returns which of the places is free and lies across the fewest lines, the
  /// first of equals, and occupies it. Nothing if no place is free.
  std::optional<std::size_t> place(const std::vector<LabelBox> &places,
                                   LabelKind kind,
                                   const std::string &group = "");

private:
  struct Line {
    LabelBox box;
    bool isRefused;
    std::string group;
  };
  /// Returns what lies below the box, in lines; nothing if it isn't free.
  std::optional<unsigned> crossings(const LabelBox &box, LabelKind kind,
                                    const std::string &group) const;

  LabelBox Area;
  std::vector<LabelBox> Occupied;
  std::vector<Line> Lines;
};

} // namespace kfuse

#endif
