// RUN: %kfuse verify %s
//
// The place in the only block of a grid is the index there. In the blocks of
// the other kernel, whose grid both run in, it isn't: `small` is one block's.
#include <cuda_runtime.h>
__global__ void init(float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    a[i] = 2.0f * b[i];
  }
}
__global__ void small(float *a) {
  if (threadIdx.x < 100)
    a[threadIdx.x] += 1.0f;
}
int main() {
  float *a, *b;
  cudaMalloc(&a, 16384 * 4);
  cudaMalloc(&b, 16384 * 4);
  float h[16384];
  for (int i = 0; i < 16384; ++i)
    h[i] = i;
  cudaMemcpy(b, h, sizeof h, cudaMemcpyHostToDevice);
  init<<<64, 256>>>(a, b, 16384);
  small<<<1, 256>>>(a);
  cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(a);
  cudaFree(b);
  return h[3] == 7.0f ? 0 : 1;
}
