// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// The other way round: `gather` reads what another thread of `prepare` wrote.

// CHECK: remark: 'prepare' and 'gather' not fused: NonPolynomialIndex: {{.+}} [-Rkfuse-missed]
// OUT: prepare<<<
// OUT: gather<<<
#include <cstdio>
#include <cuda_runtime.h>

__global__ void prepare(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = 2 * A[i];
}

__global__ void gather(const float *B, const int *list, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[list[i]];
}

int main() {
  const int n = 1000;
  static int order[1000];
  for (int i = 0; i < n; ++i)
    order[i] = (i * 7) % n;
  int *list;
  cudaMalloc(&list, sizeof(order));
  cudaMemcpy(list, order, sizeof(order), cudaMemcpyHostToDevice);
  static float host[1000];
  for (int i = 0; i < n; ++i)
    host[i] = (float)(i % 37);
  float *A, *B, *C;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(B, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(C, host, sizeof(host), cudaMemcpyHostToDevice);

  prepare<<<(n + 127) / 128, 128>>>(A, B, n);
  gather<<<(n + 127) / 128, 128>>>(B, list, C, n);
  cudaFree(list);

  double sum = 0;
  cudaMemcpy(host, A, sizeof(host), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7);
  cudaMemcpy(host, B, sizeof(host), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7);
  printf("%.3f\n", sum);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
}
