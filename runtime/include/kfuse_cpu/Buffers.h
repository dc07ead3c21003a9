//===- kfuse_cpu/Buffers.h - The device's memory and the trace of it ------===//
//
// Device memory is host memory, so that the address sanitizer checks it. The
// format of the trace is described in runtime/trace/Trace.h.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_CPU_BUFFERS_H
#define KFUSE_CPU_BUFFERS_H

#include "kfuse_cpu/Record.h"

#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kfuse_cpu {

enum class MemoryKind { Device, Managed, Host, Symbol };

struct Buffer {
  std::size_t size = 0;
  MemoryKind kind = MemoryKind::Device;
  std::string label;
  std::uint64_t order = 0; ///< position in the order of allocation
};

/// Uninitialised memory has the same content in every run: a tiny negative
/// number as floating point, a large negative one as an integer.
inline constexpr int FillByte = 0xA5;

/// Returns the first argument of a call's argument text without casts,
/// parentheses and the address-of operator: `d_B` for
/// `(void **)&d_B, n * sizeof(float)`.
inline std::string labelOf(std::string_view arguments) {
  std::string text;
  int depth = 0;
  for (char c : arguments) {
    depth += c == '(' || c == '[' || c == '{';
    depth -= c == ')' || c == ']' || c == '}';
    if (c == ',' && depth == 0 && text.find('<') == std::string::npos)
      break;
    if (c == ',' && depth == 0 && text.find('>') != std::string::npos)
      break;
    if (!std::isspace(static_cast<unsigned char>(c)))
      text += c;
  }
  auto closing = [&text](std::size_t at, char open, char close) {
    int depth = 0;
    for (; at < text.size(); ++at) {
      depth += text[at] == open;
      depth -= text[at] == close;
      if (depth == 0)
        return at;
    }
    return std::string::npos;
  };
  for (bool changed = true; changed && !text.empty();) {
    changed = true;
    std::size_t cast = text.find("_cast<");
    if (text[0] == '&') {
      text.erase(0, 1);
    } else if (text[0] == '(' && closing(0, '(', ')') == text.size() - 1) {
      text = text.substr(1, text.size() - 2);
    } else if (text[0] == '(' && closing(0, '(', ')') != std::string::npos &&
               text[closing(0, '(', ')') - 1] == '*') {
      text.erase(0, closing(0, '(', ')') + 1);
    } else if (cast != std::string::npos && text.find('(') > cast) {
      std::size_t type = closing(cast + 5, '<', '>');
      text.erase(0, type == std::string::npos ? text.size() : type + 1);
    } else {
      changed = false;
    }
  }
  return text.empty() ? "?" : text;
}

class Memory {
public:
  Memory() {
    if (const char *path = std::getenv("KFUSE_CPU_TRACE"))
      if (!(Log = std::fopen(path, "w")))
        std::fprintf(stderr, "kfuse-cpu: cannot write '%s'\n", path);
    const char *value = std::getenv("KFUSE_CPU_TRACE_LAUNCHES");
    LogLaunches = value && std::string_view(value) == "1";
  }

  /// Returns null if there is no memory. A buffer of kind Host gets no number
  /// in its label.
  void *allocate(std::string_view function, std::string_view arguments,
                 std::size_t size, MemoryKind kind) {
    void *memory = nullptr;
    // The size is exact, so that the address sanitizer sees every overrun.
    if (posix_memalign(&memory, 256, size) != 0)
      return nullptr;
    std::memset(memory, FillByte, size);
    std::lock_guard<std::mutex> lock(Mutex);
    std::string label = std::string(function) + ":" + labelOf(arguments);
    if (kind != MemoryKind::Host)
      label += "#" + std::to_string(Uses[label]++);
    recordAllocation(memory, size, label);
    Buffers[static_cast<char *>(memory)] = {size, kind, std::move(label),
                                            Allocations++};
    return memory;
  }

  /// Frees a buffer of the host (if `host`) or of the device; returns whether
  /// it existed.
  bool release(void *memory, bool host) {
    std::lock_guard<std::mutex> lock(Mutex);
    auto found = Buffers.find(static_cast<char *>(memory));
    if (found == Buffers.end() || found->second.kind == MemoryKind::Symbol ||
        (found->second.kind == MemoryKind::Host) != host)
      return false;
    if (!host)
      logContent("free", *found);
    recordRelease(memory);
    Buffers.erase(found);
    std::free(memory);
    return true;
  }

  /// Registers a device variable, which is known by its name from now on.
  void addSymbol(const void *address, std::size_t size,
                 std::string_view arguments) {
    std::lock_guard<std::mutex> lock(Mutex);
    char *begin = static_cast<char *>(const_cast<void *>(address));
    Buffers.try_emplace(
        begin, Buffer{size, MemoryKind::Symbol, labelOf(arguments), 0});
  }

  /// Returns the buffer that contains the address and stores its start in
  /// `begin`.
  const Buffer *find(const void *address, char **begin = nullptr) {
    std::lock_guard<std::mutex> lock(Mutex);
    auto found = holding(address);
    if (found == Buffers.end())
      return nullptr;
    if (begin)
      *begin = found->first;
    return &found->second;
  }

