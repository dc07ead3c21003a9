// RUN: %kfuse %s -o %t.cu --elements-per-thread=1 --quiet
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s 2>&1 | FileCheck %s
// RUN: %kfuse verify %s --elements-per-thread=1 2>&1 | FileCheck %s
//
// A kernel that changes what an earlier one stored makes the earlier store
// useless: the value only passes in a variable, which the first statement
// declares. With unsigned indices as with signed ones this is one body.
//
// CHECK: verified: original and fused
//
// OUT:      kfuse_filled_scaled_shifted(
// OUT:        float x_value = __fmul_rn(b[i], a);
// OUT:        x_value = __fmul_rn(x_value, a);
// OUT:        x[i] = x_value = x_value + b[i];
//
// The first of these reads what was there before.
// OUT:      kfuse_scaled_shifted(
// OUT:        float y_value = __fmul_rn(y[i], a);
// OUT-NOT:    y[i] =
// OUT:        y[i] = y_value = y_value + b[i];
//
// Half of the elements aren't stored again.
// OUT:      kfuse_filled_shiftedHalf(
// OUT:        x[i] =
// OUT:        x[i] =
//
// A thread stores again what may not be its own element.
// OUT:      kfuse_filled_picked(
// OUT:        x[i] =
// OUT:        x[k] =
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

__global__ void filled(float *x, const float *b, float a, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = b[i] * a;
}
__global__ void scaled(float *x, float a, std::uint32_t n) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = x[i] * a;
}
__global__ void shifted(float *x, const float *b, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = x[i] + b[i];
}

int main() {
  const unsigned n = 100000;
  std::vector<float> h(n);
  for (unsigned i = 0; i < n; ++i)
    h[i] = 0.25f * (i % 23);
  float *x, *b;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMemcpy(b, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  const unsigned grid = (n + 255) / 256;
  filled<<<grid, 256>>>(x, b, 1.5f, n);
  scaled<<<grid, 256>>>(x, 0.3f, n);
  shifted<<<grid, 256>>>(x, b, n);
  cudaMemcpy(h.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (unsigned i = 0; i < n; i += 9999)
    std::printf("%g\n", h[i]);
}
