// RUN: %kfuse %s -o %t.cu --elements-per-thread=1 --quiet
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s 2>&1 | FileCheck %s
// RUN: %kfuse verify %s --elements-per-thread=1 2>&1 | FileCheck %s
//
// A kernel that changes what an earlier one stored makes the earlier store
// useless: the value only passes in a variable, which the first statement
// declares. Indices of unsigned types, by any name, make one body too.
//
// CHECK: verified: original and fused
//
// OUT:      void kfuse_fill_scale_shift(
// OUT:      unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
// OUT-NEXT: if (i < n) {
// OUT-NEXT:   // fill
// OUT-NEXT:   float x_value = __fmul_rn(b[i], a);
// OUT-EMPTY:
// OUT-NEXT:   // scale
// OUT-NEXT:   x_value = __fmul_rn(x_value, a_scale);
// OUT-EMPTY:
// OUT-NEXT:   // shift
// OUT-NEXT:   x[i] = x_value + b[i];
//
// The first kernel reads what was there before.
// OUT:      void kfuse_scale_shift(
// OUT:        float y = __fmul_rn(x[i], a);
// OUT-NOT:    x[i] = y;
// OUT:        x[i] = y + b[i];
//
// Some elements aren't stored again: outside of a guard, the first store
// remains; in one, one store behind both will do.
// OUT:      void kfuse_fill_shiftHalf(
// OUT:        x[i] = x_value = __fmul_rn(b[i], a);
// OUT:      void kfuse_fill_shiftSome(
// OUT:        float x_value = __fmul_rn(b[i], a);
// OUT:        if (b[i] > 1)
// OUT-NEXT:     x_value = x_value + 1;
// OUT-NEXT:   x[i] = x_value;
// What the kernel reads by another name is other storage, as was tested:
// OUT:      void kfuse_fillAndRead_scale(
// OUT:        float x_value = b[i] - 1;
// OUT-NEXT:   seen[i] = other[i];
// A function or lambda reads it in memory again:
// OUT:      void fillAndCall_at(
// OUT:        x[i] = x_value = b[i] - 3;
// The test:
// OUT:        kfuseDisjoint({x}, {b, s, other}, 0, 4 * (long long)n)) {
// OUT:          kfuse_fillAndRead_scale<<<
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

using Index = std::uint32_t;

__global__ void fill(float *x, const float *b, float a, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = b[i] * a;
}
__global__ void scale(float *x, float a, std::uint32_t n) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = x[i] * a;
}
__global__ void shift(float *x, const float *b, Index n) {
  Index i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = x[i] + b[i];
}
__global__ void shiftHalf(float *x, const float *b, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2)
    x[i] = x[i] + b[i];
}
__global__ void shiftSome(float *x, const float *b, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    if (b[i] > 1)
      x[i] = x[i] + 1;
  }
}
__global__ void fillAndRead(float *x, const float *b, const float *other,
                            float *seen, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    x[i] = b[i] - 1;
    seen[i] = other[i];
  }
}

__device__ float valueAt(const float *p, unsigned i) { return p[i]; }
__global__ void fillAndCall(float *x, const float *b, float *seen, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const auto own = [&](unsigned k) { return x[k]; };
  if (i < n) {
    x[i] = b[i] - 3;
    seen[i] = i % 2 == 0 ? own(i) : valueAt(x, i);
  }
}

void show(const float *x, unsigned n) {
  std::vector<float> h(n);
  cudaMemcpy(h.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (unsigned i = 0; i < n; i += 997)
    std::printf("%g ", h[i]);
  std::printf("\n");
}

void seen(float *x, const float *b, const float *other, float *s, unsigned n) {
  const unsigned grid = (n + 255) / 256;
  fillAndRead<<<grid, 256>>>(x, b, other, s, n);
  scale<<<grid, 256>>>(x, 0.4f, n);
  show(x, n);
  show(s, n);
}

int main() {
  const unsigned n = 10000, grid = (n + 255) / 256;
  std::vector<float> h(n);
  for (unsigned i = 0; i < n; ++i)
    h[i] = 0.25f * (i % 23);
  float *x, *y, *b, *s;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&s, n * sizeof(float));
  cudaMemcpy(b, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(y, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  fill<<<grid, 256>>>(x, b, 1.5f, n);
  scale<<<grid, 256>>>(x, 0.3f, n);
  shift<<<grid, 256>>>(x, b, n);
  show(x, n);
  scale<<<grid, 256>>>(y, 0.7f, n);
  shift<<<grid, 256>>>(y, b, n);
  show(y, n);
  fill<<<grid, 256>>>(x, b, 2.5f, n);
  shiftHalf<<<grid, 256>>>(x, b, n);
  show(x, n);
  fill<<<grid, 256>>>(x, b, 3.5f, n);
  shiftSome<<<grid, 256>>>(x, b, n);
  show(x, n);
  fillAndCall<<<grid, 256>>>(x, b, s, n);
  scale<<<grid, 256>>>(x, 0.9f, n);
  show(x, n);
  show(s, n);
  seen(x, b, y, s, n);
  seen(x, b, x, s, n);
}
