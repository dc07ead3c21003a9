// RUN: %kfuse %s -o %t.cu -Rkfuse 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// Functions of the program's own that exchange two pointers are followed as
// std::swap is: by address, by reference, and as a template.

// CHECK: remark: fused 'twice', 'addOne', 'negate', 'half'
// OUT: {{^ *}}kfuse_twice_addOne_negate_half<<<
// SAME: verified: original and fused
#include <cstdio>
#include <cuda_runtime.h>
#include <utility>

static const int n = 1000;

static void swap(float **a, float **b) {
  float *held = *a;
  *a = *b;
  *b = held;
}
void exchange(float *&a, float *&b) {
  float *held;
  held = b;
  b = a;
  a = held;
}
template <class T> void turn(T &a, T &b) { std::swap(a, b); }

__global__ void twice(const float *from, float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[i] * 2;
}
__global__ void addOne(const float *from, float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[i] + 1;
}
__global__ void negate(const float *from, float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = -from[i];
}
__global__ void half(const float *from, float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[i] * 0.5f;
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
  twice<<<4, 256>>>(from, to, n);
  swap(&from, &to);
  addOne<<<4, 256>>>(from, to, n);
  exchange(from, to);
  negate<<<4, 256>>>(from, to, n);
  turn(from, to);
  half<<<4, 256>>>(from, to, n);
  show(from);
  show(to);
  cudaFree(from);
  cudaFree(to);
}
