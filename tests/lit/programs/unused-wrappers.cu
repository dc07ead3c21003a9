// RUN: %kfuse %s -o %t.cu
// RUN: %code %t.cu | FileCheck %s
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// Static wrappers whose statements stand for all calls go, and with them the
// kernels that they alone launched. What somebody else may call stays.

// CHECK-NOT:  void scale(
// CHECK-NOT:  The same, twice.
// CHECK-NOT:  void scaleAll(
// CHECK-NOT:  void scaleTwice(
// CHECK:      static void shiftAll(
// CHECK:      static void named(
// CHECK:      {{^}}void visible(
// CHECK:      {{^}}int main() {
// CHECK:      // From scaleTwice():
// CHECK:      // From scaleAll():
// CHECK:      kfuse_scale_scale_shift<<<
// CHECK:      kfuse_scale_shift<<<
// CHECK:      shiftAll(c, a, n);
// SAME: verified: original and fused
#include <cstdio>

constexpr int n = 1000, blocks = (n + 127) / 128;

__global__ void scale(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = 2 * a[i];
}
__global__ void shift(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[i] + 1;
}

// Scales what it is given.
static void scaleAll(const float *a, float *b, int n) {
  scale<<<blocks, 128>>>(a, b, n);
}

// The same, twice.
static void scaleTwice(const float *a, float *b, int n) {
  scaleAll(a, b, n);
  scaleAll(b, b, n);
}

static void shiftAll(const float *a, float *b, int n) {
  shift<<<blocks, 128>>>(a, b, n);
}

static void named(const float *a, float *b, int n) {
  shift<<<blocks, 128>>>(a, b, n);
}
void (*const known)(const float *, float *, int) = named;

void visible(const float *a, float *b, int n) {
  shift<<<blocks, 128>>>(a, b, n);
}

int main() {
  static float host[n];
  for (int i = 0; i < n; ++i)
    host[i] = i % 37;
  float *a, *b, *c;
  cudaMalloc(&a, sizeof host);
  cudaMalloc(&b, sizeof host);
  cudaMalloc(&c, sizeof host);
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  scaleTwice(a, b, n);
  visible(b, c, n);
  cudaMemcpy(host, c, sizeof host, cudaMemcpyDeviceToHost);
  printf("%g\n", host[7]);
  scaleAll(a, b, n);
  named(b, c, n);
  cudaMemcpy(host, c, sizeof host, cudaMemcpyDeviceToHost);
  printf("%g\n", host[7]);
  shiftAll(c, a, n);
  cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
  printf("%g\n", host[7]);
}
