//===- kfuse_cpu/Warp.h - Shuffles, votes, matches and reductions ---------===//
//
// Every operation is an exchange. Each lane submits a request; when all lanes
// of the mask have arrived or left the kernel, the operation's `combine` fills
// in the results. The old forms without a mask, and __activemask, use the lanes
// that wait at the same line: `site`.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_CPU_WARP_H
#define KFUSE_CPU_WARP_H

#include "kfuse_cpu/Scheduler.h"

#include <type_traits>

namespace kfuse_cpu {

inline constexpr unsigned FullMask = 0xffffffffu;

inline unsigned laneId() { return scheduler().current % 32; }

/// Calls `visit(lane)` for each bit that is set.
template <class Visit> void forEachLane(std::uint32_t lanes, Visit visit) {
  for (; lanes; lanes &= lanes - 1)
    visit(unsigned(__builtin_ctz(lanes)));
}

template <class T> std::uint64_t toBits(const T &value) {
  static_assert(sizeof(T) <= 8);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  return bits;
}

template <class T> T fromBits(std::uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}

// The following functions compute the results. A lane that reads from one that
// doesn't participate gets its own value.

inline void combineShuffle(LaneRequest *lanes, std::uint32_t participants) {
  forEachLane(participants, [&](unsigned lane) {
    unsigned from = lanes[lane].argument;
    bool takesPart = from < 32 && (participants >> from & 1);
    lanes[lane].result = lanes[takesPart ? from : lane].value;
  });
}

inline void combineBallot(LaneRequest *lanes, std::uint32_t participants) {
  std::uint32_t set = 0;
  forEachLane(participants, [&](unsigned lane) {
    set |= std::uint32_t(lanes[lane].value != 0) << lane;
  });
  forEachLane(participants, [&](unsigned lane) { lanes[lane].result = set; });
}

inline void combineParticipants(LaneRequest *lanes,
                                std::uint32_t participants) {
  forEachLane(participants,
              [&](unsigned lane) { lanes[lane].result = participants; });
}

inline void combineMatchAny(LaneRequest *lanes, std::uint32_t participants) {
  forEachLane(participants, [&](unsigned lane) {
    std::uint32_t same = 0;
    forEachLane(participants, [&](unsigned other) {
      same |= std::uint32_t(lanes[lane].value == lanes[other].value) << other;
    });
    lanes[lane].result = same;
  });
}

template <class T, class Operation>
void combineReduce(LaneRequest *lanes, std::uint32_t participants) {
  unsigned first = __builtin_ctz(participants);
  T total = fromBits<T>(lanes[first].value);
  forEachLane(participants & ~(1u << first), [&](unsigned lane) {
    total = Operation()(total, fromBits<T>(lanes[lane].value));
  });
  forEachLane(participants,
              [&](unsigned lane) { lanes[lane].result = toBits(total); });
}

inline std::uint64_t exchange(Combine combine, unsigned mask, int site,
                              std::uint64_t value, unsigned argument = 0) {
  LaneRequest request;
  request.combine = combine;
  request.mask = mask;
  request.site = site;
  request.value = value;
  request.argument = argument;
  return scheduler().exchange(request);
}

/// Shuffles a value of any trivially copyable type, eight bytes at a time.
template <class T>
T shuffle(unsigned mask, int site, const T &value, unsigned from) {
  if constexpr (sizeof(T) <= 8) {
    return fromBits<T>(
        exchange(combineShuffle, mask, site, toBits(value), from));
  } else {
    T result;
    for (std::size_t at = 0; at < sizeof(T); at += 8) {
      std::size_t size = std::min<std::size_t>(8, sizeof(T) - at);
      std::uint64_t bits = 0;
      std::memcpy(&bits, reinterpret_cast<const char *>(&value) + at, size);
      bits = exchange(combineShuffle, mask, site, bits, from);
      std::memcpy(reinterpret_cast<char *>(&result) + at, &bits, size);
    }
    return result;
  }
}

// The following functions return the lane to read from in the four kinds of
// shuffles. They return the lane itself if the source would be outside its
// segment.

inline unsigned sourceIndexed(int source, int width) {
  return (laneId() & ~(width - 1)) | (source & (width - 1));
}
inline unsigned sourceUp(unsigned delta, int width) {
  unsigned inSegment = laneId() & (width - 1);
  return inSegment < delta ? laneId() : laneId() - delta;
}
inline unsigned sourceDown(unsigned delta, int width) {
  unsigned inSegment = laneId() & (width - 1);
  return inSegment + delta >= unsigned(width) ? laneId() : laneId() + delta;
}
inline unsigned sourceXor(int laneMask, int width) {
  unsigned from = laneId() ^ laneMask;
  return (from & ~(width - 1)) > (laneId() & ~(width - 1)) ? laneId() : from;
}

} // namespace kfuse_cpu

inline void __syncwarp(unsigned mask = kfuse_cpu::FullMask) {
  kfuse_cpu::exchange(kfuse_cpu::combineParticipants, mask, 0, 0);
}
inline unsigned __activemask(int line = __builtin_LINE()) {
  return kfuse_cpu::exchange(kfuse_cpu::combineParticipants,
                             kfuse_cpu::FullMask, line, 0);
}

