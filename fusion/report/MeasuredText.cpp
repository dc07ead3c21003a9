//===- MeasuredText.cpp - Times, and how they are known -------------------===//

#include "fusion/report/MeasuredText.h"

#include "fusion/report/Units.h"

namespace kfuse {

std::string measuredText(const MeasuredTime &time, double added) {
  if (time.min == time.max)
    return "measured";
  return "measured, " + microseconds(added + time.min) + " to " +
         microseconds(added + time.max);
}

std::string timeAndOrigin(const Projection &kernel) {
  const std::string how =
      kernel.measured ? measuredText(*kernel.measured,
                                     kernel.seconds - kernel.measured->median)
                      : "projected";
  return microseconds(kernel.seconds) + " (" + how + ")";
}

std::string sumAndOrigin(const std::vector<Projection> &kernels) {
  MeasuredTime sum;
  double seconds = 0;
  std::size_t measured = 0;
  for (const Projection &kernel : kernels) {
    seconds += kernel.seconds;
    if (!kernel.measured)
      continue;
    ++measured;
    sum.median += kernel.measured->median;
    sum.min += kernel.measured->min;
    sum.max += kernel.measured->max;
  }
  const std::string text = microseconds(seconds);
  if (measured == 0)
    return text;
  return text + " (" +
         (measured == kernels.size() ? measuredText(sum, seconds - sum.median)
                                     : std::string("partly measured")) +
         ")";
}

} // namespace kfuse
