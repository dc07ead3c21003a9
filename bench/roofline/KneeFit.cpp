//===- KneeFit.cpp - Bandwidth over the bytes in flight -------------------===//

#include "bench/roofline/KneeFit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace kfuse {
namespace {

/// Logarithms of the bandwidth, the latency, and the knee less 1: so all three
/// are free, and a knee is above 1.
using Parameters = std::array<double, 3>;

KneeFit fitOf(const Parameters &parameters) {
  constexpr double MostKnee = 100;
  return {std::exp(parameters[0]), std::exp(parameters[1]),
          std::min(MostKnee, 1 + std::exp(parameters[2])), 0};
}

/// Returns the mean of the residuals, squared where they are small and linear
/// beyond, so that a disturbed point pulls no harder than others.
double lossOf(const std::vector<CurvePoint> &curve,
              const Parameters &parameters) {
  constexpr double Bend = 0.1;
  const KneeFit fit = fitOf(parameters);
  double sum = 0;
  for (const CurvePoint &point : curve) {
    const double off = std::abs(std::log(point.y / bandwidthAt(fit, point.x)));
    sum += off < Bend ? off * off : Bend * (2 * off - Bend);
  }
  return sum / static_cast<double>(curve.size());
}

/// Finds a least loss from a start, by trying steps along each axis and halving
/// them.
Parameters descend(const std::vector<CurvePoint> &curve, Parameters at) {
  double loss = lossOf(curve, at);
  constexpr double Coarse = 0.5, Fine = 1e-5;
  for (double step = Coarse; step > Fine; step /= 2)
    for (bool isBetter = true; isBetter;) {
      isBetter = false;
      for (double &parameter : at)
        for (const double change : {step, -step}) {
          parameter += change;
          const double changed = lossOf(curve, at);
          if (changed < loss) {
            loss = changed;
            isBetter = true;
          } else {
            parameter -= change;
          }
        }
    }
  return at;
}

} // namespace

double bandwidthAt(const KneeFit &fit, double bytes) {
  const double supply = bytes / (fit.bandwidth * fit.latency);
  return fit.bandwidth /
         std::pow(1 + std::pow(supply, -fit.knee), 1 / fit.knee);
}

std::optional<KneeFit> fitKnee(const std::vector<CurvePoint> &curve) {
  constexpr std::size_t LeastPoints = 5;
  if (curve.size() < LeastPoints)
    return std::nullopt;
  const auto highest =
      std::max_element(curve.begin(), curve.end(),
                       [](const CurvePoint &one, const CurvePoint &other) {
                         return one.y < other.y;
                       });
  // The slope at few bytes in flight gives the latency.
  const CurvePoint &few = curve.front();
  constexpr double WellBelow = 0.5;
  if (few.y > WellBelow * highest->y)
    return std::nullopt;
  const Parameters start = {std::log(highest->y), std::log(few.x / few.y), 0};
  const Parameters found = descend(curve, start);
  KneeFit fit = fitOf(found);
  // A bandwidth that no point is near is only guessed.
  constexpr double Near = 0.8;
  if (highest->y < Near * fit.bandwidth)
    return std::nullopt;
  const double squares =
      std::accumulate(curve.begin(), curve.end(), 0.0,
                      [&](double sum, const CurvePoint &point) {
                        const double off =
                            std::log(point.y / bandwidthAt(fit, point.x));
                        return sum + off * off;
                      });
  fit.residual = std::sqrt(squares / static_cast<double>(curve.size()));
  return fit;
}

} // namespace kfuse
