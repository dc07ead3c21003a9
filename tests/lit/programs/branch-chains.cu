// RUN: %kfuse %s -o %t.cu -Rkfuse 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s -- 1 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %kfuse verify %s -- 1 2 2>&1 | FileCheck %s --check-prefix=SAME
//
// A launch behind a chain of branches goes into each arm, and into one of its
// own if the chain has no last `else`.

// CHECK-DAG: remark: fused 'twice', 'last'
// CHECK-DAG: remark: fused 'plus', 'last'

// OUT:      {{^}}  if (argc == 2) {
// OUT-NEXT: kfuse_twice_last<<<
// OUT-NEXT: {{^}}  } else if (argc == 3) {
// OUT-NEXT: kfuse_plus_last<<<
// OUT-NEXT: {{^}}  } else {
// OUT-NEXT: {{^}}    last<<<8, 128>>>(B, C, n);
// OUT-NEXT: {{^}}  }{{$}}
// OUT-NEXT: cudaMemcpy(

// SAME: verified: original and fused
#include <cstdio>
#include <cuda_runtime.h>

__global__ void twice(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = 2 * A[i];
}
__global__ void plus(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + 1;
}
__global__ void last(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[i] - 3;
}

int main(int argc, char **) {
  const int n = 1024;
  static float host[n];
  float *A, *B, *C;
  cudaMalloc(&A, sizeof host);
  cudaMalloc(&B, sizeof host);
  cudaMalloc(&C, sizeof host);
  for (int i = 0; i < n; ++i)
    host[i] = i % 13;
  cudaMemcpy(A, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemcpy(B, host, sizeof host, cudaMemcpyHostToDevice);
  if (argc == 2) {
    twice<<<8, 128>>>(A, B, n);
  } else if (argc == 3) {
    plus<<<8, 128>>>(A, B, n);
  }
  last<<<8, 128>>>(B, C, n);
  cudaMemcpy(host, C, sizeof host, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 5);
  printf("%g\n", sum);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
}
