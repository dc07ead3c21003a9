// RUN: %kfuse verify %s --nvcc=none 2>&1 | FileCheck %s
//
// A guard names a constant of the file whose name is a local variable's below.
// CHECK: verified: original and fused
#include "Inputs/arrays.h"

const int bias = 5;

__global__ void one(const int *x, int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n - bias)
    return;
  int t = x[i];
  {
    int bias = t * 2;
    t += bias;
  }
  y[i] = t;
}
__global__ void two(const int *x, int *y, int bias, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  y[i] = x[i] / 2 + bias;
}

int main(int argc, char **) {
  const int n = 1000 + argc, blocks = (n + 127) / 128;
  int *a = filled<int>(n), *c = zeros<int>(n), *b;
  cudaMalloc(&b, n * sizeof(*b));
  one<<<blocks, 128>>>(a, b, n);
  two<<<blocks, 128>>>(b, c, 7, n - 5);
  printAll(c, n);
}
