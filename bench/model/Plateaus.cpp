//===- Plateaus.cpp - Where a curve is level ----------------------------===//

#include "bench/model/Plateaus.h"

#include <algorithm>
#include <cstddef>

namespace kfuse {
namespace {

using Points = std::vector<std::array<double, 2>>;

constexpr std::size_t LeastPoints = 3;
constexpr double Tolerance = 1.15; // the largest value by the smallest

double medianOf(const Points &points, std::size_t begin, std::size_t end) {
  std::vector<double> values;
  for (std::size_t i = begin; i < end; ++i)
    values.push_back(points[i][1]);
  const auto middle =
      values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Returns where the plateau that begins at a point ends.
std::size_t endOf(const Points &points, std::size_t begin, std::size_t end) {
  double least = points[begin][1], most = least;
  for (std::size_t i = begin; i < end; ++i) {
    least = std::min(least, points[i][1]);
    most = std::max(most, points[i][1]);
    if (most > Tolerance * least)
      return i;
  }
  return end;
}

/// Adds the longest plateau from `begin` to `end`, and those beside it.
void addPlateaus(const Points &points, std::size_t begin, std::size_t end,
                 std::vector<Plateau> &plateaus) {
  std::size_t first = begin, last = begin;
  for (std::size_t at = begin; at < end; ++at) {
    const std::size_t stop = endOf(points, at, end);
    if (stop - at > last - first) {
      first = at;
      last = stop;
    }
    if (stop == end)
      break; // later ones are shorter
  }
  if (last - first < LeastPoints)
    return;
  addPlateaus(points, begin, first, plateaus);
  plateaus.push_back(
      {points[first][0], points[last - 1][0], medianOf(points, first, last)});
  addPlateaus(points, last, end, plateaus);
}

} // namespace

std::vector<Plateau>
plateausOf(const std::vector<std::array<double, 2>> &points) {
  std::vector<Plateau> plateaus;
  addPlateaus(points, 0, points.size(), plateaus);
  return plateaus;
}

} // namespace kfuse
