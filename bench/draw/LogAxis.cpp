//===- LogAxis.cpp - Logarithmic axes -----------------------------------===//

#include "bench/draw/LogAxis.h"

#include <algorithm>
#include <cmath>

namespace kfuse {

double LogAxis::at(double value) const {
  return begin +
         (end - begin) * std::log(value / least) / std::log(most / least);
}

double LogAxis::pixelsOf(double factor) const {
  return std::abs(end - begin) * std::log(factor) / std::log(most / least);
}

std::vector<int> LogAxis::powers(double base, double apart) const {
  const int step =
      std::max(1, static_cast<int>(std::ceil(apart / pixelsOf(base))));
  // A power at the very end of the axis counts, whatever rounding does.
  constexpr double Slack = 1e-9;
  const double scale = std::log(base);
  const int first =
      static_cast<int>(std::ceil(std::log(least) / scale / step - Slack));
  const int last =
      static_cast<int>(std::floor(std::log(most) / scale / step + Slack));
  std::vector<int> exponents;
  for (int i = first; i <= last; ++i)
    exponents.push_back(i * step);
  return exponents;
}

} // namespace kfuse
