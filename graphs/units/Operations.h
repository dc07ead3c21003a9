//===- Operations.h - Arithmetic by the unit that does it -----------------===//
#ifndef KFUSE_GRAPHS_UNITS_OPERATIONS_H
#define KFUSE_GRAPHS_UNITS_OPERATIONS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>

namespace kfuse {

/// Units of a device that compute, each with a rate of its own. `Special` has
/// approximations of functions of fp32: reciprocals, roots, exponentials.
enum class ArithmeticUnit : std::uint8_t { Fp32, Fp64, Half, Int32, Special };
inline constexpr std::size_t ArithmeticUnitCount = 5;
/// Their names in device files.
inline constexpr std::array<const char *, ArithmeticUnitCount>
    ArithmeticUnitNames = {"fp32", "fp64", "half", "int32", "special"};

/// Numbers of operations, by unit. A multiply-add is two.
struct Operations {
  std::array<double, ArithmeticUnitCount> counts{};

  double &operator[](ArithmeticUnit unit) {
    return counts[static_cast<std::size_t>(unit)];
  }
  double operator[](ArithmeticUnit unit) const {
    return counts[static_cast<std::size_t>(unit)];
  }
  Operations &operator+=(const Operations &other) {
    for (std::size_t i = 0; i < counts.size(); ++i)
      counts[i] += other.counts[i];
    return *this;
  }
  Operations operator*(double times) const {
    Operations result = *this;
    for (double &count : result.counts)
      count *= times;
    return result;
  }
  double total() const {
    return std::accumulate(counts.begin(), counts.end(), 0.0);
  }
};

} // namespace kfuse

#endif
