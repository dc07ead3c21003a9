//===- LinearProgram.h - The set-partition program ------------------------===//
//
// Minimise the cost of the columns taken so that each row is in one of them.
// Solved by COIN-OR's Clp and Cbc if kfuse was built with them.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_GA_EXACT_LINEARPROGRAM_H
#define KFUSE_GA_EXACT_LINEARPROGRAM_H

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace kfuse {

class SetPartitionProgram {
public:
  /// Makes a program without columns; returns nullptr if kfuse was built
  /// without a solver. Solvers have absolute tolerances, so they see costs as
  /// multiples of `unit`: a column should cost several of them.
  static std::unique_ptr<SetPartitionProgram> make(std::uint32_t rows,
                                                   double unit);
  virtual ~SetPartitionProgram() = default;

  virtual void addColumn(std::span<const std::uint32_t> rows, double cost) = 0;
  /// Rules out the solutions that take all of these columns, which are numbered
  /// in the order in which they were added.
  virtual void forbid(std::span<const std::size_t> columns) = 0;
  /// Solves the relaxation and returns the prices of the rows.
  virtual std::vector<double> solve() = 0;

  struct Choice {
    std::vector<std::size_t> columns; ///< none if no solution was found
    double bound = 0;                 ///< no solution costs less
    bool isOptimal = false;
  };
  /// Solves the program in whole columns, within a number of branches. Only
  /// solutions below `cutoff` are of interest.
  virtual Choice solveWhole(double cutoff, std::uint32_t nodes) = 0;
};

} // namespace kfuse

#endif
