//===- LinearProgramCbc.cpp - The set-partition program, by COIN-OR -------===//

#include "ga/exact/LinearProgram.h"

#include <coin/CbcModel.hpp>
#include <coin/OsiClpSolverInterface.hpp>

#include <algorithm>

namespace kfuse {
namespace {

class CoinProgram final : public SetPartitionProgram {
public:
  CoinProgram(std::uint32_t rows, double unit) : Unit(unit) {
    Solver.messageHandler()->setLogLevel(0);
    Solver.getModelPtr()->setLogLevel(0);
    for (std::uint32_t row = 0; row < rows; ++row)
      Solver.addRow(CoinPackedVector(), 1, 1);
  }

  void addColumn(std::span<const std::uint32_t> rows, double cost) override {
    Rows.insert(Rows.end(), rows.begin(), rows.end());
    Starts.push_back(static_cast<CoinBigIndex>(Rows.size()));
    Costs.push_back(cost / Unit);
  }

  void forbid(std::span<const std::size_t> columns) override {
    take();
    CoinPackedVector row;
    for (std::size_t column : columns)
      row.insert(static_cast<int>(column), 1);
    Solver.addRow(row, 0, static_cast<double>(columns.size()) - 1);
  }

  std::vector<double> solve() override {
    take();
    // The columns that were added keep the basis primal feasible.
    if (IsSolved)
      Solver.getModelPtr()->primal(1);
    else
      Solver.initialSolve();
    IsSolved = true;
    const double *prices = Solver.getModelPtr()->dualRowSolution();
    std::vector<double> result(prices, prices + Solver.getNumRows());
    for (double &price : result)
      price *= Unit;
    return result;
  }

  Choice solveWhole(double cutoff, std::uint32_t nodes) override {
    take();
    OsiClpSolverInterface whole(Solver);
    whole.messageHandler()->setLogLevel(0);
    for (int column = 0; column < whole.getNumCols(); ++column) {
      whole.setInteger(column);
      whole.setColUpper(column, 1);
    }
    CbcModel model(whole);
    model.setLogLevel(0);
    model.messageHandler()->setLogLevel(0);
    model.solver()->messageHandler()->setLogLevel(0);
    model.setCutoff(cutoff / Unit);
    model.setMaximumNodes(static_cast<int>(nodes));
    model.branchAndBound();
    Choice choice;
    choice.isOptimal = model.isProvenOptimal() || model.isProvenInfeasible();
    choice.bound = model.getBestPossibleObjValue() * Unit;
    if (const double *taken = model.bestSolution())
      for (int column = 0; column < whole.getNumCols(); ++column)
        if (taken[column] > 0.5)
          choice.columns.push_back(static_cast<std::size_t>(column));
    return choice;
  }

private:
  /// Adds the columns all at once: the solver copies what it has each time.
  void take() {
    const std::vector<double> ones(Rows.size(), 1);
    const std::vector<double> zeros(Costs.size(), 0);
    // The rows say already that no column is taken twice, and a bound would
    // have a part in the prices.
    const std::vector<double> most(Costs.size(), Solver.getInfinity());
    Solver.addCols(static_cast<int>(Costs.size()), Starts.data(), Rows.data(),
                   ones.data(), zeros.data(), most.data(), Costs.data());
    Rows.clear();
    Starts.resize(1);
    Costs.clear();
  }

  double Unit;
  OsiClpSolverInterface Solver;
  bool IsSolved = false;
  /// Columns that the solver doesn't have yet.
  std::vector<int> Rows;
  std::vector<CoinBigIndex> Starts = {0};
  std::vector<double> Costs;
};

} // namespace

std::unique_ptr<SetPartitionProgram>
SetPartitionProgram::make(std::uint32_t rows, double unit) {
  return std::make_unique<CoinProgram>(rows, unit);
}

} // namespace kfuse
