//===- kfuse_cpu/Recorder.h - The record of a program's accesses ----------===//
//
// KFUSE_CPU_BYTES names the file that receives the bytes of each launch as JSON
// lines. KFUSE_CPU_ACCESSES names the file that receives each single access.
// The manual describes the formats.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_CPU_RECORDER_H
#define KFUSE_CPU_RECORDER_H

#ifdef KFUSE_CPU_RECORD

#include "kfuse_cpu/Bits.h"
#include "kfuse_cpu/Record.h"
#include "kfuse_cpu/Scheduler.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

// The linker defines the bounds of the program's variables and of the section.
extern "C" {
extern char __data_start[], _end[];
extern char __start_kfuse_cpu_inside[], __stop_kfuse_cpu_inside[];
}

// Library functions that work for the recorder are instrumented, too;
// `recording` is false while they run.
#pragma clang attribute push(KFUSE_CPU_UNRECORDED, apply_to = function)

namespace kfuse_cpu {

/// True while this system thread runs a device thread.
inline thread_local bool recording = false;

/// Represents an array of the device.
struct RecordedArray {
  RecordedArray(const char *begin, std::size_t bytes, unsigned id,
                const std::string &label)
      : begin(begin), bytes(bytes), id(id), label(label), loaded(bytes),
        stored(bytes), given(bytes), made(bytes) {
    given.add(0, bytes);
  }

  const char *begin;
  std::size_t bytes;
  unsigned id;
  std::string label;
  bool isTouched = false; ///< in this launch
  ByteSet loaded, stored; ///< in this launch
  /// Bytes that only the host has set and no launch has loaded yet; bytes that
  /// launches have stored and the host hasn't read.
  ByteSet given, made;
  std::size_t inputs = 0, outputs = 0; ///< bytes that left these sets
};

class Recorder {
public:
  Recorder()
      : Bytes(open("KFUSE_CPU_BYTES")), Accesses(open("KFUSE_CPU_ACCESSES")) {
    add(__data_start, _end - __data_start, "variables");
  }

  void add(const void *begin, std::size_t bytes, const std::string &label);
  void remove(const void *begin);
  void hostRead(const void *from, std::size_t bytes);
  void hostWrite(const void *to, std::size_t bytes);
  void beginLaunch(const RecordedLaunch &launch);
  void endLaunch();
  void end();

  void load(const void *address, std::size_t bytes) {
    if (RecordedArray *array = arrayAt(address))
      access(*array, "r", true, false, offsetIn(*array, address), bytes);
  }
  void store(const void *address, std::size_t bytes) {
    if (RecordedArray *array = arrayAt(address))
      access(*array, "w", false, true, offsetIn(*array, address), bytes);
  }
  void atomic(const char *operation, const void *address, std::size_t bytes) {
    if (RecordedArray *array = arrayAt(address))
      access(*array, operation, true, true, offsetIn(*array, address), bytes);
  }

private:
  static std::FILE *open(const char *variable) {
    const char *path = std::getenv(variable);
    std::FILE *file = path ? std::fopen(path, "w") : nullptr;
    if (path && !file)
      std::fprintf(stderr, "kfuse-cpu: cannot write '%s'\n", path);
    return file;
  }
  static std::size_t offsetIn(const RecordedArray &array, const void *address) {
    return static_cast<const char *>(address) - array.begin;
  }

  RecordedArray *arrayAt(const void *address);
  void access(RecordedArray &array, const char *operation, bool loads,
              bool stores, std::size_t offset, std::size_t bytes);
  void settle(const RecordedArray &array);

