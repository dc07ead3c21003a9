// RUN: %kfuse %s -o %t.cu -Rkfuse 2>&1 | FileCheck %s
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
// SAME: {{^}}verified: original and fused leave equal traces and output
//
// Unsigned coordinates are compared with a signed width. Where the index is
// tested not to wrap, the width isn't negative, and bounds the row.

// CHECK: 2 launches -> 1
// CHECK-NEXT: kfuse_flux_divergence = 'flux', 'divergence'

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void flux(const float *h, float *f, int nx, int ny) {
  unsigned int i = threadIdx.y + blockIdx.y * blockDim.y;
  unsigned int j = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < ny + 2 && j < nx + 2)
    f[i * (nx + 2) + j] = h[i * (nx + 2) + j] * 0.5f;
}

__global__ void divergence(const float *f, float *m, int nx, int ny) {
  unsigned int i = threadIdx.y + blockIdx.y * blockDim.y;
  unsigned int j = threadIdx.x + blockIdx.x * blockDim.x;
  if (i > 0 && i < ny + 1 && j > 0 && j < nx + 1)
    m[i * (nx + 2) + j] =
        f[i * (nx + 2) + (j + 1)] - f[i * (nx + 2) + (j - 1)];
}

int main(int argc, char **) {
  const int nx = 60 + argc, ny = 45;
  const size_t bytes = (nx + 2) * (ny + 2) * sizeof(float);
  float *d_h, *d_f, *d_m, *h = (float *)malloc(bytes);
  for (int k = 0; k < (nx + 2) * (ny + 2); ++k)
    h[k] = k % 17;
  cudaMalloc(&d_h, bytes);
  cudaMalloc(&d_f, bytes);
  cudaMalloc(&d_m, bytes);
  cudaMemcpy(d_h, h, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_m, h, bytes, cudaMemcpyHostToDevice);
  dim3 block(16, 16);
  dim3 grid((nx + 2 + block.x - 1) / block.x, (ny + 2 + block.y - 1) / block.y);
  flux<<<grid, block>>>(d_h, d_f, nx, ny);
  divergence<<<grid, block>>>(d_f, d_m, nx, ny);
  cudaMemcpy(h, d_m, bytes, cudaMemcpyDeviceToHost);
  float sum = 0;
  for (int k = 0; k < (nx + 2) * (ny + 2); ++k)
    sum += h[k];
  printf("%g\n", sum);
}
