//===- kfuse_cpu/LaunchTimes.h - How long launches take -------------------===//
//
// KFUSE_COLLECT names the file that receives a line of JSON for each launch, as
// kfuse-bench reads them (docs/reference.md). Several processes may write to
// it: each line goes there at once.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_CPU_LAUNCHTIMES_H
#define KFUSE_CPU_LAUNCHTIMES_H

#include "kfuse_cpu/VectorTypes.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <fcntl.h>
#include <unistd.h>

namespace kfuse_cpu {

class LaunchTimes {
public:
  LaunchTimes() {
    const char *path = std::getenv("KFUSE_COLLECT");
    if (!path || !*path)
      return;
    Descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    write(start("device") +
          R"(,"name":"kfuse CPU executor","driver":"kfuse-cpu"})");
  }
  bool isOpen() const { return Descriptor >= 0; }

  /// Writes a launch; a null name is one that the program's text doesn't tell.
  void add(const char *name, dim3 grid, dim3 block, std::size_t sharedBytes,
           std::uint64_t begin, std::uint64_t end) {
    const auto number = [](const char *key, std::uint64_t value) {
      return std::string(",\"") + key + "\":" + std::to_string(value);
    };
    const auto extents = [](const char *key, dim3 size) {
      return std::string(",\"") + key + "\":[" + std::to_string(size.x) + "," +
             std::to_string(size.y) + "," + std::to_string(size.z) + "]";
    };
    const std::uint64_t ordinal = Count++;
    if (!name) {
      if (!HasNameless.exchange(true))
        write(
            start("problem") +
            R"(,"text":"the CPU executor measures launches by <<<>>> only"})");
      return;
    }
    std::string quoted;
    for (const char *at = name; *at; ++at) {
      if (*at == '"' || *at == '\\')
        quoted += '\\';
      quoted += static_cast<unsigned char>(*at) < ' ' ? ' ' : *at;
    }
    write(start("kernel") + number("ordinal", ordinal) + number("stream", 0) +
          ",\"name\":\"" + quoted + "\"" + extents("grid", grid) +
          extents("block", block) + number("shared", sharedBytes) +
          number("begin", begin) + number("end", end) + "}");
  }

private:
  static std::string start(const char *kind) {
    return std::string("{\"kind\":\"") + kind +
           "\",\"interface\":\"cuda\",\"process\":" + std::to_string(getpid()) +
           ",\"device\":0";
  }
  void write(const std::string &object) const {
    const std::string line = object + "\n";
    if (::write(Descriptor, line.data(), line.size()) < 0)
      return; // a launch that isn't in the file isn't measured
  }

  int Descriptor = -1;
  std::atomic<std::uint64_t> Count{0};
  std::atomic<bool> HasNameless{false};
};

/// Lives until the process is gone: other threads may launch at its end.
inline LaunchTimes &launchTimes() {
  static LaunchTimes *const All = new LaunchTimes;
  return *All;
}

/// The time of one launch.
class LaunchClock {
public:
  void start() { Begin = now(); }
  void stop() { End = now(); }
  std::uint64_t begin() const { return Begin; }
  std::uint64_t end() const { return End; }

private:
  static std::uint64_t now() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }

  std::uint64_t Begin = 0, End = 0;
};

} // namespace kfuse_cpu

#endif
