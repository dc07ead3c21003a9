// RUN: not %kfuse verify %s 2>&1 | FileCheck %s
// RUN: %kfuse %s -o %t.cu --no-runtime-checks --quiet
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// CHECK: 'kfuse_next_turn_next' {{.*}} never ran: its test at run time was false
// CHECK: what ran leaves equal traces and output
//
// How far two arrays are apart is no number in C++, but one on a device: with
// it a pointer into one array leads to the other. What goes nowhere but to a
// comparison or a print says nothing.

#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>

static const int n = 1000;
static float host[n];

__global__ void next(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + 1;
}

__global__ void turn(const float *x, float *y, long from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[from + n - 1 - i];
}

__global__ void turnFrom(const float *x, const float *from, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  long t = from - x;
  if (i < n)
    y[i] = x[t + n - 1 - i];
}

static void show(const float *array) {
  cudaMemcpy(host, array, sizeof(host), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum = sum * 1.001 + host[i];
  printf("%.6f\n", sum);
}

#define ALLOCATE                                                               \
  float *a, *b, *c;                                                            \
  cudaMalloc(&a, sizeof(host));                                                \
  cudaMalloc(&b, sizeof(host));                                                \
  cudaMalloc(&c, sizeof(host));                                                \
  cudaMemset(a, 0, sizeof(host));                                              \
  cudaMemset(b, 0, sizeof(host));

static long apart(const float *from, const float *to) { return to - from; }
static float *first, *second;
static long apart() { return second - first; }
static std::size_t number(const void *pointer) {
  return reinterpret_cast<std::size_t>(pointer);
}

// OUT-LABEL: static void bySubtraction()
// OUT: {{^ *}}next<<<
// OUT-NEXT: {{^ *}}turn<<<
static void bySubtraction() {
  ALLOCATE
  long t = b - a;
  next<<<8, 128>>>(c, b, n);
  turn<<<8, 128>>>(a, c, t, n);
  next<<<8, 128>>>(c, b, n);
  show(c);
  show(b);
}

// OUT-LABEL: static void byNumbers()
// OUT: {{^ *}}next<<<
// OUT-NEXT: {{^ *}}turn<<<
static void byNumbers() {
  ALLOCATE
  long t = (reinterpret_cast<std::intptr_t>(b) -
            reinterpret_cast<std::intptr_t>(a)) /
           4;
  next<<<8, 128>>>(c, b, n);
  turn<<<8, 128>>>(a, c, t, n);
  next<<<8, 128>>>(c, b, n);
  show(c);
  show(b);
}

// OUT-LABEL: static void byFunction()
// OUT: {{^ *}}next<<<
// OUT-NEXT: {{^ *}}turn<<<
static void byFunction() {
  ALLOCATE
  long t = apart(a, b);
  next<<<8, 128>>>(c, b, n);
  turn<<<8, 128>>>(a, c, t, n);
  next<<<8, 128>>>(c, b, n);
  show(c);
  show(b);
}

// OUT-LABEL: static void byFunctions()
// OUT: {{^ *}}next<<<
// OUT-NEXT: {{^ *}}turn<<<
static void byFunctions() {
  ALLOCATE
  long t = static_cast<long>(number(b) - number(a)) / 4;
  next<<<8, 128>>>(c, b, n);
  turn<<<8, 128>>>(a, c, t, n);
  next<<<8, 128>>>(c, b, n);
  show(c);
  show(b);
}

// OUT-LABEL: static void byGlobals()
// OUT: {{^ *}}next<<<
// OUT-NEXT: {{^ *}}turn<<<
static void byGlobals() {
  ALLOCATE
  first = a, second = b;
  long t = apart();
  next<<<8, 128>>>(c, b, n);
  turn<<<8, 128>>>(a, c, t, n);
  next<<<8, 128>>>(c, b, n);
  show(c);
  show(b);
}

// A kernel computes it.
// OUT-LABEL: static void inKernel()
// OUT: {{^ *}}next<<<
// OUT-NEXT: {{^ *}}turnFrom<<<
static void inKernel() {
  ALLOCATE
  next<<<8, 128>>>(b, b, n);
  turnFrom<<<8, 128>>>(a, b, c, n);
  next<<<8, 128>>>(b, b, n);
  show(c);
  show(b);
}

// OUT-LABEL: static void harmless()
// OUT: {{^ *}}kfuse_{{[a-z_]*}}<<<
// OUT-NOT: {{^ *}}next<<<
static void harmless() {
  ALLOCATE
  const float *end = a + n;
  const int count = static_cast<int>(end - a);
  if (b - a == 1 || (reinterpret_cast<std::size_t>(c) & 3) != 0 ||
      reinterpret_cast<std::size_t>(a) % sizeof(float) != 0)
    printf("%ld\n", c - b);
  next<<<8, 128>>>(a, b, count);
  next<<<8, 128>>>(b, c, count);
  show(c);
}

int main() {
  bySubtraction();
  byNumbers();
  byFunction();
  byFunctions();
  byGlobals();
  inKernel();
  harmless();
}
