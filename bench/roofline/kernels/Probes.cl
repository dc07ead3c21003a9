//===- Probes.cl - The kernels of the probes ------------------------------===//
//
// OpenCL C and CUDA alike: OpenCl.cl or Cuda.cuh stands before it and defines
// the words in capitals.
//
// A kernel over memory walks it in steps, four vectors a work-item each, as
// probes/Walk.h tells.
//
//===----------------------------------------------------------------------===//

#define WALK(BODY)                                                             \
  const int first = GROUP * slice + LOCAL_ITEM;                                \
  int part = GROUP % parts, jump = 1;                                          \
  int at = part * span, end = at + span;                                       \
  for (int step = 0; step < steps; ++step) {                                   \
    const int i = first + at, j = i + GROUP_SIZE, k = j + GROUP_SIZE,          \
              l = k + GROUP_SIZE;                                              \
    BODY;                                                                      \
    at += stride;                                                              \
    if (at >= end) {                                                           \
      jump += leap;                                                            \
      jump = jump >= parts ? jump - parts + 1 : jump;                          \
      part += jump;                                                            \
      part = part >= parts ? part - parts : part;                              \
      at = part * span;                                                        \
      end = at + span;                                                         \
    }                                                                          \
  }

// Fills an array, of so many times 16 numbers, from 1/32 on to below 1/16. Zeros
// take less power than other numbers, so that clocks would be higher.
KERNEL void fillVaried(GLOBAL float *a, int count) {
  for (LONG i = ITEM; i < count; i += ITEMS)
    for (int n = 0; n < 16; ++n) {
      const unsigned int mixed = (unsigned int)(i * 16 + n) * 2654435761u;
      a[i * 16 + n] = 0.03125f + (float)(mixed >> 9) * (0.03125f / 8388608.0f);
    }
}

KERNEL void readSet(GLOBAL const Vector *a, GLOBAL Vector *sink, int slice,
                    int span, int stride, int parts, int leap, int steps) {
  Vector p = SPLAT(Vector, 0.0f), q = p, r = p, s = p;
  WALK(p = p + a[i]; q = q + a[j]; r = r + a[k]; s = s + a[l])
  sink[ITEM] = (p + q) + (r + s);
}

KERNEL void writeSet(GLOBAL Vector *a, int slice, int span, int stride,
                     int parts, int leap, int steps) {
  const Vector own = SPLAT(Vector, 1.0f / (float)(ITEM + 32));
  WALK(a[i] = own; a[j] = own; a[k] = own; a[l] = own)
}

KERNEL void copySet(GLOBAL const Vector *a, GLOBAL Vector *b, int slice,
                    int span, int stride, int parts, int leap, int steps) {
  WALK(const Vector p = a[i]; const Vector q = a[j]; const Vector r = a[k];
       const Vector s = a[l]; b[i] = p; b[j] = q; b[k] = r; b[l] = s)
}

KERNEL void triadSet(GLOBAL const Vector *a, GLOBAL const Vector *b,
                     GLOBAL Vector *c, float factor, int slice, int span,
                     int stride, int parts, int leap, int steps) {
  const Vector f = SPLAT(Vector, factor);
  WALK(const Vector p = a[i] + f * b[i]; const Vector q = a[j] + f * b[j];
       const Vector r = a[k] + f * b[k]; const Vector s = a[l] + f * b[l];
       c[i] = p; c[j] = q; c[k] = r; c[l] = s)
}

// One vector a work-item.
KERNEL void copyOnce(GLOBAL const Vector *a, GLOBAL Vector *b) {
  b[ITEM] = a[ITEM];
}

// A copy with arithmetic between load and store.
KERNEL void copyWithFlops(GLOBAL const Vector *a, GLOBAL Vector *b,
                          float factor, float term, int flops, int slice,
                          int span, int stride, int parts, int leap,
                          int steps) {
  const Vector f = SPLAT(Vector, factor), t = SPLAT(Vector, term);
  WALK(Vector p = a[i]; Vector q = a[j]; Vector r = a[k]; Vector s = a[l];
       for (int n = 0; n < flops; ++n) {
         p = FUSED(p, f, t);
         q = FUSED(q, f, t);
         r = FUSED(r, f, t);
         s = FUSED(s, f, t);
       } b[i] = p;
       b[j] = q; b[k] = r; b[l] = s)
}

