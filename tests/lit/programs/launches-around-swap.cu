// RUN: %kfuse %s -o %t.cu -Rkfuse 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// Launches on both sides of a copy that becomes a swap are fused; the one
// before it means the array that its pointer had there, so the swap comes after
// the fused launch. In the loop the swap stays between.

// CHECK: remark: fused 'scale', 'shift'
// CHECK: remark: 'copy' {{.*}} becomes a swap of A with B
// CHECK: remark: 'copy' {{.*}} becomes a swap of A with C
// OUT: {{^ *}}cudaMemcpy(B,
// OUT: {{^ *}}kfuse_scale_shift<<<blocks, 256>>>(X, B, n, Y);
// OUT-NEXT: {{^ *}}kfuseSwap(A, B);
// OUT: {{^ *}}cudaMemset(C,
// OUT-NEXT: {{^ *}}kfuseSwap(A, C);
// OUT: {{^ *}}scale<<<
#include <cstdio>
#include <cuda_runtime.h>

__global__ void scale(int *to, const int *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = 3 * from[i];
}

__global__ void copy(int *to, const int *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[i];
}

__global__ void shift(int *to, const int *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[i] + 1;
}

int main() {
  const int n = 1 << 16, blocks = (n + 255) / 256;
  static int host[n];
  int *A, *B, *C, *X, *Y;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMalloc(&X, sizeof(host));
  cudaMalloc(&Y, sizeof(host));
  cudaMemset(A, 0, sizeof(host));
  cudaMemset(X, 0, sizeof(host));
  for (int i = 0; i < n; ++i)
    host[i] = i % 10;
  cudaMemcpy(B, host, sizeof(host), cudaMemcpyHostToDevice);
  scale<<<blocks, 256>>>(X, B, n);
  copy<<<blocks, 256>>>(A, B, n);
  shift<<<blocks, 256>>>(Y, X, n);
  long sum = 0;
  for (int step = 0; step < 2; ++step) {
    cudaMemset(C, step, sizeof(host));
    copy<<<blocks, 256>>>(A, C, n);
    cudaMemcpy(host, A, sizeof(host), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i)
      sum += host[i];
  }
  scale<<<blocks, 256>>>(X, A, n);
  for (int *array : {X, Y}) {
    cudaMemcpy(host, array, sizeof(host), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i)
      sum += host[i] * (i % 3);
  }
  printf("%ld\n", sum);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
  cudaFree(X);
  cudaFree(Y);
}
