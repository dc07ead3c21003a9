// RUN: %kfuse %s -o %t.cu --elements-per-thread=1 --quiet
// RUN: %code %t.cu | FileCheck %s
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// The first kernel reads y after it stored to x, and y may be x, which nothing
// tests: none of the stores to x that such a read could see may come later. A
// read that a test tells apart from the stores is passed.
//
// SAME: verified: original and fused
//
// CHECK:      void kfuse_start_raise(
// CHECK:        float x_value = i % 7;
// CHECK-NEXT:   x[i] = x_value;
// CHECK-NEXT:   z[i] = y[i];
// CHECK:        if (i % 3 == 0)
// CHECK-NEXT:     x[i] = 9;
#include <cstdio>
#include <cuda_runtime.h>

__global__ void start(float *x, float *z, const float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    x[i] = i % 7;
    z[i] = y[i];
  }
}

__global__ void raise(float *x, float *w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    w[i] = x[i] / 2;
    if (i % 3 == 0)
      x[i] = 9;
  }
}

void run(float *x, float *z, const float *y, float *w, int n) {
  start<<<(n + 127) / 128, 128>>>(x, z, y, n);
  raise<<<(n + 127) / 128, 128>>>(x, w, n);
}

int main() {
  const int n = 1000;
  float host[n], *x, *y, *z, *w;
  for (int i = 0; i < n; ++i)
    host[i] = (float)(i % 37);
  cudaMalloc(&x, sizeof(host));
  cudaMalloc(&y, sizeof(host));
  cudaMalloc(&z, sizeof(host));
  cudaMalloc(&w, sizeof(host));
  for (const float *other : {y, x}) {
    for (float *each : {x, y, z, w})
      cudaMemcpy(each, host, sizeof(host), cudaMemcpyHostToDevice);
    run(x, z, other, w, n);
    for (float *each : {x, z, w}) {
      cudaMemcpy(host, each, sizeof(host), cudaMemcpyDeviceToHost);
      for (int i = 0; i < n; ++i)
        printf("%g ", host[i]);
    }
  }
  cudaFree(x);
  cudaFree(y);
  cudaFree(z);
  cudaFree(w);
}
