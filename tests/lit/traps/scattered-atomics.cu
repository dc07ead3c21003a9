// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// Atomics onto neighbours' cells, then every thread reads its own cell: what a
// neighbour adds may still be missing.

// CHECK: remark: 'deposit' and 'field' not fused: AtomicConflict: {{.+}} [-Rkfuse-missed]
// OUT: deposit<<<
// OUT: field<<<
#include <cstdio>
#include <cuda_runtime.h>

__global__ void deposit(const int *charge, int *cells, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1) {
    atomicAdd(&cells[i], charge[i]);
    atomicAdd(&cells[i + 1], charge[i]);
  }
}

__global__ void field(const int *cells, int *force, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    force[i] = 3 * cells[i];
}

int main() {
  const int n = 1000;
  static int host[1000];
  for (int i = 0; i < n; ++i)
    host[i] = (int)(i % 37);
  int *A, *B, *C;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(B, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(C, host, sizeof(host), cudaMemcpyHostToDevice);

  deposit<<<(n + 127) / 128, 128>>>(A, B, n);
  field<<<(n + 127) / 128, 128>>>(B, C, n);

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
