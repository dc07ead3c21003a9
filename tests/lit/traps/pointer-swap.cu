// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// Ping-pong: the host swaps the pointers between two stencils, so that the
// second reads what the first wrote, under the name that the first read.

// CHECK: remark: 'step' and 'next' not fused: CrossThreadAntiDependence: {{.+}} [-Rkfuse-missed]
// OUT: step<<<
// OUT: next<<<
#include <cstdio>
#include <cuda_runtime.h>

__global__ void step(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    B[i] = A[i - 1] + A[i + 1];
}

__global__ void next(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    B[i] = A[i - 1] - A[i + 1];
}

int main() {
  const int n = 1000;
  static float host[1000];
  for (int i = 0; i < n; ++i)
    host[i] = (float)(i % 37);
  float *A, *B;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(B, host, sizeof(host), cudaMemcpyHostToDevice);

  step<<<(n + 127) / 128, 128>>>(A, B, n);
  float *swap = A;
  A = B;
  B = swap;
  next<<<(n + 127) / 128, 128>>>(A, B, n);

  double sum = 0;
  cudaMemcpy(host, A, sizeof(host), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7);
  cudaMemcpy(host, B, sizeof(host), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7);
  printf("%.3f\n", sum);
  cudaFree(A);
  cudaFree(B);
}
