// RUN: %kfuse %s -o %t.cu -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// Numbers that wrap are never equal to the ones after them, nor even ones to
// odd ones: under such a test no kernel is written.

// CHECK: 'store' and 'load' not fused: NeverHolds: {{.*}} which is never so
// CHECK: 'store' and 'load' not fused: NeverHolds: {{.*}} which is never so
// CHECK: 'store' and 'load' not fused: NeverHolds: {{.*}} which is never so
// SAME: verified: nothing was fused
#include <cstdio>

__global__ void store(const float *a, float *b, unsigned at, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i + at] = 2 * a[i];
}
__global__ void load(const float *b, float *c, unsigned at, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = b[i + at] + 1;
}

void next(const float *a, float *b, float *c, unsigned at, unsigned more, unsigned n) {
  store<<<8, 128>>>(a, b, at + more, n);
  load<<<8, 128>>>(b, c, at + more + 1, n);
}
void odd(const float *a, float *b, float *c, unsigned at, unsigned more, unsigned n) {
  store<<<8, 128>>>(a, b, 2 * at, n);
  load<<<8, 128>>>(b, c, 4 * more + 1, n);
}
void before(const float *a, float *b, float *c, unsigned at, unsigned more, unsigned n) {
  store<<<8, 128>>>(a, b, at + more - 1, n);
  load<<<8, 128>>>(b, c, at + more, n);
}

int main(int argc, char **) {
  const unsigned n = 1000;
  static float host[2 * n];
  for (unsigned i = 0; i < 2 * n; ++i)
    host[i] = i % 37;
  float *a, *b, *c;
  cudaMalloc(&a, sizeof host);
  cudaMalloc(&b, sizeof host);
  cudaMalloc(&c, sizeof host);
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemcpy(b, host, sizeof host, cudaMemcpyHostToDevice);
  for (auto *each : {next, odd}) {
    each(a, b, c, argc, argc + 1, n);
    cudaMemcpy(host, c, sizeof host, cudaMemcpyDeviceToHost);
    printf("%g\n", host[7]);
  }
  before(a, b, c, argc, argc + 1, n);
  cudaMemcpy(host, c, sizeof host, cudaMemcpyDeviceToHost);
  printf("%g\n", host[7]);
}
