// RUN: %kfuse %s -o %t.cu -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %kfuse %s -o %t.cu -DNEWER 2>&1 | FileCheck %s --check-prefix=NEWER
//
// References to textures are read: toolkits before 12 have them. What one gives
// may be any array, so such a kernel stays apart, and what it may read is stored.
// Newer programs have the word for themselves.

// CHECK-NOT: error
// CHECK: {{'raise'|'lower'}} and 'turn' not fused: KernelUnsupported: 'turn' uses textures or surfaces (tex2D)
// CHECK: 3 launches -> 2
// CHECK: kfuse_raise_lower = 'raise', 'lower'{{$}}
// NEWER-NOT: error
// NEWER: 2 launches -> 1
// NEWER-NEXT: never stored: up
#include <cuda_runtime.h>

#ifdef NEWER
struct {
  cudaTextureObject_t object;
} texture;
#else
texture<float, cudaTextureType1D, cudaReadModeElementType> values;
texture<uchar4, 2, cudaReadModeNormalizedFloat> image;
surface<void, 2> plane;

__global__ void turn(const float *up, float *turned, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float4 color = tex2D(image, 0.5f, 0.25f);
    turned[i] = up[i] + tex1Dfetch(values, n - 1 - i) * color.x;
    surf2Dwrite(color.y, plane, i * 4, 0);
  }
}
#endif
__global__ void raise(const float *in, float *up, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    up[i] = in[i] + 1;
}
__global__ void lower(const float *up, float *down, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    down[i] = up[i] - 2;
}

int main() {
  const int n = 1000;
  float *in, *up, *down, *turned, host[n];
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&up, n * sizeof(float));
  cudaMalloc(&down, n * sizeof(float));
  cudaMalloc(&turned, n * sizeof(float));
#ifndef NEWER
  cudaBindTexture(0, values, up, n * sizeof(float));
#endif
  raise<<<(n + 127) / 128, 128>>>(in, up, n);
  lower<<<(n + 127) / 128, 128>>>(up, down, n);
#ifndef NEWER
  turn<<<(n + 127) / 128, 128>>>(up, turned, n);
  cudaUnbindTexture(values);
#endif
  cudaMemcpy(host, down, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(host, turned, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(up);
  cudaFree(down);
  cudaFree(turned);
}
