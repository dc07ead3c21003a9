//===- Plateaus.cpp - The levels of a memory in a curve -------------------===//

#include "bench/roofline/Plateaus.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kfuse {
namespace {

/// Noise below this isn't believed: real plateaus aren't that flat.
constexpr double LeastNoise = 0.03;
/// A piece that changes by less an octave of x is flat.
constexpr double FlatSlope = 0.1;
/// Plateaus that are closer than this are one.
constexpr double LeastDrop = 1.25;
constexpr std::size_t LeastPoints = 3;

struct LogPoint {
  double x, y;       ///< octaves; natural logarithm
  double spread = 0; ///< of y
};

/// A straight piece of the curve.
struct Piece {
  std::size_t first = 0, last = 0;
  double slope = 0; ///< 0 if it is flat
};

double middleOf(std::vector<double> values) {
  const auto middle =
      values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Returns the standard deviation of the noise, from how far points are from
/// the line through their neighbours; steps are outliers to the median.
double noiseOf(const std::vector<LogPoint> &points) {
  std::vector<double> residuals;
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    const LogPoint &one = points[i - 1], &other = points[i + 1];
    const double part = (points[i].x - one.x) / (other.x - one.x);
    residuals.push_back(
        std::abs(points[i].y - one.y * (1 - part) - other.y * part));
  }
  if (residuals.empty())
    return LeastNoise;
  // The quartile is that of a normal distribution; a residual is the sum of a
  // deviate and two halved ones.
  constexpr double Quartile = 0.6745, Deviates = 1.2247;
  return std::max(LeastNoise, middleOf(residuals) / Quartile / Deviates);
}

/// Sums over the points up to each, for residuals of lines through any range.
/// Residuals are in units of a point's noise: that of the curve, or its own if
/// that is more.
class RangeSums {
public:
  RangeSums(const std::vector<LogPoint> &points, double noise)
      : Sums(points.size() + 1) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto [x, y, spread] = points[i];
      const double own = std::max(noise, spread), weight = 1 / (own * own);
      const Row &last = Sums[i];
      Sums[i + 1] = {last.count + weight,      last.x + weight * x,
                     last.y + weight * y,      last.xx + weight * x * x,
                     last.xy + weight * x * y, last.yy + weight * y * y};
    }
  }

  /// Returns the squared residuals of the mean.
  double flat(std::size_t first, std::size_t last) const {
    const Row row = range(first, last);
    return std::max(0.0, row.yy - row.y * row.y / row.count);
  }
  double slope(std::size_t first, std::size_t last) const {
    const Row row = range(first, last);
    return (row.xy - row.x * row.y / row.count) /
           (row.xx - row.x * row.x / row.count);
  }
  /// Returns the squared residuals of the best line.
  double sloped(std::size_t first, std::size_t last) const {
    const Row row = range(first, last);
    const double along = slope(first, last);
    return std::max(0.0, flat(first, last) -
                             along * (row.xy - row.x * row.y / row.count));
  }

private:
  struct Row {
    double count = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
  };
  Row range(std::size_t first, std::size_t last) const {
    const Row &to = Sums[last + 1], &from = Sums[first];
    return {to.count - from.count, to.x - from.x,   to.y - from.y,
            to.xx - from.xx,       to.xy - from.xy, to.yy - from.yy};
  }
  std::vector<Row> Sums;
};

