//===- Table.cpp - The quality of the search ------------------------------===//
//
// Prints the tables of docs/measurements.md: searches of generated problems
// compared with exact results, proofs and lower bounds. All times are CPU times
// of this thread. A search's budget is a number of look-ups; a run for a number
// of seconds uses the budget that takes about that long.
//
//===----------------------------------------------------------------------===//

#include "ga/Search.h"
#include "ga/exact/Certify.h"
#include "ga/problem/AbstractCost.h"
#include "ga/problem/Check.h"
#include "ga/problem/Families.h"
#include "ga/problem/SearchOptions.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string_view>
#include <sys/resource.h>

using namespace kfuse;

namespace {

double cpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) +
         1e-9 * static_cast<double>(now.tv_nsec);
}

struct Instance {
  std::string name;
  PartitionProblem problem;
};

/// Returns `count` instances that take turns among the families.
std::vector<Instance> instances(std::uint32_t size, std::uint64_t count,
                                std::uint64_t firstSeed = 1) {
  static const Device device = loadDevice("h200").device;
  std::vector<Instance> made;
  for (std::uint64_t i = 0; i < count; ++i) {
    const AbstractProblem problem = generateProblem(
        Families[i % std::size(Families)], size, firstSeed + i, device);
    made.push_back({problem.name, partitionProblem(problem)});
  }
  return made;
}

struct Timed {
  SearchResult result;
  double seconds = 0;
};

/// Runs a search. A result that doesn't pass the checker ends the program,
/// because nothing that it prints could be trusted.
Timed timed(const Instance &instance, const SearchOptions &options) {
  const double start = cpuSeconds();
  Timed run{search(instance.problem, options), 0};
  run.seconds = cpuSeconds() - start;
  if (const std::string error = checkResult(instance.problem, run.result);
      !error.empty()) {
    std::printf("%s: %s\n", instance.name.c_str(), error.c_str());
    std::exit(1);
  }
  return run;
}

/// Returns the best run that takes at most about `seconds`.
Timed searchFor(const Instance &instance, SearchOptions options,
                double seconds) {
  options.lookUpsPerItem = 300;
  Timed best = timed(instance, options);
  double last = best.seconds;
  for (int tries = 0; tries < 4 && last < 0.85 * seconds; ++tries) {
    const double factor = std::min(0.95 * seconds / last, 30.0);
    options.lookUpsPerItem = static_cast<std::uint64_t>(
        static_cast<double>(options.lookUpsPerItem) * factor);
    Timed run = timed(instance, options);
    const bool isSaturated = run.seconds < last * (1 + 0.3 * (factor - 1));
    last = run.seconds;
    if (run.seconds <= 1.1 * seconds && run.result.cost <= best.result.cost)
      best = std::move(run);
    if (isSaturated)
      break; // it stops by itself before its budget is spent
  }
  return best;
}

/// Collects the numbers of a column of the table.
class Numbers {
public:
  void add(double value) { Values.push_back(value); }
  double mean() const {
    double sum = 0;
    for (double value : Values)
      sum += value;
    return sum / static_cast<double>(Values.size());
  }
  double most() const {
    return *std::max_element(Values.begin(), Values.end());
  }
  double least() const {
    return *std::min_element(Values.begin(), Values.end());
  }
  double median() const {
    std::vector<double> sorted = Values;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }

private:
  std::vector<double> Values;
};

double percentAbove(double cost, double reference) {
  return 100 * (cost / reference - 1);
}

SearchOptions optionsOf(SearchKind kind) {
  SearchOptions options;
  options.kind = kind;
  return options;
}

