//===- Numbers.cpp - Numbers as people read them --------------------------===//

#include "bench/Numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace kfuse {
namespace {

std::string printed(const char *format, double value) {
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

/// Returns the value in three digits: 999.9 needs the prefix of 1000.
double roundedTo3(double value) {
  return std::strtod(printed("%.2e", value).c_str(), nullptr);
}

} // namespace

std::string siText(double value, const std::string &unit) {
  constexpr std::array<const char *, 17> Prefixes = {
      "y", "z", "a", "f", "p", "n", "µ", "m", "",
      "k", "M", "G", "T", "P", "E", "Z", "Y"};
  constexpr int Unprefixed = 8;
  if (value == 0)
    return "0 " + unit;
  const double rounded = roundedTo3(value);
  // Slightly more, so that the logarithm of 1000 isn't less than 3.
  const int power =
      static_cast<int>(std::floor(std::log10(rounded) / 3 + 1e-9));
  const int prefix = power + Unprefixed;
  if (power < -Unprefixed || power > Unprefixed)
    return printed("%.3g", value) + " " + unit;
  return printed("%.3g", rounded / std::pow(1000, power)) + " " +
         Prefixes[static_cast<std::size_t>(prefix)] + unit;
}

std::string bytesText(double bytes) {
  constexpr std::array<const char *, 7> Units = {"B",   "KiB", "MiB", "GiB",
                                                 "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  // From 1000 on, three digits don't do.
  for (; roundedTo3(bytes) >= 1000 && unit + 1 < Units.size(); ++unit)
    bytes /= 1024;
  return printed("%.3g", bytes) + " " + Units[unit];
}

std::string numberText(double value) {
  const double rounded = roundedTo3(value);
  return printed(rounded >= 1000 && rounded < 1e5 ? "%.0f" : "%.3g", rounded);
}

std::string powerText(double value) {
  const int exponent = static_cast<int>(std::floor(std::log10(value) + 1e-9));
  if (exponent >= -3 && exponent <= 4)
    return printed("%g", value);
  constexpr std::array<const char *, 10> Raised = {"⁰", "¹", "²", "³", "⁴",
                                                   "⁵", "⁶", "⁷", "⁸", "⁹"};
  const std::string digits = printed("%.3g", value / std::pow(10, exponent));
  std::string text = (digits == "1" ? "10" : digits + "·10");
  if (exponent < 0)
    text += "⁻";
  for (const char digit : std::to_string(std::abs(exponent)))
    text += Raised[static_cast<std::size_t>(digit - '0')];
  return text;
}

std::string percentText(double share) {
  const double percent = 100 * share;
  return printed(percent < 9.95 ? "%.2g" : "%.0f", percent) + " %";
}

} // namespace kfuse