std::vector<Piece> piecesOf(const std::vector<LogPoint> &points) {
  const RangeSums sums(points, noiseOf(points));
  // A piece has a place and a level; one that slopes has an angle, too.
  const double charge = std::log(static_cast<double>(points.size()));
  const double flatCharge = 2 * charge, slopedCharge = 3 * charge;
  std::vector<double> least(points.size() + 1,
                            std::numeric_limits<double>::infinity());
  std::vector<Piece> best(points.size() + 1);
  least[0] = 0;
  for (std::size_t last = 0; last < points.size(); ++last)
    for (std::size_t first = 0; first <= last; ++first) {
      const double flat = least[first] + sums.flat(first, last) + flatCharge;
      if (flat < least[last + 1]) {
        least[last + 1] = flat;
        best[last + 1] = {first, last, 0};
      }
      if (last < first + 2)
        continue;
      const double sloped =
          least[first] + sums.sloped(first, last) + slopedCharge;
      if (sloped < least[last + 1]) {
        least[last + 1] = sloped;
        best[last + 1] = {first, last, sums.slope(first, last)};
      }
    }
  std::vector<Piece> pieces;
  for (std::size_t end = points.size(); end > 0; end = best[end].first)
    pieces.push_back(best[end]);
  std::reverse(pieces.begin(), pieces.end());
  return pieces;
}

/// Returns the points with each between its neighbours: one disturbed point
/// makes no piece, and steps stay where they are.
std::vector<LogPoint> withoutOutliers(const std::vector<LogPoint> &points) {
  std::vector<LogPoint> smooth = points;
  for (std::size_t i = 1; i + 1 < points.size(); ++i)
    smooth[i].y = middleOf({points[i - 1].y, points[i].y, points[i + 1].y});
  return smooth;
}

double medianBetween(const std::vector<CurvePoint> &curve, std::size_t first,
                     std::size_t last) {
  std::vector<double> values;
  for (std::size_t i = first; i <= last; ++i)
    values.push_back(curve[i].y);
  return middleOf(values);
}

bool isWide(const std::vector<CurvePoint> &curve, const Piece &piece) {
  constexpr double Octave = 2;
  return piece.last - piece.first + 1 >= LeastPoints &&
         curve[piece.last].x >= Octave * curve[piece.first].x;
}

/// Joins the two neighbours that are closest, if they are closer than `ratio`.
bool joinClosest(const std::vector<CurvePoint> &curve,
                 std::vector<Plateau> &plateaus, double ratio) {
  std::size_t which = 0;
  double closest = ratio;
  for (std::size_t i = 1; i < plateaus.size(); ++i) {
    const double drop = plateaus[i - 1].value / plateaus[i].value;
    if (drop < closest) {
      closest = drop;
      which = i;
    }
  }
  if (which == 0)
    return false;
  Plateau &first = plateaus[which - 1];
  first.last = plateaus[which].last;
  first.value = medianBetween(curve, first.first, first.last);
  plateaus.erase(plateaus.begin() + static_cast<std::ptrdiff_t>(which));
  return true;
}

} // namespace

std::vector<Plateau> plateausOf(const std::vector<CurvePoint> &curve,
                                std::size_t most) {
  if (curve.empty() || most == 0)
    return {};
  std::vector<LogPoint> points;
  for (const CurvePoint &each : curve)
    points.push_back({std::log2(each.x), std::log(each.y), each.spread});
  std::vector<Plateau> plateaus;
  for (const Piece &piece : piecesOf(withoutOutliers(points)))
    if (std::abs(piece.slope) < FlatSlope && isWide(curve, piece))
      plateaus.push_back({piece.first, piece.last,
                          medianBetween(curve, piece.first, piece.last)});
  while (joinClosest(curve, plateaus, LeastDrop)) {
  }
  while (
      plateaus.size() > most &&
      joinClosest(curve, plateaus, std::numeric_limits<double>::infinity())) {
  }
  return plateaus;
}

Estimate edgeOf(const std::vector<CurvePoint> &curve, const Plateau &above,
                const Plateau &below) {
  const double half = std::sqrt(above.value * below.value);
  std::size_t i = above.last;
  while (i < below.first && curve[i].y > half)
    ++i;
  const CurvePoint &one = curve[i == 0 ? 0 : i - 1], &other = curve[i];
  const auto estimate = [&](double x) {
    return Estimate{x, (other.x - one.x) / 2 / x};
  };
  if (i == above.last)
    return estimate(other.x);
  const double part = std::log(one.y / half) / std::log(one.y / other.y);
  return estimate(one.x * std::pow(other.x / one.x, part));
}

} // namespace kfuse
