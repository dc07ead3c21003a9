// RUN: %kfuse verify %s --nvcc=none 2>&1 | FileCheck %s
//
// A backslash continues the comment.
// CHECK: verified: original and fused
#include "Inputs/arrays.h"

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
  int *a = filled<int>(n), *c = zeros<int>(n), *b;
  cudaMalloc(&b, n * sizeof(*b));
  noted<<<blocks, 128>>>(a, b, n);
  half<<<blocks, 128>>>(b, c, n);
  printAll(c, n);
}
