//===- Units.cpp - Quantities with their units ----------------------------===//

#include "fusion/report/Units.h"

#include <array>
#include <cstdio>

namespace kfuse {
namespace {

std::string formatted(const char *format, double value) {
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), format, value);
  return buffer.data();
}

} // namespace

std::string microseconds(double seconds) {
  constexpr double MicrosecondsPerSecond = 1e6;
  return formatted("%.1f us", seconds * MicrosecondsPerSecond);
}

std::string megabytes(double bytes) {
  constexpr double BytesPerMegabyte = 1e6;
  return formatted("%.1f MB", bytes / BytesPerMegabyte);
}

} // namespace kfuse
