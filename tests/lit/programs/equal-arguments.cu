// RUN: %kfuse verify %s 2>&1 | FileCheck %s
// RUN: %kfuse %s -o - --quiet | FileCheck %s --check-prefix=OUT
//
// Parameters of one kernel that are given equal values stay two: compiling the
// kernel alone, the compiler didn't know that they are equal, and may contract
// otherwise where it does.

// CHECK: 2 launches -> 1
// OUT: one_at(i, a, b, s, t, kfuseIsolate(c, kfuseZero.at[0]), n);
// OUT: kfuse_one_two<<<8, 128>>>(A, A, f, f, C, n, D, KfuseZeros<2>{});
#include <cstdio>
#include <cuda_runtime.h>

__global__ void one(const float *a, const float *b, float s, float t, float *c,
                    int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    c[i] = a[i] * s;
    c[n + i] = fmaf(b[i], t, 1.0f);
  }
}

__global__ void two(const float *c, float *d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    d[i] = c[i] + 1;
}

int main() {
  const int n = 1000;
  static float host[n];
  for (int i = 0; i < n; ++i)
    host[i] = i * 0.1f;
  float *A, *C, *D;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&C, 2 * sizeof(host));
  cudaMalloc(&D, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  const float f = 0.3f;
  one<<<8, 128>>>(A, A, f, f, C, n);
  two<<<8, 128>>>(C, D, n);
  cudaMemcpy(host, D, sizeof(host), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7);
  printf("%.3f\n", sum);
}
