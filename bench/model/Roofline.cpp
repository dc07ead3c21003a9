//===- Roofline.cpp - The roofline model ----------------------------------===//

#include "bench/model/Roofline.h"

#include <algorithm>
#include <limits>

namespace kfuse {

double intensityOf(const Workload &work) {
  return work.bytes > 0 ? work.operations / work.bytes
                        : std::numeric_limits<double>::infinity();
}

double Roofline::secondsOf(const Workload &work) const {
  return std::max(work.operations * tauFlop, work.bytes * tauMem);
}

double Roofline::performanceAt(double intensity) const {
  return peak() * std::min(intensity / balance(), 1.0);
}

} // namespace kfuse
