// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// `scatter` writes where a list says; which thread wrote a cell that `finish`
// reads is only known when the list is.

// CHECK: remark: 'scatter' and 'finish' not fused: NonPolynomialIndex: {{.+}} [-Rkfuse-missed]
// OUT: scatter<<<
// OUT: finish<<<
#include <cstdio>
#include <cuda_runtime.h>

__global__ void scatter(const float *A, const int *list, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[list[i]] = A[i];
}

__global__ void finish(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[i] + 1;
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

  scatter<<<(n + 127) / 128, 128>>>(A, list, B, n);
  finish<<<(n + 127) / 128, 128>>>(B, C, n);
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
