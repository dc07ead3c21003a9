// RUN: %kfuse verify %s 2>&1 | FileCheck %s
// RUN: %kfuse %s -o %t.cu --quiet && %code %t.cu | FileCheck %s --check-prefix=TEXT
// CHECK: 10 launches -> 5
// CHECK: verified: original and fused
//
// Compilers know that x * 1 is x, and so is the greater of x and x: the sum
// behind it would take the product that x was. The sum can't be explicit then,
// since its operand is another one in the text, so the value passes apart.
//
// TEXT:      void kfuse_tone_same(
// TEXT:        kfuseIsolate(a[i] > 0 ? a[i] * 3.1f : a[i] * 1.7f
// TEXT-NOT:    __fadd_rn
// TEXT:        c[i] = b * one + a[i];
// TEXT:      void kfuse_tone_ratio(
// TEXT:        kfuseIsolate(a[i] > 0
// TEXT:      void kfuse_tone_larger(
// TEXT:        kfuseIsolate(a[i] > 0
// TEXT:      void kfuse_tone_scaled(
// TEXT-NOT:    kfuseIsolate
// TEXT:        c[i] = b * 1.5f;
//
// Two arrays may meet in one sum, and comments stay where they are.
//
// TEXT:      void kfuse_bend_meet(
// TEXT:        c[i] = __fadd_rn(b /* bent */ , // and
// TEXT-NEXT:       d);

#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>

__global__ void tone(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[i] > 0 ? a[i] * 3.1f : a[i] * 1.7f;
}

__global__ void same(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float one = 1.0f;
    c[i] = b[i] * one + a[i];
  }
}

__global__ void ratio(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = b[i] / 1.0f + a[i];
}

__global__ void larger(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = fmaxf(b[i], b[i]) + a[i];
}

__global__ void scaled(const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = b[i] * 1.5f;
}

__global__ void bend(const float *a, float *b, float *d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    b[i] = expf(a[i]);
    d[i] = sinf(a[i]);
  }
}

__global__ void meet(const float *b, const float *d, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = b[i] /* bent */ + // and
           d[i];
}

int main() {
  const int n = 1000;
  static float h[n];
  float *a, *b, *d, *c;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&d, n * sizeof(float));
  cudaMalloc(&c, n * sizeof(float));
  for (int i = 0; i < n; ++i)
    h[i] = (i % 13 - 6) * 0.37f;
  cudaMemcpy(a, h, n * sizeof(float), cudaMemcpyHostToDevice);
  double sum = 0;
  const auto add = [&] {
    cudaMemcpy(h, c, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i)
      sum += h[i] * (i % 7);
  };
  tone<<<8, 128>>>(a, b, n);
  same<<<8, 128>>>(a, b, c, n);
  add();
  tone<<<8, 128>>>(a, b, n);
  ratio<<<8, 128>>>(a, b, c, n);
  add();
  tone<<<8, 128>>>(a, b, n);
  larger<<<8, 128>>>(a, b, c, n);
  add();
  tone<<<8, 128>>>(a, b, n);
  scaled<<<8, 128>>>(b, c, n);
  add();
  bend<<<8, 128>>>(a, b, d, n);
  meet<<<8, 128>>>(b, d, c, n);
  add();
  printf("%.9g\n", sum);
}
