// RUN: %kfuse verify %s 2>&1 | FileCheck %s
// RUN: %kfuse %s -o %t.cu -Rkfuse-missed 2>&1 | FileCheck %s --check-prefix=MISSED
//
// All three kernels as one would have to compute 'scaled' where 'mirror' takes
// a reference to an element, which no text can say. The search goes on without
// that group, so the others still become one.
//
// CHECK: 3 launches -> 2
// CHECK-NEXT: kfuse_mirror_limit = 'mirror', 'limit'
// CHECK: verified: original and fused
//
// MISSED: 'scale' and 'mirror' not fused: LaunchNotEditable: 'mirror' does more with 'scaled' than to read its elements
#include <cstdio>
#include <cuda_runtime.h>
__global__ void scale(const float *in, float *scaled, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    scaled[i] = in[i] * 0.5f;
}
__global__ void mirror(const float *scaled, float *mirrored, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const auto &other = scaled[n - 1 - i];
    mirrored[i] = other;
  }
}
__global__ void limit(const float *mirrored, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = fminf(mirrored[i], 3.0f);
}
int main() {
  const int n = 1000;
  float host[n], *in, *scaled, *mirrored, *out;
  for (int i = 0; i < n; ++i)
    host[i] = 0.1f * i;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&scaled, sizeof(host));
  cudaMalloc(&mirrored, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  scale<<<4, 256>>>(in, scaled, n);
  mirror<<<4, 256>>>(scaled, mirrored, n);
  limit<<<4, 256>>>(mirrored, out, n);
  cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%g %g\n", host[1], host[998]);
  cudaFree(in);
  cudaFree(scaled);
  cudaFree(mirrored);
  cudaFree(out);
}
