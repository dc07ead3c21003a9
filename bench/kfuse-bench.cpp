//===- kfuse-bench.cpp - Measures devices and programs --------------------===//

#include "bench/Commands.h"
#include "system/Interrupts.h"
#include "system/Version.h"

namespace {

const char *const Usage = R"(Usage: kfuse-bench COMMAND [options]

Commands:
  devices   lists devices and their limits
  roofline  measures a device, and writes a device file
  compare   runs an original and a fused program in turns
  profile   measures each kernel that a program launches
  draw      draws the roofs of a device, and kernels below them

kfuse-bench COMMAND --help tells more of each, --version the version.
)";

} // namespace

int main(int count, char **words) {
  static std::atomic<bool> isInterrupted = false;
  const std::string command = count > 1 ? words[1] : "";
  const bool isMeasuring =
      command == "compare" || command == "profile" || command == "roofline";
  kfuse::leaveNothingBehind(isMeasuring ? &isInterrupted : nullptr);
  kfuse::BenchExit code = kfuse::BenchExit::Done;
  if (command == "compare")
    code = kfuse::comparePrograms(count - 1, words + 1, isInterrupted);
  else if (command == "profile")
    code = kfuse::profileProgram(count - 1, words + 1, isInterrupted);
  else if (command == "roofline")
    code = kfuse::measureRoofline(count - 1, words + 1, isInterrupted);
  else if (command == "devices")
    code = kfuse::listDevices(count - 1, words + 1);
  else if (command == "draw")
    code = kfuse::drawRoofline(count - 1, words + 1);
  else if (command == "--help" || command == "-h")
    code = kfuse::printHelp(Usage);
  else if (command == "--version")
    code = kfuse::printHelp(
        ("kfuse-bench " + std::string(kfuse::versionText()) + "\n").c_str());
  else
    code = kfuse::usageFails(
        command.empty() ? "no command" : "'" + command + "' is no command");
  return static_cast<int>(code);
}
