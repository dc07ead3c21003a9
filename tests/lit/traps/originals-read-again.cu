// RUN: %kfuse verify %s
//
// The pair is fused in the first iteration, in which both grids are equal. In
// the next its launches run as they were, and read in T what the first stored.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
__global__ void copy(const float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i] + 1.0f;
}
int main(int argc, char **argv) {
  int k = 4;
  if (argc > 1)
    k = atoi(argv[1]);
  float *A, *T, *D;
  size_t bytes = (size_t)k * 256 * 4;
  float *h = (float *)calloc(k * 256, 4);
  cudaMalloc(&A, bytes);
  cudaMalloc(&T, bytes);
  cudaMalloc(&D, bytes);
  cudaMemcpy(A, h, bytes, cudaMemcpyHostToDevice);
  for (int m = k; m > 1; m /= 2) {
    copy<<<m, 256>>>(A, T);
    copy<<<k, 256>>>(T, D);
  }
  cudaMemcpy(h, D, bytes, cudaMemcpyDeviceToHost);
  printf("%g %g\n", h[0], h[k * 256 - 1]);
}
