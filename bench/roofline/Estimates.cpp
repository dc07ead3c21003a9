//===- Estimates.cpp - A number and how well it is known ------------------===//

#include "bench/roofline/Estimates.h"

#include "bench/Statistics.h"

#include <algorithm>
#include <cmath>

namespace kfuse {
namespace {

/// Returns the quantile of sorted samples, between the two nearest.
double quantileOf(const std::vector<double> &sorted, double part) {
  const double at = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double weight = at - static_cast<double>(below);
  return sorted[below] * (1 - weight) + sorted[above] * weight;
}

double relative(double difference, double value) {
  return value == 0 ? 0 : std::abs(difference / value);
}

} // namespace

Estimate medianOf(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  constexpr double Lower = 0.25, Middle = 0.5, Upper = 0.75;
  const double median = quantileOf(samples, Middle);
  const double range = quantileOf(samples, Upper) - quantileOf(samples, Lower);
  return {median, relative(range / 2, median)};
}

Estimate highestOf(const std::vector<double> &samples) {
  const Summary summary = summarise(samples);
  return {summary.most, relative(summary.most - summary.median, summary.most)};
}

Estimate lowestOf(const std::vector<double> &samples) {
  const Summary summary = summarise(samples);
  return {summary.least,
          relative(summary.median - summary.least, summary.least)};
}

} // namespace kfuse
