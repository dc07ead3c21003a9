//===- ProfileCommand.cpp - kfuse-bench profile ---------------------------===//

#include "bench/Commands.h"
#include "bench/DeviceOptions.h"
#include "bench/MachineDevices.h"
#include "bench/ShippedDevice.h"
#include "bench/collect/Collect.h"
#include "bench/profile/MakeProfile.h"
#include "bench/profile/ProfileReport.h"
#include "system/Input.h"
#include "system/Output.h"

#include <cmath>
#include <cstdio>
#include <optional>

namespace kfuse {
namespace {

const char *const ProfileUsage =
    R"(Usage: kfuse-bench profile [options] PROGRAM [-- arguments]
       kfuse-bench profile --merge [options] PROFILE...

Runs a program and measures each kernel that it launches by OpenCL or CUDA,
without a change of the program. The profile is for kfuse --profile=FILE.
Ctrl-C ends it; what was measured in whole runs is kept. With -p, -t or -d the
program sees only the device that is meant; kfuse-bench devices lists them.

Options:
  -o, --output=FILE     write the profile; - is standard output, and then no
                        table is printed
  -p, --platform=NAME   a device of this platform: its number, a part of its
                        name, or 'opencl' or 'cuda' for all of an interface
  -t, --type=TYPE       a device of this type: cpu, gpu, accelerator or other
  -d, --device=NAME     this device: its number, or a part of its name
      --runs=N          how often the program runs (3)
      --merge           join profiles instead of running a program
      --all             every line of the table, also beyond 20
      --force           overwrite files that are read-only
  -h, --help            this text
)";

struct ProfileOptions {
  DeviceChoice choice;
  std::string output;
  WriteOptions write;
  unsigned runs = 3;
  bool isMerge = false, wantsAll = false, wantsHelp = false;
  std::vector<std::string> words;
};

ParsedWords parseProfile(int count, char **words, ProfileOptions &options) {
  const auto output = [&options](const std::string &text) {
    options.output = text;
    return std::string();
  };
  const auto runs = [&options](const std::string &text) -> std::string {
    const std::optional<double> value = positiveNumber(text);
    if (!value || *value != std::floor(*value) || *value > 1e6)
      return "'" + text + "' is no number of runs";
    options.runs = static_cast<unsigned>(*value);
    return "";
  };
  return parseWords(count, words,
                    withDeviceOptions(options.choice,
                                      {{"output", 'o', output},
                                       {"runs", 0, runs},
                                       {"merge", 0, {}, &options.isMerge},
                                       {"all", 0, {}, &options.wantsAll},
                                       {"force", 0, {}, &options.write.force},
                                       {"help", 'h', {}, &options.wantsHelp}}));
}

void tell(const char *kind, const std::string &message) {
  std::fprintf(stderr, "kfuse-bench: %s: %s\n", kind, message.c_str());
}

/// Returns the interface of the first command, whose device the profile names.
Interface interfaceOf(const std::vector<std::vector<LaunchRecord>> &runs) {
  for (const std::vector<LaunchRecord> &records : runs)
    if (!records.empty())
      return records.front().interface;
  return Interface::OpenCl;
}

using ProfileOrError = std::variant<ProfileFile, std::string>;

/// Runs the program and measures its launches. Tells what was odd about a run.
ProfileOrError measure(const ProfileOptions &options,
                       const std::atomic<bool> &isInterrupted) {
  CollectedProgram program;
  program.path = options.words.front();
  program.arguments.assign(options.words.begin() + 1, options.words.end());
  if (!options.choice.isEmpty()) {
    const DeviceList all = machineDevices();
    auto visible =
        visibleDevices(all.devices, options.choice, program.interfaces);
    if (auto *why = std::get_if<std::string>(&visible)) {
      for (const std::string &problem : all.problems)
        *why += "\n  " + problem;
      return std::move(*why);
    }
    program.devices = std::get<VisibleDevices>(std::move(visible));
  }
  std::vector<std::vector<LaunchRecord>> runs;
  std::vector<std::string> problems;
  for (unsigned i = 0; i < options.runs && !isInterrupted; ++i) {
    auto run = collect(program);
    if (isInterrupted)
      break; // the run was stopped
    if (auto *error = std::get_if<std::string>(&run))
      return std::move(*error);
    auto &collected = std::get<CollectedRun>(run);
    problems = std::move(collected.problems);
    if (i == 0 && !collected.failure.empty())
      tell("warning", "the program " + collected.failure);
    if (const std::size_t count = untimedLaunches(collected.records);
        i == 0 && count != 0)
      tell("warning", std::to_string(count) +
                          (count == 1 ? " launch has no time: it"
                                      : " launches have no times: they") +
                          " didn't end, or the driver doesn't tell");
    runs.push_back(std::move(collected.records));
  }
  if (runs.empty())
    return std::string("nothing was measured");
  ProfileFile profile = profileOf(runs);
  if (profile.launches.empty()) {
    std::string why = "'" + program.path +
                      "' launched no kernel whose time "
                      "could be taken";
    for (const std::string &problem : problems)
      why += "; " + problem;
    return why;
  }
  profile.deviceFile = shippedDeviceOf(machineDevices().devices,
                                       interfaceOf(runs), profile.device);
  signProfile(profile, program.path, program.arguments);
  return profile;
}

ProfileOrError merge(const std::vector<std::string> &paths) {
  std::vector<ProfileFile> profiles;
  for (const std::string &path : paths) {
    const std::optional<std::string> text = readInput(path);
    if (!text)
      return "cannot read profile '" + path + "'";
    auto profile = readProfile(*text);
    if (const auto *why = std::get_if<std::string>(&profile))
      return "profile '" + path + "': " + *why;
    profiles.push_back(std::get<ProfileFile>(std::move(profile)));
  }
  auto merged = mergedProfiles(profiles);
  if (auto *why = std::get_if<std::string>(&merged))
    *why = "the profiles can't be joined: " + *why;
  return merged;
}

} // namespace

BenchExit profileProgram(int count, char **words,
                         const std::atomic<bool> &isInterrupted) {
  ProfileOptions options;
  ParsedWords parsed = parseProfile(count, words, options);
  if (!parsed.error.empty())
    return usageFails(parsed.error);
  if (options.wantsHelp)
    return printHelp(ProfileUsage);
  if (parsed.words.empty())
    return usageFails(options.isMerge ? "profile --merge wants profiles"
                                      : "profile wants a program");
  if (options.isMerge && !options.choice.isEmpty())
    return usageFails("--merge runs no program, and so takes no device");
  options.words = std::move(parsed.words);
  if (!options.output.empty()) {
    std::vector<NamedFile> inputs = {{options.words.front(), "the program"}};
    if (options.isMerge) {
      inputs.clear();
      for (const std::string &path : options.words)
        inputs.push_back({path, "a profile"});
    }
    if (const std::string why = refusedOutput({{options.output, "--output"}},
                                              inputs, options.write);
        !why.empty())
      return fails(BenchExit::Input, why);
  }
  const ProfileOrError made =
      options.isMerge ? merge(options.words) : measure(options, isInterrupted);
  if (const auto *why = std::get_if<std::string>(&made))
    return fails(BenchExit::Input, *why);
  const auto &profile = std::get<ProfileFile>(made);
  std::string why;
  if (!options.output.empty())
    why = writeOutput(options.output, profileJson(profile), options.write);
  if (why.empty() && options.output != "-")
    why = writeOutput("-", profileText(profile, options.wantsAll));
  return why.empty() ? BenchExit::Done : fails(BenchExit::Input, why);
}

} // namespace kfuse
