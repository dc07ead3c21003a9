//===- CompareCommand.cpp - kfuse-bench compare ---------------------------===//

#include "bench/Commands.h"
#include "bench/DeviceOptions.h"
#include "bench/MachineDevices.h"
#include "bench/ShippedDevice.h"
#include "bench/compare/ComparisonReport.h"
#include "bench/compare/MeasureKernels.h"
#include "bench/compare/PrepareComparison.h"
#include "bench/profile/MakeProfile.h"
#include "system/Output.h"
#include "system/Scratch.h"

#include <cmath>
#include <cstdio>
#include <sstream>

#include <unistd.h>

namespace kfuse {
namespace {

const char *const CompareUsage =
    R"(Usage: kfuse-bench compare [options] ORIGINAL [FUSED] [-- arguments]

Runs two programs in turns and says how many times faster the second one is.
First it runs each once: if they don't do the same, nothing is measured. Ctrl-C
ends it, and prints what was measured so far.

A source (.cu, .c, .cpp, .cc, .cxx) is built first: CUDA with nvcc if there is a
GPU, else with kfuse-cpu; OpenCL with the C or C++ compiler. Without FUSED kfuse
fuses ORIGINAL. With -p, -t or -d both programs see only the device that is
meant; kfuse-bench devices lists them.

Options:
      --seconds=N       the time to measure for (30); at least five pairs of
                        runs are made
      --runs=N          at most this many pairs of runs (1000)
      --precision=N     enough once the ratio is known to N percent (1)
      --compiler=NAME   build sources with this compiler
      --flags=FLAGS     flags for it, with blanks between
      --kfuse=OPTIONS   options for kfuse, with blanks between
      --plan=FILE       what kfuse --emit=json says of FUSED
  -p, --platform=NAME   a device of this platform: its number, a part of its
                        name, or 'opencl' or 'cuda' for all of an interface
  -t, --type=TYPE       a device of this type: cpu, gpu, accelerator or other;
                        with cpu, kfuse-cpu runs CUDA sources
  -d, --device=NAME     this device: its number, or a part of its name
      --timer=NAME      measures the kernels of CUDA sources by cupti, or by
                        events around each launch; cupti where a toolkit has it
      --json=FILE       also write all times as JSON; - is standard output
      --markdown=FILE   also write tables
      --profile=FILE    also write the times of both programs' launches, for
                        kfuse --profile
      --force           overwrite files that are read-only
  -h, --help            this text
)";

/// Runs of each program in which kernels are measured, after the first.
constexpr unsigned MoreKernelRuns = 2;

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
  void say(const char *what) const {
    if (IsTerminal)
      std::fprintf(stderr, "\r\033[K%s", what);
  }
  void clear() const {
    if (IsTerminal)
      std::fputs("\r\033[K", stderr);
  }

private:
  const bool IsTerminal = isatty(STDERR_FILENO) != 0;
};

struct CompareOptions {
  ComparisonInput input;
  ComparisonPlan plan;
  std::string json, markdown, profile;
  WriteOptions write;
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
  const auto list = [](std::vector<std::string> &place) {
    return [&place](const std::string &text) {
      std::istringstream stream(text);
      for (std::string word; stream >> word;)
        place.push_back(word);
      return std::string();
    };
  };
  const auto timer = [&options](const std::string &text) -> std::string {
    if (text == "cupti")
      options.input.timer = LaunchTimer::Cupti;
    else if (text == "events")
      options.input.timer = LaunchTimer::Events;
    else
      return "'" + text + "' is neither cupti nor events";
    return "";
  };
  constexpr double Percent = 0.01;
  return parseWords(
      count, words,
      withDeviceOptions(
          options.input.choice,
          {{"seconds", 0, number(options.plan.seconds, 1)},
           {"runs", 0, runs},
           {"precision", 0, number(options.plan.precision, Percent)},
           {"compiler", 0, into(options.input.compiler)},
           {"flags", 0, list(options.input.compilerFlags)},
           {"kfuse", 0, list(options.input.kfuseOptions)},
           {"plan", 0, into(options.input.plan)},
           {"timer", 0, timer},
           {"json", 0, into(options.json)},
           {"markdown", 0, into(options.markdown)},
           {"profile", 0, into(options.profile)},
           {"force", 0, {}, &options.write.force},
           {"help", 'h', {}, &options.wantsHelp}}));
}

/// Writes what was asked for besides the text; returns a message on failure.
std::string writeTables(const CompareOptions &options,
                        const ComparisonResult &result) {
  if (!options.json.empty())
    if (std::string why =
            writeOutput(options.json, comparisonJson(result), options.write);
        !why.empty())
      return why;
  if (!options.markdown.empty())
    return writeOutput(options.markdown, comparisonMarkdown(result),
                       options.write);
  return {};
}

/// Returns why the files can't be written; empty if they can.
std::string refusedTables(const CompareOptions &options) {
  std::vector<NamedFile> outputs, inputs;
  if (!options.json.empty())
    outputs.push_back({options.json, "--json"});
  if (!options.markdown.empty())
    outputs.push_back({options.markdown, "--markdown"});
  if (!options.profile.empty())
    outputs.push_back({options.profile, "--profile"});
  inputs.push_back({options.input.original, "the original"});
  if (!options.input.fused.empty())
    inputs.push_back({options.input.fused, "the fused program"});
  if (!options.input.plan.empty())
    inputs.push_back({options.input.plan, "--plan"});
  return refusedOutput(outputs, inputs, options.write);
}