void small() {
  std::printf("| kernels | problems | optimal | CPU time, median | longest | "
              "exact, median | longest |\n|---|---|---|---|---|---|---|\n");
  struct Cell {
    std::uint32_t least, most;
    std::uint64_t problems, lookUpsPerItem;
  };
  for (const Cell cell : {Cell{5, 14, 1000, 2000}, Cell{15, 20, 100, 20000}}) {
    int optimal = 0;
    Numbers seconds, exactSeconds;
    for (std::uint64_t i = 0; i < cell.problems; ++i) {
      const auto size = static_cast<std::uint32_t>(
          cell.least + i / 3 % (cell.most - cell.least + 1));
      const Instance instance = instances(size, 3, 1000 + 3 * i)[i % 3];
      const Timed exact = timed(instance, optionsOf(SearchKind::Exact));
      SearchOptions options;
      options.lookUpsPerItem = cell.lookUpsPerItem;
      const Timed found = timed(instance, options);
      optimal += percentAbove(found.result.cost, exact.result.cost) < 1e-6;
      seconds.add(1000 * found.seconds);
      exactSeconds.add(1000 * exact.seconds);
    }
    std::printf(
        "| %u to %u | %llu | %d | %.1f ms | %.1f ms | %.2f ms | %.0f ms "
        "|\n",
        cell.least, cell.most, static_cast<unsigned long long>(cell.problems),
        optimal, seconds.median(), seconds.most(), exactSeconds.median(),
        exactSeconds.most());
  }
}

/// Holds the cost that partitions are compared with: the optimum if the proof
/// completes, else a lower bound.
struct Reference {
  double cost = 0;
  bool isProven = false;
};

Reference referenceOf(const Instance &instance, const SearchResult &found) {
  CertifyOptions options;
  options.prove = true;
  options.nodes = 500;
  const Certificate proof = certify(instance.problem, found.partition, options);
  return {proof.bound, proof.kind == BoundKind::Proof};
}

struct Certified {
  Certificate certificate;
  double seconds = 0;
};

Certified certified(const Instance &instance, const SearchResult &found) {
  const double start = cpuSeconds();
  Certificate made = certify(instance.problem, found.partition, {});
  return {std::move(made), cpuSeconds() - start};
}

void medium() {
  std::printf(
      "| kernels | above the optimum, mean | worst | proven | gap to the "
      "bound, mean | CPU time | certificate, longest | spread of 10 "
      "seeds |\n|---|---|---|---|---|---|---|---|\n");
  for (std::uint32_t size : {100U, 142U}) {
    Numbers above, gap, seconds, certificate, spread;
    int proven = 0;
    std::uint64_t number = 0;
    for (const Instance &instance : instances(size, 12)) {
      const Timed found =
          searchFor(instance, optionsOf(SearchKind::Genetic), 1);
      seconds.add(found.seconds);
      const Certified bound = certified(instance, found.result);
      certificate.add(bound.seconds);
      gap.add(percentAbove(found.result.cost, bound.certificate.bound));
      const Reference best = referenceOf(instance, found.result);
      proven += best.isProven;
      above.add(percentAbove(found.result.cost, best.cost));
      if (number++ >= 3)
        continue;
      Numbers costs;
      for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        SearchOptions options;
        options.seed = seed;
        costs.add(searchFor(instance, options, 1).result.cost);
      }
      spread.add(percentAbove(costs.most(), costs.least()));
    }
    std::printf(
        "| %u | %.3f %% | %.3f %% | %d of 12 | %.2f %% | %.2f s | %.2f s "
        "| %.2f %% |\n",
        size, above.mean(), above.most(), proven, gap.mean(), seconds.mean(),
        certificate.most(), spread.most());
    std::fflush(stdout);
  }
}

