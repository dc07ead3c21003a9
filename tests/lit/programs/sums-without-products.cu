// RUN: %kfuse %s --nvcc=none -o %t.cu 2>&1 | FileCheck %s
// RUN: %kfuse verify %s --nvcc=none
//
// Sums that take no product, whatever compiles them: of numbers converted from
// another type, and of what comes back from shared memory behind a barrier.
//
// CHECK: kfuse_add_clamp = 'add', 'clamp'
// CHECK: kfuse_lift_dot = 'lift', 'dot'
#include <cstdio>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <vector>

__global__ void add(half *r, const half *x, const half *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    r[i] = __float2half(__half2float(x[i]) + __half2float(y[i]));
}

__global__ void clamp(float *z, const half *r, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    z[i] = fmaxf(__half2float(r[i]), 0.5f);
}

__global__ void lift(float *r, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    r[i] = x[i] + 1;
}

__global__ void dot(const float *r, float *sums, int n) {
  __shared__ float s[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x;
  s[l] = i < n ? r[i] * r[i] : 0.0f;
  __syncthreads();
  for (int k = 128; k > 0; k /= 2) {
    if (l < k)
      s[l] += s[l + k];
    __syncthreads();
  }
  if (l == 0)
    sums[blockIdx.x] = s[0];
}

int main() {
  const int n = 5000, blocks = (n + 255) / 256;
  std::vector<half> h(n);
  for (int i = 0; i < n; ++i)
    h[i] = __float2half(1.0f / (i + 1));
  half *x, *y, *r;
  float *z, *u, *v;
  cudaMalloc(&x, n * sizeof(half));
  cudaMalloc(&y, n * sizeof(half));
  cudaMalloc(&r, n * sizeof(half));
  cudaMalloc(&z, n * sizeof(float));
  cudaMalloc(&u, n * sizeof(float));
  cudaMalloc(&v, blocks * sizeof(float));
  cudaMemcpy(x, h.data(), n * sizeof(half), cudaMemcpyHostToDevice);
  cudaMemcpy(y, h.data(), n * sizeof(half), cudaMemcpyHostToDevice);
  add<<<blocks, 256>>>(r, x, y, n);
  clamp<<<blocks, 256>>>(z, r, n);
  std::vector<float> f(n);
  cudaMemcpy(f.data(), z, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%a\n", f[1]);
  lift<<<blocks, 256>>>(u, z, n);
  dot<<<blocks, 256>>>(u, v, n);
  cudaMemcpy(f.data(), v, blocks * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%a\n", f[0]);
}
