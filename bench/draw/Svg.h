//===- Svg.h - Elements of an SVG picture ---------------------------------===//
#ifndef KFUSE_BENCH_DRAW_SVG_H
#define KFUSE_BENCH_DRAW_SVG_H

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kfuse {

/// Returns the text on one line, with what XML forbids and what a terminal
/// would obey replaced by U+FFFD.
std::string cleanText(std::string_view text);
/// Returns the text as content of an element or of an attribute in quotes.
std::string escapedXml(std::string_view text);
/// Returns at most `count` characters of a text, the last of them an ellipsis
/// if something is left out.
std::string shortened(const std::string &text, std::size_t count);
/// Returns a coordinate, to a tenth of a pixel.
std::string pixels(double value);

struct SvgAttribute {
  const char *name;
  std::string value; ///< not escaped yet
};

/// Writes elements one after another, indented.
class SvgWriter {
public:
  using Attributes = std::vector<SvgAttribute>;

  void open(const char *name, const Attributes &attributes = {});
  void close();
  /// Writes an element with a text, or an empty one.
  void add(const char *name, const Attributes &attributes,
           const std::string &text = "");
  /// Writes a text that is markup itself, such as a style.
  void raw(std::string_view markup);

  const std::string &text() const { return Text; }

private:
  void begin(const char *name, const Attributes &attributes);

  std::string Text;
  std::vector<const char *> Open;
};

/// Returns the attribute `d` of a line through the points.
std::string pathThrough(const std::vector<std::pair<double, double>> &points);

} // namespace kfuse

#endif
