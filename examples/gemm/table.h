//===- table.h - The ladder as a table ------------------------------------===//
#ifndef GEMM_TABLE_H
#define GEMM_TABLE_H

#include "matrices.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

/// One kernel of the ladder, as far as it ran.
struct Step {
  std::string name;
  std::string tile;            ///< what it was built with
  std::string skipped;         ///< why it didn't run; else empty
  std::vector<double> seconds; ///< of the timed runs
  double error = -1;           ///< largest, as a part of its bound; -1: unknown
};

/// The ceilings of a device, per second.
struct Roofs {
  double operations, bytes;
  /// The least time of a product.
  double seconds(const Sizes &sizes) const {
    return std::max(sizes.operations() / operations, sizes.bytes() / bytes);
  }
};

inline double shortest(const Step &step) {
  return *std::min_element(step.seconds.begin(), step.seconds.end());
}

/// Prints a line for each step: its rate and shortest time, how many times
/// faster it is than the step before and than the first, and its shares of the
/// peak and of what the roofline allows.
inline void printTable(const std::vector<Step> &steps, const Sizes &sizes,
                       const Roofs &roofs) {
  std::printf("%-14s %10s %10s %7s %10s %10s %8s  %s\n", "version", "GFLOP/s",
              "time (ms)", "step", "cumulative", "efficiency", "roofline",
              "tile");
  double first = 0, before = 0;
  for (const Step &step : steps) {
    if (!step.skipped.empty()) {
      std::printf("%-14s skipped: %s\n", step.name.c_str(),
                  step.skipped.c_str());
      continue;
    }
    if (step.seconds.empty()) {
      std::printf("%-14s %10s %10s %7s %10s %10s %8s  %s\n", step.name.c_str(),
                  "-", "-", "-", "-", "-", "-", step.tile.c_str());
      continue;
    }
    const double time = shortest(step);
    const double rate = sizes.operations() / time;
    first = first ? first : time;
    before = before ? before : time;
    std::printf("%-14s %10.2f %10.3f %6.2fx %9.2fx %9.1f%% %7.1f%%  %s\n",
                step.name.c_str(), rate / 1e9, time * 1e3, before / time,
                first / time, 100 * rate / roofs.operations,
                100 * roofs.seconds(sizes) / time, step.tile.c_str());
    before = time;
  }
  if (first)
    std::printf("peak %.2f GFLOP/s, bandwidth %.2f GB/s: at least %.3f ms\n",
                roofs.operations / 1e9, roofs.bytes / 1e9,
                roofs.seconds(sizes) * 1e3);
}

/// Writes a kernels file of kfuse-bench: the shortest times, and the least that
/// a product moves.
inline void writeKernels(const std::string &path,
                         const std::vector<Step> &steps, const Sizes &sizes) {
  nlohmann::json kernels = nlohmann::json::array();
  for (const Step &step : steps)
    if (!step.seconds.empty())
      kernels.push_back({{"name", step.name},
                         {"seconds", shortest(step)},
                         {"flops", sizes.operations()},
                         {"bytes", sizes.bytes()}});
  std::ofstream file(path);
  file << nlohmann::json{{"kernels", kernels}}.dump(2) << "\n";
  file.close();
  if (!file)
    throw std::runtime_error("can't write '" + path + "'");
}

/// Prints what validation found, and returns whether all of it is right.
inline bool printValidation(const std::vector<Step> &steps) {
  bool isValid = true;
  for (const Step &step : steps) {
    if (step.error < 0)
      continue;
    isValid &= step.error <= 1;
    std::printf("%s: %s, largest error %.3f of its bound\n", step.name.c_str(),
                step.error <= 1 ? "valid" : "WRONG", step.error);
  }
  return isValid;
}

#endif
