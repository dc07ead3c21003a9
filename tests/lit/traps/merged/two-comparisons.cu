// RUN: %kfuse verify %s --nvcc=none 2>&1 | FileCheck %s
//
// The guard compares twice.
// CHECK: verified: original and fused
#include "Inputs/arrays.h"

__global__ void odd(const unsigned char *x, unsigned char *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n == 1)
    y[i] = x[i] / 2;
}

int main(int argc, char **) {
  const int n = 1000 + argc, blocks = (n + 127) / 128;
  unsigned char *a = filled<unsigned char>(n), *c = zeros<unsigned char>(n), *b;
  cudaMalloc(&b, n * sizeof(*b));
  odd<<<blocks, 128>>>(a, b, n);
  odd<<<blocks, 128>>>(b, c, n);
  printAll(c, n);
}
