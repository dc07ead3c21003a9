// RUN: %kfuse verify %s 2>&1 | FileCheck %s
// RUN: %kfuse %s -o %t.cu --quiet && FileCheck %s --check-prefix=TEXT --input-file=%t.cu
//
// Waits that are no statement: an object's end, and the memory that is freed.
//
// CHECK: verified: original and fused
// TEXT: { Guard guard; }
// TEXT-NEXT: last = c[n - 1];
// TEXT: cudaFree(b);
// TEXT-NEXT: printf

#include <cstdio>
#include <cuda_runtime.h>

struct Guard {
  ~Guard() { cudaDeviceSynchronize(); }
};

__global__ void scale(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = 2 * a[i];
}

__global__ void shift(const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = b[i] + 1;
}

float readBetween(float *a, float *b, float *c, int n) {
  float last = 0;
  shift<<<(n + 255) / 256, 256>>>(a, c, n);
  { Guard guard; }
  last = c[n - 1];
  scale<<<(n + 255) / 256, 256>>>(c, b, n);
  return last;
}

int main() {
  const int n = 1000;
  float *a, *b, *c;
  cudaMallocManaged(&a, n * sizeof(float));
  cudaMallocManaged(&c, n * sizeof(float));
  for (int i = 0; i < n; ++i)
    a[i] = i;
  cudaMalloc(&b, n * sizeof(float));
  float last = readBetween(a, b, c, n);
  scale<<<(n + 255) / 256, 256>>>(a, b, n);
  shift<<<(n + 255) / 256, 256>>>(b, c, n);
  cudaFree(b);
  printf("%g %g\n", c[7], last);
}
