//===- TimeText.cpp - Times for people ------------------------------------===//

#include "bench/TimeText.h"

#include <array>
#include <cstdio>

namespace kfuse {

std::string timeText(double seconds, double like) {
  struct Unit {
    double seconds;
    const char *format;
  };
  constexpr std::array<Unit, 3> Units = {
      {{1, "%.3f s"}, {1e-3, "%.1f ms"}, {1e-6, "%.1f us"}}};
  const Unit *unit = &Units.front();
  while (unit != &Units.back() && like < unit->seconds)
    ++unit;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), unit->format,
                seconds / unit->seconds);
  return text.data();
}

} // namespace kfuse
