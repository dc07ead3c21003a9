//===- Record.h - What a program's launches were --------------------------===//
//
// The collectors write a JSON object in a line for each command that ran on a
// device (docs/reference.md has the keys); RecordWriter.h writes them.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_BENCH_COLLECT_RECORD_H
#define KFUSE_BENCH_COLLECT_RECORD_H

#include "bench/ComputeDevice.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace kfuse {

enum class RecordKind : std::uint8_t {
  Kernel,
  Copy,  ///< between memories of devices
  Fill,  ///< also CUDA's memset
  Read,  ///< to the host
  Write, ///< from the host
  Map,   ///< also the end of a mapping
};

/// An argument of a kernel: an array, local memory, or a scalar.
struct RecordedArgument {
  std::uint32_t index = 0;
  std::string name, type;                  ///< empty if the driver doesn't tell
  std::uint64_t bytes = 0;                 ///< of the argument itself
  std::optional<std::uint64_t> arrayBytes; ///< of the memory that it leads to
  std::optional<std::uint64_t> localBytes; ///< of local memory that it asks for
  std::string raw; ///< a scalar's bytes, in memory's order; none if over 8
  std::optional<double> value; ///< of a scalar, if its type is known
  bool operator==(const RecordedArgument &) const = default;
};

/// A command that ran on a device.
struct LaunchRecord {
  RecordKind kind = RecordKind::Kernel;
  Interface interface = Interface::OpenCl;
  std::int64_t process = 0;
  std::uint64_t ordinal = 0; ///< in its process, as the host gave commands
  std::uint32_t device = 0, stream = 0; ///< numbers in the process
  std::string deviceName, driver;       ///< empty if they aren't known
  std::string name;     ///< of a kernel: `scale` for `void a::scale<int>(int)`
  std::string function; ///< of a kernel: the whole, as C++ writes it
  /// Work-items or threads along each axis, all blocks together.
  std::array<std::uint64_t, 3> threads = {1, 1, 1};
  std::optional<std::array<std::uint64_t, 3>> block; ///< else the driver's own
  std::array<std::uint64_t, 3> offset = {0, 0, 0};   ///< of the first work-item
  std::uint64_t sharedBytes = 0; ///< of a block, as far as the launch sizes it
  std::uint64_t bytes = 0;       ///< that a copy moves
  /// Nanoseconds of the device's clock; absent if the command never ended, or
  /// the driver doesn't tell.
  std::optional<std::uint64_t> begin, end;
  std::vector<RecordedArgument> arguments; ///< those that are known, by index

  std::optional<double> seconds() const {
    return begin && end
               ? std::optional(static_cast<double>(*end - *begin) * 1e-9)
               : std::nullopt;
  }
};

/// Reads a file of records, in the order in which the host gave the commands,
/// processes one after the other. Returns a message if it can't be read, or if
/// a line isn't a record. A last line that isn't complete doesn't count: the
/// process was stopped while it wrote.
std::variant<std::vector<LaunchRecord>, std::string>
readRecords(const std::string &path);
/// The same of a file's text.
std::variant<std::vector<LaunchRecord>, std::string>
parseRecords(const std::string &text);

/// Returns what kept the collectors from recording, as they noted it.
std::vector<std::string> readProblems(const std::string &path);

/// Returns the name of a kernel without namespaces, template arguments,
/// parameters and type: `scale` for `void space::scale<float>(float*)`.
std::string baseName(const std::string &function);

/// Returns the types of the parameters: `float*` and `int` for `void f(float*,
/// int)`; empty if there are none in the text.
std::vector<std::string> parameterTypes(const std::string &function);

/// Returns the value of a scalar's bytes, or nullopt if the type, of C or
/// OpenCL, is none that is known.
std::optional<double> scalarValue(const std::string &type,
                                  const std::string &raw);

} // namespace kfuse

#endif
