// RUN: %kfuse verify %s 2>&1 | FileCheck %s
// RUN: %kfuse %s -o %t.cu --quiet && %code %t.cu | FileCheck %s --check-prefix=TEXT
// CHECK: 6 launches -> 3
// CHECK: 'pick', 'route', 'both', 'biased'; never stored: c, d
// CHECK: verified: original and fused
//
// A pointer that a condition chooses may lead to either array: where the
// condition is one of indices, to one of them.
//
// TEXT: from[i] + 1.0f
// TEXT: to[i] = c_value * 3.0f
// TEXT: e[i] = p ? d_value - p[i] : d_value;

#include <cstdio>
#include <cuda_runtime.h>

#define INDEX int i = blockIdx.x * blockDim.x + threadIdx.x

__global__ void pick(const float *a, const float *b, float *c, int flag,
                     int n) {
  INDEX;
  const float *from = flag ? a : b;
  if (i < n)
    c[i] = from[i] + 1.0f;
}

__global__ void route(float *a, float *b, const float *c, int n) {
  INDEX;
  if (i >= n)
    return;
  float *to;
  if (i % 2 == 0)
    to = a;
  else
    to = b;
  to[i] = c[i] * 3.0f;
}

__global__ void both(const float *a, const float *b, float *d, int n) {
  INDEX;
  if (i < n)
    d[i] = a[i] - b[i];
}

__global__ void biased(const float *d, const float *bias, float *e, int n) {
  INDEX;
  const float *p = n > 100 ? bias : nullptr;
  if (i < n)
    e[i] = p ? d[i] - p[i] : d[i];
}

__device__ void set(float *p, int i) { p[i] = i; }

// The next thread reads what this one wrote, if it wrote there.
__global__ void mark(float *a, float *b, int n) {
  INDEX;
  if (i < n)
    set(i < n / 2 ? a : b, i);
}

__global__ void shifted(const float *a, float *e, int n) {
  INDEX;
  if (i > 0 && i < n)
    e[i] = a[i - 1];
}

int main() {
  const int n = 1 << 12;
  static float h[n];
  float *a, *b, *c, *d, *e;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&c, n * sizeof(float));
  cudaMalloc(&d, n * sizeof(float));
  cudaMalloc(&e, n * sizeof(float));
  for (int i = 0; i < n; ++i)
    h[i] = i * 0.5f;
  cudaMemcpy(a, h, n * sizeof(float), cudaMemcpyHostToDevice);
  for (int i = 0; i < n; ++i)
    h[i] = 1000 - i;
  cudaMemcpy(b, h, n * sizeof(float), cudaMemcpyHostToDevice);
  const int blocks = (n + 255) / 256;
  pick<<<blocks, 256>>>(a, b, c, 1, n);
  route<<<blocks, 256>>>(a, b, c, n);
  both<<<blocks, 256>>>(a, b, d, n);
  biased<<<blocks, 256>>>(d, a, e, n);
  cudaMemcpy(h, e, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += h[i] * (i % 7);
  mark<<<blocks, 256>>>(a, b, n);
  shifted<<<blocks, 256>>>(a, e, n);
  cudaMemcpy(h, e, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    sum += h[i] * (i % 5);
  printf("%.9g\n", sum);
}
