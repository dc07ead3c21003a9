// RUN: %kfuse verify %s
//
// Threads of the plane have indices as a line's that the line's kernel never
// had: `i * 1024` of these is no `int`, so that its guard tells nothing of
// them.
#include <cuda_runtime.h>
__global__ void all(const float *a, float *b) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 2048 && y < 1056)
    b[y * 2048 + x] = 2.0f * a[y * 2048 + x];
}
__global__ void line(const float *b, float *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int place = i * 1024;
  if (place < 256000)
    c[i] = b[i] + 1.0f;
}
int main() {
  float *a, *b, *c;
  cudaMalloc(&a, 2048 * 1056 * 4);
  cudaMalloc(&b, 2048 * 1056 * 4);
  cudaMalloc(&c, 2048 * 1056 * 4);
  cudaMemset(a, 0, 2048 * 1056 * 4);
  cudaMemset(c, 0, 2048 * 1056 * 4);
  all<<<dim3(64, 132), dim3(32, 8)>>>(a, b);
  line<<<4, 256>>>(b, c);
  static float h[2048 * 1056];
  cudaMemcpy(h, c, sizeof h, cudaMemcpyDeviceToHost);
  cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
  return 0;
}
