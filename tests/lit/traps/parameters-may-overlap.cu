// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse %s -o %t.no.cu --no-runtime-checks -Rkfuse-missed 2>&1 | FileCheck %s --check-prefix=NO
// RUN: %kfuse verify %s
//
// The wrapper's pointers may be anything. Where they are the same or overlap,
// the original launches run; every call ends as it did before.

// CHECK: remark: fused 'first', 'second'
// OUT: if (
// OUT: kfuse_first_second<<<
// OUT: } else {
// OUT: first<<<
// OUT: second<<<
// NO: remark: 'first' and 'second' not fused: RequiresRuntimeCheck: {{.+}} [-Rkfuse-missed]

#include <cstdio>
#include <cuda_runtime.h>

__global__ void first(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + 1;
}

__global__ void second(const float *B, const float *D, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[i] * D[i];
}

void both(const float *A, float *B, const float *D, float *C, int n) {
  first<<<(n + 127) / 128, 128>>>(A, B, n);
  second<<<(n + 127) / 128, 128>>>(B, D, C, n);
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

  both(A, B, A, C, n);
  both(A, B, B, B, n);
  both(C, B, B + 1, C, n - 1);
  both(B, C, A, C, n);

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
