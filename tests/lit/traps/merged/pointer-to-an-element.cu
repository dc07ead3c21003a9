// RUN: %kfuse verify %s --nvcc=none 2>&1 | FileCheck %s
//
// The store goes through a pointer to an element that is loaded.
// CHECK: verified: original and fused
#include "Inputs/arrays.h"

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
  int *a = filled<int>(n), *d = filled<int>(n), *c = zeros<int>(n), *b;
  cudaMalloc(&b, n * sizeof(*b));
  half<<<blocks, 128>>>(a, b, n);
  back<<<blocks, 128>>>(d, c, n);
  printOne(d, n);
  printAll(c, n);
}
