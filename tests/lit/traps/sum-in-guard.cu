// RUN: %kfuse verify %s
//
// `first + i < end` says the same as `i < end - first` of the kernel's own
// threads. Of others the sum may be no `int`.
#include <cuda_runtime.h>
__global__ void all(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = 2.0f * a[i];
}
__global__ void line(const float *b, float *c, int first, int end) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (first + i < end)
    c[i] = b[i] + 1.0f;
}
int main() {
  float *a, *b, *c;
  cudaMalloc(&a, 4096 * 4);
  cudaMalloc(&b, 4096 * 4);
  cudaMalloc(&c, 4096 * 4);
  static float h[4096];
  for (int i = 0; i < 4096; ++i)
    h[i] = i;
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemset(c, 0, 4096 * 4);
  all<<<16, 256>>>(a, b, 4096);
  line<<<2, 256>>>(b, c, 2147483000, 2147483500);
  cudaMemcpy(h, c, sizeof h, cudaMemcpyDeviceToHost);
  cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
  return 0;
}
