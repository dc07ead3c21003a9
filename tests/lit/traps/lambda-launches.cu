// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// Lambdas that launch or copy, generic ones too: they work on arrays of the
// function around them, which get their storage only later.

// CHECK-DAG: remark: 'first' {{.*}}and 'reverse' not fused: CrossThreadFlow
// CHECK-DAG: remark: 'second' and 'first' {{.*}}not fused: HostDependence
// OUT: {{^}}int main() {
// OUT: {{^}}  first<<<
// OUT: {{^}}  change();
// OUT: {{^}}  second<<<
// OUT: {{^}}  fetch(C);
// OUT: {{^}}  first<<<
#include <cstdio>
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

__global__ void reverse(float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2) {
    float other = B[n - 1 - i];
    B[n - 1 - i] = B[i];
    B[i] = other;
  }
}

int main() {
  const int n = 1000;
  static float host[1000];
  float *A, *B, *C, *D;
  double sum = 0;
  auto change = [&] { reverse<<<4, 128>>>(B, n); };
  auto fetch = [&](auto from) {
    cudaMemcpy(host, from, sizeof(host), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i)
      sum += host[i] * (i % 7);
  };
  for (int i = 0; i < n; ++i)
    host[i] = (float)(i % 37);
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMalloc(&D, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  first<<<8, 128>>>(A, B, n);
  change();
  second<<<8, 128>>>(B, C, n);
  fetch(C);
  first<<<8, 128>>>(C, D, n);
  fetch(D);
  printf("%.3f\n", sum);
}
