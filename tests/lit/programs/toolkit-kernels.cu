// REQUIRES: nvcc
// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
//
// Kernels mean what they do without a toolkit's headers: coordinates, which are
// properties there, functions that call another one, halves made by assembly.

// CHECK-NOT: error
// CHECK: 4 launches -> 1
#include <cub/version.cuh>
#include <cuda_fp16.h>

__global__ void bend(const float *in, float *bent, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    bent[i] = fabsf(in[i]) + 1;
}
__global__ void squash(const float *bent, float *squashed, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    squashed[i] = 0.5f * tanhf(bent[i]);
}
__global__ void shrink(const float *squashed, half *small, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    small[i] = __float2half(fminf(squashed[i], 1.0f));
}
__global__ void twice(const half *small, half *larger, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    larger[i] = small[i] + small[i];
}

// What nvcc brings along: host's min and max, hints for caches, its version.
static_assert(__CUDACC_VER_MAJOR__ >= 11, "");
int blocksOf(int n, unsigned most) { return min(max(1, (n + 127) / 128), most); }
__global__ void stream(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    __stcs(out + i, __ldcs(in + i));
}

void run(const float *in, float *bent, float *squashed, half *small, half *larger, int n) {
  bend<<<(n + 127) / 128, 128>>>(in, bent, n);
  squash<<<(n + 127) / 128, 128>>>(bent, squashed, n);
  shrink<<<(n + 127) / 128, 128>>>(squashed, small, n);
  twice<<<(n + 127) / 128, 128>>>(small, larger, n);
}
