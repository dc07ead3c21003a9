// The quotient behind a macro is protected by the guard before it.
#include <cstdio>
#include <cuda_runtime.h>

#define QUOTIENT(a, b) ((a) / (b))
__global__ void one(const int *x, int *y, int w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (w == 0)
    return;
  int r = QUOTIENT(i, w);
  if (r >= n)
    return;
  y[i] = x[i] + r * 1;
}
__global__ void two(const int *x, int *y, int w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (w == 0)
    return;
  int r = QUOTIENT(i, w);
  if (r >= n)
    return;
  y[i] = x[i] + r * 2;
}

int main(int argc, char **) {
  const int n = 1000 + argc, blocks = (n + 127) / 128;
  static int h[4096], zeros[4096];
  for (int k = 0; k < n; ++k)
    h[k] = k * 7 % 31;
  int *a, *b, *c, *d;
  cudaMalloc(&a, n * sizeof(*h));
  cudaMalloc(&b, n * sizeof(*h));
  cudaMalloc(&c, n * sizeof(*h));
  cudaMalloc(&d, n * sizeof(*h));
  cudaMemcpy(a, h, n * sizeof(*h), cudaMemcpyHostToDevice);
  cudaMemcpy(d, h, n * sizeof(*h), cudaMemcpyHostToDevice);
  cudaMemcpy(c, zeros, n * sizeof(*h), cudaMemcpyHostToDevice);
  one<<<blocks, 128>>>(a, b, argc - 1, n);
  two<<<blocks, 128>>>(b, c, argc - 1, n);
  cudaMemcpy(h, c, n * sizeof(*h), cudaMemcpyDeviceToHost);
  unsigned long sum = 0;
  for (int k = 0; k < n; ++k)
    sum = sum * 31 + h[k];
  printf("%lu\n", sum);
}
