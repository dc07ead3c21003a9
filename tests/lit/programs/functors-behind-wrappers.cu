// A wrapper is often written, or included, before the functors that it is called with. Its text doesn't mention them.
// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify --orders=2 %s 2>&1 | FileCheck %s --check-prefix=VERIFIED
// CHECK: 2 launches -> 1
// CHECK-NEXT: kfuse_each_each = 'each', 'each'; never stored: b
// OUT: each_at<Affine>(
// OUT-NEXT: each_at2<Square>(
// VERIFIED: verified
#include <cstdio>
#include <cuda_runtime.h>

template <class F> __global__ void each(const int *in, int *out, int n, F f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = f(in[i]);
}

template <class F> void map(const int *in, int *out, int n, F f) {
  each<<<(n + 255) / 256, 256>>>(in, out, n, f);
}

struct Affine {
  int a, b;
  __device__ int operator()(int x) const { return a * x + b; }
};

struct Square {
  __device__ int operator()(int x) const { return x * x; }
};

int main() {
  const int n = 1000;
  int values[n];
  for (int i = 0; i < n; ++i)
    values[i] = i % 9;
  int *a, *b, *c;
  cudaMalloc(&a, n * sizeof(int));
  cudaMalloc(&b, n * sizeof(int));
  cudaMalloc(&c, n * sizeof(int));
  cudaMemcpy(a, values, n * sizeof(int), cudaMemcpyHostToDevice);
  map(a, b, n, Affine{3, 1});
  map(b, c, n, Square{});
  cudaMemcpy(values, c, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", values[7]);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
