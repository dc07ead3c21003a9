// A test at run time that is false whenever the program comes to it: results
// are right, and the fused kernel never ran.
// RUN: sh -c '"$@"; test $? = 4' - %kfuse verify %s -- 700 1 699 2>&1 | FileCheck %s --check-prefixes=NEVER,AWAY
// RUN: %kfuse verify %s -- 700 3 699 2>&1 | FileCheck %s --check-prefixes=PARTLY,AWAY
// RUN: not %kfuse verify %s -- 700 3 699 more 2>&1 | FileCheck %s --check-prefix=BEHIND
// RUN: sh -c '"$@"; test $? = 5' - %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=NOTHING

// NEVER: never-held.cu:[[# @LINE + 54]]:5: error: 'kfuse_scale_shift' of 'scale' and 'shift' never ran: its test at run time was false each of the 3 times
// NEVER-NEXT: {{^}}  n == m{{$}}
// NEVER-NEXT: not verified: what ran leaves equal traces and output in 3 thread orders (never stored: D)
// PARTLY: verified: original and fused leave equal traces and output in 3 thread orders (never stored: D)
// PARTLY-NEXT: not always run: 'kfuse_scale_shift' of 'scale' and 'shift' at {{.*}}never-held.cu:[[# @LINE + 50]]:5: its test held 6 of 9 times
// AWAY-NEXT: not run: 'kfuse_square_halve' of 'square' and 'halve' at {{.*}}never-held.cu:[[# @LINE + 53]]:5: the program never came to it
// BEHIND: never-held.cu:[[# @LINE + 52]]:5: error: 'kfuse_square_halve' of 'square' and 'halve' never ran
// BEHIND: not verified: what ran leaves equal traces and output in 3 thread orders (not always stored: D)
// BEHIND-NEXT: not always run: 'kfuse_scale_shift'
// NOTHING: kfuse: error: nothing was verified: the program came to no fused launch; its arguments go after '--'
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void scale(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] * 2;
}

__global__ void shift(const float *B, float *C, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m)
    C[i] = B[i] + 1;
}

__global__ void square(const float *C, float *D, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    D[i] = C[i] * C[i];
}

__global__ void halve(const float *D, float *E, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m)
    E[i] = D[i] / 2;
}

int main(int argc, char **argv) {
  if (argc < 4)
    return 1;
  const int n = atoi(argv[1]), passes = atoi(argv[2]), first = atoi(argv[3]);
  float host[768], *A, *B, *C, *D, *E;
  for (int i = 0; i < 768; ++i)
    host[i] = i;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMalloc(&D, sizeof(host));
  cudaMalloc(&E, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  for (int pass = 0; pass < passes; ++pass) {
    const int m = pass == 0 ? first : n;
    scale<<<6, 128>>>(A, B, n);
    shift<<<6, 128>>>(B, C, m);
  }
  if (argc > 4) {
    square<<<6, 128>>>(C, D, n);
    halve<<<6, 128>>>(D, E, first);
  }
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%g %g\n", host[0], host[600]);
  cudaMemcpy(host, E, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%g %g\n", host[0], host[600]);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
  cudaFree(D);
  cudaFree(E);
}
