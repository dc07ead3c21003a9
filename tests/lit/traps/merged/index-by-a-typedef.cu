// RUN: %kfuse verify %s --nvcc=none 2>&1 | FileCheck %s
//
// A name of its own stands for an unsigned type.
// CHECK: verified: original and fused
#include "Inputs/arrays.h"

typedef unsigned number;

__global__ void all(const unsigned char *x, unsigned char *y, int n) {
  number i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] / 2 + 1;
}

int main(int argc, char **) {
  const int n = 1000 + argc, blocks = (n + 127) / 128;
  unsigned char *a = filled<unsigned char>(n), *c = zeros<unsigned char>(n), *b;
  cudaMalloc(&b, n * sizeof(*b));
  all<<<n / 128, 128>>>(a, b, -argc);
  all<<<n / 128, 128>>>(b, c, -argc);
  printAll(c, n);
}
