// RUN: %kfuse %s -o %t.cu
// RUN: %code %t.cu | FileCheck %s
// RUN: %kfuse %s -o %t.cu --no-runtime-checks -Rkfuse-missed 2>&1 | FileCheck %s --check-prefix=OFF
// RUN: %kfuse verify %s
//
// The wrapper's arrays may overlap, and the span of the gather can't be written
// down: the test is whether it reads another allocation.

// CHECK: if (kfuseSeparate(A, C) &&
// OFF: 'gather' and 'scale' not fused: RequiresRuntimeCheck
#include <cstdio>
#include <cuda_runtime.h>

__global__ void gather(const float *A, const int *list, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[list[i]];
}

__global__ void scale(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = 2 * B[i];
}

void both(const float *A, const int *list, float *B, float *C, int n) {
  gather<<<(n + 127) / 128, 128>>>(A, list, B, n);
  scale<<<(n + 127) / 128, 128>>>(B, C, n);
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

  both(A, list, B, C, n);
  both(A, list, B, A, n);
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
