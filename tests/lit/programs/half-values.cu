// RUN: %kfuse %s -o %t.cu --relaxed-rounding -Rkfuse 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s --relaxed-rounding
//
// Halves and bfloat16s are read through conversions of their classes, and so
// is a class of the program.

// CHECK: remark: fused 'add', 'twice', 'warm', 'sum'
// OUT: {{^}}  twice_stage({{.+}}, x_value, y_value, n);
// OUT: {{^}}  warm_at(i, y_value, {{.+}}, n);
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <vector>

typedef __nv_bfloat16 Real;

struct Celsius {
  float degrees;
  __device__ operator float() const { return degrees * 2; }
};

__global__ void add(Real *x, const Real *a, const Real *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = (Real)((float)a[i] + (float)b[i]);
}

__global__ void twice(const Real *x, half *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = (half)(2.0f * (float)x[i]);
}

__global__ void warm(const half *y, Celsius *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i].degrees = y[i];
}

__global__ void sum(const Celsius *c, float *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    z[i] = 1 + c[i];
}

int main() {
  const int n = 1000;
  std::vector<Real> h(n);
  for (int i = 0; i < n; ++i)
    h[i] = (Real)(i * 0.37f);
  Real *a, *b, *x;
  half *y;
  Celsius *c;
  float *z;
  cudaMalloc(&a, n * sizeof(Real));
  cudaMalloc(&b, n * sizeof(Real));
  cudaMalloc(&x, n * sizeof(Real));
  cudaMalloc(&y, n * sizeof(half));
  cudaMalloc(&c, n * sizeof(Celsius));
  cudaMalloc(&z, n * sizeof(float));
  cudaMemcpy(a, h.data(), n * sizeof(Real), cudaMemcpyHostToDevice);
  cudaMemcpy(b, h.data(), n * sizeof(Real), cudaMemcpyHostToDevice);
  add<<<4, 256>>>(x, a, b, n);
  twice<<<4, 256>>>(x, y, n);
  warm<<<4, 256>>>(y, c, n);
  sum<<<4, 256>>>(c, z, n);
  std::vector<float> result(n);
  cudaMemcpy(result.data(), z, n * sizeof(float), cudaMemcpyDeviceToHost);
  double total = 0;
  for (int i = 0; i < n; ++i)
    total += result[i] * (i % 7);
  printf("%.3f\n", total);
  cudaFree(a);
  cudaFree(b);
  cudaFree(x);
  cudaFree(y);
  cudaFree(c);
  cudaFree(z);
}
