// RUN: %kfuse %s -o %t.cu -Rkfuse 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %kfuse verify %s -- 300 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %kfuse %s -o %t.cu --quiet --save-plan=%t.json
// RUN: %kfuse %s -o %t2.cu --quiet --plan=%t.json
// RUN: cmp %t.cu %t2.cu
//
// A kernel with two outputs from one input. A later kernel reads the first one
// elsewhere, so that the kernel can't be fused with what follows; but the part
// that makes the second one can, and the first one's with what stands before.

// CHECK: remark: fused 'smooth', 'derive_level'
// CHECK: note: 'derive_level' is a part of 'derive'
// CHECK: remark: fused 'derive_slope', 'reverse', 'relax'
// CHECK: note: 'derive_slope' is a part of 'derive'
// CHECK: 4 launches -> 2
// CHECK: global traffic, each launch once: 671.1 MB -> 402.7 MB
// SAME: verified: original and fused

// OUT:      {{^}}__global__ void derive(float *level,
// OUT:      void kfuse_smooth_derive_level(
// OUT:      // derive_level
// OUT:      level[i] = here * 0.5f;
// OUT:      void kfuse_derive_slope_reverse_relax(
// OUT-NOT:  level[i] =
// OUT:      {{^}}int main(
// OUT:      {{^ *}}kfuse_smooth_derive_level<<<
// OUT:      {{^ *}}kfuse_derive_slope_reverse_relax<<<
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void smooth(float *average, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    average[i] = i > 0 ? (in[i] + in[i - 1]) * 0.5f : in[i];
}

__global__ void derive(float *level, float *slope, const float *in,
                       float scale, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float here = in[i];
  level[i] = here * 0.5f;
  if (i > 0)
    slope[i] = (here - in[i - 1]) * scale;
  else
    slope[i] = 0;
}

__global__ void reverse(float *mirrored, const float *level, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    mirrored[i] = level[n - 1 - i];
}

__global__ void relax(float *out, const float *slope, const float *mirrored,
                      int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = slope[i] + mirrored[i];
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 1000, blocks = (n + 127) / 128;
  const size_t bytes = n * sizeof(float);
  float *host = (float *)malloc(bytes);
  for (int i = 0; i < n; ++i)
    host[i] = (float)(i % 37);
  float *in, *average, *level, *slope, *mirrored, *out;
  cudaMalloc(&in, bytes);
  cudaMalloc(&average, bytes);
  cudaMalloc(&level, bytes);
  cudaMalloc(&slope, bytes);
  cudaMalloc(&mirrored, bytes);
  cudaMalloc(&out, bytes);
  cudaMemcpy(in, host, bytes, cudaMemcpyHostToDevice);
  smooth<<<blocks, 128>>>(average, in, n);
  derive<<<blocks, 128>>>(level, slope, in, 0.25f, n);
  reverse<<<blocks, 128>>>(mirrored, level, n);
  relax<<<blocks, 128>>>(out, slope, mirrored, n);
  cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    printf("%g ", host[i]);
  cudaMemcpy(host, level, bytes, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    printf("%g ", host[i]);
  cudaMemcpy(host, average, bytes, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    printf("%g ", host[i]);
  cudaFree(in);
  cudaFree(average);
  cudaFree(level);
  cudaFree(slope);
  cudaFree(mirrored);
  cudaFree(out);
  free(host);
}
