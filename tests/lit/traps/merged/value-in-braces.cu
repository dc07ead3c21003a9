// RUN: %kfuse verify %s --nvcc=none 2>&1 | FileCheck %s
//
// What is stored has no type of its own.
// CHECK: verified: original and fused
#include "Inputs/arrays.h"

__global__ void one(const float2 *x, float2 *y, float v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  y[i] = {x[i].x * v, x[i].y * v};
}
__global__ void two(const float2 *x, float2 *y, float v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float2 t = x[i];
  y[i] = make_float2(t.x + v, t.y + v);
}

int main(int argc, char **) {
  const int n = 1000 + argc, blocks = (n + 127) / 128;
  float2 *a = filled<float2>(n), *c = zeros<float2>(n), *b;
  cudaMalloc(&b, n * sizeof(*b));
  one<<<blocks, 128>>>(a, b, 0.3f, n);
  two<<<blocks, 128>>>(b, c, 0.7f, n);
  printAll(c, n);
}
