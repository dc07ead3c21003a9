// RUN: %kfuse verify %s
//
// A kernel for a type that only one function knows.

#include <cstdio>
#include <cuda_runtime.h>

static const int n = 1000;
static float host[n];

template <typename Factor>
__global__ void scale(const float *A, float *B, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    B[i] = Factor::value() * A[i];
}

__global__ void next(const float *B, float *C, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    C[i] = B[i] + 1;
}

int main() {
  float *a, *b, *c;
  for (float **each : {&a, &b, &c}) {
    cudaMalloc(each, sizeof(host));
    cudaMemset(*each, 1, sizeof(host));
  }
  struct Three {
    static __device__ int value() { return 3; }
  };
  scale<Three><<<4, 256>>>(a, b, n);
  next<<<4, 256>>>(b, c, n);
  cudaMemcpy(host, c, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%g\n", host[4]);
}
