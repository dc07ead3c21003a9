//===- Sheet.h - A picture's frame, colours and legend --------------------===//
#ifndef KFUSE_BENCH_DRAW_SHEET_H
#define KFUSE_BENCH_DRAW_SHEET_H

#include "bench/draw/Labels.h"
#include "bench/draw/LogAxis.h"
#include "bench/draw/Svg.h"
#include "bench/model/Roofs.h"

#include <string>
#include <vector>

namespace kfuse {

constexpr double FontSize = 13;
constexpr double SheetWidth = 800;

/// The two axes of a plot; pixels of y grow downwards.
struct PlotFrame {
  LogAxis x, y;

  double left() const { return x.begin; }
  double right() const { return x.end; }
  double top() const { return y.end; }
  double bottom() const { return y.begin; }
  LabelBox area() const;
};

/// Returns the class that gives a level or a unit its colour.
std::string colourOf(RoofKind kind, const std::string &place);

/// One sign of the legend, and what it means.
struct LegendItem {
  enum Sign { Solid, Dashed, Disc, Ring, Diamond, Arrow, Above, Number };
  Sign sign = Solid;
  std::string colour; ///< a class
  std::string text;
  std::string number = {};
};

/// Writes an SVG picture from top to bottom. Its content comes first, since the
/// height follows from it.
class Sheet {
public:
  /// `title` and `description` are for who can't see it.
  Sheet(std::string title, std::string description);

  SvgWriter &svg() { return Content; }
  /// Writes a heading at the top. If the text is a list, the first of it is
  /// large.
  void heading(const std::string &text);
  /// Writes the grid, the ticks and the names of the axes. The powers of `x`
  /// are of ten, or of four for bytes.
  void axes(const PlotFrame &frame, const std::string &xName,
            const std::string &yName, const std::string &yUnit, bool isBytes);
  /// Writes a text whose middle is at a place, turned by an angle.
  void label(const LabelBox &box, const std::string &text,
             const std::string &colour);
  /// Writes the items in rows from `y` downwards; returns where they end.
  double legend(const std::vector<LegendItem> &items, double y);
  /// Writes a text in lines from `y` downwards; returns where they end.
  double note(const std::string &text, double y);

  /// Returns the picture, which ends at `height`.
  std::string finished(double height) const;

private:
  void sign(const LegendItem &item, double x, double y);

  std::string Title, Description;
  SvgWriter Content;
};

/// Writes a marker with its middle at a place.
void drawMarker(SvgWriter &svg, LegendItem::Sign sign, double x, double y,
                bool isHollow);

} // namespace kfuse

#endif
