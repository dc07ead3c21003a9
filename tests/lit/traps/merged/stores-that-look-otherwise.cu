// RUN: %kfuse verify %s --nvcc=none 2>&1 | FileCheck %s
//
// Something stands between the element and the `=`.
// CHECK: verified: original and fused
#include "Inputs/arrays.h"

__global__ void half(const int *x, int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  y[i] = x[i] / 2;
}
__global__ void commented(int *x, int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int t = x[i];
  x[i] /* back */ = t + 1;
  y[i] = t;
}
__global__ void bracketed(int *x, int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int t = x[i];
  (x[i]) = t + 2;
  y[i] = t;
}
__global__ void continued(int *x, int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int t = x[i];
  x[i] \
      = t + 3;
  y[i] = t;
}
__global__ void noted(int *x, int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int t = x[i];
  x[i] // back
      = t + 4;
  y[i] = t;
}

int main(int argc, char **) {
  const int n = 1000 + argc, blocks = (n + 127) / 128;
  int *d = filled<int>(n), *c = zeros<int>(n), *b;
  cudaMalloc(&b, n * sizeof(*b));
  half<<<blocks, 128>>>(c, b, n);
  commented<<<blocks, 128>>>(d, c, n);
  printOne(d, n);
  half<<<blocks, 128>>>(c, b, n);
  bracketed<<<blocks, 128>>>(d, c, n);
  printOne(d, n);
  half<<<blocks, 128>>>(c, b, n);
  continued<<<blocks, 128>>>(d, c, n);
  printOne(d, n);
  half<<<blocks, 128>>>(c, b, n);
  noted<<<blocks, 128>>>(d, c, n);
  printOne(d, n);
  printAll(c, n);
}
