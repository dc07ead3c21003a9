// RUN: %kfuse verify %s 2>&1 | FileCheck %s
// RUN: %kfuse %s -o - --quiet | FileCheck %s --check-prefix=OUT
//
// The second kernel reads one array through two pointers, of which its compiler
// doesn't know that they are equal: it contracts each product with its sum.
// With one value for both there would be one product with two uses, so the
// array passes through memory.

// CHECK: 2 launches -> 1
// OUT: scale_at(i, kfuseIsolate(D, kfuseZero.at[1]), E, B, C, F, a, n);
// OUT: kfuse_shift_scale<<<8, 128>>>(A, D, n, D, B, C, F, 0.3f, KfuseZeros<2>{});
#include <cstdio>
#include <cuda_runtime.h>

__global__ void shift(const float *A, float *D, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    D[i] = A[i] + 1;
}

__global__ void scale(const float *D, const float *E, const float *B, float *C,
                      float *F, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    C[i] = D[i] * a + B[i];
    F[i] = E[i] * a;
  }
}

int main() {
  const int n = 1000;
  static float host[n];
  for (int i = 0; i < n; ++i)
    host[i] = i * 0.1f;
  float *A, *B, *C, *D, *F;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMalloc(&D, sizeof(host));
  cudaMalloc(&F, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(B, host, sizeof(host), cudaMemcpyHostToDevice);
  shift<<<8, 128>>>(A, D, n);
  scale<<<8, 128>>>(D, D, B, C, F, 0.3f, n);
  double sum = 0;
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7);
  cudaMemcpy(host, F, sizeof(host), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 5);
  printf("%.3f\n", sum);
}
