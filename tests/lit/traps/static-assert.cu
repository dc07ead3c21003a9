// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// Assertions of the text, whose messages have no type: in kernels, templates,
// functions, classes, and between the launches.
//
// CHECK: 2 launches -> 1
// OUT: void kfuse_twice_more(
// OUT: static_assert(sizeof(float) == 4, "floats of four bytes");
// SAME: verified: original and fused leave equal traces
#include <cstdio>
#include <cuda_runtime.h>

static_assert(sizeof(float) == 4, "floats of four bytes");

template <typename T> struct Doubled {
  static_assert(sizeof(T) >= 4, "no halves");
  T value;
};

template <typename T> __device__ T doubled(T x) {
  static_assert(sizeof(T) >= 4, "no halves");
  Doubled<T> result{x + x};
  return result.value;
}

__device__ int place(int i) {
  static_assert(sizeof(int) == 4, "integers of four bytes");
  return i;
}

__global__ void twice(const float *x, float *y, int n) {
  static_assert(sizeof(float) == 4, "floats of four bytes");
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = doubled(x[place(i)]);
}

__global__ void more(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  static_assert(sizeof(int) == 4);
  if (i < n)
    y[i] = x[i] + 1;
}

int main() {
  static_assert(sizeof(float) == 4, "floats of four bytes");
  const int n = 1000;
  static float h[n];
  for (int i = 0; i < n; ++i)
    h[i] = i % 17;
  float *a, *b, *c;
  cudaMalloc(&a, sizeof(h));
  cudaMalloc(&b, sizeof(h));
  cudaMalloc(&c, sizeof(h));
  cudaMemcpy(a, h, sizeof(h), cudaMemcpyHostToDevice);
  twice<<<8, 128>>>(a, b, n);
  static_assert(sizeof(h) == 4000, "as many as that");
  more<<<8, 128>>>(b, c, n);
  cudaMemcpy(h, c, sizeof(h), cudaMemcpyDeviceToHost);
  std::printf("%g %g\n", h[5], h[n - 1]);
}
