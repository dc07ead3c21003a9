//===- DotWriter.h - Graphviz text, piece by piece ------------------------===//
#ifndef KFUSE_FUSION_REPORT_DOTWRITER_H
#define KFUSE_FUSION_REPORT_DOTWRITER_H

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kfuse {

/// `name="value"` pairs; values are escaped when written.
using DotAttributes = std::vector<std::pair<const char *, std::string>>;

/// A directed graph being written. Names of nodes are the caller's, made of
/// letters and digits; labels may be any text.
class DotWriter {
public:
  DotWriter(std::string_view name, std::string_view title);

  void node(const std::string &name, const DotAttributes &attributes);
  void edge(const std::string &from, const std::string &to,
            const DotAttributes &attributes = {});
  void openCluster(const std::string &name, const DotAttributes &attributes);
  void closeCluster();
  /// Closes the graph.
  std::string finish();

private:
  void line(const std::string &text);

  std::string Text;
  unsigned Depth = 1;
};

/// Formats seconds as `12.3 µs`.
std::string timeText(double seconds);
/// Formats bytes as `64 MiB`.
std::string sizeText(double bytes);
/// Returns `text` on one line, cut to `length` characters with an ellipsis if
/// it is longer.
std::string shortText(std::string_view text, std::size_t length);

} // namespace kfuse

#endif
