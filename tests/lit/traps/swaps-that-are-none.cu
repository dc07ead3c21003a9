// RUN: %kfuse %s -o %t.cu -Rkfuse 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// Functions that look as if they exchanged two pointers: one loses a value, one
// does it only sometimes, one keeps a pointer, and one exchanges copies. The
// second launch after each reads an array that the first didn't write, or one
// that another name changes in between.

// CHECK-NOT: remark: fused
// OUT-NOT: kfuse_
#include <cstdio>
#include <cuda_runtime.h>

static const int n = 1000;
float *kept;

static void lose(float **a, float **b) {
  *a = *b;
  *b = *a;
}
static void sometimes(float *&a, float *&b, int when = 0) {
  if (when) {
    float *held = a;
    a = b;
    b = held;
  }
}
static void keep(float **a, float **b) {
  float *held = *a;
  *a = *b;
  *b = held;
  kept = held;
}
static void copies(float *a, float *b) {
  float *held = a;
  a = b;
  b = held;
}

// A stencil, so that each thread needs what others write.
__global__ void put(const float *from, float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    to[i] = from[i - 1] + from[i + 1];
}
__global__ void add(const float *from, float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    to[i] += from[i - 1] - from[i + 1];
}

void show(const float *array) {
  static float host[n];
  cudaMemcpy(host, array, n * sizeof(float), cudaMemcpyDeviceToHost);
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7);
  printf("%g\n", sum);
}

int main() {
  static float host[n];
  for (int i = 0; i < n; ++i)
    host[i] = i % 23;
  float *from, *to;
  cudaMalloc(&from, n * sizeof(float));
  cudaMalloc(&to, n * sizeof(float));
  cudaMemcpy(from, host, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(to, host, n * sizeof(float), cudaMemcpyHostToDevice);
  float *const first = from;
  put<<<4, 256>>>(from, to, n);
  sometimes(from, to);
  add<<<4, 256>>>(to, from, n);
  show(from);
  put<<<4, 256>>>(from, to, n);
  copies(from, to);
  add<<<4, 256>>>(to, from, n);
  show(to);
  put<<<4, 256>>>(from, to, n);
  keep(&from, &to);
  show(kept);
  put<<<4, 256>>>(from, to, n);
  lose(&from, &to);
  add<<<4, 256>>>(to, first, n);
  show(first);
  show(from);
  show(to);
}
