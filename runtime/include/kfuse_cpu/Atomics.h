//===- kfuse_cpu/Atomics.h - Atomic operations and fences -----------------===//
//
// Threads are fibers of one system thread and switch only when they block, so a
// plain read-modify-write is atomic. The functions are templates, so that a
// program's own `atomicAdd(double *, double)` for old devices is preferred and
// doesn't conflict.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_CPU_ATOMICS_H
#define KFUSE_CPU_ATOMICS_H

#include "kfuse_cpu/Record.h"

namespace kfuse_cpu {

/// Keeps the second parameter out of template argument deduction.
template <class T> struct Identity {
  using Type = T;
};
template <class T> using NoDeduce = typename Identity<T>::Type;

} // namespace kfuse_cpu

#define KFUSE_CPU_ATOMIC(Name, New)                                            \
  template <class T>                                                           \
  KFUSE_CPU_UNRECORDED T Name(T *address, kfuse_cpu::NoDeduce<T> value) {      \
    kfuse_cpu::recordAtomic(#Name, address, sizeof(T));                        \
    T old = *address;                                                          \
    *address = New;                                                            \
    return old;                                                                \
  }                                                                            \
  template <class T>                                                           \
  T Name##_block(T *address, kfuse_cpu::NoDeduce<T> value) {                   \
    return Name(address, value);                                               \
  }                                                                            \
  template <class T>                                                           \
  T Name##_system(T *address, kfuse_cpu::NoDeduce<T> value) {                  \
    return Name(address, value);                                               \
  }

KFUSE_CPU_ATOMIC(atomicAdd, old + value)
KFUSE_CPU_ATOMIC(atomicSub, old - value)
KFUSE_CPU_ATOMIC(atomicExch, value)
KFUSE_CPU_ATOMIC(atomicMin, value < old ? value : old)
KFUSE_CPU_ATOMIC(atomicMax, old < value ? value : old)
KFUSE_CPU_ATOMIC(atomicAnd, old &value)
KFUSE_CPU_ATOMIC(atomicOr, old | value)
KFUSE_CPU_ATOMIC(atomicXor, old ^ value)
KFUSE_CPU_ATOMIC(atomicInc, old >= value ? T(0) : T(old + 1))
KFUSE_CPU_ATOMIC(atomicDec, (old == T(0) || old > value) ? value : T(old - 1))
#undef KFUSE_CPU_ATOMIC

template <class T>
KFUSE_CPU_UNRECORDED T atomicCAS(T *address, kfuse_cpu::NoDeduce<T> compare,
                                 kfuse_cpu::NoDeduce<T> value) {
  kfuse_cpu::recordAtomic("atomicCAS", address, sizeof(T));
  T old = *address;
  if (old == compare)
    *address = value;
  return old;
}
template <class T>
T atomicCAS_block(T *address, kfuse_cpu::NoDeduce<T> compare,
                  kfuse_cpu::NoDeduce<T> value) {
  return atomicCAS(address, compare, value);
}
template <class T>
T atomicCAS_system(T *address, kfuse_cpu::NoDeduce<T> compare,
                   kfuse_cpu::NoDeduce<T> value) {
  return atomicCAS(address, compare, value);
}

inline void __threadfence() { __asm__ volatile("" ::: "memory"); }
inline void __threadfence_block() { __threadfence(); }
inline void __threadfence_system() { __threadfence(); }

#endif
