// RUN: %kfuse verify %s
// RUN: %kfuse %s -o %t.cu -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: cmp %s %t.cu
//
// The bits of a product pass as an integer. Put together, the compiler would see
// the product again, and contract it with the sum.

// CHECK: remark: 'multiply' and 'add' not fused: AmbiguousContraction: {{.+}} [-Rkfuse-missed]
#include <cstdio>
#include <cuda_runtime.h>

__global__ void multiply(const float *A, const float *F, int *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = __float_as_int(A[i] * F[i]);
}

__global__ void add(const int *B, const float *E, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = __int_as_float(B[i]) + E[i];
}

int main() {
  const int n = 700;
  float host[n], *A, *C, *E, *F;
  int *B;
  for (int i = 0; i < n; ++i)
    host[i] = 1.0f + i * 0.0001f;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMalloc(&E, sizeof(host));
  cudaMalloc(&F, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(E, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(F, host, sizeof(host), cudaMemcpyHostToDevice);
  multiply<<<6, 128>>>(A, F, B, n);
  add<<<6, 128>>>(B, E, C, n);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%.9f\n", host[699]);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
  cudaFree(E);
  cudaFree(F);
}
