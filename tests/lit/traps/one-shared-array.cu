// RUN: %kfuse %s -o %t.cu --relaxed-rounding -Rkfuse 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s --relaxed-rounding
//
// Different kernels call one function, which has a shared array: a thread may
// still read what the first left there when another is in the second.

// CHECK: remark: fused 'center', 'norm'
// OUT: center_stage(A, B, B_value);
// OUT: __syncthreads();
// OUT-NEXT: norm_stage(B_value, C);
#include <cstdio>
#include <cuda_runtime.h>

__device__ void mirrored(float value, float &other) {
  __shared__ float part[64];
  part[threadIdx.x] = value;
  __syncthreads();
  other = part[63 - threadIdx.x];
}

__global__ void center(const float *A, float *B) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float other;
  mirrored(A[i], other);
  B[i] = A[i] - other / 64;
}

__global__ void norm(const float *B, float *C) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float other;
  mirrored(B[i] * B[i], other);
  C[i] = B[i] - other / 2;
}

int main() {
  const int n = 64 * 40;
  static float host[n];
  for (int i = 0; i < n; ++i)
    host[i] = (float)(i % 37);
  float *A, *B, *C;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  center<<<n / 64, 64>>>(A, B);
  norm<<<n / 64, 64>>>(B, C);
  double sum = 0;
  for (float *array : {A, B, C}) {
    cudaMemcpy(host, array, sizeof(host), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i)
      sum += host[i] * (i % 7);
  }
  printf("%.6f\n", sum);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
}