/// Takes the words after the options: one or two programs, and the arguments of
/// both. Returns what is wrong with them.
std::string takeWords(const ParsedWords &parsed, CompareOptions &options) {
  const std::vector<std::string> &words = parsed.words;
  const std::size_t programs = words.size() - parsed.argumentCount;
  if (programs == 0)
    return "compare wants two programs, or a source";
  if (programs > 2)
    return "'" + words[2] + "' is one word too many; arguments go after '--'";
  options.input.original = words[0];
  if (programs == 2)
    options.input.fused = words[1];
  else if (!isSource(words[0]))
    return "'" + words[0] + "' is no source, and there is no second program";
  const auto arguments = static_cast<std::ptrdiff_t>(programs);
  options.plan.arguments.assign(words.begin() + arguments, words.end());
  return {};
}

/// Returns the shipped file for the device of the kernels; empty if there is
/// none.
std::string measuredDeviceFile(const MeasuredKernels &kernels) {
  const LaunchRecord &launch = kernels.records.front().front();
  return shippedDeviceOf(machineDevices().devices, launch.interface,
                         launch.deviceName);
}

/// Adds the kernels of both programs to the result, and writes their profile if
/// one was asked for; returns why it can't. Says why there are no kernels, if
/// the programs may have had some.
std::string addKernels(ComparisonResult &result, const CompareOptions &options,
                       const PreparedComparison &prepared,
                       const MeasuredKernels &kernels) {
  if (kernels.original.empty() || kernels.fused.empty()) {
    for (const std::string &problem : kernels.problems)
      std::fprintf(stderr, "kfuse-bench: note: no kernel is measured: %s\n",
                   problem.c_str());
    return {};
  }
  const std::string device = measuredDeviceFile(kernels);
  std::optional<ProjectedPlan> projected;
  if (prepared.fusion) {
    KfuseJob fusion = *prepared.fusion;
    if (!device.empty())
      fusion.device = device;
    projected = projectAsMeasured(fusion, profileOf({kernels.records[0]}));
  }
  if (!projected)
    projected = prepared.plan;
  result.kernels = {compareKernels(kernels.original, kernels.fused, projected),
                    projected ? projected->device : ""};
  if (options.profile.empty())
    return {};
  ProfileFile profile = profileOf(kernels.records);
  profile.deviceFile = device;
  signProfile(profile, result.original, result.arguments);
  return writeOutput(options.profile, profileJson(profile), options.write);
}

} // namespace

BenchExit comparePrograms(int count, char **words,
                          const std::atomic<bool> &isInterrupted) {
  CompareOptions options;
  const ParsedWords parsed = parse(count, words, options);
  if (!parsed.error.empty())
    return usageFails(parsed.error);
  if (options.wantsHelp)
    return printHelp(CompareUsage);
  if (const std::string why = takeWords(parsed, options); !why.empty())
    return usageFails(why);
  if (const std::string why = refusedTables(options); !why.empty())
    return fails(BenchExit::Input, why);
  const ScratchFolder scratch("kfuse-bench");
  if (!scratch.good())
    return fails(BenchExit::Input, "cannot make a folder for temporary files");

  Progress progress;
  progress.say("building");
  auto built = prepareComparison(options.input, scratch);
  progress.clear();
  if (const auto *why = std::get_if<std::string>(&built))
    return fails(BenchExit::Input, *why);
  PreparedComparison &prepared = std::get<PreparedComparison>(built);
  options.plan.original = prepared.original;
  options.plan.fused = prepared.fused;
  options.plan.devices = prepared.devices;
  if (prepared.plan)
    options.plan.rules = prepared.plan->rules;
  ComparisonResult result{options.input.original,
                          prepared.fusedName,
                          options.plan.arguments,
                          {},
                          {}};
  const auto isStopped = [&] { return isInterrupted.load(); };
  MeasuredKernels kernels;
  // One run before all others: an interrupt finds kernels, too.
  const auto measureSome = [&](unsigned runs) {
    progress.say("measuring kernels");
    measureKernels(kernels, options.plan, runs, isStopped);
    progress.clear();
  };
  result.comparison = compare(
      options.plan, isStopped, [&] { measureSome(1); },
      [&](const Comparison &sofar) { progress.show(sofar); });
  progress.clear();
  const Comparison &comparison = result.comparison;
  if (!comparison.error.empty() && !isInterrupted)
    return fails(BenchExit::Input, comparison.error);
  if (!comparison.agreement.difference.empty())
    return fails(BenchExit::Mismatch, comparison.agreement.difference);
  if (comparison.original.empty())
    return fails(BenchExit::Input, "nothing was measured");
  if (!kernels.original.empty() && !kernels.fused.empty())
    measureSome(MoreKernelRuns);
  std::string why = addKernels(result, options, prepared, kernels);
  if (why.empty())
    why = writeOutput("-", comparisonText(result));
  if (why.empty())
    why = writeTables(options, result);
  return why.empty() ? BenchExit::Done : fails(BenchExit::Input, why);
}

} // namespace kfuse
