//===- kfuse_cpu/Intrinsics.h - Device functions on integers and bits -----===//
#ifndef KFUSE_CPU_INTRINSICS_H
#define KFUSE_CPU_INTRINSICS_H

#include <cassert>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>

namespace kfuse_cpu {

template <class To, class From> To bitCast(From value) {
  static_assert(sizeof(To) == sizeof(From));
  To result;
  std::memcpy(&result, &value, sizeof(To));
  return result;
}

} // namespace kfuse_cpu

// These reinterpret the bits of a value.
inline int __float_as_int(float x) { return kfuse_cpu::bitCast<int>(x); }
inline unsigned __float_as_uint(float x) {
  return kfuse_cpu::bitCast<unsigned>(x);
}
inline float __int_as_float(int x) { return kfuse_cpu::bitCast<float>(x); }
inline float __uint_as_float(unsigned x) {
  return kfuse_cpu::bitCast<float>(x);
}
inline long long __double_as_longlong(double x) {
  return kfuse_cpu::bitCast<long long>(x);
}
inline double __longlong_as_double(long long x) {
  return kfuse_cpu::bitCast<double>(x);
}
inline int __double2hiint(double x) { return __double_as_longlong(x) >> 32; }
inline int __double2loint(double x) { return int(__double_as_longlong(x)); }
inline double __hiloint2double(int high, int low) {
  return __longlong_as_double(static_cast<long long>(
      std::uint64_t(unsigned(high)) << 32 | unsigned(low)));
}

// These count, find and reverse bits.
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x ? __builtin_clz(x) : 32; }
inline int __clzll(long long x) { return x ? __builtin_clzll(x) : 64; }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
inline unsigned long long __brevll(unsigned long long x) {
  return __builtin_bitreverse64(x);
}
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  std::uint64_t bytes = std::uint64_t(y) << 32 | x;
  unsigned result = 0;
  for (int i = 0; i < 4; ++i) {
    unsigned nibble = selector >> (4 * i) & 0xf;
    unsigned byte = bytes >> (8 * (nibble & 7)) & 0xff;
    if (nibble & 8)
      byte = byte & 0x80 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return (std::uint64_t(high) << 32 | low) << (shift & 31) >> 32;
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return (std::uint64_t(high) << 32 | low) >> (shift & 31);
}
// These saturate the shift at 32 instead of wrapping it.
inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  return shift < 32 ? __funnelshift_l(low, high, shift) : low;
}
inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  return shift < 32 ? __funnelshift_r(low, high, shift) : high;
}

// These are products and sums.
inline int __mul24(int x, int y) {
  auto low24 = [](int v) { return int(unsigned(v) << 8) >> 8; };
  return int(unsigned(low24(x)) * unsigned(low24(y)));
}
inline unsigned __umul24(unsigned x, unsigned y) {
  return (x & 0xffffff) * (y & 0xffffff);
}
inline int __mulhi(int x, int y) { return int((long long)x * y >> 32); }
inline unsigned __umulhi(unsigned x, unsigned y) {
  return std::uint64_t(x) * y >> 32;
}
inline long long __mul64hi(long long x, long long y) {
  return (long long)((__int128)x * y >> 64);
}
inline unsigned long long __umul64hi(unsigned long long x,
                                     unsigned long long y) {
  return (unsigned long long)((unsigned __int128)x * y >> 64);
}
inline unsigned __usad(unsigned x, unsigned y, unsigned z) {
  return (x > y ? x - y : y - x) + z;
}
inline unsigned __sad(int x, int y, unsigned z) {
  return (x > y ? unsigned(x) - unsigned(y) : unsigned(y) - unsigned(x)) + z;
}
inline int __hadd(int x, int y) { return int(((long long)x + y) >> 1); }
inline int __rhadd(int x, int y) { return int(((long long)x + y + 1) >> 1); }
inline unsigned __uhadd(unsigned x, unsigned y) {
  return (std::uint64_t(x) + y) >> 1;
}
inline unsigned __urhadd(unsigned x, unsigned y) {
  return (std::uint64_t(x) + y + 1) >> 1;
}
inline int __dp4a(int a, int b, int c) {
  unsigned sum = c; // unsigned, because it wraps
  for (int i = 0; i < 32; i += 8)
    sum += int(std::int8_t(a >> i)) * int(std::int8_t(b >> i));
  return int(sum);
}
inline unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  for (int i = 0; i < 32; i += 8)
    c += (a >> i & 0xff) * (b >> i & 0xff);
  return c;
}

// These are loads and stores with cache hints.
#define KFUSE_CPU_LOAD(Name)                                                   \
  template <class T> T Name(const T *address) { return *address; }
KFUSE_CPU_LOAD(__ldg)
KFUSE_CPU_LOAD(__ldcg)
KFUSE_CPU_LOAD(__ldca)
KFUSE_CPU_LOAD(__ldcs)
KFUSE_CPU_LOAD(__ldlu)
KFUSE_CPU_LOAD(__ldcv)
#undef KFUSE_CPU_LOAD
#define KFUSE_CPU_STORE(Name)                                                  \
  template <class T> void Name(T *address, std::common_type_t<T> value) {      \
    *address = value;                                                          \
  }
KFUSE_CPU_STORE(__stwb)
KFUSE_CPU_STORE(__stcg)
KFUSE_CPU_STORE(__stcs)
KFUSE_CPU_STORE(__stwt)
#undef KFUSE_CPU_STORE

// These are for time and control. Plain clock() comes from the C library.
inline long long clock64() {
  return std::chrono::steady_clock::now().time_since_epoch().count();
}
inline unsigned long long __globaltimer() { return clock64(); }
inline void __nanosleep(unsigned) {}
inline void __prof_trigger(int) {}
[[noreturn]] inline void __trap() {
  std::fprintf(stderr, "kfuse-cpu: a thread executed __trap()\n");
  std::abort();
}
inline void __brkpt() { __trap(); }

#endif
