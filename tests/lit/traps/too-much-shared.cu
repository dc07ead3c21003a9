// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// Together the kernels need more shared memory than a block may have.

// CHECK: remark: 'first' and 'second' not fused: SharedMemoryLimit: {{.+}} [-Rkfuse-missed]
// OUT: first<<<
// OUT: second<<<
#include <cstdio>
#include <cuda_runtime.h>

__global__ void first(const float *A, float *B) {
  __shared__ float tile[8000];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x * 62] = A[i];
  __syncthreads();
  B[i] = tile[(threadIdx.x ^ 1) * 62];
}

__global__ void second(const float *B, float *C) {
  __shared__ float tile[8000];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x * 62] = B[i];
  __syncthreads();
  C[i] = tile[(threadIdx.x ^ 2) * 62];
}

int main() {
  const int n = 1024;
  static float host[1024];
  for (int i = 0; i < n; ++i)
    host[i] = (float)(i % 37);
  float *A, *B, *C;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(B, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(C, host, sizeof(host), cudaMemcpyHostToDevice);

  first<<<8, 128>>>(A, B);
  second<<<8, 128>>>(B, C);

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
