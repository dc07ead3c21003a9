// RUN: %kfuse verify %s --nvcc=none 2>&1 | FileCheck %s
//
// A backslash continues the head of the loop.
// CHECK: verified: original and fused
#include "Inputs/arrays.h"

__global__ void one(const int *x, int *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; \
       i += blockDim.x * gridDim.x)
    y[i] = x[i] / 2;
}
__global__ void two(const int *x, int *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; \
       i += blockDim.x * gridDim.x)
    y[i] = x[i] + 1;
}

int main(int argc, char **) {
  const int n = 1000 + argc, blocks = (n + 127) / 128;
  int *a = filled<int>(n), *c = zeros<int>(n), *b;
  cudaMalloc(&b, n * sizeof(*b));
  one<<<blocks, 128>>>(a, b, n);
  two<<<blocks, 128>>>(b, c, n);
  printAll(c, n);
}
