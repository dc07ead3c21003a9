//===- Collect.h - Runs a program and records its launches ----------------===//
#ifndef KFUSE_BENCH_COLLECT_COLLECT_H
#define KFUSE_BENCH_COLLECT_COLLECT_H

#include "bench/DeviceChoice.h"
#include "bench/collect/Record.h"

#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace kfuse {

/// Says which program runs. It reads nothing, and what it prints is dropped but
/// for its last lines, if it fails.
struct CollectedProgram {
  std::string path; ///< of a program that can be started
  std::vector<std::string> arguments;
  /// The interfaces whose launches are recorded.
  std::set<Interface> interfaces = {Interface::OpenCl, Interface::Cuda};
  std::optional<VisibleDevices> devices; ///< that it sees; else all
  /// Whether the program records CUDA's launches itself (LaunchTimer::Events).
  bool recordsItself = false;
};

/// The records of a run, and how it ended.
struct CollectedRun {
  std::vector<LaunchRecord> records; ///< in the order of readRecords()
  /// How the program ended, if that wasn't with 0: "ended with code 3", and
  /// what it wrote last to its standard error.
  std::string failure;
  std::vector<std::string> problems; ///< what couldn't be recorded, and why
};

/// Runs the program once and records its launches. Returns a message if it
/// can't be started, if the records can't be read, or if it saw other devices.
/// A program that fails isn't an error: what it did before is in the records.
std::variant<CollectedRun, std::string>
collect(const CollectedProgram &program);

} // namespace kfuse

#endif