void large() {
  std::printf("| kernels | CPU time of search and certificate | longest | "
              "certificate alone, longest | certified within, mean | worst "
              "|\n|---|---|---|---|---|---|\n");
  struct Cell {
    std::uint32_t size;
    double seconds;
  };
  for (const Cell cell : {Cell{1000, 1}, Cell{2000, 2}, Cell{1000, 10}}) {
    Numbers gap, seconds, certificate;
    for (const Instance &instance : instances(cell.size, 12)) {
      // A certificate's time depends on the problem's groups and hardly on the
      // partition, so the search gets the remaining time.
      SearchOptions quick;
      quick.lookUpsPerItem = 300;
      const Certified first =
          certified(instance, timed(instance, quick).result);
      const Timed found =
          searchFor(instance, optionsOf(SearchKind::Genetic),
                    std::max(cell.seconds - 1.1 * first.seconds, 0.05));
      const Certified last = certified(instance, found.result);
      seconds.add(found.seconds + last.seconds);
      certificate.add(last.seconds);
      gap.add(percentAbove(found.result.cost, last.certificate.bound));
    }
    std::printf(
        "| %u | %.2f s of %.0f s | %.2f s | %.2f s | %.2f %% | %.2f %% |\n",
        cell.size, seconds.mean(), cell.seconds, seconds.most(),
        certificate.most(), gap.mean(), gap.most());
    std::fflush(stdout);
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("\nPeak memory: %ld MiB.\n", usage.ru_maxrss / 1024);
}

/// Prints how far the searches' results are above the lower bound, side by
/// side.
void compare(const std::vector<std::pair<const char *, SearchOptions>> &rows,
             const std::vector<std::pair<std::uint32_t, double>> &cells) {
  std::string head = "| search |", rule = "|---|";
  std::vector<std::string> lines;
  for (const auto &[name, options] : rows)
    lines.push_back("| " + std::string(name) + " |");
  for (const auto &[size, seconds] : cells) {
    char text[100];
    std::snprintf(text, sizeof(text),
                  " %u kernels in %g s, mean | worst | better than the first |",
                  size, seconds);
    head += text;
    rule += "---|---|---|";
    std::vector<Numbers> above(rows.size());
    std::vector<int> better(rows.size());
    for (const Instance &instance : instances(size, 12)) {
      double bound = 0, genetic = 0;
      for (std::size_t row = 0; row < rows.size(); ++row) {
        const Timed found = searchFor(instance, rows[row].second, seconds);
        if (row == 0) {
          genetic = found.result.cost;
          bound = certify(instance.problem, found.result.partition, {}).bound;
        }
        above[row].add(percentAbove(found.result.cost, bound));
        better[row] += found.result.cost < genetic * (1 - 1e-9);
      }
    }
    for (std::size_t row = 0; row < rows.size(); ++row) {
      std::snprintf(text, sizeof(text), " %.2f %% | %.2f %% | %d of 12 |",
                    above[row].mean(), above[row].most(), better[row]);
      lines[row] += text;
    }
  }
  std::printf("%s\n%s\n", head.c_str(), rule.c_str());
  for (const std::string &line : lines)
    std::printf("%s\n", line.c_str());
}

void baselines() {
  compare({{"genetic", optionsOf(SearchKind::Genetic)},
           {"annealing", optionsOf(SearchKind::Annealing)},
           {"greedy", optionsOf(SearchKind::Greedy)},
           {"plain genetic, 2014", optionsOf(SearchKind::PlainGenetic)},
           {"minimum cuts", optionsOf(SearchKind::MinCut)}},
          {{142, 1}, {1000, 1}});
}

void ablation() {
  auto without = [](SearchParts parts) {
    SearchOptions options;
    options.parts = parts;
    return options;
  };
  compare({{"all of it", without({})},
           {"no crossover", without({.crossover = false})},
           {"no local search", without({.localSearch = false})},
           {"no large neighbourhoods", without({.neighbourhoods = false})}},
          {{142, 1}, {1000, 0.3}, {1000, 1}});
}

} // namespace

int main(int argc, char **argv) {
  const std::pair<std::string_view, void (*)()> tables[] = {
      {"small", small},         {"medium", medium},     {"large", large},
      {"baselines", baselines}, {"ablation", ablation},
  };
  bool isKnown = argc == 1;
  for (const auto &[name, print] : tables)
    if (argc == 1 || name == argv[1]) {
      isKnown = true;
      std::printf("\n%.*s\n\n", static_cast<int>(name.size()), name.data());
      print();
      std::fflush(stdout);
    }
  if (!isKnown)
    std::printf("search-table [small|medium|large|baselines|ablation]\n");
  return isKnown ? 0 : 2;
}
