// RUN: %kfuse verify %s -Rkfuse 2>&1 | FileCheck %s
// RUN: %kfuse %s -o - --quiet | FileCheck %s --check-prefix=OUT
//
// Each store has a partner in the other arm that looks like it and isn't: it is
// under a condition of its own, or at another element. Where none ran the
// reader takes what memory holds.

// CHECK: D through memory
// CHECK: 4 launches -> 1
// CHECK-NOT: never stored
// CHECK: verified: original and fused
// OUT: (B_written ? B_value : B[i])
#include <cstdio>
#include <cuda_runtime.h>

__global__ void partly(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    if (i % 2 == 0)
      B[i] = A[i];
    else if (A[i] > 10)
      B[i] = A[i] * 3;
  }
}

__global__ void beside(const float *A, float *D, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    if (i % 2 == 0) {
      D[i] = A[i] + 1;
    } else {
      for (int k = 0; k < (int)A[i] % 2; ++k)
        D[n + i] = A[i] + k;
    }
  }
}

__global__ void last(const float *B, const float *D, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[i] + D[i];
}

__global__ void more(float *C, const float *A, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] += A[i];
}

int main() {
  const int n = 1000;
  static float host[2 * n];
  for (int i = 0; i < 2 * n; ++i)
    host[i] = i % 37;
  float *A, *B, *C, *D;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&D, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(B, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(D, host, sizeof(host), cudaMemcpyHostToDevice);
  partly<<<8, 128>>>(A, B, n);
  beside<<<8, 128>>>(A, D, n);
  last<<<8, 128>>>(B, D, C, n);
  more<<<8, 128>>>(C, A, n);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7);
  printf("%.3f\n", sum);
}
