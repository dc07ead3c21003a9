// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %kfuse verify %s
//
// A number taken apart into row and column, which are put together otherwise:
// with padded rows, transposed, and a warp's first lane for the whole warp.

// CHECK-DAG: remark: fused 'pad', 'shrink'
// CHECK-DAG: remark: fused 'turn', 'turned'
// CHECK-DAG: remark: fused 'warps', 'halves'
#include <cstdio>
#include <cuda_runtime.h>

constexpr int Width = 60, Height = 50, Pitch = 64;

__global__ void pad(const float *a, float *padded) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= Width * Height)
    return;
  int row = i / Width, column = i % Width;
  padded[row * Pitch + column] = a[i] + 1;
}

__global__ void shrink(const float *padded, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= Width * Height)
    return;
  int row = i / Width, column = i % Width;
  b[i] = 2 * padded[row * Pitch + column];
}

__global__ void turn(const float *b, float *t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < Width * Height)
    t[i % Width * Height + i / Width] = b[i] - 3;
}

__global__ void turned(const float *t, float *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < Width * Height)
    c[i] = t[i % Width * Height + i / Width] * t[i % Width * Height + i / Width];
}

__global__ void warps(const float *c, float *w) {
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (lane == 0)
    w[blockIdx.x * 4 + warp] = c[blockIdx.x * blockDim.x + threadIdx.x];
}

__global__ void halves(const float *w, float *h) {
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (lane == 0)
    h[blockIdx.x * 4 + warp] = w[blockIdx.x * 4 + warp] / 2;
}

float sumOf(const float *array, int count) {
  static float host[Pitch * Height];
  cudaMemcpy(host, array, count * sizeof(float), cudaMemcpyDeviceToHost);
  float sum = 0;
  for (int i = 0; i < count; ++i)
    sum += host[i] * (i % 7);
  return sum;
}

int main() {
  static float host[Pitch * Height];
  for (int i = 0; i < Pitch * Height; ++i)
    host[i] = i % 37;
  const int bytes = sizeof(host), blocks = (Width * Height + 127) / 128;
  float *a, *padded, *b, *t, *c, *w, *h;
  for (float **array : {&a, &padded, &b, &t, &c, &w, &h}) {
    cudaMalloc(array, 1 << 20); // more than the tests take them to reach
    cudaMemcpy(*array, host, bytes, cudaMemcpyHostToDevice);
  }
  pad<<<blocks, 128>>>(a, padded);
  shrink<<<blocks, 128>>>(padded, b);
  printf("%f %f\n", sumOf(padded, Pitch * Height), sumOf(b, Width * Height));
  turn<<<blocks, 128>>>(b, t);
  turned<<<blocks, 128>>>(t, c);
  printf("%f %f\n", sumOf(t, Width * Height), sumOf(c, Width * Height));
  warps<<<20, 128>>>(c, w);
  halves<<<20, 128>>>(w, h);
  printf("%f %f\n", sumOf(w, 80), sumOf(h, 80));
  for (float *array : {a, padded, b, t, c, w, h})
    cudaFree(array);
}
