//===- Roofline.h - The roofline model ------------------------------------===//
//
// The roofline model of Williams, Waterman and Patterson, "Roofline: An
// Insightful Visual Performance Model for Multicore Architectures",
// Communications of the ACM 52(4), 2009:
//
//   W         operations of a kernel.
//   Q         bytes that it moves to and from one level of memory.
//   I         W / Q, its intensity, in operations a byte.
//   tau_flop  seconds of an operation, at best.
//   tau_mem   seconds of a byte, at best.
//   P_inf     1 / tau_flop, the peak, in operations/s.
//   beta      1 / tau_mem, the bandwidth, in bytes/s.
//   B_tau     tau_mem / tau_flop, the machine's balance, in operations a byte.
//   T         max(W tau_flop, Q tau_mem), the least time, in seconds.
//   P         W / T = P_inf min(I / B_tau, 1) = min(beta I, P_inf).
//
// An operation is whatever the unit does: another semiring, or additions that
// no multiplication joins, are other units with a peak of their own. Each pair
// of a level of memory and a unit has its own roofline.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_BENCH_MODEL_ROOFLINE_H
#define KFUSE_BENCH_MODEL_ROOFLINE_H

namespace kfuse {

/// W and Q of a kernel: neither is negative, and one is above zero.
struct Workload {
  double operations = 0; ///< W
  double bytes = 0;      ///< Q
};

/// Returns I, which is infinite for work that moves nothing.
double intensityOf(const Workload &work);

/// One level of memory and one unit.
struct Roofline {
  double tauFlop = 0; ///< seconds of an operation, above zero
  double tauMem = 0;  ///< seconds of a byte, above zero

  static Roofline of(double bandwidth, double peak) {
    return {1 / peak, 1 / bandwidth};
  }
  double peak() const { return 1 / tauFlop; }         ///< P_inf
  double bandwidth() const { return 1 / tauMem; }     ///< beta
  double balance() const { return tauMem / tauFlop; } ///< B_tau, the ridge
  double secondsOf(const Workload &work) const;       ///< T
  double performanceAt(double intensity) const;       ///< P
};

} // namespace kfuse

#endif
