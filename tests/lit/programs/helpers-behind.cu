// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// A kernel's copy stands behind its header, where a function that the kernel
// saw declared is defined. That changes no call; an overload or a default
// argument may.

// CHECK-DAG: remark: fused 'move', 'doubled'
// CHECK-DAG: the text of 'stretch' can't be copied: 'scaled' is declared behind it in its header
// CHECK-DAG: the text of 'times' can't be copied: 'by' is declared behind it in its header
// SAME: verified: original and fused
#include "Inputs/helpers-behind.cuh"
#include <cstdio>

__global__ void doubled(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] * 2;
}

int main() {
  const int n = 1024;
  static float host[n];
  for (int i = 0; i < n; ++i)
    host[i] = i % 23;
  float *x, *v, *y, *z, *w;
  for (float **each : {&x, &v, &y, &z, &w})
    cudaMalloc(each, sizeof(host));
  cudaMemcpy(x, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(v, host, sizeof(host), cudaMemcpyHostToDevice);
  move<<<n / 128, 128>>>(x, v, 20.0f, n);
  doubled<<<n / 128, 128>>>(x, y, n);
  stretch<<<n / 128, 128>>>(y, z, n);
  doubled<<<n / 128, 128>>>(z, y, n);
  times<<<n / 128, 128>>>(y, w, n);
  for (float *each : {x, y, z, w}) {
    cudaMemcpy(host, each, sizeof(host), cudaMemcpyDeviceToHost);
    float sum = 0;
    for (int i = 0; i < n; ++i)
      sum += host[i] * (i % 7);
    printf("%g\n", sum);
  }
}
