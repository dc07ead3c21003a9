// RUN: %kfuse verify %s
//
// Loops of two kernels are compared by how they nest, and a counter in a
// minimum keeps its number: what is asked of q tells nothing of k.
#include <cuda_runtime.h>
__global__ void one(float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int q = 0; q < 4; ++q)
    for (int k = 0; k < 64; ++k)
      if (i < n && k + min(k - 3, 100 - 9 * k) <= 7 &&
          min(k - 3, 100 - 9 * k) >= 0)
        b[8 * i + k] = i + k;
}
__global__ void two(const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int q = 0; q < 4; ++q)
    for (int k = 0; k < 64; ++k)
      if (i < n && q >= 3 && k + min(k - 3, 100 - 9 * k) <= 7)
        sum += b[8 * i + k];
  if (i < n)
    c[i] = sum;
}
int main() {
  const int n = 4096;
  float *b, *c;
  static float h[n];
  cudaMalloc(&b, (8 * n + 64) * sizeof(float));
  cudaMalloc(&c, n * sizeof(float));
  cudaMemset(b, 0, (8 * n + 64) * sizeof(float));
  one<<<16, 256>>>(b, n);
  two<<<16, 256>>>(b, c, n);
  cudaMemcpy(h, c, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(b);
  cudaFree(c);
}
