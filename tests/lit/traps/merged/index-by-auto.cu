// RUN: %kfuse verify %s --nvcc=none 2>&1 | FileCheck %s
//
// `auto` stands for an unsigned type.
// CHECK: verified: original and fused
#include "Inputs/arrays.h"

__global__ void late(const unsigned char *x, unsigned char *y, unsigned n) {
  auto i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] / 2 + (i - 500 > 100);
}

int main(int argc, char **) {
  const int n = 1000 + argc, blocks = (n + 127) / 128;
  unsigned char *a = filled<unsigned char>(n), *c = zeros<unsigned char>(n), *b;
  cudaMalloc(&b, n * sizeof(*b));
  late<<<blocks, 128>>>(a, b, n);
  late<<<blocks, 128>>>(b, c, n);
  printAll(c, n);
}
