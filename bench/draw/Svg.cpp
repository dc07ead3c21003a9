//===- Svg.cpp - Elements of an SVG picture -------------------------------===//

#include "bench/draw/Svg.h"

#include <array>
#include <cstdio>

namespace kfuse {
namespace {

constexpr std::string_view Replacement = "\xEF\xBF\xBD";

bool isContinuation(char c) { return (c & '\xC0') == '\x80'; }

} // namespace

std::string cleanText(std::string_view text) {
  std::string clean;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    const char c = text[i];
    // U+FFFE and U+FFFF, and the controls from U+0080 to U+009F.
    const bool isNoCharacter =
        rest.starts_with("\xEF\xBF\xBE") || rest.starts_with("\xEF\xBF\xBF");
    const bool isControl2 =
        c == '\xC2' && rest.size() > 1 && (rest[1] & '\xE0') == '\x80';
    if (isNoCharacter || isControl2) {
      clean += Replacement;
      i += isNoCharacter ? 2 : 1;
    } else if (static_cast<unsigned char>(c) < ' ' || c == '\x7F') {
      clean += c == '\n' || c == '\t' ? std::string_view(" ") : Replacement;
    } else {
      clean += c;
    }
  }
  return clean;
}

std::string escapedXml(std::string_view text) {
  std::string escaped;
  for (const char c : text)
    switch (c) {
    case '&':
      escaped += "&amp;";
      break;
    case '<':
      escaped += "&lt;";
      break;
    case '>':
      escaped += "&gt;";
      break;
    case '"':
      escaped += "&quot;";
      break;
    default:
      escaped += c;
    }
  return escaped;
}

std::string shortened(const std::string &text, std::size_t count) {
  std::size_t characters = 0, cut = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (isContinuation(text[i]))
      continue;
    if (++characters == count)
      cut = i;
  }
  return characters <= count ? text : text.substr(0, cut) + "…";
}

std::string pixels(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f", value);
  return text.data();
}

void SvgWriter::begin(const char *name, const Attributes &attributes) {
  Text += std::string(2 * Open.size(), ' ') + "<" + name;
  for (const SvgAttribute &attribute : attributes)
    Text += std::string(" ") + attribute.name + "=\"" +
            escapedXml(attribute.value) + "\"";
}

void SvgWriter::open(const char *name, const Attributes &attributes) {
  begin(name, attributes);
  Text += ">\n";
  Open.push_back(name);
}

void SvgWriter::close() {
  const char *name = Open.back();
  Open.pop_back();
  Text += std::string(2 * Open.size(), ' ') + "</" + name + ">\n";
}

void SvgWriter::add(const char *name, const Attributes &attributes,
                    const std::string &text) {
  begin(name, attributes);
  Text += text.empty() ? "/>\n" : ">" + escapedXml(text) + "</" + name + ">\n";
}

void SvgWriter::raw(std::string_view markup) { Text += markup; }

std::string pathThrough(const std::vector<std::pair<double, double>> &points) {
  std::string path;
  for (const auto &[x, y] : points)
    path += (path.empty() ? "M" : " L") + pixels(x) + " " + pixels(y);
  return path;
}

} // namespace kfuse
