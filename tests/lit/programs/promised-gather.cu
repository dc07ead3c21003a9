// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s --check-prefix=TESTED
// RUN: %code %t.cu | FileCheck %s
// RUN: %kfuse %s -o %t.cu --assume=no-overlap 2>&1 | FileCheck %s --check-prefix=PROMISED
// RUN: %code %t.cu | FileCheck %s --check-prefix=PLAIN
// RUN: %kfuse verify %s
// RUN: %kfuse verify %s --assume=no-overlap
//
// Where data tell which elements are read, the test is whether arrays are of
// different allocations. With the promise that they don't overlap, none is.
//
// TESTED: 2 launches -> 1
// TESTED: under 2 conditions
// CHECK: kfuseSeparate(
// PROMISED: 2 launches -> 1
// PROMISED-NOT: under
// PLAIN-NOT: kfuseSeparate(
#include <cstdio>
#include <cuda_runtime.h>

__global__ void damp(float *speed, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    speed[i] = fmaxf(speed[i], 0.5f);
}
__global__ void carry(const float *speed, const float *colour, float *moved,
                      int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int from = min(max((int)(i - speed[i]), 0), n - 1);
    moved[i] = colour[from];
  }
}

static void step(float *speed, const float *colour, float *moved, int n) {
  damp<<<(n + 127) / 128, 128>>>(speed, n);
  carry<<<(n + 127) / 128, 128>>>(speed, colour, moved, n);
}

int main(int argc, char **argv) {
  const int n = 1000;
  float host[n], *all[3];
  for (int i = 0; i < n; ++i)
    host[i] = i % 13 - 6;
  for (int k = 0; k < 3; ++k) {
    cudaMalloc(&all[k], sizeof host);
    cudaMemcpy(all[k], host, sizeof host, cudaMemcpyHostToDevice);
  }
  step(all[argc % 3], all[(argc + 1) % 3], all[(argc + 2) % 3], n);
  for (float *each : all) {
    cudaMemcpy(host, each, sizeof host, cudaMemcpyDeviceToHost);
    printf("%g %g\n", host[7], host[n - 1]);
  }
}
