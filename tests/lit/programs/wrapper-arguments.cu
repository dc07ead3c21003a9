// RUN: %kfuse verify %s 2>&1 | FileCheck %s
// RUN: %kfuse %s -o - --quiet | FileCheck %s --check-prefix=OUT
// RUN: sed 's/$/\r/' %s > %t.cu && %kfuse verify %t.cu 2>&1 | FileCheck %s
//
// Arguments of wrappers: with effects, of other types, changed by the wrapper,
// by reference, by name in an inner block, and swapped between the calls.

// CHECK: {{kfuse_.* = .*'scale'.*'shift'}}
// CHECK: verified: original and fused
// OUT:      {{^}}int main() {
// OUT:      {{^}}    // From scaled():
// OUT-NEXT: int scaled_n = calls++ + 1000;
// OUT-NEXT: unsigned char scaled_by = round + 258;
// OUT:      // From shifted():
// OUT:      int &shifted_count = count;
#include <cstdio>
#include <cuda_runtime.h>
#include <utility>

__global__ void scale(const int *A, int *B, int n, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] * by;
}

__global__ void shift(const int *B, int *C, int n, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[i] + by;
}

void scaled(const int *A, int *B, int n, unsigned char by) {
  n -= 8;
  int most = 0;
  for (int round = 0; round < 3; ++round)
    most += round + by;
  dim3 grid((n + 127) / 128), block(128);
  scale<<<grid, block>>>(A, B, n, most);
}

void shifted(int *B, int *C, const int n, int &count, int by) {
  ++count;
  {
    int count = by;
    by = count + 1;
  }
  shift<<<(n - 8 + 127) / 128, dim3(128)>>>(B, C, n - 8, by + count);
}

int main() {
  const int n = 1000;
  static int host[1000];
  for (int i = 0; i < n; ++i)
    host[i] = i % 37;
  int *A, *B, *C;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemset(B, 0, sizeof(host));
  cudaMemset(C, 0, sizeof(host));
  int calls = 0, count = 0;
  for (int round = 0; round < 2; ++round) {
    scaled(A, B, calls++ + 1000, round + 258);
    std::swap(B, C);
    shifted(C, A, n, count, count * 10);
    std::swap(A, B);
  }
  cudaMemcpy(host, A, sizeof(host), cudaMemcpyDeviceToHost);
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7);
  cudaMemcpy(host, B, sizeof(host), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 5);
  printf("%d %d %d\n", sum, calls, count);
}
