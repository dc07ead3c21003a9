// RUN: %kfuse %s -o %t.cu -Rkfuse-analysis 2>&1 | FileCheck %s
// RUN: cmp %s %t.cu
// RUN: %kfuse verify %s
//
// Mini-apps launch through a macro; the launch has no text of its own that
// could be edited. It is seen, named and left alone.
#include <cstdio>

#define LAUNCH(kernel, n, ...) kernel<<<((n) + 127) / 128, 128>>>(__VA_ARGS__)

__global__ void scale(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = 2 * A[i];
}

__global__ void shift(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + 1;
}

int main() {
  const int n = 700;
  float host[n], *A, *B, *C;
  for (int i = 0; i < n; ++i)
    host[i] = i;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  // CHECK: launch-macro.cu:[[@LINE+1]]:3: remark: {{.*}} [-Rkfuse-analysis]
  LAUNCH(scale, n, A, B, n);
  // CHECK: launch-macro.cu:[[@LINE+1]]:3: remark: {{.*}} [-Rkfuse-analysis]
  LAUNCH(shift, n, B, C, n);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%f\n", host[699]);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
}
