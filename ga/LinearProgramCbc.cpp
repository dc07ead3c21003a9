//===- ga/LinearProgramCbc.cpp - The set-partition program, by COIN-OR ----===//

#include "ga/LinearProgram.h"

#include <coin/CbcModel.hpp>
#include <coin/OsiClpSolverInterface.hpp>

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
    const CoinBigIndex starts[] = {0, static_cast<CoinBigIndex>(rows.size())};
    const std::vector<int> indices(rows.begin(), rows.end());
    const std::vector<double> ones(rows.size(), 1);
    const double zero = 0, one = 1, units = cost / Unit;
    Solver.addCols(1, starts, indices.data(), ones.data(), &zero, &one, &units);
  }

  void forbid(std::span<const std::size_t> columns) override {
    CoinPackedVector row;
    for (std::size_t column : columns)
      row.insert(static_cast<int>(column), 1);
    Solver.addRow(row, 0, static_cast<double>(columns.size()) - 1);
  }

  std::vector<double> solve() override {
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
    OsiClpSolverInterface whole(Solver);
    whole.messageHandler()->setLogLevel(0);
    for (int column = 0; column < whole.getNumCols(); ++column)
      whole.setInteger(column);
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
  double Unit;
  OsiClpSolverInterface Solver;
  bool IsSolved = false;
};

} // namespace

std::unique_ptr<SetPartitionProgram>
SetPartitionProgram::make(std::uint32_t rows, double unit) {
  return std::make_unique<CoinProgram>(rows, unit);
}

} // namespace kfuse
