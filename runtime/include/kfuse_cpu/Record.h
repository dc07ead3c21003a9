//===- kfuse_cpu/Record.h - Which bytes device code touches ---------------===//
//
// `kfuse-cpu --record` defines KFUSE_CPU_RECORD and lets Clang instrument the
// program as for the thread sanitizer. This instrumentation reports every load
// and store, including copies of structs. It omits local variables whose
// address isn't taken. The functions that it calls are defined here instead of
// in the sanitizer's library. The user's functions aren't optimised, so that
// the accesses are those of the source; the executor is.
//
// Only accesses to device memory are recorded. Shared memory, the thread's
// coordinates (both in the section KFUSE_CPU_INSIDE), stacks and host memory
// are omitted.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_CPU_RECORD_H
#define KFUSE_CPU_RECORD_H

#include <cstddef>
#include <string>

namespace kfuse_cpu {

/// Describes a launch for the record.
struct RecordedLaunch {
  const char *name;
  int line; ///< 0 if it isn't known
  unsigned grid[3], block[3];
};

#ifndef KFUSE_CPU_RECORD

// Nothing is recorded without --record.
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
/// Records that the host, or a copy, reads or writes the bytes.
void recordHostRead(const void *from, std::size_t bytes);
void recordHostWrite(const void *to, std::size_t bytes);
/// Records an atomic access by the function that `operation` names.
void recordAtomic(const char *operation, const void *address,
                  std::size_t bytes);
void recordLaunch(const RecordedLaunch &launch);
void recordLaunchEnd();
/// Notes that a thread runs from now on if `runs`, else the executor.
void recordThread(bool runs);
void recordEnd();

#endif

} // namespace kfuse_cpu

#endif
