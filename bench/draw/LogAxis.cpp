//===- LogAxis.cpp - Logarithmic axes -------------------------------------===//

#include "bench/draw/LogAxis.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace kfuse {

double LogAxis::at(double value) const {
  return begin +
         (end - begin) * std::log(value / least) / std::log(most / least);
}

double LogAxis::pixelsOf(double factor) const {
  return std::abs(end - begin) * std::log(factor) / std::log(most / least);
}

std::vector<double> LogAxis::powers(double base, double apart) const {
  const int step =
      std::max(1, static_cast<int>(std::ceil(apart / pixelsOf(base))));
  // A power at the very end of the axis counts, whatever rounding does.
  constexpr double Slack = 1e-9;
  const double scale = std::log(base) * step;
  const int first =
      static_cast<int>(std::ceil(std::log(least) / scale - Slack));
  const int last = static_cast<int>(std::floor(std::log(most) / scale + Slack));
  std::vector<double> values;
  for (int i = first; i <= last; ++i)
    values.push_back(std::pow(base, i * step));
  return values;
}

std::vector<double> LogAxis::decimals(double apart) const {
  constexpr double Ten = 10, Digits[] = {1, 2, 5};
  constexpr std::size_t Few = 2;
  std::vector<double> values = powers(Ten, apart);
  if (values.size() > Few)
    return values;
  values.clear();
  const LogAxis wider{least / Ten, most, begin, end};
  for (const double power : wider.powers(Ten, 0))
    for (const double digit : Digits)
      if (holds(digit * power))
        values.push_back(digit * power);
  return values;
}

} // namespace kfuse
