// RUN: %kfuse verify %s 2>&1 | FileCheck %s
// RUN: %kfuse %s -o %t.cu -Rkfuse-missed 2>&1 | FileCheck %s --check-prefix=MISSED
// CHECK: verified: nothing was fused
// MISSED: calls of 'shift' beside other launches stay calls: 'step' is something else in 'main'
//
// The wrapper names a variable of the file, and has one of that name in a loop.

#include <cstdio>
#include <cuda_runtime.h>

__global__ void add(const float *in, float *out, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] + by;
}

int step = 2;

void shift(const float *in, float *out, int n) {
  float by = 1;
  for (int step = 0; step < 3; ++step)
    by += 1;
  by += step;
  add<<<8, 128>>>(in, out, by, n);
}

int main() {
  const int n = 1000;
  static float h[n];
  float *a, *b;
  int step = 4;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMemcpy(a, h, n * sizeof(float), cudaMemcpyHostToDevice);
  add<<<8, 128>>>(a, b, 1, n);
  shift(b, a, n);
  cudaMemcpy(h, a, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g %d\n", h[5], step);
}
