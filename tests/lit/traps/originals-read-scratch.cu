// RUN: not %kfuse verify %s -- 4 2 2>&1 | grep "not verified: what ran leaves equal traces and output"
//
// The second pair is fused where both grids are equal. Elsewhere its launches
// run as they were, and read in T what the first pair stored.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
__global__ void copy(const float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i] + 1.0f;
}
int main(int argc, char **argv) {
  int k = argc > 1 ? atoi(argv[1]) : 4, m = argc > 2 ? atoi(argv[2]) : 4;
  float *A, *T, *C, *D;
  size_t bytes = (size_t)k * 256 * 4;
  float *h = (float *)calloc(k * 256, 4);
  cudaMalloc(&A, bytes);
  cudaMalloc(&T, bytes);
  cudaMalloc(&C, bytes);
  cudaMalloc(&D, bytes);
  cudaMemcpy(A, h, bytes, cudaMemcpyHostToDevice);
  copy<<<k, 256>>>(A, T);
  copy<<<k, 256>>>(T, C);
  cudaMemcpy(h, C, bytes, cudaMemcpyDeviceToHost);
  printf("%g %g\n", h[0], h[k * 256 - 1]);
  cudaMemcpy(A, h, bytes, cudaMemcpyHostToDevice);
  copy<<<m, 256>>>(A, T);
  copy<<<k, 256>>>(T, D);
  cudaMemcpy(h, D, bytes, cudaMemcpyDeviceToHost);
  printf("%g %g\n", h[0], h[k * 256 - 1]);
}
