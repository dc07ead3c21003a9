// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// One thread adds a source to one cell; the next kernel reads the cell from
// its neighbours.

// CHECK: remark: 'inject' and 'spread' not fused: CrossThreadFlow: {{.+}} [-Rkfuse-missed]
// OUT: inject<<<
// OUT: spread<<<
#include <cstdio>
#include <cuda_runtime.h>

__global__ void inject(float *A, int cell, float amount) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == cell)
    A[i] += amount;
}

__global__ void spread(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    B[i] = 0.5f * (A[i - 1] + A[i + 1]);
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

  inject<<<(n + 127) / 128, 128>>>(A, 500, 8);
  spread<<<(n + 127) / 128, 128>>>(A, B, n);

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
