//===- kfuse_cpu/Record.h - Which bytes device code touches ---------------===//
//
// `kfuse-cpu --record` defines KFUSE_CPU_RECORD and lets Clang instrument the
// program as for the thread sanitizer, whose instrumentation reports every load
// and store, copies of structs included, and leaves out local variables that no
// pointer leads to. The functions that it calls are here instead of in the
// sanitizer's library. The user's functions are not optimised, so that the
// accesses are the source's; the executor is.
//
// Recorded is what lies in the device's memory. The rest is shared memory, the
// coordinates of the thread (both in the section KFUSE_CPU_INSIDE), stacks and
// memory of the host.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_CPU_RECORD_H
#define KFUSE_CPU_RECORD_H

#include <cstddef>
#include <string>

namespace kfuse_cpu {

/// A launch, for the record.
struct RecordedLaunch {
  const char *name;
  int line; ///< 0 where it isn't known
  unsigned grid[3], block[3];
};

#ifndef KFUSE_CPU_RECORD

// Without --record nothing is recorded.
inline void recordAllocation(const void *, std::size_t, const std::string &) {}
inline void recordRelease(const void *) {}
inline void recordHostRead(const void *, std::size_t) {}
inline void recordHostWrite(const void *, std::size_t) {}
inline void recordAtomic(const char *, const void *, std::size_t) {}
inline void recordLaunch(const RecordedLaunch &) {}
inline void recordLaunchEnd() {}
inline void recordThread(bool) {}
inline void recordEnd() {}

#else

void recordAllocation(const void *begin, std::size_t bytes,
                      const std::string &label);
void recordRelease(const void *begin);
/// The host, or a copy, sees or sets the bytes.
void recordHostRead(const void *from, std::size_t bytes);
void recordHostWrite(const void *to, std::size_t bytes);
/// `operation` is the function's name.
void recordAtomic(const char *operation, const void *address,
                  std::size_t bytes);
void recordLaunch(const RecordedLaunch &launch);
void recordLaunchEnd();
/// From now on a thread runs, or the executor.
void recordThread(bool runs);
void recordEnd();

#endif

} // namespace kfuse_cpu

#endif
