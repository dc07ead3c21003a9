// Integers are those of a GPU: coordinates are unsigned, unsigned numbers wrap,
// and bits leave signed ones on the left. A shift by the width of its type, which
// a GPU takes for one of all bits and an x86-64 for none, is reported.
// RUN: %kfuse-cpu %s -o %t
// RUN: %t 3 2>&1 | FileCheck %s --implicit-check-not=error
// RUN: %t 32 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: %kfuse-cpu --sanitize %s -o %t
// RUN: %t 3 2>&1 | FileCheck %s --implicit-check-not=error
// RUN: %t 32 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: %kfuse verify %s -- 3 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: not %kfuse verify %s -- 32 2>&1 | FileCheck %s --check-prefix=WIDE

// CHECK: inside: 1 2 3 4
// CHECK: wrapped: 4294967295 131073 2147483648
// CHECK: shifted: -128 248
// CHECK: dotted: -2147483648
// VERIFIED: verified: original and fused
// WIDE: integers.cu:[[# @LINE + 11]]:{{.*}}runtime error: shift exponent 32 is too large for 32-bit type 'int'
#include <cstdio>
#include <cstdlib>

__global__ void inside(int *A, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  A[i] = threadIdx.x - 1 < n;
}

__global__ void shifted(const int *A, int *B, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  B[i] = A[i] * 0 + ((i - 16) << by);
}

__global__ void others(unsigned *C, unsigned w, int *D) {
  C[0] = threadIdx.x - 1;
  C[1] = w * w;
  C[2] = (threadIdx.x + w) << 31;
  D[0] = __dp4a(0x7f7f7f7f, 0x01010101, 0x7fffffff - 507);
}

int main(int argc, char **argv) {
  const int by = argc > 1 ? atoi(argv[1]) : 0;
  int host[32], *A, *B, *D;
  unsigned numbers[3], *C;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(numbers));
  cudaMalloc(&D, sizeof(int));
  inside<<<1, 32>>>(A, 4);
  shifted<<<1, 32>>>(A, B, by);
  others<<<1, 1>>>(C, 0x10001, D);
  cudaMemcpy(host, A, sizeof(host), cudaMemcpyDeviceToHost);
  printf("inside:");
  for (int i = 0; i < 32; ++i)
    if (host[i])
      printf(" %d", i);
  cudaMemcpy(numbers, C, sizeof(numbers), cudaMemcpyDeviceToHost);
  printf("\nwrapped: %u %u %u\n", numbers[0], numbers[1], numbers[2]);
  cudaMemcpy(host, B, sizeof(host), cudaMemcpyDeviceToHost);
  printf("shifted: %d %d\n", host[0], host[31] + 128);
  cudaMemcpy(host, D, sizeof(int), cudaMemcpyDeviceToHost);
  printf("dotted: %d\n", host[0]);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
  cudaFree(D);
}
