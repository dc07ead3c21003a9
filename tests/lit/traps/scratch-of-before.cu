// RUN: %kfuse %s --quiet --emit=plan | FileCheck %s
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// Behind the first pair all that it stored is stored again before it is read, in
// the iteration that stored it. In a later one, where nothing is stored, the
// array still has it.

// CHECK: Scratch in a register from 'make' {{.*}}, stored too
// SAME:  verified: original and fused leave equal traces

#include <cstdio>
#include <cuda_runtime.h>

constexpr int N = 1024;

__global__ void make(const float *a, float *t, int times) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (times > 2)
    t[i] = a[i] + 1.0f;
}
__global__ void take(const float *t, float *b, int times) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (times > 2)
    b[i] = t[i] * 2.0f;
}
__global__ void jump(const float *t, float *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] += t[(i * 7) % N];
}

int main() {
  float *a, *b, *c, *Scratch;
  cudaMalloc(&a, N * sizeof(float));
  cudaMalloc(&b, N * sizeof(float));
  cudaMalloc(&c, N * sizeof(float));
  cudaMalloc(&Scratch, N * sizeof(float));
  cudaMemset(a, 0, N * sizeof(float));
  cudaMemset(c, 0, N * sizeof(float));
  cudaMemset(Scratch, 0, N * sizeof(float));
  float h[N];
  const int times[] = {3, 1};
  for (int k = 0; k < 2; ++k) {
    const int now = times[k];
    make<<<4, 256>>>(a, Scratch, now);
    take<<<4, 256>>>(Scratch, b, now);
    cudaMemcpy(h, b, sizeof(h), cudaMemcpyDeviceToHost);
    printf("%g\n", h[5]);
    if (k == 1) {
      make<<<4, 256>>>(b, Scratch, now);
      jump<<<4, 256>>>(Scratch, c);
    }
  }
  cudaMemcpy(h, c, sizeof(h), cudaMemcpyDeviceToHost);
  printf("%g\n", h[5]);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  cudaFree(Scratch);
}
