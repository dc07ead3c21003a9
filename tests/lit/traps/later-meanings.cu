// RUN: %kfuse verify %s 2>&1 | FileCheck %s
// RUN: %kfuse %s -o - | FileCheck %s --check-prefix=OUT
//
// Behind the last of its members a kernel's text may mean something else: a
// macro is another one, a namespace has a name of its own, an operator is
// found. Such groups are made of stages, which stand behind their kernels.
//
// CHECK: verified: original and fused
//
// OUT: amplify_at(
// OUT: filters::dim_at(
// OUT: mask_at(
#include <cstdio>
#include <cuda_runtime.h>

#define GAIN 2.0f
__global__ void amplify(const float *in, float *louder, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    louder[i] = in[i] * GAIN;
}
#undef GAIN
#define GAIN 5.0f
__global__ void offset(const float *louder, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = louder[i] - GAIN;
}

__constant__ float depth = 0.5f;

namespace filters {
__global__ void dim(const float *in, float *dimmed, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    dimmed[i] = in[i] * depth;
}
__constant__ float depth = 0.25f;
__global__ void fade(const float *dimmed, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = dimmed[i] * depth;
}
} // namespace filters

enum Bits { None = 0, Low = 1, High = 2 };
__global__ void mask(const int *in, int *masked, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    masked[i] = in[i] + (Low | High);
}
__host__ __device__ constexpr int operator|(Bits a, Bits b) {
  return 10 * int(a) + 100 * int(b);
}
__global__ void shift(const int *masked, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = masked[i] * 4;
}

int main() {
  const int n = 500;
  float host[n], *a, *b, *c, *d, *e;
  int numbers[n], *p, *q, *r;
  for (int i = 0; i < n; ++i) {
    host[i] = i;
    numbers[i] = i;
  }
  cudaMalloc(&a, sizeof(host));
  cudaMalloc(&b, sizeof(host));
  cudaMalloc(&c, sizeof(host));
  cudaMalloc(&d, sizeof(host));
  cudaMalloc(&e, sizeof(host));
  cudaMalloc(&p, sizeof(numbers));
  cudaMalloc(&q, sizeof(numbers));
  cudaMalloc(&r, sizeof(numbers));
  cudaMemcpy(a, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(p, numbers, sizeof(numbers), cudaMemcpyHostToDevice);
  amplify<<<4, 128>>>(a, b, n);
  offset<<<4, 128>>>(b, c, n);
  cudaMemcpy(host, c, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%f\n", host[499]);
  filters::dim<<<4, 128>>>(a, d, n);
  filters::fade<<<4, 128>>>(d, e, n);
  cudaMemcpy(host, e, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%f\n", host[499]);
  mask<<<4, 128>>>(p, q, n);
  shift<<<4, 128>>>(q, r, n);
  cudaMemcpy(numbers, r, sizeof(numbers), cudaMemcpyDeviceToHost);
  printf("%d\n", numbers[499]);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  cudaFree(d);
  cudaFree(e);
  cudaFree(p);
  cudaFree(q);
  cudaFree(r);
}
