//===- DotWriter.cpp - Graphviz text, piece by piece ----------------------===//

#include "fusion/report/DotWriter.h"

#include <array>
#include <cstdio>
#include <iterator>

namespace kfuse {
namespace {

/// Escapes quotes and backslashes in `text`. Line ends in labels stay line
/// ends; other control characters are dropped.
std::string escaped(std::string_view text) {
  std::string result;
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    if (c == '\n')
      result += "\\n";
    else if (static_cast<unsigned char>(c) >= ' ')
      result += c;
  }
  return result;
}

std::string listed(const DotAttributes &attributes) {
  std::string result;
  for (const auto &[name, value] : attributes)
    result += (result.empty() ? "" : ", ") + std::string(name) + "=\"" +
              escaped(value) + '"';
  return result;
}

/// Formats `value` with three significant digits and the unit.
std::string rounded(double value, const char *unit) {
  std::array<char, 48> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.3g %s", value, unit);
  return buffer.data();
}

} // namespace

DotWriter::DotWriter(std::string_view name, std::string_view title) {
  Text = "digraph " + std::string(name) + " {\n";
  line("label=\"" + escaped(title) + "\"");
  line("labelloc=t; fontname=\"Helvetica\"; fontsize=16; compound=true");
  line("ranksep=0.35; nodesep=0.25; rankdir=TB");
  line("node [fontname=\"Helvetica\", fontsize=11, height=0.3]");
  line("edge [fontname=\"Helvetica\", fontsize=9, arrowsize=0.7]");
}

void DotWriter::node(const std::string &name, const DotAttributes &attributes) {
  line(name + " [" + listed(attributes) + "]");
}

void DotWriter::edge(const std::string &from, const std::string &to,
                     const DotAttributes &attributes) {
  line(from + " -> " + to +
       (attributes.empty() ? "" : " [" + listed(attributes) + "]"));
}

void DotWriter::openCluster(const std::string &name,
                            const DotAttributes &attributes) {
  line("subgraph cluster_" + name + " {");
  ++Depth;
  for (const auto &attribute : attributes)
    line(listed({attribute}));
}

void DotWriter::closeCluster() {
  --Depth;
  line("}");
}

std::string DotWriter::finish() {
  Text += "}\n";
  return std::move(Text);
}

void DotWriter::line(const std::string &text) {
  Text += std::string(2UL * Depth, ' ') + text + '\n';
}

std::string timeText(double seconds) {
  // 999.9 µs are 1000 in three digits, which are written as 1 ms.
  constexpr double Most = 999.5;
  if (seconds * 1e6 < Most)
    return rounded(seconds * 1e6, "µs");
  return seconds * 1e3 < Most ? rounded(seconds * 1e3, "ms")
                              : rounded(seconds, "s");
}

std::string sizeText(double bytes) {
  static constexpr const char *Units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  // From 1000 on, three digits don't do.
  while (bytes >= 999.5 && unit + 1 < std::size(Units)) {
    bytes /= 1024;
    ++unit;
  }
  return rounded(bytes, Units[unit]);
}

std::string shortText(std::string_view text, std::size_t length) {
  std::string result;
  for (char c : text) {
    bool isSpace = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!isSpace)
      result += c;
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  }
  if (result.size() <= length)
    return result;
  // Never cut inside a character of several bytes.
  while (length > 0 &&
         (static_cast<unsigned char>(result[length]) & 0xC0U) == 0x80U)
    --length;
  return result.substr(0, length) + "…";
}

} // namespace kfuse
