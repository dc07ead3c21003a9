// RUN: %kfuse verify %s
//
// `one` runs in the blocks of `two`. What `two` asks of its block tells nothing
// of the block that the quotient in the guard of `one` is made with.
#include <cuda_runtime.h>
__global__ void one(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && i / 768 >= 1)
    b[i] = a[i] * 2.0f;
}
__global__ void two(const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && blockIdx.x >= 3)
    c[i] = b[i];
}
int main() {
  const int n = 4096;
  float *a, *b, *c;
  static float h[n];
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&c, n * sizeof(float));
  for (int i = 0; i < n; ++i)
    h[i] = i;
  cudaMemcpy(a, h, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(b, h, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(c, 0, n * sizeof(float));
  one<<<16, 256>>>(a, b, n);
  two<<<32, 128>>>(b, c, n);
  cudaMemcpy(h, c, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(h, b, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
