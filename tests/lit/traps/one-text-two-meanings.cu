// RUN: %kfuse verify %s 2>&1 | FileCheck %s
//
// Bodies in which one text means two things: an element that is loaded and then
// changed, a coordinate with a parameter's name, a local variable with a
// function's, a parameter named as what a macro names, a guard that protects
// another one, a load that only one arm of a choice makes, and a comment.
//
// CHECK: verified: original and fused
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__device__ const int bias = 5;
#define WEIGHT (bias * 2)
__device__ int f(int x) { return x * 3; }

__global__ void updated(int *x, int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int t = x[i];
  x[i] += t;
  y[i] = t;
}
__global__ void counted(int *x, int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int t = x[i];
  atomicAdd(&x[i], 1);
  y[i] = t + x[i];
}
__global__ void reloaded(int *x, int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int t = x[i];
  x[i] = t * 2;
  y[i] = x[i] + t;
}
__global__ void shadowed(const int *x, int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int s = x[i];
  {
    int i = 2;
    s += x[i];
  }
  y[i] = s;
}
__global__ void renewed(const int *x, int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int n = 2;
    y[i] = x[i] * n;
  }
}
__global__ void named(const int *x, int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int t = f(x[i]);
  int f = t + 1;
  y[i] = f;
}
__global__ void weighed(const int *x, int *y, int k, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  y[i] = x[i] * WEIGHT + k;
}
__global__ void divided(const int *x, int *y, int w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (w == 0)
    return;
  int r = i / w;
  if (r >= n)
    return;
  y[i] = x[i] + r;
}
__global__ void chosen(const int *x, int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int t = i >= 10 ? int2{1, 2}.x : x[i];
  y[i] = t;
}
__global__ void half(const int *x, int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  y[i] = x[i] / 2;
}
__global__ void darken(const unsigned char *x, unsigned char *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  // y[i] = 0;
  y[i] = x[i] / 2; /* y[i] */
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 1000;
  const int bias = 100, blocks = (n + 127) / 128;
  static int h[4096];
  for (int i = 0; i < n; ++i)
    h[i] = i * 7 % 31;
  int *a, *b, *c, *few;
  unsigned char *image, *dark, *darker;
  cudaMalloc(&a, sizeof(h));
  cudaMalloc(&b, sizeof(h));
  cudaMalloc(&c, sizeof(h));
  cudaMalloc(&few, 10 * sizeof(int));
  cudaMalloc(&image, n);
  cudaMalloc(&dark, n);
  cudaMalloc(&darker, n);
  cudaMemcpy(a, h, sizeof(h), cudaMemcpyHostToDevice);
  cudaMemcpy(few, h, 10 * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(image, h, n, cudaMemcpyHostToDevice);
  unsigned long sum = 0;
  auto show = [&](const int *array) {
    cudaMemcpy(h, array, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i)
      sum = sum * 31 + (unsigned)h[i];
    printf("%lu\n", sum);
  };
  updated<<<blocks, 128>>>(a, b, n);
  half<<<blocks, 128>>>(b, c, n);
  show(c);
  show(a);
  counted<<<blocks, 128>>>(a, b, n);
  half<<<blocks, 128>>>(b, c, n);
  show(c);
  show(a);
  reloaded<<<blocks, 128>>>(a, b, n);
  half<<<blocks, 128>>>(b, c, n);
  show(c);
  shadowed<<<blocks, 128>>>(a, b, n);
  half<<<blocks, 128>>>(b, c, n);
  show(c);
  renewed<<<blocks, 128>>>(a, b, n);
  half<<<blocks, 128>>>(b, c, n);
  show(c);
  named<<<blocks, 128>>>(a, b, n);
  half<<<blocks, 128>>>(b, c, n);
  show(c);
  weighed<<<blocks, 128>>>(a, b, 3, n);
  weighed<<<blocks, 128>>>(b, c, bias, n);
  show(c);
  divided<<<blocks, 128>>>(a, b, 0, n);
  divided<<<blocks, 128>>>(b, c, 0, n);
  show(c);
  chosen<<<blocks, 128>>>(few, b, n);
  half<<<blocks, 128>>>(b, c, n);
  show(c);
  darken<<<blocks, 128>>>(image, dark, n);
  darken<<<blocks, 128>>>(dark, darker, n);
  cudaMemcpy(h, darker, n, cudaMemcpyDeviceToHost);
  printf("%d\n", h[3]);
}
