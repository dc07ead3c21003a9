//===- Statistics.cpp - What repeated measurements say --------------------===//

#include "bench/Statistics.h"

#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace kfuse {
namespace {

double meanOf(const std::vector<double> &samples) {
  return std::accumulate(samples.begin(), samples.end(), 0.0) /
         static_cast<double>(samples.size());
}

/// Returns the standard deviation of a sample, with n - 1 degrees of freedom.
double deviationOf(const std::vector<double> &samples, double mean) {
  if (samples.size() < 2)
    return 0;
  const double squares = std::accumulate(
      samples.begin(), samples.end(), 0.0, [mean](double sum, double each) {
        return sum + (each - mean) * (each - mean);
      });
  return std::sqrt(squares / static_cast<double>(samples.size() - 1));
}

} // namespace

Summary summarise(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  Summary summary;
  summary.count = samples.size();
  summary.mean = meanOf(samples);
  const std::size_t middle = samples.size() / 2;
  summary.median = samples.size() % 2 == 1
                       ? samples[middle]
                       : (samples[middle - 1] + samples[middle]) / 2;
  summary.least = samples.front();
  summary.most = samples.back();
  summary.deviation = deviationOf(samples, summary.mean);
  return summary;
}

Ratio pairedRatio(const std::vector<double> &slower,
                  const std::vector<double> &faster) {
  std::vector<double> logarithms;
  for (std::size_t i = 0; i < slower.size(); ++i)
    logarithms.push_back(std::log(slower[i] / faster[i]));
  const double mean = meanOf(logarithms);
  Ratio ratio{std::exp(mean), std::numeric_limits<double>::infinity()};
  if (logarithms.size() < 2)
    return ratio;
  const auto count = static_cast<double>(logarithms.size());
  constexpr double Tail = 0.025; // of each side
  const boost::math::students_t distribution(count - 1);
  const double quantile =
      boost::math::quantile(boost::math::complement(distribution, Tail));
  const double half =
      quantile * deviationOf(logarithms, mean) / std::sqrt(count);
  // The wider side of an interval that is symmetric in logarithms.
  ratio.halfWidth = ratio.value * std::expm1(half);
  return ratio;
}

} // namespace kfuse
