// RUN: %kfuse --ignore-timing %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify --ignore-timing %s
//
// With the user's word timing code is no obstacle, and the numbers that it
// prints are the user's affair.

// CHECK: remark: fused 'first', 'second'
// OUT: kfuse_first_second<<<
#include <cstdio>
#include <cuda_runtime.h>

__global__ void first(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = 3 * A[i];
}

__global__ void second(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[i] + 1;
}

int main() {
  const int n = 1000;
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

  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start);
  first<<<(n + 127) / 128, 128>>>(A, B, n);
  cudaEventRecord(stop);
  second<<<(n + 127) / 128, 128>>>(B, C, n);
  cudaEventSynchronize(stop);

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
