//===- DevicesCommand.cpp - kfuse-bench devices ---------------------------===//

#include "bench/Commands.h"
#include "bench/DeviceOptions.h"
#include "bench/DeviceReport.h"
#include "bench/MachineDevices.h"
#include "system/Output.h"

#include <cstdio>

namespace kfuse {
namespace {

const char *const DevicesUsage = R"(Usage: kfuse-bench devices [options]

Lists the devices of OpenCL's loader and of CUDA's driver, with their limits.
The numbers are those that -p and -d take, here and in all other commands.

Options:
  -p, --platform=NAME   devices of this platform: its number, a part of its
                        name, or 'opencl' or 'cuda' for all of an interface
  -t, --type=TYPE       devices of this type: cpu, gpu, accelerator or other
  -d, --device=NAME     this device: its number, or a part of its name
      --json            as JSON, sizes in bytes
  -h, --help            this text
)";

} // namespace

BenchExit listDevices(int count, char **words) {
  DeviceChoice choice;
  bool isJson = false, wantsHelp = false;
  const ParsedWords parsed =
      parseWords(count, words,
                 withDeviceOptions(choice, {{"json", 0, {}, &isJson},
                                            {"help", 'h', {}, &wantsHelp}}));
  if (!parsed.error.empty())
    return usageFails(parsed.error);
  if (wantsHelp)
    return printHelp(DevicesUsage);
  if (!parsed.words.empty())
    return usageFails("'" + parsed.words.front() + "' is one word too many");

  const DeviceList all = machineDevices();
  for (const std::string &problem : all.problems)
    std::fprintf(stderr, "kfuse-bench: note: %s\n", problem.c_str());
  const auto chosen = chosenDevices(all.devices, choice);
  if (const auto *why = std::get_if<std::string>(&chosen))
    return fails(BenchExit::Input, *why);
  const auto &devices = std::get<std::vector<ComputeDevice>>(chosen);
  const std::string why =
      writeOutput("-", isJson ? deviceJson(devices) : deviceText(devices));
  return why.empty() ? BenchExit::Done : fails(BenchExit::Input, why);
}

} // namespace kfuse