template <class T>
T __shfl_sync(unsigned mask, T value, int source, int width = 32) {
  return kfuse_cpu::shuffle(mask, 0, value,
                            kfuse_cpu::sourceIndexed(source, width));
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  return kfuse_cpu::shuffle(mask, 0, value, kfuse_cpu::sourceUp(delta, width));
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  return kfuse_cpu::shuffle(mask, 0, value,
                            kfuse_cpu::sourceDown(delta, width));
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int laneMask, int width = 32) {
  return kfuse_cpu::shuffle(mask, 0, value,
                            kfuse_cpu::sourceXor(laneMask, width));
}

template <class T>
T __shfl(T value, int source, int width = 32, int line = __builtin_LINE()) {
  return kfuse_cpu::shuffle(kfuse_cpu::FullMask, line, value,
                            kfuse_cpu::sourceIndexed(source, width));
}
template <class T>
T __shfl_up(T value, unsigned delta, int width = 32,
            int line = __builtin_LINE()) {
  return kfuse_cpu::shuffle(kfuse_cpu::FullMask, line, value,
                            kfuse_cpu::sourceUp(delta, width));
}
template <class T>
T __shfl_down(T value, unsigned delta, int width = 32,
              int line = __builtin_LINE()) {
  return kfuse_cpu::shuffle(kfuse_cpu::FullMask, line, value,
                            kfuse_cpu::sourceDown(delta, width));
}
template <class T>
T __shfl_xor(T value, int laneMask, int width = 32,
             int line = __builtin_LINE()) {
  return kfuse_cpu::shuffle(kfuse_cpu::FullMask, line, value,
                            kfuse_cpu::sourceXor(laneMask, width));
}

inline unsigned __ballot_sync(unsigned mask, int predicate) {
  return kfuse_cpu::exchange(kfuse_cpu::combineBallot, mask, 0, predicate != 0);
}
inline int __any_sync(unsigned mask, int predicate) {
  return __ballot_sync(mask, predicate) != 0;
}
inline int __all_sync(unsigned mask, int predicate) {
  return __ballot_sync(mask, !predicate) == 0;
}
inline unsigned __ballot(int predicate, int line = __builtin_LINE()) {
  return kfuse_cpu::exchange(kfuse_cpu::combineBallot, kfuse_cpu::FullMask,
                             line, predicate != 0);
}
inline int __any(int predicate, int line = __builtin_LINE()) {
  return __ballot(predicate, line) != 0;
}
inline int __all(int predicate, int line = __builtin_LINE()) {
  return __ballot(!predicate, line) == 0;
}

template <class T> unsigned __match_any_sync(unsigned mask, T value) {
  return kfuse_cpu::exchange(kfuse_cpu::combineMatchAny, mask, 0,
                             kfuse_cpu::toBits(value));
}
template <class T>
unsigned __match_all_sync(unsigned mask, T value, int *allEqual) {
  unsigned same = __match_any_sync(mask, value);
  *allEqual = __all_sync(mask, (same & mask) == mask);
  return *allEqual ? mask : 0;
}

namespace kfuse_cpu {

struct Add {
  template <class T> T operator()(T a, T b) const { return a + b; }
};
struct Min {
  template <class T> T operator()(T a, T b) const { return b < a ? b : a; }
};
struct Max {
  template <class T> T operator()(T a, T b) const { return a < b ? b : a; }
};
struct And {
  template <class T> T operator()(T a, T b) const { return a & b; }
};
struct Or {
  template <class T> T operator()(T a, T b) const { return a | b; }
};
struct Xor {
  template <class T> T operator()(T a, T b) const { return a ^ b; }
};

template <class Operation, class T> T reduce(unsigned mask, int site, T value) {
  return fromBits<T>(
      exchange(combineReduce<T, Operation>, mask, site, toBits(value)));
}

} // namespace kfuse_cpu

template <class T> T __reduce_add_sync(unsigned mask, T value) {
  return kfuse_cpu::reduce<kfuse_cpu::Add>(mask, 0, value);
}
template <class T> T __reduce_min_sync(unsigned mask, T value) {
  return kfuse_cpu::reduce<kfuse_cpu::Min>(mask, 0, value);
}
template <class T> T __reduce_max_sync(unsigned mask, T value) {
  return kfuse_cpu::reduce<kfuse_cpu::Max>(mask, 0, value);
}
template <class T> T __reduce_and_sync(unsigned mask, T value) {
  return kfuse_cpu::reduce<kfuse_cpu::And>(mask, 0, value);
}
template <class T> T __reduce_or_sync(unsigned mask, T value) {
  return kfuse_cpu::reduce<kfuse_cpu::Or>(mask, 0, value);
}
template <class T> T __reduce_xor_sync(unsigned mask, T value) {
  return kfuse_cpu::reduce<kfuse_cpu::Xor>(mask, 0, value);
}

inline void __syncthreads() { kfuse_cpu::scheduler().barrier(true); }
inline int __syncthreads_count(int predicate) {
  return kfuse_cpu::scheduler().barrier(predicate != 0).count;
}
inline int __syncthreads_and(int predicate) {
  return kfuse_cpu::scheduler().barrier(predicate != 0).all;
}
inline int __syncthreads_or(int predicate) {
  return kfuse_cpu::scheduler().barrier(predicate != 0).count != 0;
}

#endif
