// RUN: %kfuse verify %s --nvcc=none 2>&1 | FileCheck %s
//
// The quotient behind a macro is protected by the guard before it.
// CHECK: verified: original and fused
#include "Inputs/arrays.h"

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
  int *a = filled<int>(n), *c = zeros<int>(n), *b;
  cudaMalloc(&b, n * sizeof(*b));
  one<<<blocks, 128>>>(a, b, argc - 1, n);
  two<<<blocks, 128>>>(b, c, argc - 1, n);
  printAll(c, n);
}
