// RUN: %kfuse verify %s --nvcc=none 2>&1 | FileCheck %s
//
// Bounds that no index reaches.
// CHECK: verified: original and fused
#include "Inputs/arrays.h"

__global__ void unlimited(const unsigned char *x, unsigned char *y, size_t n) {
  size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] / 3;
}
__global__ void narrow(const unsigned char *x, unsigned char *y, unsigned short n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1)
    y[i] = x[i] / 3;
}
__global__ void constant(const unsigned char *x, unsigned char *y) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < -1)
    y[i] = x[i] / 3;
}

int main(int argc, char **) {
  const int n = 1000 + argc, blocks = (n + 127) / 128;
  unsigned char *a = filled<unsigned char>(n), *c = zeros<unsigned char>(n), *b;
  cudaMalloc(&b, n * sizeof(*b));
  unlimited<<<n / 128, 128>>>(a, b, size_t(-1));
  unlimited<<<n / 128, 128>>>(b, c, size_t(-1));
  printOne(c, n);
  clear(c, n);
  narrow<<<n / 128, 128>>>(a, b, argc - 1);
  narrow<<<n / 128, 128>>>(b, c, argc - 1);
  printOne(c, n);
  clear(c, n);
  constant<<<n / 128, 128>>>(a, b);
  constant<<<n / 128, 128>>>(b, c);
  printOne(c, n);
  clear(c, n);
  printAll(c, n);
}
