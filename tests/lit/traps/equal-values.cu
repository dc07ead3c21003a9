// RUN: %kfuse verify %s 2>&1 | FileCheck %s
// RUN: %kfuse %s -o - --quiet | FileCheck %s --check-prefix=OUT
//
// One kernel gives two arrays the same value, and both pass in registers. The
// next one can't know that they are equal: it multiplies both by `a`, and each
// product is contracted with its sum. As one value they would make one product
// with two uses. So each is set apart by a zero of its own.

// CHECK: 2 launches -> 1
// OUT: D_value = kfuseIsolate(D_value, kfuseZero.at[0]);
// OUT: E_value = kfuseIsolate(E_value, kfuseZero.at[2]);
// OUT: KfuseZeros<3>
#include <cstdio>
#include <cuda_runtime.h>

__global__ void both(const float *A, float *D, float *E, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    D[i] = A[i] + 1;
    E[i] = A[i] + 1;
  }
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
  float *A, *B, *C, *D, *E, *F;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMalloc(&D, sizeof(host));
  cudaMalloc(&E, sizeof(host));
  cudaMalloc(&F, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(B, host, sizeof(host), cudaMemcpyHostToDevice);
  both<<<8, 128>>>(A, D, E, n);
  scale<<<8, 128>>>(D, E, B, C, F, 0.3f, n);
  double sum = 0;
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7);
  cudaMemcpy(host, F, sizeof(host), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 5);
  printf("%.3f\n", sum);
}
