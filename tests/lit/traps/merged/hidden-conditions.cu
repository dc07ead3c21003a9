// RUN: %kfuse verify %s 2>&1 | FileCheck %s
//
// A load of several elements comes first only if it always runs. A macro, a
// pragma or an attribute may stand between a statement's start and its `if`; w
// has ten elements.
//
// CHECK: 6 launches -> 3
// CHECK: verified: original and fused
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define WHEN(c) if (c)

__global__ void copy(float *x, const float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = y[i];
}

__global__ void byMacro(const float *x, float *z, const float *w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    z[i] = x[i];
    WHEN(i < 10) z[i] = w[i];
  }
}

__global__ void byPragma(const float *x, float *z, const float *w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    z[i] = x[i];
#pragma nv_diag_suppress 177
    if (i < 10)
      z[i] = w[i];
  }
}

__global__ void byAttribute(const float *x, float *z, const float *w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    z[i] = x[i];
    [[clang::nomerge]] if (i < 10)
      z[i] = w[i];
  }
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 1003;
  const int blocks = (n + 127) / 128;
  float *x, *y, *z, *w, *host = (float *)malloc(n * sizeof(float));
  for (int i = 0; i < n; ++i)
    host[i] = i % 7;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMalloc(&z, n * sizeof(float));
  cudaMalloc(&w, 10 * sizeof(float));
  cudaMemcpy(y, host, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(w, host + 3, 10 * sizeof(float), cudaMemcpyHostToDevice);
  const auto show = [&] {
    cudaMemcpy(host, z, n * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%g %g %g\n", host[1], host[11], host[n - 1]);
  };
  copy<<<blocks, 128>>>(x, y, n);
  byMacro<<<blocks, 128>>>(x, z, w, n);
  show();
  copy<<<blocks, 128>>>(x, y, n);
  byPragma<<<blocks, 128>>>(x, z, w, n);
  show();
  copy<<<blocks, 128>>>(x, y, n);
  byAttribute<<<blocks, 128>>>(x, z, w, n);
  show();
  for (float *each : {x, y, z, w})
    cudaFree(each);
  free(host);
}