// The same arithmetic without the copy.
KERNEL void flopsAlone(GLOBAL Vector *sink, float factor, float term, int flops,
                       int steps) {
  const Vector f = SPLAT(Vector, factor), t = SPLAT(Vector, term);
  Vector p = SPLAT(Vector, (float)(ITEM & 255)), q = p + t, r = q + t,
         s = r + t;
  for (int step = 0; step < steps; ++step)
    for (int n = 0; n < flops; ++n) {
      p = FUSED(p, f, t);
      q = FUSED(q, f, t);
      r = FUSED(r, f, t);
      s = FUSED(s, f, t);
    }
  sink[ITEM] = (p + q) + (r + s);
}

// Reads a number of each line, so that the set is in a cache that can hold it.
KERNEL void touchLines(GLOBAL const int *next, GLOBAL int *sink, int lines,
                       int stride) {
  int sum = 0;
  for (int i = ITEM; i < lines; i += ITEMS)
    sum += next[i * stride];
  sink[ITEM] = sum;
}

// Follows chains of indices, each a load after the other, from where the last
// launch ended: a large set would else be in the cache from there on.
#define CHASE(NAME, CHAINS)                                                    \
  KERNEL void NAME(GLOBAL const int *next, GLOBAL int *ends, int steps) {      \
    int at[CHAINS];                                                            \
    for (int c = 0; c < CHAINS; ++c)                                           \
      at[c] = ends[ITEM * CHAINS + c];                                         \
    for (int step = 0; step < steps; ++step)                                   \
      for (int c = 0; c < CHAINS; ++c)                                         \
        at[c] = next[at[c]];                                                   \
    for (int c = 0; c < CHAINS; ++c)                                           \
      ends[ITEM * CHAINS + c] = at[c];                                         \
  }
CHASE(chase1, 1)
CHASE(chase2, 2)
CHASE(chase4, 4)
CHASE(chase8, 8)
CHASE(chase16, 16)

// Each step loads some values and waits for all: the next place depends on
// their sum, which is below one.
#define FLIGHT(NAME, LOADS)                                                    \
  KERNEL void NAME(GLOBAL const float *a, GLOBAL int *sink, int length,        \
                   int start, int steps) {                                     \
    int at = start + ITEM;                                                     \
    for (int step = 0; step < steps; ++step) {                                 \
      float sum = 0;                                                           \
      for (int n = 0; n < LOADS; ++n)                                          \
        sum += a[at + n * ITEMS];                                              \
      at += LOADS * ITEMS + (int)sum;                                          \
      if (at >= length)                                                        \
        at -= length;                                                          \
    }                                                                          \
    sink[ITEM] = at;                                                           \
  }
FLIGHT(flight1, 1)
FLIGHT(flight2, 2)
FLIGHT(flight4, 4)
FLIGHT(flight8, 8)

KERNEL void localRead(GLOBAL Vector *sink, int steps) {
  LOCAL Vector tile[256];
  for (int i = LOCAL_ITEM; i < 256; i += GROUP_SIZE)
    tile[i] = SPLAT(Vector, 1.0f / (float)(i + 1));
  BARRIER;
  Vector p = SPLAT(Vector, 0.0f), q = p, r = p, s = p;
  int at = LOCAL_ITEM;
  for (int step = 0; step < steps; ++step) {
    p = p + tile[at & 255];
    q = q + tile[(at + 64) & 255];
    r = r + tile[(at + 128) & 255];
    s = s + tile[(at + 192) & 255];
    ++at;
  }
  sink[ITEM] = (p + q) + (r + s);
}

