// The store goes through a pointer to an element that is loaded.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void half(const int *x, int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  y[i] = x[i] / 2;
}
__global__ void back(int *x, int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int *p = &x[i];
  int t = x[i];
  *p = t + 3;
  y[i] = t;
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
  half<<<blocks, 128>>>(a, b, n);
  back<<<blocks, 128>>>(d, c, n);
  cudaMemcpy(h, d, n * sizeof(*h), cudaMemcpyDeviceToHost);
  printf("%d\n", h[5]);
  cudaMemcpy(h, c, n * sizeof(*h), cudaMemcpyDeviceToHost);
  unsigned long sum = 0;
  for (int k = 0; k < n; ++k)
    sum = sum * 31 + h[k];
  printf("%lu\n", sum);
}
