//===- TimeText.h - Times for people --------------------------------------===//
#ifndef KFUSE_BENCH_TIMETEXT_H
#define KFUSE_BENCH_TIMETEXT_H

#include <string>

namespace kfuse {

/// Returns a time in the unit that suits `like`: "0.3 ms" beside 12.3 ms.
std::string timeText(double seconds, double like);
/// Returns a time in the unit that suits it: "12.3 ms".
inline std::string timeText(double seconds) {
  return timeText(seconds, seconds);
}

} // namespace kfuse

#endif