  std::FILE *Bytes, *Accesses;
  std::vector<RecordedArray *> Arrays; ///< sorted by address
  RecordedArray *Last = nullptr;
  unsigned NextArray = 0, NextLaunch = 0;
  RecordedLaunch Current = {};
  std::size_t LoadedBytes = 0, StoredBytes = 0; ///< accessed in this launch
};

inline Recorder &recorder() {
  static Recorder *instance = new Recorder; // kernels may run at exit
  return *instance;
}

/// Turns recording off while the recorder itself works.
class Pause {
public:
  Pause() : Before(recording) { recording = false; }
  ~Pause() { recording = Before; }
  Pause(const Pause &) = delete;
  Pause &operator=(const Pause &) = delete;

private:
  bool Before;
};

/// Returns the text as a JSON string.
inline std::string quoted(const std::string &text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return result + "\"";
}

inline void Recorder::add(const void *begin, std::size_t bytes,
                          const std::string &label) {
  auto *array = new RecordedArray(static_cast<const char *>(begin), bytes,
                                  NextArray++, label);
  auto after =
      std::find_if(Arrays.begin(), Arrays.end(), [&](RecordedArray *other) {
        return other->begin > array->begin;
      });
  Arrays.insert(after, array);
  if (Accesses)
    std::fprintf(Accesses, "array %u %zu %s\n", array->id, bytes,
                 label.c_str());
}

inline void Recorder::remove(const void *begin) {
  auto found =
      std::find_if(Arrays.begin(), Arrays.end(),
                   [&](RecordedArray *array) { return array->begin == begin; });
  if (found == Arrays.end())
    return;
  settle(**found);
  if (Accesses)
    std::fprintf(Accesses, "free %u\n", (*found)->id);
  delete *found;
  Arrays.erase(found);
  Last = nullptr;
}

/// Returns the array that contains the address; null if it isn't device memory.
inline RecordedArray *Recorder::arrayAt(const void *address) {
  auto at = static_cast<const char *>(address);
  if (Last && at >= Last->begin && at < Last->begin + Last->bytes)
    return Last;
  if (at >= __start_kfuse_cpu_inside && at < __stop_kfuse_cpu_inside)
    return nullptr;
  RecordedArray **low = Arrays.data(), **high = low + Arrays.size();
  while (low < high) {
    RecordedArray **middle = low + (high - low) / 2;
    if ((*middle)->begin <= at)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == Arrays.data() || at >= low[-1]->begin + low[-1]->bytes)
    return nullptr;
  // The coordinates and the shared variables are among the program's variables.
  if (low[-1]->begin != __data_start)
    Last = low[-1];
  return low[-1];
}

inline void Recorder::access(RecordedArray &array, const char *operation,
                             bool loads, bool stores, std::size_t offset,
                             std::size_t bytes) {
  bytes = std::min(bytes, array.bytes - offset);
  if (Accesses) {
    const std::size_t block =
        (std::size_t(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x +
        blockIdx.x;
    const std::size_t threads =
        std::size_t(blockDim.x) * blockDim.y * blockDim.z;
    std::fprintf(Accesses, "%s %zu %u %zu %zu\n", operation,
                 block * threads + scheduler().current, array.id, offset,
                 bytes);
  }
  array.isTouched = true;
  if (loads) {
    LoadedBytes += bytes;
    array.loaded.add(offset, bytes);
    array.inputs += array.given.remove(offset, bytes);
  }
  if (stores) {
    StoredBytes += bytes;
    array.stored.add(offset, bytes);
    array.given.remove(offset, bytes);
    array.made.add(offset, bytes);
  }
}

inline void Recorder::hostRead(const void *from, std::size_t bytes) {
  RecordedArray *array = arrayAt(from);
  if (!array)
    return;
  const std::size_t offset = offsetIn(*array, from);
  array->outputs += array->made.remove(offset, bytes);
  if (Bytes)
    std::fprintf(Bytes, "{\"host\": \"read\", \"array\": %s, \"bytes\": %zu}\n",
                 quoted(array->label).c_str(), bytes);
  if (Accesses)
    std::fprintf(Accesses, "host-read %u %zu %zu\n", array->id, offset, bytes);
}

inline void Recorder::hostWrite(const void *to, std::size_t bytes) {
  RecordedArray *array = arrayAt(to);
  if (!array)
    return;
  const std::size_t offset = offsetIn(*array, to);
  array->made.remove(offset, bytes);
  array->given.add(offset, bytes);
  if (Bytes)
    std::fprintf(Bytes,
                 "{\"host\": \"write\", \"array\": %s, \"bytes\": %zu}\n",
                 quoted(array->label).c_str(), bytes);
  if (Accesses)
    std::fprintf(Accesses, "host-write %u %zu %zu\n", array->id, offset, bytes);
}

inline void Recorder::beginLaunch(const RecordedLaunch &launch) {
  Current = launch;
  LoadedBytes = StoredBytes = 0;
  if (Accesses)
    std::fprintf(Accesses, "launch %u %d %u %u %u %u %u %u %s\n", NextLaunch,
                 launch.line, launch.grid[0], launch.grid[1], launch.grid[2],
                 launch.block[0], launch.block[1], launch.block[2],
                 launch.name);
}

inline void Recorder::endLaunch() {
  std::size_t read = 0, written = 0, readSectors = 0, writtenSectors = 0;
  std::string list;
  for (RecordedArray *array : Arrays) {
    if (!array->isTouched)
      continue;
    const std::size_t loaded = array->loaded.size(),
                      stored = array->stored.size();
    read += loaded;
    written += stored;
    readSectors += array->loaded.sectors();
    writtenSectors += array->stored.sectors();
    list += (list.empty() ? "" : ", ") +
            ("{\"array\": " + quoted(array->label)) +
            ", \"bytesRead\": " + std::to_string(loaded) +
            ", \"bytesWritten\": " + std::to_string(stored) + "}";
    array->loaded.clear();
    array->stored.clear();
    array->isTouched = false;
  }
  if (Bytes)
    std::fprintf(
        Bytes,
        "{\"launch\": %u, \"kernel\": %s, \"line\": %d, \"grid\": [%u, %u, "
        "%u], \"block\": [%u, %u, %u], \"bytesRead\": %zu, \"bytesWritten\": "
        "%zu, \"sectorsRead\": %zu, \"sectorsWritten\": %zu, "
        "\"requestedRead\": %zu, \"requestedWritten\": %zu, \"arrays\": "
        "[%s]}\n",
        NextLaunch, quoted(Current.name).c_str(), Current.line, Current.grid[0],
        Current.grid[1], Current.grid[2], Current.block[0], Current.block[1],
        Current.block[2], read, written, readSectors, writtenSectors,
        LoadedBytes, StoredBytes, list.c_str());
  ++NextLaunch;
}

/// Writes the array's totals when it is freed or the program ends.
inline void Recorder::settle(const RecordedArray &array) {
  if (Bytes)
    std::fprintf(Bytes,
                 "{\"array\": %s, \"bytes\": %zu, \"inputs\": %zu, "
                 "\"outputs\": %zu, \"left\": %zu}\n",
                 quoted(array.label).c_str(), array.bytes, array.inputs,
                 array.outputs, array.made.size());
}

inline void Recorder::end() {
  for (RecordedArray *array : Arrays)
    settle(*array);
  for (std::FILE **file : {&Bytes, &Accesses}) {
    if (*file)
      std::fclose(*file);
    *file = nullptr;
  }
}

inline void recordAllocation(const void *begin, std::size_t bytes,
                             const std::string &label) {
  recorder().add(begin, bytes, label);
}
inline void recordRelease(const void *begin) { recorder().remove(begin); }
inline void recordHostRead(const void *from, std::size_t bytes) {
  recorder().hostRead(from, bytes);
}
inline void recordHostWrite(const void *to, std::size_t bytes) {
  recorder().hostWrite(to, bytes);
}
inline void recordAtomic(const char *operation, const void *address,
                         std::size_t bytes) {
  if (!recording)
    return;
  Pause pause;
  recorder().atomic(operation, address, bytes);
}
inline void recordLaunch(const RecordedLaunch &launch) {
  recorder().beginLaunch(launch);
}
inline void recordLaunchEnd() { recorder().endLaunch(); }
inline void recordThread(bool runs) { recording = runs; }
inline void recordEnd() { recorder().end(); }

inline void recordLoad(const void *address, std::size_t bytes) {
  if (!recording)
    return;
  Pause pause;
  recorder().load(address, bytes);
}
inline void recordStore(const void *address, std::size_t bytes) {
  if (!recording)
    return;
  Pause pause;
  recorder().store(address, bytes);
}

} // namespace kfuse_cpu

// Clang's instrumentation calls the following functions. They are weak, because
// a program may have several files.
#define KFUSE_CPU_CALLED extern "C" __attribute__((weak, used))
#define KFUSE_CPU_CALLED_FOR(Bytes)                                            \
  KFUSE_CPU_CALLED void __tsan_read##Bytes(void *address) {                    \
    kfuse_cpu::recordLoad(address, Bytes);                                     \
  }                                                                            \
  KFUSE_CPU_CALLED void __tsan_write##Bytes(void *address) {                   \
    kfuse_cpu::recordStore(address, Bytes);                                    \
  }
