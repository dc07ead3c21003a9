// RUN: %kfuse verify %s
//
// A check that would move behind a declaration of a name in it.

#include <cstdio>
#include <cuda_runtime.h>

static const int n = 1000;
static float host[n];
static int error = 7;

__global__ void twice(const float *A, float *B, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    B[i] = 2 * A[i];
}

__global__ void next(const float *B, float *C, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    C[i] = B[i] + 1;
}

static void run(const float *a, float *b, float *c) {
  twice<<<4, 256>>>(a, b, n);
  error = cudaGetLastError();
  int error = 5;
  next<<<4, 256>>>(b, c, n);
  printf("%d %d\n", error, ::error);
}

int main() {
  float *a, *b, *c;
  for (float **each : {&a, &b, &c}) {
    cudaMalloc(each, sizeof(host));
    cudaMemset(*each, 1, sizeof(host));
  }
  run(a, b, c);
  cudaMemcpy(host, c, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%g\n", host[4]);
}
