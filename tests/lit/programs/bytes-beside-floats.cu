// RUN: %kfuse %s -o %t.cu --quiet
// RUN: %code %t.cu | FileCheck %s
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// A thread takes as many elements as the largest ones fill an access with:
// sixteen bytes, but four if there are floats beside them.
//
// SAME: verified: original and fused
// CHECK:      void kfuse_half_raise(
// CHECK:        unsigned char x_in[16];
// CHECK:      void kfuse_read_half(
// CHECK:        unsigned char x_in[4];
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void half(unsigned char *y, const unsigned char *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] / 2;
}

__global__ void raise(unsigned char *y, int by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = y[i] + by;
}

__global__ void read(float *f, const unsigned char *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    f[i] = x[i] / 3.f;
}

__global__ void half(float *f, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    f[i] = f[i] / 2;
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 100003, blocks = (n + 127) / 128;
  unsigned char *x, *y, *bytes = (unsigned char *)malloc(n);
  float *f, *floats = (float *)malloc(n * sizeof(float));
  for (int i = 0; i < n; ++i)
    bytes[i] = i % 251;
  cudaMalloc(&x, n);
  cudaMalloc(&y, n);
  cudaMalloc(&f, n * sizeof(float));
  cudaMemcpy(x, bytes, n, cudaMemcpyHostToDevice);
  half<<<blocks, 128>>>(y, x, n);
  raise<<<blocks, 128>>>(y, 3, n);
  cudaMemcpy(bytes, y, n, cudaMemcpyDeviceToHost);
  bytes[0] += 1;
  read<<<blocks, 128>>>(f, x, n);
  half<<<blocks, 128>>>(f, n);
  cudaMemcpy(floats, f, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%d %g\n", bytes[n - 1], floats[n - 1]);
  cudaFree(x);
  cudaFree(y);
  cudaFree(f);
  free(bytes);
  free(floats);
}
