// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: cmp %s %t.cu
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// Wrappers whose value can't stand where a call of them does. Each says why, but
// for calls that are neither statements nor all that a variable is given.

// CHECK-DAG: calls of 'viewed' beside other launches stay calls: it returns an object or a reference
// CHECK-DAG: calls of 'referred' beside other launches stay calls: it returns an object or a reference
// CHECK-DAG: calls of 'measured' beside other launches stay calls: its result makes temporary objects
// CHECK-DAG: calls of 'converted' beside other launches stay calls: it converts what it returns
// CHECK-DAG: calls of 'listed' beside other launches stay calls: it converts what it returns
// CHECK-DAG: calls of 'decayed' beside other launches stay calls: it converts what it returns
// CHECK-DAG: calls of 'constant' beside other launches stay calls: 'size' would be a constant
// CHECK-DAG: calls of 'computed' beside other launches stay calls: 'elements' would be a constant
// CHECK-DAG: calls of 'endless' beside other launches stay calls: it doesn't return at its end
// CHECK-DAG: calls of 'either' beside other launches stay calls: it returns early
// CHECK-DAG: calls of 'worded' beside other launches stay calls: a macro is a part of its result
// CHECK-DAG: calls of 'given' beside other launches stay calls: a call of it isn't a statement of its own
// CHECK-DAG: calls of 'temporary' beside other launches stay calls: a call of it makes temporary objects

// SAME: nothing
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

__global__ void step(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + 1;
}

__global__ void last(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = 2 * B[i];
}

struct Size {
  int size;
  operator int() const { return size + 1; }
};
Size whole = {1000};
float table[] = {1, 2, 3};
namespace {
int threads = 128;
}
int calls = 0;
constexpr int elementsOf(int n) { return 2 * n; }

Size viewed(const float *in, float *out, int n) {
  step<<<8, 128>>>(in, out, n);
  return {n};
}
int &referred(const float *in, float *out, int n) {
  step<<<8, 128>>>(in, out, n);
  return calls;
}
int measured(const float *in, float *out, int n) {
  step<<<8, 128>>>(in, out, n);
  return std::vector<int>(n).size();
}
int converted(const float *in, float *out, int n) {
  step<<<8, 128>>>(in, out, n);
  return whole;
}
int listed(const float *in, float *out, int n) {
  step<<<8, 128>>>(in, out, n);
  return {};
}
float *decayed(const float *in, float *out, int n) {
  step<<<8, 128>>>(in, out, n);
  return table;
}
int constant(const float *in, float *out, int n) {
  step<<<8, 128>>>(in, out, n);
  return 5;
}
int computed(const float *in, float *out, int n) {
  step<<<8, 128>>>(in, out, n);
  return elementsOf(1000);
}
int endless(const float *in, float *out, int n) {
  step<<<8, 128>>>(in, out, n);
  if (n == 1000)
    throw 5;
  abort();
}
int either(const float *in, float *out, int n) {
  step<<<8, 128>>>(in, out, n);
  if (n > 0)
    return 1;
  return 0;
}
#define OK return 0
int worded(const float *in, float *out, int n) {
  step<<<8, 128>>>(in, out, n);
  OK;
}
int given(const float *in, float *out, int n) {
  step<<<8, 128>>>(in, out, n);
  return n + calls;
}
int shadowed(const float *in, float *out, int n) {
  step<<<8, 128>>>(in, out, n);
  return threads;
}
int temporary(const float *in, float *out, int n) {
  step<<<8, 128>>>(in, out, n);
  return n;
}
// These stay without a word.
int asked(const float *in, float *out, int n) {
  step<<<8, 128>>>(in, out, n);
  return n;
}
int initial(const float *in, float *out, int *self) {
  step<<<8, 128>>>(in, out, 1000);
  *self = 3;
  return *self + 1;
}

static bool isEndless(const float *A, float *B, float *C, int n) {
  try {
    int end = endless(A, B, n);
    last<<<8, 128>>>(B, C, n);
    return end != 0;
  } catch (int) {
    return false;
  }
}

#define SET(variable, call) variable = call
int main() {
  const int n = 1000;
  static float host[1000];
  for (int i = 0; i < n; ++i)
    host[i] = (float)(i % 37);
  float *A, *B, *C;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  last<<<8, 128>>>(A, C, n);
  int sum = 0;
  viewed(A, B, n);
  referred(A, B, n) += 2;
  int refers = referred(A, B, n);
  int measure = measured(A, B, n);
  int conversion = converted(A, B, n);
  int list = listed(A, B, n);
  float *pointer = decayed(A, B, n);
  const int size = constant(A, B, n);
  const long elements = computed(A, B, n);
  int one = either(A, B, n);
  int zero = worded(A, B, n);
  SET(sum, given(A, B, n));
  long threads = shadowed(A, B, n);
  int count = temporary(A, B, std::vector<int>(n).size());
  if (asked(A, B, n) != n)
    return 1;
  const int &bound = asked(A, B, n);
  decltype(auto) deduced = asked(A, B, n);
  static int once = asked(A, B, n);
  int braced{asked(A, B, n)};
  volatile int seen = asked(A, B, n);
  seen = asked(A, B, n);
  sum += asked(A, B, n);
  int own = initial(A, B, &own);
  bool endless = isEndless(A, B, C, n);
  printf("%d %d %d %d %d %g %d %ld %d %d %ld %d\n", sum, refers, measure,
         conversion, list, pointer[1], size, elements, one, zero, threads, count);
  printf("%d %d %d %d %d %d %d\n", bound, deduced, once, braced, seen, own,
         endless);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%g\n", host[5]);
}
