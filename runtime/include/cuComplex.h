//===- cuComplex.h - Complex numbers --------------------------------------===//
#ifndef KFUSE_CPU_CUCOMPLEX_H
#define KFUSE_CPU_CUCOMPLEX_H

#include "cuda_runtime.h"

using cuFloatComplex = float2;
using cuDoubleComplex = double2;
using cuComplex = cuFloatComplex;

#define KFUSE_CPU_COMPLEX(Complex, Real, Suffix, Make)                         \
  inline Complex make_##Complex(Real x, Real y) { return Make(x, y); }         \
  inline Real cuCreal##Suffix(Complex a) { return a.x; }                       \
  inline Real cuCimag##Suffix(Complex a) { return a.y; }                       \
  inline Complex cuConj##Suffix(Complex a) { return Make(a.x, -a.y); }         \
  inline Real cuCabs##Suffix(Complex a) { return std::hypot(a.x, a.y); }       \
  inline Complex cuCadd##Suffix(Complex a, Complex b) {                        \
    return Make(a.x + b.x, a.y + b.y);                                         \
  }                                                                            \
  inline Complex cuCsub##Suffix(Complex a, Complex b) {                        \
    return Make(a.x - b.x, a.y - b.y);                                         \
  }                                                                            \
  inline Complex cuCmul##Suffix(Complex a, Complex b) {                        \
    return Make(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                 \
  }                                                                            \
  inline Complex cuCdiv##Suffix(Complex a, Complex b) {                        \
    Real scale = Real(1) / (std::fabs(b.x) + std::fabs(b.y));                  \
    Real ax = a.x * scale, ay = a.y * scale;                                   \
    Real bx = b.x * scale, by = b.y * scale;                                   \
    Real norm = Real(1) / (bx * bx + by * by);                                 \
    return Make((ax * bx + ay * by) * norm, (ay * bx - ax * by) * norm);       \
  }                                                                            \
  inline Complex cuCfma##Suffix(Complex a, Complex b, Complex c) {             \
    return Make((a.x * b.x + c.x) - a.y * b.y, (a.x * b.y + c.y) + a.y * b.x); \
  }
KFUSE_CPU_COMPLEX(cuFloatComplex, float, f, make_float2)
KFUSE_CPU_COMPLEX(cuDoubleComplex, double, , make_double2)
#undef KFUSE_CPU_COMPLEX

inline cuComplex make_cuComplex(float x, float y) { return make_float2(x, y); }

#endif