  void logCopy(const void *from, std::size_t bytes, std::uint64_t digest) {
    if (!Log)
      return;
    std::lock_guard<std::mutex> lock(Mutex);
    auto found = holding(from);
    log("copy", found == Buffers.end() ? "?" : found->second.label, bytes,
        digest);
  }
  /// Logs a launch at `line`, which is 0 if it isn't known.
  void logLaunch(const char *name, int line) {
    std::lock_guard<std::mutex> lock(Mutex);
    ++Launches[{line, name}];
    if (Log && LogLaunches)
      std::fprintf(Log, "launch %s\n", name);
  }

  bool tracing() const { return Log != nullptr; }

  /// Adds bytes to a digest, one word at a time.
  std::uint64_t digest(const void *data, std::size_t bytes,
                       std::uint64_t seed = 0xCBF29CE484222325) {
    std::lock_guard<std::mutex> lock(Mutex);
    return digestLocked(data, bytes, seed);
  }

  /// Logs the contents of buffers that are still alive, and the numbers of
  /// launches.
  void atExit() {
    std::lock_guard<std::mutex> lock(Mutex);
    recordEnd();
    if (Log) {
      std::map<std::uint64_t, const std::pair<char *const, Buffer> *> ordered;
      for (const auto &entry : Buffers)
        if (entry.second.kind == MemoryKind::Device ||
            entry.second.kind == MemoryKind::Managed)
          ordered[entry.second.order] = &entry;
      for (const auto &entry : ordered)
        logContent("exit", *entry.second);
      std::fclose(Log);
      Log = nullptr;
    }
    unsigned long long all = 0;
    for (const auto &[place, count] : Launches)
      all += count;
    if (std::FILE *file = openNamed("KFUSE_CPU_COUNT")) {
      std::fprintf(file, "%llu\n", all);
      std::fclose(file);
    }
    if (std::FILE *file = openNamed("KFUSE_CPU_LAUNCHES")) {
      for (const auto &[place, count] : Launches)
        std::fprintf(file, "%llu %d %s\n", count, place.first,
                     place.second.c_str());
      std::fclose(file);
    }
  }

private:
  using BufferMap = std::map<char *, Buffer>;

  /// Opens the file that the environment variable names for writing; returns
  /// null if it names none.
  static std::FILE *openNamed(const char *variable) {
    const char *path = std::getenv(variable);
    return path ? std::fopen(path, "w") : nullptr;
  }

  BufferMap::iterator holding(const void *address) {
    char *pointer = static_cast<char *>(const_cast<void *>(address));
    auto after = Buffers.upper_bound(pointer);
    if (after == Buffers.begin())
      return Buffers.end();
    auto found = std::prev(after);
    bool inside =
        pointer < found->first + found->second.size || pointer == found->first;
    return inside ? found : Buffers.end();
  }

  static std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15;
    return hash ^ hash >> 29;
  }

  /// Returns the value by which a word enters the digest. A pointer into a
  /// buffer counts as the buffer's label and the offset, because addresses
  /// differ from run to run.
  std::uint64_t canonical(std::uint64_t word) {
    if (Buffers.empty())
      return word;
    auto lowest = reinterpret_cast<std::uint64_t>(Buffers.begin()->first);
    auto last = std::prev(Buffers.end());
    auto highest =
        reinterpret_cast<std::uint64_t>(last->first) + last->second.size;
    if (word < lowest || word >= highest)
      return word;
    auto found = holding(reinterpret_cast<const void *>(word));
    if (found == Buffers.end())
      return word;
    std::uint64_t hash = 0;
    for (unsigned char c : found->second.label)
      hash = mix(hash, c);
    return mix(hash, word - reinterpret_cast<std::uint64_t>(found->first));
  }

  std::uint64_t digestLocked(const void *data, std::size_t bytes,
                             std::uint64_t hash) {
    const char *from = static_cast<const char *>(data);
    for (; bytes >= 8; bytes -= 8, from += 8) {
      std::uint64_t word;
      std::memcpy(&word, from, 8);
      hash = mix(hash, canonical(word));
    }
    std::uint64_t word = 0;
    std::memcpy(&word, from, bytes);
    return mix(hash, word ^ bytes << 56);
  }

  void logContent(const char *event,
                  const std::pair<char *const, Buffer> &entry) {
    if (Log)
      log(event, entry.second.label, entry.second.size,
          digestLocked(entry.first, entry.second.size, 0xCBF29CE484222325));
  }
  void log(const char *event, const std::string &label, std::size_t bytes,
           std::uint64_t digest) {
    std::fprintf(Log, "%s %s %zu %016llx\n", event, label.c_str(), bytes,
                 static_cast<unsigned long long>(digest));
  }

  std::mutex Mutex;
  BufferMap Buffers;
  std::map<std::string, unsigned> Uses;
  std::uint64_t Allocations = 0;
  /// The number of launches of each kernel at each line.
  std::map<std::pair<int, std::string>, unsigned long long> Launches;
  std::FILE *Log = nullptr;
  bool LogLaunches = false;
};

inline Memory &memory() {
  static Memory *instance = new Memory; // the program's objects may outlive it
  return *instance;
}

/// Writes the end of the trace. It is constructed before the program's own
/// globals and hence destroyed after them.
struct AtExit {
  AtExit() { memory(); }
  ~AtExit() { memory().atExit(); }
};
inline AtExit atExit;

} // namespace kfuse_cpu

#endif
