//===- CompareCommand.cpp - kfuse-bench compare ---------------------------===//

#include "bench/Commands.h"
#include "bench/ComparisonReport.h"
#include "bench/OptionParser.h"
#include "system/Output.h"

#include <cmath>
#include <cstdio>

#include <unistd.h>

namespace kfuse {
namespace {

const char *const CompareUsage =
    R"(Usage: kfuse-bench compare [options] ORIGINAL FUSED [-- arguments]

Runs two programs in turns and says how many times faster the second one is.
First it runs each once: if they don't print the same and end in the same way,
nothing is measured. Ctrl-C ends it, and prints what was measured so far.

Options:
      --seconds=N       the time to measure for (30); at least five pairs of
                        runs are made
      --runs=N          at most this many pairs of runs (1000)
      --precision=N     enough once the ratio is known to N percent (1)
      --json=FILE       also write all times as JSON; - is standard output
      --markdown=FILE   also write a table
  -h, --help            this text
)";

/// The line on a terminal while it measures.
class Progress {
public:
  void show(const Comparison &sofar) {
    if (!IsTerminal)
      return;
    const Ratio ratio = pairedRatio(sofar.original, sofar.fused);
    std::fprintf(stderr, "\r\033[K%zu pairs of runs: %s", sofar.original.size(),
                 verdictOf(ratio).c_str());
    std::fflush(stderr);
  }
  void clear() const {
    if (IsTerminal)
      std::fputs("\r\033[K", stderr);
  }

private:
  const bool IsTerminal = isatty(STDERR_FILENO) != 0;
};

struct CompareOptions {
  ComparisonPlan plan;
  std::string json, markdown;
  bool wantsHelp = false;
};

ParsedWords parse(int count, char **words, CompareOptions &options) {
  const auto number = [](double &place, double scale) {
    return [&place, scale](const std::string &text) -> std::string {
      const std::optional<double> value = positiveNumber(text);
      if (!value)
        return "'" + text + "' is no number above zero";
      place = *value * scale;
      return "";
    };
  };
  const auto runs = [&options](const std::string &text) -> std::string {
    const std::optional<double> value = positiveNumber(text);
    if (!value || *value != std::floor(*value) || *value > 1e6)
      return "'" + text + "' is no number of runs";
    options.plan.mostPairs = static_cast<unsigned>(*value);
    return "";
  };
  const auto into = [](std::string &place) {
    return [&place](const std::string &text) {
      place = text;
      return std::string();
    };
  };
  constexpr double Percent = 0.01;
  return parseWords(count, words,
                    {{"seconds", 0, number(options.plan.seconds, 1)},
                     {"runs", 0, runs},
                     {"precision", 0, number(options.plan.precision, Percent)},
                     {"json", 0, into(options.json)},
                     {"markdown", 0, into(options.markdown)},
                     {"help", 'h', {}, &options.wantsHelp}});
}

/// Writes what was asked for besides the text; returns a message on failure.
std::string writeTables(const CompareOptions &options,
                        const Comparison &comparison) {
  if (!options.json.empty())
    if (std::string why =
            writeOutput(options.json, comparisonJson(options.plan, comparison));
        !why.empty())
      return why;
  if (!options.markdown.empty())
    return writeOutput(options.markdown,
                       comparisonMarkdown(options.plan, comparison));
  return {};
}

/// Returns why the files can't be written; empty if they can.
std::string refusedTables(const CompareOptions &options) {
  std::vector<NamedFile> outputs;
  if (!options.json.empty())
    outputs.push_back({options.json, "--json"});
  if (!options.markdown.empty())
    outputs.push_back({options.markdown, "--markdown"});
  return refusedOutput(outputs,
                       {{options.plan.original, "the original"},
                        {options.plan.fused, "the fused program"}},
                       {});
}

} // namespace

BenchExit comparePrograms(int count, char **words,
                          const std::atomic<bool> &isInterrupted) {
  CompareOptions options;
  ParsedWords parsed = parse(count, words, options);
  if (!parsed.error.empty())
    return usageFails(parsed.error);
  if (options.wantsHelp)
    return std::fputs(CompareUsage, stdout) < 0 ? BenchExit::Input
                                                : BenchExit::Done;
  if (parsed.words.size() < 2)
    return usageFails("compare wants two programs");
  options.plan.original = parsed.words[0];
  options.plan.fused = parsed.words[1];
  options.plan.arguments.assign(parsed.words.begin() + 2, parsed.words.end());
  if (const std::string why = refusedTables(options); !why.empty())
    return fails(BenchExit::Input, why);

  Progress progress;
  const Comparison comparison = compare(
      options.plan, [&] { return isInterrupted.load(); },
      [&](const Comparison &sofar) { progress.show(sofar); });
  progress.clear();
  if (!comparison.error.empty() && !isInterrupted)
    return fails(BenchExit::Input, comparison.error);
  if (!comparison.difference.empty())
    return fails(BenchExit::Mismatch, comparison.difference);
  if (comparison.original.empty())
    return fails(BenchExit::Input, "nothing was measured");
  std::string why = writeOutput("-", comparisonText(comparison));
  if (why.empty())
    why = writeTables(options, comparison);
  return why.empty() ? BenchExit::Done : fails(BenchExit::Input, why);
}

} // namespace kfuse
