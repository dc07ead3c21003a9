// RUN: %kfuse verify %s
//
// Types that mean something else where a fused kernel would stand, or nothing.

#include <cstdio>
#include <cuda_runtime.h>

static const int n = 1000;
static float host[n];

namespace geometry {
struct uint3 {
  unsigned x, y, z, w;
};
struct dim3 {
  int size;
};

__global__ void twice(const float *A, float *B, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    B[i] = 2 * A[i];
}

__global__ void sides(const float *B, float *C, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < count - 1)
    C[i] = B[i - 1] + B[i + 1];
}

static void run(const float *a, float *b, float *c) {
  twice<<<4, 256>>>(a, b, n);
  sides<<<4, 256>>>(b, c, n);
}
} // namespace geometry

int main() {
  float *a, *b, *c;
  for (float **each : {&a, &b, &c}) {
    cudaMalloc(each, sizeof(host));
    cudaMemset(*each, 1, sizeof(host));
  }
  geometry::run(a, b, c);
  cudaMemcpy(host, c, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%g\n", host[4]);
}
