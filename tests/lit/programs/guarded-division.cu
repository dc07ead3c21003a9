// RUN: %kfuse %s -o %t.cu
// RUN: %code %t.cu | FileCheck %s
// RUN: %kfuse verify %s
// RUN: %kfuse verify %s -- 2
// RUN: not %kfuse verify %s -- 2 1 2>&1 | FileCheck %s --check-prefix=APART
//
// A kernel divides where its guard lets it, by what the program leaves at 0.
// The host, which asks whether the shapes fit before any thread has looked at
// the guard, must not. Where they don't fit the originals run.
// APART: 'kfuse_scale_first' of 'scale' and 'first' never ran
// APART: not verified: what ran leaves equal traces and output

// CHECK:      if (128 * (long long)(unsigned)blocks >=
// CHECK-NEXT: (((long long)parts) != 0 ? (((long long)n) / ((long long)parts)) : 0) &&
// CHECK:      kfuse_scale_first<<<
// CHECK:      } else {
// CHECK-NEXT: scale<<<blocks, 128>>>(A, B, n);
// CHECK-NEXT: first<<<8 + parts, 64>>>(B, C, n, parts);
// CHECK-NEXT: }
#include <cstdio>
#include <cstdlib>

__global__ void scale(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + 1;
}

__global__ void first(const float *B, float *C, int n, int parts) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (parts > 0 && i < n / parts)
    C[i] = B[i] * 2;
}

int main(int argc, char **argv) {
  const int n = 1000, parts = argc > 1 ? atoi(argv[1]) : 0;
  float host[n], *A, *B, *C;
  for (int i = 0; i < n; ++i)
    host[i] = i;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  for (float *array : {A, B, C})
    cudaMemcpy(array, host, sizeof(host), cudaMemcpyHostToDevice);
  // Fewer than there are elements for, if the program is told so.
  const int blocks = argc > 2 ? atoi(argv[2]) : (n + 127) / 128;
  scale<<<blocks, 128>>>(A, B, n);
  first<<<8 + parts, 64>>>(B, C, n, parts);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%f %f\n", host[7], host[400]);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
}
