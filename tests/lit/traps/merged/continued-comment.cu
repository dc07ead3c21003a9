// A backslash continues the comment.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void noted(const int *x, int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int t = x[i]; // a comment that goes on \
     and this is its second line, with commas, which is longer, much longer, than eighty
  y[i] = t + 1;
}
__global__ void half(const int *x, int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  y[i] = x[i] / 2;
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
  noted<<<blocks, 128>>>(a, b, n);
  half<<<blocks, 128>>>(b, c, n);
  cudaMemcpy(h, c, n * sizeof(*h), cudaMemcpyDeviceToHost);
  unsigned long sum = 0;
  for (int k = 0; k < n; ++k)
    sum = sum * 31 + h[k];
  printf("%lu\n", sum);
}
