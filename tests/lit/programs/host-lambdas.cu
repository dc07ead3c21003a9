// RUN: %kfuse %s -o %t.cu -Rkfuse 2>&1 | FileCheck %s
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// Small lambdas of the host, generic ones too: their values are followed, and
// those that only check errors are known to touch no array.

// CHECK: remark: fused 'first', 'second'
// CHECK-SAME: never stored
// CHECK-NOT: under a run-time test
// CHECK: note: 'check("first");' now follows the fused launch
// SAME: never stored: B
// SAME: verified: original and fused
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void first(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + 1;
}

__global__ void second(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = 2 * B[i];
}

int main() {
  const int n = 1000;
  static float host[1000];
  auto blocksFor = [](auto count, auto block) {
    return (count + block - 1) / block;
  };
  auto check = [](auto what) {
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) {
      printf("%s: %s\n", what, cudaGetErrorString(error));
      exit(1);
    }
  };
  auto wait = [] { cudaDeviceSynchronize(); };
  auto weight = [&](int i) { return i % 7 + n / 1000; };
  for (int i = 0; i < n; ++i)
    host[i] = (float)(i % 37);
  float *A, *B, *C;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  const int size = atoi("1000");
  first<<<blocksFor(size, 128), 128>>>(A, B, size);
  check("first");
  second<<<blocksFor(size, 128), 128>>>(B, C, size);
  check("second");
  wait();
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += host[i] * weight(i);
  printf("%.3f\n", sum);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
}