#define KFUSE_CPU_CALLED_UNALIGNED(Bytes)                                      \
  KFUSE_CPU_CALLED void __tsan_unaligned_read##Bytes(void *address) {          \
    kfuse_cpu::recordLoad(address, Bytes);                                     \
  }                                                                            \
  KFUSE_CPU_CALLED void __tsan_unaligned_write##Bytes(void *address) {         \
    kfuse_cpu::recordStore(address, Bytes);                                    \
  }
KFUSE_CPU_CALLED_FOR(1)
KFUSE_CPU_CALLED_FOR(2)
KFUSE_CPU_CALLED_FOR(4)
KFUSE_CPU_CALLED_FOR(8)
KFUSE_CPU_CALLED_FOR(16)
KFUSE_CPU_CALLED_UNALIGNED(2)
KFUSE_CPU_CALLED_UNALIGNED(4)
KFUSE_CPU_CALLED_UNALIGNED(8)
KFUSE_CPU_CALLED_UNALIGNED(16)
#undef KFUSE_CPU_CALLED_UNALIGNED
#undef KFUSE_CPU_CALLED_FOR

KFUSE_CPU_CALLED void *__tsan_memcpy(void *to, const void *from,
                                     std::size_t bytes) {
  kfuse_cpu::recordLoad(from, bytes);
  kfuse_cpu::recordStore(to, bytes);
  return __builtin_memcpy(to, from, bytes);
}
KFUSE_CPU_CALLED void *__tsan_memmove(void *to, const void *from,
                                      std::size_t bytes) {
  kfuse_cpu::recordLoad(from, bytes);
  kfuse_cpu::recordStore(to, bytes);
  return __builtin_memmove(to, from, bytes);
}
KFUSE_CPU_CALLED void *__tsan_memset(void *to, int value, std::size_t bytes) {
  kfuse_cpu::recordStore(to, bytes);
  return __builtin_memset(to, value, bytes);
}
KFUSE_CPU_CALLED void __tsan_vptr_read(void **address) {
  kfuse_cpu::recordLoad(address, sizeof(void *));
}
KFUSE_CPU_CALLED void __tsan_vptr_update(void **address, void *) {
  kfuse_cpu::recordStore(address, sizeof(void *));
}
KFUSE_CPU_CALLED void __tsan_init() {}
#undef KFUSE_CPU_CALLED

#pragma clang attribute pop

// The user's functions follow: every access is made as written.
#pragma clang optimize off

#endif

#endif