// Eight independent chains of one operation, four steps at a time.
#define RATE_STEP(STEP)                                                        \
  p = STEP(p, m, b);                                                           \
  q = STEP(q, m, b);                                                           \
  r = STEP(r, m, b);                                                           \
  s = STEP(s, m, b);                                                           \
  t = STEP(t, m, b);                                                           \
  u = STEP(u, m, b);                                                           \
  v = STEP(v, m, b);                                                           \
  w = STEP(w, m, b);
#define RATE(NAME, TYPE, SPREAD, STEP)                                         \
  KERNEL void NAME(GLOBAL TYPE *sink, float factor, float term, int steps) {   \
    const TYPE m = SPREAD(TYPE, factor), b = SPREAD(TYPE, term);               \
    const float own = (float)(ITEM & 255);                                     \
    TYPE p = SPREAD(TYPE, own + 1.0f), q = SPREAD(TYPE, own + 2.0f);           \
    TYPE r = SPREAD(TYPE, own + 3.0f), s = SPREAD(TYPE, own + 4.0f);           \
    TYPE t = SPREAD(TYPE, own + 5.0f), u = SPREAD(TYPE, own + 6.0f);           \
    TYPE v = SPREAD(TYPE, own + 7.0f), w = SPREAD(TYPE, own + 8.0f);           \
    for (int step = 0; step < steps; step += 4) {                              \
      RATE_STEP(STEP)                                                          \
      RATE_STEP(STEP)                                                          \
      RATE_STEP(STEP)                                                          \
      RATE_STEP(STEP)                                                          \
    }                                                                          \
    sink[ITEM] = ((p + q) + (r + s)) + ((t + u) + (v + w));                    \
  }

RATE(rateFmaFloat, float, SPLAT, FUSED)
RATE(rateFmaFloat4, float4, SPLAT, FUSED)
RATE(rateAddFloat, float, SPLAT, PLUS)
RATE(rateAddFloat4, float4, SPLAT, PLUS)
RATE(rateMulAddFloat, float, SPLAT, TIMES_PLUS)
RATE(rateMadInt, int, SPLAT, TIMES_PLUS)
RATE(rateMadInt4, int4, SPLAT, TIMES_PLUS)
RATE(rateSine, float, SPLAT, SINE)
RATE(rateSine4, float4, SPLAT, SINE)
RATE(rateExponential, float, SPLAT, EXPONENTIAL)
RATE(rateExponential4, float4, SPLAT, EXPONENTIAL)
RATE(rateRoot, float, SPLAT, ROOT)
RATE(rateRoot4, float4, SPLAT, ROOT)
#ifdef HAS_DOUBLE
RATE(rateFmaDouble, double, SPLAT, FUSED)
RATE(rateAddDouble, double, SPLAT, PLUS)
RATE(rateMulAddDouble, double, SPLAT, TIMES_PLUS)
#endif
#ifdef HAS_HALF
RATE(rateFmaHalf, half, HALF_SPLAT, FUSED)
RATE(rateFmaHalf2, half2, HALF_SPLAT, FUSED)
RATE(rateAddHalf, half, HALF_SPLAT, PLUS)
RATE(rateAddHalf2, half2, HALF_SPLAT, PLUS)
RATE(rateMulAddHalf, half, HALF_SPLAT, TIMES_PLUS)
#endif
// Wider vectors, which are what a processor's cores have.
#ifdef HAS_WIDE
RATE(rateFmaFloat8, float8, SPLAT, FUSED)
RATE(rateFmaFloat16, float16, SPLAT, FUSED)
RATE(rateAddFloat8, float8, SPLAT, PLUS)
RATE(rateMadInt8, int8, SPLAT, TIMES_PLUS)
#ifdef HAS_DOUBLE
RATE(rateFmaDouble4, double4, SPLAT, FUSED)
#endif
#ifdef HAS_HALF
RATE(rateFmaHalf16, half16, HALF_SPLAT, FUSED)
#endif
#endif

KERNEL void nothing(GLOBAL float *sink) {}
