// RUN: %kfuse verify %s
//
// The launch gets the address of an ordinary array of the host, as some systems
// allow. The host writes into it before the second launch.

#include <cstdio>
#include <cuda_runtime.h>

static const int n = 1000;
static const size_t bytes = n * sizeof(float);
static float host[n];

__global__ void inc(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + 1;
}

__global__ void dbl(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = 2 * B[i];
}

static void show(const char *name, const float *array) {
  cudaMemcpy(host, array, bytes, cudaMemcpyDeviceToHost);
  printf("%s %g %g\n", name, host[1], host[700]);
}

static void hostAddress() {
  static float plain[n];
  float *B, *C;
  cudaMalloc(&B, bytes);
  cudaMalloc(&C, bytes);
  plain[1] = 5;
  inc<<<8, 128>>>(plain, B, n);
  cudaDeviceSynchronize();
  plain[1] = 99;
  dbl<<<8, 128>>>(B, C, n);
  show("C", C);
}

int main() { hostAddress(); }
